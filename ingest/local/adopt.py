"""Adoption: an operator declares that a partition is whole as it is, and it gets a new head.

This serves a log from a release without heads, a log restored from an archive, and a loss that the
operator accepts. Adoption first proves what needs no head: the files and the chain.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest import dead_letter
from ingest.disk import Disk
from ingest.local import head
from ingest.local.log import RECORD_OF, LocalLog
from ingest.log import DEAD_LETTERS, EVENTS, HeadMissing, Lane, LogCorrupt, LogRecord
from ingest.seal import chain as event_chain
from schemas import codec

WHOLE, MISSING, LOST, BROKEN = "whole", "missing", "lost", "broken"


class PartitionReport(NamedTuple):
    """The state of a partition: its records, the hash of the last one, and what is wrong."""

    lane: Lane
    state: str
    records: int = 0
    sha256: str = head.NOTHING
    wrong: str = ""


def reports(root: Path, names: Sequence[str] = ()) -> Iterator[PartitionReport]:
    """A report on every partition of a log, or on those named; each is read completely."""
    log = LocalLog(root)
    for stream in RECORD_OF:
        for name in log.partitions(stream):
            if not names or name in names:
                yield _looked(log, (stream, name))


def adopt(log: LocalLog, found: PartitionReport) -> None:
    """Write a new head for a partition; the caller has opened its stream for writing."""
    place = log.folder(*found.lane) / head.FILE
    Disk().create(place, head.both(found.records, found.sha256))


def _looked(log: LocalLog, lane: Lane) -> PartitionReport:
    bare, found = LocalLog(log.root, heads=False), PartitionReport(lane, WHOLE)
    try:
        for end, sha256 in _proven(bare, lane):
            found = found._replace(records=end, sha256=sha256)
    except (LogCorrupt, OSError) as error:
        return PartitionReport(lane, BROKEN, wrong=str(error))
    try:
        for _ in log.read(*lane, max(0, found.records - 1)):
            pass
    except HeadMissing as error:
        return found._replace(state=MISSING, wrong=str(error))
    except LogCorrupt as error:
        return found._replace(state=LOST, wrong=str(error))
    return found


def _proven(log: LocalLog, lane: Lane) -> Iterator[tuple[int, str]]:
    """The offset after each record, and the record's hash; LogCorrupt at a bad record."""
    stream, name = lane
    if stream == EVENTS:
        for link in event_chain.links(log.read(stream, name), name):
            yield link.offset + 1, link.after.prev_hash.hex()
        return
    for record in log.read(stream, name):
        if stream == DEAD_LETTERS:
            _require_letter(name, record)
        yield record.offset + 1, hashlib.sha256(record.body).hexdigest()


def _require_letter(name: str, record: LogRecord) -> None:
    try:
        dead_letter.decode(record.body)
    except codec.UNREADABLE as error:
        what = f"a dead letter expected, {error!r} found"
        raise LogCorrupt(f"{DEAD_LETTERS}/{name} offset {record.offset}: {what}") from error
