"""The local records of a lane, to compare with the messages in Kafka."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from ingest.log import EVENTS, LogCorrupt, LogReader, LogRecord
from ingest.seal import chain as event_chain

LETTERS = 50_000  # the latest dead letters that are compared
NEAR = 2_000  # records no further apart are read in one pass


class Claim(NamedTuple):
    """The record that a message claims to be: its number, its hash and the hash before it."""

    number: int
    digest: bytes
    before: bytes | None  # None where records carry no previous hash


class LocalRecords(Protocol):
    """The records of a lane from `start` on and before `end`."""

    start: int
    end: int
    chained: bool  # whether records carry a sequence and the previous hash

    def claim(self, record: LogRecord) -> Claim | None:
        """What a record from Kafka claims to be; None where it is not of this lane."""
        ...

    def digests(self, numbers: Sequence[int]) -> Mapping[int, bytes]:
        """The hashes of our own records of these numbers, without those we lack."""
        ...


class LocalEvents:
    """A table's events."""

    chained = True

    def __init__(self, log: LogReader, table_id: str, start: int, end: int) -> None:
        self._log, self._table_id = log, table_id
        self.start, self.end = start, end

    def claim(self, record: LogRecord) -> Claim | None:
        """The event's sequence and the hashes of its chain."""
        try:
            (link,) = event_chain.links((record._replace(offset=1),), self._table_id)
        except LogCorrupt:
            return None
        return Claim(link.head["seq"], link.after.prev_hash, link.head["prev_hash"])

    def digests(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The hashes of our own events."""
        found: dict[int, bytes] = {}
        for run in _runs([number for number in numbers if self.start <= number < self.end]):
            wanted = set(run)
            records = _readable(self._log.read(EVENTS, self._table_id, run[0]))
            for record in islice(records, run[-1] - run[0] + 1):
                if record.offset in wanted:
                    found[record.offset] = hashlib.sha256(record.body).digest()
        return found


class LocalLetters:
    """Dead letters; they carry no number, so the latest are found by their hash."""

    start = 0  # dead letters are never trimmed
    chained = False

    def __init__(self, log: LogReader, stream: str, partition: str, end: int) -> None:
        self.end = end
        records = _readable(log.read(stream, partition, max(0, end - LETTERS)))
        self._numbers = {
            hashlib.sha256(record.body).digest(): record.offset
            for record in islice(records, LETTERS)
        }

    def claim(self, record: LogRecord) -> Claim | None:
        """The letter's number, where it is one of ours."""
        digest = hashlib.sha256(record.body).digest()
        number = self._numbers.get(digest)
        return None if number is None else Claim(number, digest, None)

    def digests(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The hashes of our own letters."""
        wanted = set(numbers)
        return {number: digest for digest, number in self._numbers.items() if number in wanted}


def _readable(records: Iterator[LogRecord]) -> Iterator[LogRecord]:
    """The records before a damaged one; sending will report the damage, for its lane alone."""
    try:
        yield from records
    except LogCorrupt:
        return


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Sorted numbers grouped into runs of neighbours, so that each run is read once."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number - runs[-1][-1] < NEAR:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
