"""The position of a lane in Kafka: how many of its records the topic already holds.

We read the topic as any reader does: the first event at a sequence wins. Where that event is not
ours, the lane is forked and we send no more of it.

    start of topic ............ | FIRST_LOOK, then 4x, 16x ... messages from the end |

The search need not start at the topic's first message. The last batch of a lane may have arrived
with holes, but a record more than MAX_IN_FLIGHT before our highest one is surely in place. A lane
without such a record, such as a new table, is searched through the whole topic.
"""

import hashlib
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple, Protocol

from ingest.forward.local_records import Claim, LocalRecords
from ingest.kafka.event_sorter import Message, event_head
from ingest.log import LogRecord
from ingest.parse.framing import Unframe
from schemas.codec import NO_HASH
from schemas.shape import Refused

MAX_IN_FLIGHT = 250  # records of one lane that are sent before an acknowledgement
FIRST_LOOK = 2_000  # messages from the end; each further look is four times as far
PAGE = 1_000  # messages in memory, at most

FORKED = (
    "{key}: Kafka holds another event {number} than this house: another gateway writes the table, "
    "or this is not the spool that did"
)
TRIMMED = (
    "{key}: Kafka holds it up to event {number}, and this house begins at {start}: what lies "
    "between was trimmed"
)


class TopicReader(Protocol):
    """What the search needs of Kafka."""

    def unframe(self, value: bytes) -> tuple[str, bytes]:
        """The fingerprint and the body of a message; Refused where it has none."""
        ...

    def partition_of(self, stream: str, key: str) -> int:
        """The partition of a key."""
        ...

    def bounds(self, stream: str, partition: int) -> tuple[int, int]:
        """The first offset that Kafka keeps, and the offset after the last message."""
        ...

    def ends(self, stream: str) -> dict[int, int]:
        """The offset after the last message of each partition."""
        ...

    def page(self, stream: str, partition: int, start: int, stop: int) -> list[Message]:
        """The messages from `start` on and before `stop`, at most PAGE; empty at the end."""
        ...


class KafkaPosition(NamedTuple):
    """The next record to send, and what is wrong where the lane is stopped."""

    next: int
    wrong: str = ""
    seen: int = 0  # the offset up to which the partition was read


def kafka_positions(
    reader: TopicReader,
    stream: str,
    lanes: Mapping[str, LocalRecords],
    ends: Mapping[int, int] | None = None,
) -> dict[str, KafkaPosition]:
    """The position of each lane of a stream; `ends` limits what is read of each partition."""
    found: dict[str, KafkaPosition] = {}
    placed = sorted((reader.partition_of(stream, key), key) for key in lanes)
    for partition, group in groupby(placed, key=lambda pair: pair[0]):
        upto = None if ends is None else ends[partition]
        search = PositionSearch(
            reader, stream, partition, {key: lanes[key] for _, key in group}, upto
        )
        while not search.step():
            pass
        found |= search.found
    return found


class PositionSearch:
    """Finds the positions of the lanes of one Kafka partition, a page at a time."""

    def __init__(
        self,
        reader: TopicReader,
        stream: str,
        partition: int,
        lanes: Mapping[str, LocalRecords],
        upto: int | None = None,
    ) -> None:
        self._reader, self._stream, self._partition, self.lanes = reader, stream, partition, lanes
        self._begin, self._end = reader.bounds(stream, partition)
        if upto is not None:
            self._end = max(self._begin, min(self._end, upto))
        self._low, self._width = self._end, FIRST_LOOK
        self.found: dict[str, KafkaPosition] = {}
        self._at, self._seen = self._end, dict[str, _Seen]()
        self._look_further()

    def step(self) -> bool:
        """Read the next page; True once every position is known."""
        page = self._reader.page(self._stream, self._partition, self._at, self._end)
        if page:
            self._walk(page)
            self._at = page[-1].offset + 1
            return False
        looked = self._end - self._low
        if self._low > self._begin and not all(each.sure(looked) for each in self._seen.values()):
            self._look_further()
            return False
        self.found = {key: each.stand(key, self._end) for key, each in self._seen.items()}
        return True

    def _look_further(self) -> None:
        self._low = self._at = max(self._begin, self._low - self._width)
        self._width *= 4
        self._seen = {
            key: _Seen(records, from_zero=self._low == 0, from_first=self._low == self._begin)
            for key, records in self.lanes.items()
        }

    def _walk(self, page: Iterable[Message]) -> None:
        for key, made in claims(page, self._reader.unframe, self.lanes).items():
            ours = self.lanes[key].digests(sorted({claim.number for _, claim in made}))
            for _, claim in made:
                self._seen[key].note(claim, ours.get(claim.number))


