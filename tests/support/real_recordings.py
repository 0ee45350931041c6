"""Real recordings (tests/real): spins of three wheels, hands of baccarat, showdowns of Hold'em."""

import csv
import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from audit.checks import catalogue
from audit.checks import run as run_checks
from replay.tables import dictionary

FOLDER = Path(__file__).parents[1] / "real"
WHOLE = os.environ.get("ROUNDPROOF_REAL") == "all"
WHEELS = ("t1", "t2", "t5")


def spins(wheel: str) -> list[tuple[int, int]]:
    """Every spin of a wheel as the number of its stretch and the pocket."""
    with gzip.open(FOLDER / f"wheel_{wheel}.txt.gz", "rt") as lines:
        return [(n, int(pocket)) for n, line in enumerate(lines) for pocket in line.split(",")]


def repeated_blocks() -> list[tuple[str, int, int]]:
    """Where numbers stand twice in a row: wheel, place of the first spin, length."""
    rows = _rows(FOLDER / "wheel_repeated_blocks.tsv")
    return [(row["table"], int(row["spin_index"]), int(row["length"])) for row in rows]


def hands() -> list[dict[str, str]]:
    """Hands of baccarat with their cards."""
    return list(_rows(FOLDER / "baccarat_bbin.tsv"))


def showdowns(most: int) -> list[dict[str, str]]:
    """Showdowns of Hold'em."""
    found = list(_rows(FOLDER / "holdem_showdowns.tsv.gz"))
    return found if WHOLE else found[:most]


def of_wheels(check_id: str, wheels: dict[str, list[tuple[int, int]]]) -> list[dict[str, Any]]:
    """What a check finds in the spins of these wheels; a stretch stands for a gaming day."""
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        for table, spun in wheels.items():
            _insert(db, table, spun)
        check = catalogue.checks()[check_id]
        run_checks.prepare(db, [check])
        return run_checks.rows(db, check)


def _insert(db: duckdb.DuckDBPyConnection, table: str, spun: list[tuple[int, int]]) -> None:
    stretches, pockets = zip(*spun, strict=True)
    spin = pa.table({"n": range(len(spun)), "stretch": stretches, "pocket": pockets})
    db.register("spin", spin)
    db.execute(
        "insert into rounds (table_id, round_id, gaming_day, opened_seq, status)"
        " select $1, $1 || '-' || n, date '2000-01-01' + stretch::integer, n, 'settled' from spin",
        [table],
    )
    db.execute(
        "insert into spins (table_id, round_id, pocket)"
        " select $1, $1 || '-' || n, pocket from spin",
        [table],
    )
    db.execute(
        "insert into events (table_id, event_id, round_id, seq, type)"
        " select $1, 'E' || n, $1 || '-' || n, n, 'BallLanded' from spin",
        [table],
    )
    db.unregister("spin")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    yield from csv.DictReader(text.splitlines(), delimiter="\t")
