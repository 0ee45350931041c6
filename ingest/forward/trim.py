"""Trimming: remove table-days that Kafka holds from the disk.

A trim first writes a note with each device's last sequence. A reading from before the note becomes
a dead letter, never an event, so nothing is accepted twice and nothing is lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from ingest import gateway
from ingest.local import trim_note
from ingest.local.log import TRIMMED, LocalLog, Segment
from ingest.log import EVENTS, FAILURES
from ingest.seal import chain as event_chain
from schemas import codec

OPENING = "TableOpened"


class TrimPlan(NamedTuple):
    """A trim of one table: the first event to keep, the files to remove and their size."""

    table_id: str
    base: int
    files: tuple[Segment, ...]
    size: int


def plan(log: LocalLog, table_id: str, keep_days: int, forwarded: int) -> TrimPlan | None:
    """Keep the last table-days and all that Kafka lacks; None where no file can be removed."""
    openings = [0, *_openings(log, table_id)]
    wanted = openings[-keep_days] if keep_days <= len(openings) else 0
    base = max((each for each in openings if each <= min(wanted, forwarded)), default=0)
    files = tuple(first for first, then in pairwise(_segments(log, table_id)) if then.base <= base)
    if not files:
        return None
    return TrimPlan(table_id, base, files, sum(each.path.stat().st_size for each in files))


def plans(
    log: LocalLog, keep_days: int, forwarded: Mapping[str, int]
) -> tuple[list[TrimPlan], dict[str, Exception]]:
    """The plans of all tables, and what is wrong with the damaged ones."""
    made, damaged = list[TrimPlan](), dict[str, Exception]()
    for table_id in log.partitions(EVENTS):
        try:
            found = plan(log, table_id, keep_days, forwarded.get(table_id, 0))
        except FAILURES as error:
            damaged[table_id] = error
        else:
            made += [found] if found else []
    return made, damaged


def apply_all(log: LocalLog, made: Iterable[TrimPlan]) -> dict[str, Exception]:
    """Apply every plan; returns what was wrong with the tables where that failed."""
    damaged = dict[str, Exception]()
    for each in made:
        try:
            apply(log, each)
        except FAILURES as error:
            damaged[each.table_id] = error
    return damaged


def apply(log: LocalLog, made: TrimPlan) -> None:
    """Write the note, then remove the files; a crash in between leaves only extra files."""
    before = trim_note.load(log, made.table_id)
    table = gateway.table_from_log(log, made.table_id, before, made.base)
    trim_note.save(log, made.table_id, table.trimmed(made.base))
    for segment in made.files:
        segment.path.unlink()
    for note in log.folder(EVENTS, made.table_id).glob("*" + TRIMMED):
        if int(note.stem) < made.base:
            note.unlink()


def _openings(log: LocalLog, table_id: str) -> Iterator[int]:
    for link in event_chain.links(log.read(EVENTS, table_id), table_id):
        if codec.said_kind(link.said) == OPENING:
            yield link.offset


def _segments(log: LocalLog, table_id: str) -> list[Segment]:
    return log.segments(EVENTS, table_id)
