"""Fork watch: finds events of other writers among ours, before any device gets its answer.

Kafka returns the offset of each record we send. While our offsets are consecutive, nobody else
wrote to the partition; whatever lies between them is read. Another writer's event at the next
position of a table forks that table, and its lane stops. One at any other position stops nothing:
every reader skips it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ingest.forward.kafka_position import FORKED, KafkaPosition, TopicReader, claims
from ingest.forward.local_records import Claim, LocalRecords
from ingest.service_log import log
from schemas.codec import NO_HASH

Placed = Mapping[str, Sequence[tuple[int, int]]]  # by lane: our sequences and offsets


class TopicShrunk(Exception):
    """The topic is shorter than before; every lane must be searched again."""


class Fork(NamedTuple):
    """The sequence at which another writer's record stands, and the message for the operator."""

    number: int
    why: str


class ForkWatch:
    """Watches the Kafka partitions of our lanes of one stream."""

    def __init__(
        self, reader: TopicReader, stream: str, records: Callable[[str], LocalRecords]
    ) -> None:
        self._reader, self._stream, self._records = reader, stream, records
        self._seen: dict[int, int] = {}  # by partition: checked up to this offset
        self._lanes: dict[str, _WatchedLane] = {}

    def add(self, key: str, stand: KafkaPosition) -> None:
        """Watch a lane from its position on."""
        partition = self._reader.partition_of(self._stream, key)
        self._lanes[key] = _WatchedLane(partition, stand.next, stand.seen)
        self._seen[partition] = min(self._seen.get(partition, stand.seen), stand.seen)

    def clear(self) -> None:
        """Forget every lane."""
        self._seen.clear()
        self._lanes.clear()

    def check(self, placed: Placed) -> dict[str, Fork]:
        """The forked lanes, checked up to our latest records."""
        here: dict[int, dict[str, Sequence[tuple[int, int]]]] = {}
        for key, records in placed.items():
            if records:
                here.setdefault(self._lanes[key].partition, {})[key] = records
        found: dict[str, Fork] = {}
        for partition, parts in here.items():
            if not self._alone(partition, parts):
                notes = [_Note(at, key, n) for key, part in parts.items() for n, at in part]
                notes.sort(key=lambda note: note.offset)
                found |= self._judged(partition, notes, notes[-1].offset + 1)
        return found

    def look(self) -> dict[str, Fork]:
        """The forked lanes, checked up to the end of the topic."""
        ends = self._reader.ends(self._stream) if self._seen else {}
        found: dict[str, Fork] = {}
        for partition in sorted(self._seen):
            found |= self._judged(partition, [], ends[partition])
        return found

    def _alone(self, partition: int, parts: Placed) -> bool:
        """Whether our offsets are consecutive since the last check, so nobody else wrote."""
        first = min(part[0][1] for part in parts.values())
        last = max(part[-1][1] for part in parts.values())
        if first != self._seen[partition] or last - first + 1 != sum(map(len, parts.values())):
            return False
        for key, part in parts.items():
            self._lanes[key].due = part[-1][0] + 1
        self._seen[partition] = last + 1
        return True

    def _judged(self, partition: int, ours: list["_Note"], upto: int) -> dict[str, Fork]:
        seen = self._seen[partition]
        if upto < seen or (ours and ours[0].offset < seen):
            raise TopicShrunk(f"partition {partition}: offset {seen} expected, {upto} found")
        notes = ours
        if upto - seen > len(ours):
            strangers = self._strangers(partition, seen, [note.offset for note in ours], upto)
            notes = sorted([*ours, *strangers], key=lambda note: note.offset)
        forks = dict(self._forks(notes))
        self._seen[partition] = upto
        return forks

    def _strangers(
        self, partition: int, seen: int, ours: Sequence[int], upto: int
    ) -> Iterator["_Note"]:
        """The messages between our own records that name one of our lanes."""
        here = {key for key, lane in self._lanes.items() if lane.partition == partition}
        lanes = {key: self._records(key) for key in here}
        for start, stop in _gaps(seen, ours, upto):
            at = start
            while page := self._reader.page(self._stream, partition, at, stop):
                for key, made in claims(page, self._reader.unframe, lanes).items():
                    yield from (_Note(offset, key, claim.number, claim) for offset, claim in made)
                at = page[-1].offset + 1

    def _forks(self, notes: Iterable["_Note"]) -> Iterator[tuple[str, Fork]]:
        for offset, key, number, claim in notes:
            lane = self._lanes[key]
            if offset < lane.since or lane.forked:
                continue
            if claim is None or self._is_ours(key, claim):
                lane.due += number == lane.due
            elif number == lane.due and claim.before == self._before(key, number):
                lane.forked = True
                yield key, Fork(number, FORKED.format(key=key, number=number))
            else:
                log.warning("stranger_wrote", table=key, seq=number, offset=offset)

    def _is_ours(self, key: str, claim: Claim) -> bool:
        return self._records(key).digests([claim.number]).get(claim.number) == claim.digest

    def _before(self, key: str, number: int) -> bytes | None:
        if not number:
            return NO_HASH
        return self._records(key).digests([number - 1]).get(number - 1)


class _Note(NamedTuple):
    """A message of one of our lanes: its offset and sequence; the claim where it is not ours."""

    offset: int
    key: str
    number: int
    claim: Claim | None = None


class _WatchedLane:
    """A lane as readers of the topic see it; `due` is the next sequence."""

    def __init__(self, partition: int, due: int, since: int) -> None:
        self.partition, self.due, self.since = partition, due, since
        self.forked = False


def _gaps(seen: int, ours: Sequence[int], upto: int) -> Iterator[tuple[int, int]]:
    """The ranges of offsets that are not ours."""
    at = seen
    for offset in (*ours, upto):
        if offset > at:
            yield at, offset
        at = offset + 1
