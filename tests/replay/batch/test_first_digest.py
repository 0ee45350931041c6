"""Digests of the first version are verified from the files of their time."""

import hashlib
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from replay.batch import first_digest
from replay.tables import parquet
from replay.tables.parquet import Manifest

OF_A_ROUND = (
    *("rounds", "wagers", "dues", "unruled_dues", "flags", "steps", "cards", "doubts"),
    *("results", "spins", "shakes"),
)
STEP = {"round_id": "R1", "wager_id": "", "n": 1, "text": "Player 9 counts", "clauses": ["TB:4.13"]}
CARD = {"round_id": "R1", "table_id": "T9", "camera_probability": 0.97}
OPENED = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _sha256(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder of a table-day as the first version left it."""
    opened = int(OPENED.timestamp() * 1_000_000)
    hashed: dict[str, list[list[Any]]] = {name: [] for name in OF_A_ROUND}
    hashed |= {"rounds": [["R1", "2026-03-01", opened, "settled"]]}
    hashed |= {"steps": [list(STEP.values())], "cards": [list(CARD.values())]}
    digest = _sha256(hashed)
    made = Manifest("T9", "2026-03-01", 0, 5, "ab" * 32, "old code", 1, "", {})
    day = _sha256(["T9", "2026-03-01", 5, made.last_hash, [digest]])
    known = {"round_id": "R1", "gaming_day": date(2026, 3, 1), "status": "settled"}
    round = {
        "round_id": "R1",
        "gaming_day": known["gaming_day"],
        "opened_at": OPENED.replace(tzinfo=None),
    }
    round |= {"status": "settled", "digest": digest}
    files = {"rounds": round, "steps": STEP, "cards": CARD | {"differing": ["camera"]}}
    parts = {f"{name}.parquet": _parquet(row) for name, row in files.items()}
    parquet.write(tmp_path, "2026-03-01", parts, made._replace(digest=day))
    return tmp_path / "T9/2026-03-01"


def test_an_old_table_day_gives_its_digest_and_is_told_apart(old: Path) -> None:
    made = parquet.manifest(old)

    assert first_digest.fault(old, made) is None
    assert made.version == 1
    line = f"T9 2026-03-01 {made.digest}\n"
    assert first_digest.total([made]) == hashlib.sha256(line.encode()).hexdigest()


@pytest.mark.parametrize(
    ("name", "changed"),
    [("steps", {"text": "Player 8 counts"}), ("rounds", {"status": "void"})],
)
def test_another_word_or_status_does_not_give_it(
    old: Path, name: str, changed: dict[str, Any]
) -> None:
    made = parquet.manifest(old)
    parts = {file: (old / file).read_bytes() for file in made.files}
    (row,) = pq.read_table(old / f"{name}.parquet").to_pylist()
    parts[f"{name}.parquet"] = _parquet(row | changed)
    sealed = parquet.write(old.parents[1], "2026-03-01", parts, made)

    fault = first_digest.fault(old, sealed)

    assert "round R1: the digest" in str(fault)


def _parquet(row: dict[str, Any]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([row]), sink)
    body: bytes = sink.getvalue().to_pybytes()
    return body
