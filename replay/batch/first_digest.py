"""Verifies digests of the first version from derived files of their time.

The first version hashed rows as JSON, with the words of every step. Code of today writes no such
rows, so an old table-day is compared with its own files, by the columns that they have
(docs/formats.md).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from replay.tables import parquet
from replay.tables.parquet import DerivedCorrupt, Manifest

VERSION = 1
OF_A_ROUND = (
    *("rounds", "wagers", "dues", "unruled_dues", "flags", "steps", "cards", "doubts"),
    *("results", "spins", "shakes"),
)
NOT_HASHED = ("digest", "differing")  # columns that were added to a row after it was hashed

ByRound = dict[str, list[list[Any]]]


def fault(folder: Path, made: Manifest) -> DerivedCorrupt | None:
    """What is wrong with an old table-day's digests; None where its files give them."""
    if made.failed:
        return None
    tables = {name: _by_round(folder, made, name) for name in OF_A_ROUND}
    stated = list(_stated(folder, made))
    for round_id, digest in stated:
        rows = {name: found.get(round_id, []) for name, found in tables.items()}
        if _sha256(rows) != digest:
            what = f"round {round_id}: the digest {digest[:16]}… of the first version expected"
            return DerivedCorrupt(f"{folder}: {what}, {_sha256(rows)[:16]}… found")
    digests = [digest for _, digest in stated]
    events = made.end - made.start
    day = _sha256([made.table_id, made.gaming_day, events, made.last_hash, digests])
    if day != made.digest:
        what = f"the digest {made.digest[:16]}… of the first version expected"
        return DerivedCorrupt(f"{folder}: {what}, {day[:16]}… found")
    return None


def total(days: Iterable[Manifest]) -> str:
    """The first version's hash over table-days."""
    lines = (f"{day.table_id} {day.gaming_day} {day.digest}\n" for day in days)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _stated(folder: Path, made: Manifest) -> Iterator[tuple[str, str]]:
    """Each round with the digest that the files say it has, in the order the rounds opened."""
    found = _table(folder, made, "rounds")
    if found is not None:
        rounds, digests = found["round_id"].to_pylist(), found["digest"].to_pylist()
        yield from zip(rounds, digests, strict=True)


def _by_round(folder: Path, made: Manifest, name: str) -> ByRound:
    found, rows = _table(folder, made, name), ByRound()
    if found is None:
        return rows
    hashed = [column for column in found.column_names if column not in NOT_HASHED]
    columns = [_values(found[column]) for column in hashed]
    for round_id, *row in zip(found["round_id"].to_pylist(), *columns, strict=True):
        rows.setdefault(round_id, []).append(row)
    return rows


def _table(folder: Path, made: Manifest, name: str) -> Any:
    """A Parquet file with the columns it has; None where the table-day has no such rows."""
    file = f"{name}.parquet"
    if file not in made.files:
        return None
    body = parquet.verified(folder / file, made.files[file])
    with pq.ParquetFile(pa.BufferReader(body), pre_buffer=False) as opened:
        return opened.read(use_threads=False)


def _values(column: Any) -> list[Any]:
    """A column as it was hashed: times are microseconds, gaming days are text."""
    if pa.types.is_timestamp(column.type):
        return list(column.cast(pa.int64()).to_pylist())
    if pa.types.is_date(column.type):
        return [str(day) if day else "" for day in column.to_pylist()]
    return list(column.to_pylist())


def _sha256(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
