"""How much of a lane Kafka holds already, asked of Kafka itself.

The last parcel of a lane may have arrived with holes, or its records out of order: readers then
take those behind a hole for strays. So a lane stands behind the last record up to which all are
there in order, counted from one that lies more than a parcel before the end.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple, Protocol

from ingest import seal
from ingest.log import Log, LogCorrupt, Record
from ingest.sorter import Message
from ingest.wire import Unframe
from schemas.codec import NO_HASH
from schemas.shape import Refused

PARCEL = 250  # records of one lane that are under way at a time
FIRST_LOOK = 2_000  # messages from the end of a partition; each further look goes four times as far
PAGE = 1_000  # messages in memory, at most
LETTERS = 50_000  # latest dead letters that are looked for


class Shelf(Protocol):
    """What is asked of Kafka: which partition a key lies in, how far it reaches, its messages."""

    def unframe(self, value: bytes) -> tuple[str, bytes]:
        """The fingerprint and the body of a message; Refused where it has none."""
        ...

    def partition_of(self, stream: str, key: str) -> int:
        """The number of the partition that holds a key."""
        ...

    def bounds(self, stream: str, partition: int) -> tuple[int, int]:
        """The first offset that is kept, and the one after the last."""
        ...

    def page(self, stream: str, partition: int, start: int, stop: int) -> list[Message]:
        """The messages from an offset on and before another, at most PAGE; none at the end."""
        ...


class Stand(NamedTuple):
    """The record that is to be sent next, and what is wrong where Kafka tells another story."""

    next: int
    forked: str = ""


class Claim(NamedTuple):
    """What a message says it is: a record's number and hash, and the hash of the one before."""

    number: int
    digest: bytes
    before: bytes | None


class Held(Protocol):
    """What this house holds of a lane: the records from `start` on and before `end`."""

    start: int
    end: int

    def claim(self, record: Record) -> Claim | None:
        """What a record from Kafka claims to be; None where it is nothing of this lane."""
        ...

    def digests(self, numbers: Sequence[int]) -> Mapping[int, bytes]:
        """The hashes of our own records of these numbers, as far as we have them."""
        ...


def stands(shelf: Shelf, stream: str, lanes: Mapping[str, Held]) -> dict[str, Stand]:
    """Where each lane of a stream stands."""
    found: dict[str, Stand] = {}
    placed = sorted((shelf.partition_of(stream, key), key) for key in lanes)
    for partition, group in groupby(placed, key=lambda pair: pair[0]):
        here = {key: lanes[key] for _, key in group}
        found |= _of_partition(shelf, stream, partition, here)
    return found


def _of_partition(
    shelf: Shelf, stream: str, partition: int, lanes: Mapping[str, Held]
) -> dict[str, Stand]:
    begin, end = shelf.bounds(stream, partition)
    low, width = end, FIRST_LOOK
    while True:
        low = max(begin, low - width)
        seen = {key: _Seen(held.start, whole=low == 0) for key, held in lanes.items()}
        at = low
        while page := shelf.page(stream, partition, at, end):
            _walk(page, shelf.unframe, lanes, seen)
            at = page[-1].offset + 1
        if low == begin or all(seen[key].enough(lanes[key].end, end - low) for key in lanes):
            return {key: each.stand(key) for key, each in seen.items()}
        width *= 4


def _walk(
    page: Iterable[Message],
    unframe: Unframe,
    lanes: Mapping[str, Held],
    seen: Mapping[str, "_Seen"],
) -> None:
    claims: dict[str, list[Claim]] = {}
    for message in page:
        key = (message.key or b"").decode("utf-8", "replace")
        if key in lanes and (claim := _claim(message, unframe, lanes[key])):
            claims.setdefault(key, []).append(claim)
    for key, made in claims.items():
        ours = lanes[key].digests(sorted({claim.number for claim in made}))
        for claim in made:
            seen[key].note(claim, ours.get(claim.number))


def _claim(message: Message, unframe: Unframe, held: Held) -> Claim | None:
    try:
        schema, body = unframe(message.value or b"")
    except Refused:
        return None
    return held.claim(Record(message.offset, body, schema))


class _Seen:
    """A lane as a reader would find it, from some message on."""

    def __init__(self, start: int, *, whole: bool) -> None:
        self._start, self._next, self._last = start, start, NO_HASH
        self._followed = whole and start == 0  # a reader would stand at `_next` now
        self._first: int | None = None
        self._highest, self._forked = -1, False

    def enough(self, ours: int, looked: int) -> bool:
        """Whether to look further back is no use; `ours` records are here, `looked` were seen."""
        if self._first is None:  # a new lane: a few records are sent sooner than looked for
            return ours - self._start <= looked
        return self._first == self._start or self._first <= self._highest - PARCEL

    def note(self, claim: Claim, ours: bytes | None) -> None:
        """A message of the lane; `ours` is the hash of our record of the number it claims."""
        if claim.number < self._start:
            return
        if claim.digest != ours:
            goes_on = (claim.number, claim.before) == (self._next, self._last)
            self._forked |= self._followed and goes_on
            return
        if self._first is None:
            self._first = claim.number
        if not self._followed:
            self._followed, self._next = True, claim.number
        self._highest = max(self._highest, claim.number)
        if claim.number == self._next and not self._forked:
            self._next, self._last = claim.number + 1, claim.digest

    def stand(self, key: str) -> Stand:
        """Where the lane stands."""
        told = f"{key}: Kafka holds another record {self._next} than this house"
        return Stand(self._next, told if self._forked else "")


class HeldEvents:
    """A table's events."""

    def __init__(self, log: Log, table_id: str, start: int, end: int) -> None:
        self._log, self._table_id = log, table_id
        self.start, self.end = start, end

    def claim(self, record: Record) -> Claim | None:
        """The event's sequence and the hashes of its chain."""
        try:
            (link,) = seal.links((record._replace(offset=1),), self._table_id)
        except LogCorrupt:
            return None
        return Claim(link.head["seq"], link.after.prev_hash, link.head["prev_hash"])

    def digests(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The hashes of our own events."""
        found: dict[int, bytes] = {}
        for run in _runs([number for number in numbers if self.start <= number < self.end]):
            wanted = set(run)
            records = _readable(self._log.read(seal.STREAM, self._table_id, run[0]))
            for record in islice(records, run[-1] - run[0] + 1):
                if record.offset in wanted:
                    found[record.offset] = hashlib.sha256(record.body).digest()
        return found


class HeldLetters:
    """Dead letters: they carry no number, so the latest of them are known by their hash."""

    start = 0  # dead letters are never trimmed

    def __init__(self, log: Log, stream: str, partition: str, end: int) -> None:
        self.end = end
        records = _readable(log.read(stream, partition, max(0, end - LETTERS)))
        self._numbers = {
            hashlib.sha256(record.body).digest(): record.offset
            for record in islice(records, LETTERS)
        }

    def claim(self, record: Record) -> Claim | None:
        """The letter's number, where it is one of ours."""
        digest = hashlib.sha256(record.body).digest()
        number = self._numbers.get(digest)
        return None if number is None else Claim(number, digest, None)

    def digests(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The hashes of our own letters."""
        wanted = set(numbers)
        return {number: digest for digest, number in self._numbers.items() if number in wanted}


def _readable(records: Iterator[Record]) -> Iterator[Record]:
    """Records up to a damaged one, of which is told when it should be sent: one lane, not all."""
    try:
        yield from records
    except LogCorrupt:
        return


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Sorted numbers, those that lie near each other together, so that each run is read once."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number - runs[-1][-1] < FIRST_LOOK:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
