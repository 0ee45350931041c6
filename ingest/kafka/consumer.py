"""Reading topics: chosen partitions from any offset, or a share of them as member of a group."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from kafka import ConsumerRebalanceListener, TopicPartition, errors
from kafka.structs import OffsetAndMetadata

from ingest.kafka.client import (
    Kafka,
    KafkaAway,
    NoTopic,
    TopicRemade,
    consumer,
    numbers,
    translated,
)
from ingest.kafka.event_sorter import Message
from ingest.log import LogUnwritable


class PartitionId(NamedTuple):
    """One partition of a topic."""

    topic: str
    partition: int


class Committed(NamedTuple):
    """What a group committed for a partition: the next offset, and its metadata."""

    offset: int
    metadata: str


class Rebalanced(LogUnwritable):
    """The group rebalanced without us; another member owns these partitions now."""


Parts = Callable[[Sequence[PartitionId]], None]
MOVED_ON = (
    errors.CommitFailedError,
    errors.IllegalGenerationError,
    errors.RebalanceInProgressError,
    errors.UnknownMemberIdError,
)


def _nothing(_: Sequence[PartitionId]) -> None:
    """The caller needs no notice."""


class TopicConsumer(AbstractContextManager["TopicConsumer"]):
    """A reader of topics. Without a group it reads every partition, or those it is given.

    In a group, `poll` calls `lost` and `gained` before it returns messages of changed partitions.
    At a rebalance both get all our partitions, even those that stay: another member may have had
    them in between. `gained` may seek. `more` goes to kafka-python's consumer.
    """

    def __init__(
        self,
        kafka: Kafka,
        streams: Sequence[str],
        *,
        group: str | None = None,
        partitions: Iterable[int] | None = None,
        gained: Parts = _nothing,
        lost: Parts = _nothing,
        **more: Any,
    ) -> None:
        self._kafka, self._group = kafka, group
        self._changes: deque[tuple[Parts, list[PartitionId]]] = deque()
        self._topics = tuple(kafka.topic(stream) for stream in streams)
        self._ids: dict[str, object] = {}  # the broker's own id of each topic
        self._consumer = consumer(kafka, group, **more)
        try:
            if group is not None:
                listener = _Listener(gained, lost, self._changes)
                self._consumer.subscribe(topics=list(self._topics), listener=listener)
                for topic in (
                    self._topics
                ):  # the group leader assigns no partition of a topic it does not know
                    self._numbers(topic)
            else:
                self._assign(None if partitions is None else sorted(partitions))
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the group; its other members take our partitions."""
        self._consumer.close(timeout_ms=self._ms)

    def assign(self, partitions: Iterable[int]) -> None:
        """Read these partitions from their start, instead of the present ones; not in a group."""
        self._assign(sorted(partitions))

    def counts(self) -> dict[str, int]:
        """The partition count of each of our topics now; NoTopic where one is missing."""
        return {topic: len(self._numbers(topic, anew=True)) for topic in self._topics}

    def remade(self) -> set[str]:
        """The topics that were deleted and created anew since we last asked the broker."""
        before = dict(self._ids)
        self.counts()
        return {topic for topic, known in self._ids.items() if before.get(topic) != known}

    def require_all_partitions(self) -> None:
        """Raise TopicRemade where a topic has partitions that we do not read."""
        for topic, count in self.counts().items():
            mine = sum(part.topic == topic for part in self.assigned)
            if count != mine:
                raise TopicRemade(f"topic {topic} had {mine} partitions and has {count} now")

    @property
    def assigned(self) -> tuple[PartitionId, ...]:
        """The partitions that we read now, sorted."""
        return tuple(sorted(PartitionId(*each) for each in self._consumer.assignment() or ()))

    def seek(self, offsets: Mapping[PartitionId, int]) -> None:
        """Continue at these offsets."""
        for part, offset in sorted(offsets.items()):
            self._consumer.seek(TopicPartition(*part), offset)

    def poll(self, max_records: int = 500, timeout_s: float = 0.5) -> list[Message]:
        """The next messages, in order within each partition; empty after the timeout."""
        with self._translated("read"):
            found = self._consumer.poll(timeout_ms=int(timeout_s * 1_000), max_records=max_records)
            self._tell_changes(found)
        return [_message(record) for part in sorted(found) for record in found[part]]

    def starts(self) -> dict[PartitionId, int]:
        """The first offset that each of our partitions still holds."""
        return self._offsets(self._consumer.beginning_offsets)

    def ends(self) -> dict[PartitionId, int]:
        """The offset that the next message of each of our partitions will get."""
        return self._offsets(self._consumer.end_offsets)

    @property
    def positions(self) -> dict[PartitionId, int]:
        """The next offset to read of each of our partitions."""
        with self._translated("read"):
            found = {
                part: self._consumer.position(TopicPartition(*part), timeout_ms=self._ms)
                for part in self.assigned
            }
        if any(offset is None for offset in found.values()):
            raise KafkaAway(
                f"{self._kafka.bootstrap}: no answer to the request for the read position"
            )
        return found

    def commit(
        self, offsets: Mapping[PartitionId, int], metadata: Mapping[PartitionId, str] | None = None
    ) -> None:
        """Commit for the group which offsets come next, with metadata."""
        words = metadata or {}
        wanted = {
            TopicPartition(*part): OffsetAndMetadata(offset, words.get(part, ""))
            for part, offset in offsets.items()
        }
        try:
            with translated(f"commit in group {self._group}", self._kafka, leave=MOVED_ON):
                self._consumer.commit(wanted, timeout_ms=self._ms)
        except MOVED_ON as error:
            raise Rebalanced(f"group {self._group}: {error}") from error

    def committed(self, parts: Iterable[PartitionId] | None = None) -> dict[PartitionId, Committed]:
        """What the group committed, without partitions that have no commit."""
        found = {}
        with translated(f"read group {self._group}", self._kafka):
            for part in self.assigned if parts is None else parts:
                said = self._consumer.committed(
                    TopicPartition(*part), metadata=True, timeout_ms=self._ms
                )
                if said is not None:
                    found[part] = Committed(said.offset, said.metadata)
        return found

    @property
    def _ms(self) -> int:
        return int(self._kafka.delivery_s * 1_000)

    def _tell_changes(self, found: dict[TopicPartition, list[Any]]) -> None:
        """Report rebalances in our own thread; messages of changed partitions are fetched again."""
        while self._changes:
            tell, parts = self._changes.popleft()
            for part in parts:
                again = found.pop(TopicPartition(*part), None)
                if again and part in self.assigned:
                    self.seek({part: again[0].offset})
            tell(parts)

    def _assign(self, partitions: Sequence[int] | None) -> None:
        parts = []
        for topic in self._topics:
            there = self._numbers(topic)
            parts += [TopicPartition(topic, n) for n in there if _wanted(n, partitions)]
        self._consumer.assign(parts)
        self._consumer.seek_to_beginning()

    def _numbers(self, topic: str, *, anew: bool = False) -> list[int]:
        with self._translated("read"):
            there = numbers(self._consumer, topic, self._ms, anew=anew)
        if not there:
            told = f"topic {topic} does not exist; roundproof kafka init creates it"
            raise NoTopic(f"{self._kafka.bootstrap}: {told}")
        self._ids[topic] = self._consumer._cluster.topic_id(topic)
        return there

    def _offsets(self, ask: Callable[..., dict[TopicPartition, int]]) -> dict[PartitionId, int]:
        with self._translated("read"):
            found = ask([TopicPartition(*part) for part in self.assigned], timeout_ms=self._ms)
        return {PartitionId(*part): offset for part, offset in sorted(found.items())}

    def _translated(self, verb: str) -> Any:
        what = f"{verb} topic {', '.join(self._topics)}"
        return translated(what + (f" in group {self._group}" if self._group else ""), self._kafka)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # kafka-python has no types
    """Records rebalances; kafka-python calls it from a thread that must not block."""

    def __init__(
        self, gained: Parts, lost: Parts, changes: deque[tuple[Parts, list[PartitionId]]]
    ) -> None:
        self._gained, self._lost, self._changes = gained, lost, changes

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._note(self._gained, assigned)

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._note(self._lost, revoked)

    def _note(self, tell: Parts, parts: Iterable[TopicPartition]) -> None:
        changed = sorted(PartitionId(*each) for each in parts)
        if changed:
            self._changes.append((tell, changed))


def _wanted(partition: int, partitions: Sequence[int] | None) -> bool:
    return partitions is None or partition in partitions


def _message(record: Any) -> Message:
    return Message(
        record.topic,
        record.partition,
        record.offset,
        record.key,
        record.value,
        record.timestamp * 1_000,
    )