def claims(
    messages: Iterable[Message], unframe: Unframe, lanes: Mapping[str, LocalRecords]
) -> dict[str, list[tuple[int, Claim]]]:
    """The claims of messages, by lane and in order, with their offsets."""
    found: dict[str, list[tuple[int, Claim]]] = {}
    for message in messages:
        key = (message.key or b"").decode("utf-8", "replace")
        if key in lanes and (claim := _claim(message, unframe, lanes[key])):
            found.setdefault(key, []).append((message.offset, claim))
    return found


def _claim(message: Message, unframe: Unframe, records: LocalRecords) -> Claim | None:
    try:
        schema, body = unframe(message.value or b"")
    except Refused:  # a newer release may have written it before a downgrade
        found = event_head(message) if records.chained else None
        if found is None:
            return None
        digest = hashlib.sha256(found.body).digest()
        return Claim(found.head["seq"], digest, found.head["prev_hash"])
    return records.claim(LogRecord(message.offset, body, schema))


class _Seen:
    """A lane as a reader of the topic sees it, from some message on."""

    def __init__(self, records: LocalRecords, *, from_zero: bool, from_first: bool) -> None:
        """`from_first`: reading began at the first message; `from_zero`: that is offset 0."""
        self._records, self._from_first = records, from_first
        self._next: int | None = 0 if from_zero else None  # None while the position is unknown
        self._last: bytes | None = NO_HASH
        self._first, self._highest = -1, -1  # of our own records
        self._doubtful = self._forked = self._sure = False

    def note(self, claim: Claim, ours: bytes | None) -> None:
        """Note a message of the lane; `ours` is the hash of our own record of its number."""
        own = claim.digest == ours
        foreign = (
            not own and claim.number >= self._records.start
        )  # we cannot compare trimmed records
        if own:
            self._first = claim.number if self._first < 0 else self._first
            self._highest = max(self._highest, claim.number)
            self._sure |= not self._doubtful and self._first <= self._highest - MAX_IN_FLIGHT
        if self._next is None:
            if not own and not self._from_first:
                self._doubtful |= foreign
                return
            self._next, self._last = claim.number, claim.before
        joins = claim.number == self._next and claim.before in (None, self._last)
        self._doubtful |= foreign
        if joins and not self._forked:
            self._forked = foreign
            if not foreign:
                self._next, self._last = claim.number + 1, claim.digest

    def sure(self, looked: int) -> bool:
        """Whether reading further back cannot change the result, after `looked` messages."""
        if self._records.chained:
            return self._sure
        if self._first < 0:  # letters have no sequence: sending a few again is cheaper
            return self._records.end - self._records.start <= looked
        return self._first == self._records.start or self._first <= self._highest - MAX_IN_FLIGHT

    def stand(self, key: str, seen: int) -> KafkaPosition:
        """The position of the lane."""
        start = self._records.start
        number = start if self._next is None else self._next
        wrong = ""
        if self._forked:
            wrong = FORKED.format(key=key, number=number)
        elif number < start:
            wrong = TRIMMED.format(key=key, number=number, start=start)
        return KafkaPosition(max(number, start), wrong, seen)
