"""The log as its readers and its writers see it, and the errors that every log raises."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

MAX_BODY = 4 * 1024 * 1024  # no record is longer, so a longer length is corruption

# The streams that a gateway writes.
EVENTS, DEAD_LETTERS = "events", "dlq"
GATEWAY_STREAMS = (EVENTS, DEAD_LETTERS)
# The stream of signed checkpoints; its one partition.
CHECKPOINTS, HOUSE = "checkpoints", "house"

Lane = tuple[str, str]  # a stream of the log and one of its partitions

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._~\-]{0,63}")


class LogRecord(NamedTuple):
    """One record of a partition: its offset, its bytes and the fingerprint of their schema."""

    offset: int
    body: bytes
    schema: str


class LogCorrupt(Exception):
    """The log does not hold what was written; the message says where, expected and found."""


class HeadMissing(LogCorrupt):
    """A partition has records but no head, the file that names its last record."""


class LogCut(LogCorrupt):
    """A partition holds fewer records than its head counts."""


class LogLocked(Exception):
    """Another process is writing to the stream."""


class LogUnwritable(OSError):
    """The disk or Kafka refused a record; no record of the batch counts as written."""


class DiskFull(LogUnwritable):
    """The disk has no room for a record; no record of the batch counts as written."""


class LogReader(Protocol):
    """What readers ask of a log. A stream has partitions; a partition has one order."""

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on, as far as the log reaches now."""
        ...

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream, sorted."""
        ...

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get."""
        ...

    def start(self, stream: str, partition: str) -> int:
        """The offset of the first record that is kept: 0 unless the log was trimmed."""
        del stream, partition
        return 0

    def require_end(self, stream: str, partition: str, end: int) -> None:
        """Raise LogCorrupt where the log remembers that the partition once ended later.

        A log that remembers no ends has nothing to compare.
        """
        del stream, partition, end


class LogWriter(LogReader, Protocol):
    """A log that takes records. Every record is durable when a call returns."""

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Add records at the end of a partition; the offset of the first.

        `written_with` is the fingerprint of their schema; empty where it is today's.
        """
        ...

    def append_each(
        self, stream: str, batches: Mapping[str, Sequence[bytes]], written_with: str = ""
    ) -> dict[str, int]:
        """Add records to several partitions with one wait for the disk; the first offsets."""
        ...


def checked_id(name: str) -> str:
    """The name of a stream or partition; ValueError unless it is an id, so no path can escape."""
    if not is_id(name):
        raise ValueError(f"{name!r} is not an id: letters, digits, . _ ~ - expected")
    return name


def is_id(name: str) -> bool:
    """Whether a name is an id."""
    return _ID.fullmatch(name) is not None


# What one damaged table raises. The caller names that table and goes on with the others.
FAILURES = (LogCorrupt, OSError)
