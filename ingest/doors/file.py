"""Files of readings: JSON lines, Avro containers or segments of a log, detected by content."""

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

BATCH = 2_000  # readings that one sync writes
LOOK = 64 * 1024  # bytes that show the format of a file


class NotReadings(ValueError):
    """The file holds neither JSON lines nor an Avro container."""


def bring_in(path: Path, gateway: Gateway, tell: Callable[[int], None]) -> Counts:
    """Store the readings of a file; `tell` gets the number of bytes done.

    After a crash, import the same file again: what the log already holds counts as twins. Readings
    of a stopped table stay in the file; import it again after the table's log is repaired.
    """
    counts, done = Counts(), 0
    failed: LogCorrupt | None = None
    with path.open("rb") as stream:
        found = _arrivals(stream, path)
        while batch := list(islice(found, BATCH)):
            try:
                counts.add(gateway.take(batch, path.name, holds=True))
            except LogCorrupt as error:  # the log of dead letters is damaged; events were stored
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
