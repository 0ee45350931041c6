"""Many small table-days through the house at once: ingest, replay, detect, all in memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from audit.checks import run as run_checks
from audit.checks.catalogue import checks
from audit.checks.run import CheckFinding
from ingest.gateway import Gateway
from ingest.log import LogRecord, LogWriter
from ingest.parse import reading as parse_reading
from ingest.seal import chain as event_chain
from replay import rulebooks
from replay.tables import derive as table_day
from replay.tables import dictionary, sql_rows
from replay.tables.rows import Rows
from schemas import avro, codec
from schemas import events as e
from schemas.shape import Refused
from tests.mutants.days import DAY, TABLE, renamed

BEGUN = 1_772_334_000_000_000
OWNER = "table_in_the_house"  # the name that a row's table has there


class MemoryLog(LogWriter):
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

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on."""
        bodies = self._bodies.get((stream, partition), [])
        for offset in range(start, len(bodies)):
            yield LogRecord(offset, bodies[offset], avro.FINGERPRINT)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream."""
        return tuple(sorted(name for kind, name in self._bodies if kind == stream))

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get."""
        return len(self._bodies.get((stream, partition), ()))


def refused(reading: e.Reading) -> str:
    """Why the door does not take a reading; empty where it does."""
    try:
        parse_reading.json_reading(codec.dump_line(reading).encode())
    except Refused as why:
        return str(why)
    return ""


def derive(readings: Sequence[e.Reading]) -> Rows:
    """Everything that the replay derives of a table-day."""
    return table_day.derive(DAY, sealed(readings), rulebooks.in_force).rows


def sealed(readings: Sequence[e.Reading]) -> list[tuple[e.Event, str]]:
    """What the log of the table has of the readings, with the hashes."""
    log = MemoryLog()
    door = Gateway(log, lambda: BEGUN, trusts_received_at=True)
    door.take(readings, "mutants")
    return list(event_chain.events(log, TABLE))


def detect(days: Mapping[str, Rows]) -> dict[str, list[CheckFinding]]:
    """What all checks find in the table-days of one house.

    Each is at a table of its own there, named by its key; the findings name them as the rows do.
    """
    with duckdb.connect(":memory:", config={"threads": 1}) as db:
        db.execute("set timezone = 'UTC'")
        db.execute("set enable_progress_bar = false")
        db.execute(dictionary.sql())
        for table in dictionary.dictionary():
            part = [row for day in days.values() for row in day.get(table, ())]
            if part:
                owners = [name for name, day in days.items() for _ in day.get(table, ())]
                _insert(db, table, sql_rows.arrow(table, part).append_column(OWNER, [owners]))
        run_checks.prepare(db, checks().values())
        found: dict[str, list[CheckFinding]] = {}
        for check in checks().values():
            for finding in run_checks.run(db, check):
                name = finding.table_id
                found.setdefault(name, []).append(_at_home(finding))
    return found


def _insert(db: duckdb.DuckDBPyConnection, table: str, part: Any) -> None:
    """Put rows into a table, with their owner's name in every text that names the table."""
    db.register("part", part)
    columns = [
        _RENAMED.get(at.kind, "{0}").format(at.name)
        for at in dictionary.dictionary()[table].columns
    ]
    db.execute(f"insert into {table} select {', '.join(columns)} from part")
    db.unregister("part")


def _at_home(finding: CheckFinding) -> CheckFinding:
    """A finding with the table's own name in place of the one it has in the house."""
    return CheckFinding(*(renamed(value, finding.table_id, TABLE) for value in finding))


_RENAMED = {
    "varchar": f"replace({{0}}, '{TABLE}', {OWNER}) as {{0}}",
    "varchar[]": f"list_transform({{0}}, lambda word: replace(word, '{TABLE}', {OWNER})) as {{0}}",
}
