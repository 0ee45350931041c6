"""Files of readings: JSON lines, Avro containers or segments of a log, told by their content."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ingest import avro_container
from ingest.doors import segment_file
from ingest.gateway import Counts, Gateway
from ingest.log import LogCorrupt
from ingest.parse import batch as parse_batch
from ingest.parse.batch import Arrival

BATCH = 2_000  # readings that are forced to disk together
LOOK = 64 * 1024  # bytes that tell what a file is


class NotReadings(ValueError):
    """A file that holds neither JSON lines nor an Avro container."""


def bring_in(path: Path, gateway: Gateway, tell: Callable[[int], None]) -> Counts:
    """Bring a file into the log; `tell` hears of the bytes that are done.

    After a crash the same file is brought in again: what the log holds already is counted as twins.
    A table that is stopped leaves its readings in the file, for when its log is mended.
    """
    counts, done = Counts(), 0
    failed: LogCorrupt | None = None
    with path.open("rb") as stream:
        found = _arrivals(stream, path)
        while batch := list(islice(found, BATCH)):
            try:
                counts.add(gateway.take(batch, path.name, holds=True))
            except LogCorrupt as error:  # dead letters have no place; events have theirs
                failed = failed or error
            tell(stream.tell() - done)
            done = stream.tell()
    if failed:
        raise failed
    return counts


def _arrivals(stream: BinaryIO, path: Path) -> Iterator[Arrival]:
    start = stream.read(LOOK)
    stream.seek(0)
    if start.startswith(avro_container.MAGIC):
        events = segment_file.written_with(start)
        return (
            segment_file.readings(stream.read(), events)
            if events
            else parse_batch.container(stream)
        )
    if not start.strip() or any(line.lstrip().startswith(b"{") for line in start.splitlines()):
        return parse_batch.lines(stream)
    raise NotReadings(
        f"{path}: JSON lines or an Avro container of Reading expected, {start[:16]!r} found"
    )
