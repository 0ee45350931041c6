"""The events a replay reads: a table's part of the log, decoded, its chain of hashes checked."""

import difflib
import hashlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path

from ingest.log import Log, LogCorrupt
from ingest.log_local import LocalLog
from schemas import codec
from schemas import events as e

STREAM = "events"

Sealed = tuple[e.Event, str]  # an event and the SHA-256 of its bytes, hex
Events = Log


class NoLog(LookupError):
    """A house without a single event."""


class UnknownTable(LookupError):
    """No table of that name in the log."""

    def __init__(self, table: str, known: Sequence[str]) -> None:
        near = difflib.get_close_matches(table, known, n=3) or known[:3]
        super().__init__(f"table {table!r}: one such as {', '.join(near)} expected")


def opened(home: Path) -> Events:
    """The log of a house, for reading."""
    return LocalLog(home / "log")


def tables(log: Events) -> tuple[str, ...]:
    """Every table the log knows, sorted."""
    return log.partitions(STREAM)


def sealed(log: Events, table: str, start: int = 0) -> Iterator[Sealed]:
    """A table's events from an offset on, each proven to follow the one before."""
    before: bytes | None = None if start else codec.NO_HASH
    for record in log.read(STREAM, table, start):
        event = codec.decode_event(BytesIO(record.body))
        if before is not None and event.prev_hash != before:
            raise LogCorrupt(
                f"table {table} offset {record.offset}: previous hash {before.hex()[:16]}… "
                f"expected, {event.prev_hash.hex()[:16]}… found"
            )
        before = hashlib.sha256(record.body).digest()
        yield event, before.hex()


def table_day(log: Events, table: str, start: int) -> tuple[list[Sealed], bool]:
    """One table-day from its first event on, and whether the log goes on after it."""
    found: list[Sealed] = []
    for event, sha256 in sealed(log, table, start):
        if found and isinstance(event.payload, e.TableOpened):
            return found, True
        found.append((event, sha256))
    return found, False


def table_days(log: Events, table: str) -> Iterator[tuple[str, list[Sealed]]]:
    """Every table-day of a table: the gaming day and its events."""
    batch: list[Sealed] = []
    for event, sha256 in sealed(log, table):
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


def border(log: Events, table: str, offset: int) -> list[Sealed]:
    """The event at an offset and the one after it, as far as they are there."""
    return list(islice(sealed(log, table, offset), 2))
