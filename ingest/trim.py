"""Trimming: table-days that Kafka holds leave the disk, and what must be known of them stays.

A note of each device's last sequence is written first. A reading from before it can then no longer
become an event, only a dead letter, so nothing is ever accepted twice and nothing is lost.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ingest import gateway, seal, trimmed
from ingest.log_local import TRIMMED, LocalLog, Segment
from schemas import codec

OPENING = "TableOpened"


class Plan(NamedTuple):
    """What a trim of a table would do: the first event kept, the files that go, their size."""

    table_id: str
    base: int
    files: tuple[Segment, ...]
    size: int


def plan(log: LocalLog, table_id: str, keep_days: int, forwarded: int) -> Plan | None:
    """Keep the last table-days and all that Kafka does not hold; None where no file can go."""
    openings = [0, *_openings(log, table_id)]
    wanted = openings[-keep_days] if keep_days <= len(openings) else 0
    base = max((each for each in openings if each <= min(wanted, forwarded)), default=0)
    files = tuple(first for first, then in pairwise(_segments(log, table_id)) if then.base <= base)
    if not files:
        return None
    return Plan(table_id, base, files, sum(each.path.stat().st_size for each in files))


def carry_out(log: LocalLog, made: Plan) -> None:
    """Write the note, then remove the files; a crash in between leaves only files too many."""
    before = trimmed.load(log, made.table_id)
    table = gateway.recalled(log, made.table_id, before, made.base)
    trimmed.save(log, made.table_id, table.trimmed(made.base))
    for segment in made.files:
        segment.path.unlink()
    for note in log.folder(seal.STREAM, made.table_id).glob("*" + TRIMMED):
        if int(note.stem) < made.base:
            note.unlink()


def _openings(log: LocalLog, table_id: str) -> Iterator[int]:
    for link in seal.links(log.read(seal.STREAM, table_id), table_id):
        if codec.said_kind(link.said) == OPENING:
            yield link.offset


def _segments(log: LocalLog, table_id: str) -> list[Segment]:
    return log.segments(seal.STREAM, table_id)
