"""The spool: the embedded log, which tells the forwarder how far each partition is durable."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ingest.local.log import LocalLog
from ingest.log import Lane, LogCorrupt, LogRecord, LogWriter


class Spool(LogWriter):
    """The log that a gateway writes and a forwarder reads, in two threads."""

    def __init__(self, log: LocalLog, streams: Sequence[str]) -> None:
        self.log = log
        self._changed = threading.Condition()
        self._ends: dict[Lane, int] = {}
        self._damaged: dict[Lane, str] = {}
        self._changes = 0
        for stream in streams:
            for partition in log.partitions(stream):
                self._look(stream, partition)

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Add records at the end, durable when this returns; the offset of the first."""
        return self.append_each(stream, {partition: records}, written_with)[partition]

    def append_each(
        self, stream: str, batches: Mapping[str, Sequence[bytes]], written_with: str = ""
    ) -> dict[str, int]:
        """Add records to several partitions at once, durable when this returns."""
        try:
            found = self.log.append_each(stream, batches, written_with)
        except BaseException:
            self._look_again(stream, batches)
            raise
        with self._changed:
            for partition, first in found.items():
                self._ends[stream, partition] = first + len(batches[partition])
                self._damaged.pop((stream, partition), None)
        self.wake()
        return found

    def _look_again(self, stream: str, partitions: Iterable[str]) -> None:
        """Read the ends again: after a failure a lane may hold records nobody acknowledged."""
        with self._changed:
            for partition in partitions:
                self._look(stream, partition)

    def _look(self, stream: str, partition: str) -> None:
        """Read the end of a lane; a damaged lane is noted and stops no other."""
        try:
            self._ends[stream, partition] = self.log.end(stream, partition)
            self._damaged.pop((stream, partition), None)
        except (OSError, LogCorrupt) as error:
            self._damaged[stream, partition] = str(error)

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on."""
        return self.log.read(stream, partition, start)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream, sorted."""
        return self.log.partitions(stream)

    def start(self, stream: str, partition: str) -> int:
        """The offset of the first record that is kept."""
        return self.log.start(stream, partition)

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get; everything before it is durable."""
        with self._changed:
            return self._ends.get((stream, partition), 0)

    def require_end(self, stream: str, partition: str, end: int) -> None:
        """Raise LogCorrupt where the partition once ended later."""
        self.log.require_end(stream, partition, end)

    def ends(self) -> Mapping[Lane, int]:
        """The end of each lane; everything before it is durable."""
        with self._changed:
            return dict(self._ends)

    def damaged(self) -> Mapping[Lane, str]:
        """The lanes whose end cannot be read, and why."""
        with self._changed:
            return dict(self._damaged)

    def wake(self) -> None:
        """Wake every thread in `wait`."""
        with self._changed:
            self._changes += 1
            self._changed.notify_all()

    def wait(self, since: int, timeout_s: float) -> int:
        """Wait until the change count is not `since`, or for `timeout_s`; returns the count."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != since, timeout_s)
            return self._changes
