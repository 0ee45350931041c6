"""The log as its readers and its writers see it, and the errors that every log raises."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

MAX_BODY = 4 * 1024 * 1024  # a record never is longer; a length beyond it is corruption

# The streams that a gateway writes.
EVENTS, DEAD_LETTERS = "events", "dlq"
GATEWAY_STREAMS = (EVENTS, DEAD_LETTERS)

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._~\-]{0,63}")


class LogRecord(NamedTuple):
    """One record of a partition: its place, its bytes, the fingerprint it was written with."""

    offset: int
    body: bytes
    schema: str


class LogCorrupt(Exception):
    """Bytes of the log that cannot be what was written: where, what was expected and found."""


class HeadMissing(LogCorrupt):
    """A partition with records and without the head that says which of them is the last."""


class LogCut(LogCorrupt):
    """A partition that holds fewer records than it did."""


class LogLocked(Exception):
    """Another process is writing to the stream."""


class LogUnwritable(OSError):
    """The disk would not take a record; nothing of the batch counts as written."""


class DiskFull(LogUnwritable):
    """No room for the record; nothing of the batch counts as written."""


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
    """A stream's or partition's name, which must be an id and so can never lead elsewhere."""
    if not is_id(name):
        raise ValueError(f"{name!r} is not an id: letters, digits, . _ ~ - expected")
    return name


def is_id(name: str) -> bool:
    """Whether a name is an id."""
    return _ID.fullmatch(name) is not None


# What may be wrong with one table of a log; it is named, and no other waits for it.
FAILURES = (LogCorrupt, OSError)
