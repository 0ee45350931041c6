"""The embedded log for a reader that comes back: it reads on without walking earlier records.

It offers a lane as far as the head counts. Beyond that may lie records that nobody acknowledged and
that a failed write takes back.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from ingest.disk import Disk
from ingest.local.cursor import CHUNK, Cursor, CursorPlace
from ingest.local.log import LocalLog
from ingest.log import Lane, LogReader, LogRecord

RECORDS = 1_000  # that are read together


class ResumedLog(LogReader):
    """A log that remembers where the last record of each lane lies, in a file between runs."""

    def __init__(self, log: LocalLog, memory: Path) -> None:
        self._log, self._memory = log, memory
        self._places = _loaded(memory)

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on, up to the end that the head counts."""
        lane, end = (stream, partition), self.end(stream, partition)
        start = max(start, self._log.start(stream, partition))
        if start >= end:
            return
        cursor = Cursor(self._log, lane, start, self._places.get(lane))
        while found := cursor.take(end, RECORDS, CHUNK):
            self._places[lane] = cursor.place_before(found[-1])
            yield from found

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream, sorted."""
        return self._log.partitions(stream)

    def end(self, stream: str, partition: str) -> int:
        """How many records the head counts."""
        known = self._log.head_of(stream, partition)
        return known.end if known else 0

    def start(self, stream: str, partition: str) -> int:
        """The offset of the first record that is kept."""
        return self._log.start(stream, partition)

    def forget(self, lane: Lane) -> None:
        """Walk a lane from the start of its segment the next time."""
        self._places.pop(lane, None)

    def save(self) -> None:
        """Keep the places for the next run."""
        said = {"/".join(lane): list(place) for lane, place in sorted(self._places.items())}
        Disk().create(self._memory, json.dumps(said, sort_keys=True).encode())


def _loaded(memory: Path) -> dict[Lane, CursorPlace]:
    """What the last run kept; nothing where the file is missing or damaged."""
    try:
        said = json.loads(memory.read_bytes())
        found = dict[Lane, CursorPlace]()
        for name, place in said.items():
            stream, _, partition = name.partition("/")
            offset, base, byte = map(int, place)
            found[stream, partition] = CursorPlace(offset, base, byte)
    except (FileNotFoundError, ValueError, TypeError, AttributeError):
        return {}
    return found
