"""Reads a table's events from a log and cuts them into table-days.

The log is the house's own, its archive, or what was pulled out of Kafka. The house remembers which
one the last replay read, so that `explain` reads the same events.
"""

import difflib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from ingest.archive.store import ArchiveLog
from ingest.disk import Disk
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt, LogReader
from ingest.seal import chain as event_chain
from schemas import events as e

Sealed = tuple[e.Event, str]  # an event and the SHA-256 of its bytes, hex

LOCAL, ARCHIVE, KAFKA = "local", "archive", "kafka"
FOLDERS = {LOCAL: "log", ARCHIVE: "archive", KAFKA: "pulled"}
REMEMBERED = "derived/.source"


class NoLog(LookupError):
    """A house without a single event."""


class NoArchive(NoLog):
    """An archive without a single event."""


class NothingPulled(NoArchive):
    """A topic of Kafka without a single event."""


class Trimmed(LookupError):
    """Events that left the house's own log on purpose, and are still in Kafka or the archive."""


class UnknownTable(LookupError):
    """No table of that name in the log."""

    def __init__(self, table: str, known: Sequence[str]) -> None:
        near = difflib.get_close_matches(table, known, n=3) or known[:3]
        super().__init__(f"table {table!r}: one such as {', '.join(near)} expected")


def opened(home: Path, kind: str = "") -> LogReader:
    """The log of a house for reading, by default the one it was last replayed from."""
    kind = kind or remembered(home)
    folder = home / FOLDERS[kind]
    return LocalLog(folder) if kind == LOCAL else ArchiveLog(folder)


def remembered(home: Path) -> str:
    """The kind of log a house was last replayed from."""
    place = home / REMEMBERED
    said = place.read_text("utf-8").strip() if place.exists() else LOCAL
    if said not in FOLDERS:
        raise LogCorrupt(f"{place}: one of {', '.join(FOLDERS)} expected, {said!r} found")
    return said


def remember(home: Path, kind: str) -> None:
    """Keep the kind of log that what is derived came from."""
    if kind != remembered(home):
        Disk().create(home / REMEMBERED, f"{kind}\n".encode())


def end(log: LogReader, table: str) -> int:
    """How many events of a table the log holds."""
    return log.end(EVENTS, table)


def tables(log: LogReader) -> tuple[str, ...]:
    """Every table the log knows, sorted."""
    return log.partitions(EVENTS)


def table_day(log: LogReader, table: str, start: int) -> tuple[list[Sealed], bool]:
    """One table-day from its first event on, and whether the log goes on after it."""
    found: list[Sealed] = []
    for event, sha256 in events(log, table, start):
        if found and isinstance(event.payload, e.TableOpened):
            return found, True
        found.append((event, sha256))
    return found, False


def table_days(log: LogReader, table: str, start: int = 0) -> Iterator[tuple[str, list[Sealed]]]:
    """The table-days of a table from one on: the gaming day and its events."""
    batch: list[Sealed] = []
    for event, sha256 in events(log, table, start):
        if batch and isinstance(event.payload, e.TableOpened):
            yield gaming_day(batch), batch
            batch = []
        batch.append((event, sha256))
    if batch:
        yield gaming_day(batch), batch


def gaming_day(batch: Sequence[Sealed]) -> str:
    """The gaming day of a table-day; empty where its opening was not seen."""
    opening = batch[0][0].payload
    return opening.gaming_day if isinstance(opening, e.TableOpened) else ""


def border(log: LogReader, table: str, offset: int) -> list[Sealed]:
    """The event at an offset and the one after it, as far as they are there."""
    return list(islice(events(log, table, offset), 2))


def must_reach(log: LogReader, table: str, start: int) -> None:
    """An event must not have left the log by a trim."""
    first = log.start(EVENTS, table)
    if start < first:
        what = f"table {table}: event {start:,} expected, the log was trimmed up to {first:,}"
        raise Trimmed(what)


def events(log: LogReader, table: str, start: int) -> Iterator[Sealed]:
    """The events of a table from an offset on; refused where they left the log on purpose."""
    must_reach(log, table, start)
    return event_chain.events(log, table, start)
