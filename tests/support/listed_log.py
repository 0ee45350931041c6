"""A log in memory whose records a test may change as it likes."""

from collections.abc import Iterator, Sequence

from ingest.log import Lane, LogReader, LogRecord
from schemas import avro


class ListedLog(LogReader):
    """One lane as a list of records' bytes."""

    def __init__(self, lane: Lane, bodies: Sequence[bytes]) -> None:
        self._lane, self._bodies = lane, bodies

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on."""
        if (stream, partition) == self._lane:
            for offset, body in enumerate(self._bodies[start:], start):
                yield LogRecord(offset, body, avro.FINGERPRINT)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The one partition."""
        return (self._lane[1],) if stream == self._lane[0] else ()

    def end(self, stream: str, partition: str) -> int:
        """How many records there are."""
        del stream, partition
        return len(self._bodies)
