"""Many small table-days through the house at once: ingest, replay, detect, all in memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from audit import run_checks
from audit.catalogue import checks
from audit.run_checks import Finding
from ingest import decode, seal
from ingest.gateway import Gateway
from ingest.log import Record
from replay import derived, rows, rulebooks, tables
from schemas import avro, codec
from schemas import events as e
from schemas.shape import Refused
from tests.mutants.days import DAY, TABLE, renamed

BEGUN = 1_772_334_000_000_000


class MemoryLog:
    """A log that is gone with the process."""

    def __init__(self) -> None:
        self._bodies: dict[tuple[str, str], list[bytes]] = {}

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Add records at the end."""
        assert not written_with, "mutants are written in today's words"
        bodies = self._bodies.setdefault((stream, partition), [])
        bodies += records
        return len(bodies) - len(records)

    def append_each(
        self, stream: str, batches: Mapping[str, Sequence[bytes]], written_with: str = ""
    ) -> dict[str, int]:
        """Add records at the end of each partition."""
        return {
            name: self.append(stream, name, records, written_with)
            for name, records in batches.items()
        }

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[Record]:
        """The records from an offset on."""
        bodies = self._bodies.get((stream, partition), [])
        for offset in range(start, len(bodies)):
            yield Record(offset, bodies[offset], avro.FINGERPRINT)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream."""
        return tuple(sorted(name for kind, name in self._bodies if kind == stream))

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get."""
        return len(self._bodies.get((stream, partition), ()))


def refused(reading: e.Reading) -> str:
    """Why the door does not take a reading; empty where it does."""
    try:
        decode.json_reading(codec.dump_line(reading).encode())
    except Refused as why:
        return str(why)
    return ""


def derive(readings: Sequence[e.Reading], table_id: str) -> rows.Rows:
    """Everything that the replay derives of a table-day under a name of its own."""
    return rows.derive(DAY, sealed(readings, table_id), rulebooks.in_force).rows


def sealed(readings: Sequence[e.Reading], table_id: str) -> list[tuple[e.Event, str]]:
    """What the log of the table has of the readings, with the hashes."""
    log = MemoryLog()
    door = Gateway(log, lambda: BEGUN, trusts_received_at=True)
    door.take((renamed(reading, TABLE, table_id) for reading in readings), "mutants")
    return list(seal.events(log, table_id))


def detect(days: Sequence[rows.Rows]) -> dict[str, list[Finding]]:
    """What all checks find in the table-days of one house, by table."""
    with duckdb.connect(":memory:", config={"threads": 1}) as db:
        db.execute("set timezone = 'UTC'")
        db.execute("set enable_progress_bar = false")
        db.execute(tables.sql())
        for table in tables.dictionary():
            part = [row for day in days for row in day.get(table, ())]
            if part:
                _insert(db, table, derived.arrow(table, part))
        run_checks.prepare(db, checks().values())
        found: dict[str, list[Finding]] = {}
        for check in checks().values():
            for finding in run_checks.run(db, check):
                found.setdefault(finding.table_id, []).append(finding)
    return found


def _insert(db: duckdb.DuckDBPyConnection, table: str, part: Any) -> None:
    db.register("part", part)
    db.execute(f"insert into {table} select * from part")
    db.unregister("part")
