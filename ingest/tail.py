"""Reading topics: some partitions from where one likes, or a share of them as one of a group."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from kafka import ConsumerRebalanceListener, TopicPartition
from kafka.structs import OffsetAndMetadata

from ingest.kafka_client import Kafka, KafkaAway, consumer, translated
from ingest.sorter import Message


class Part(NamedTuple):
    """One partition of a topic."""

    topic: str
    partition: int


class Committed(NamedTuple):
    """What a group wrote down for a partition: the next offset, and its own words about it."""

    offset: int
    metadata: str


Parts = Callable[[Sequence[Part]], None]


def _nothing(_: Sequence[Part]) -> None:
    """Nobody wants to know."""


class Tail:
    """A reader of topics. Without a group it reads every partition, or those it is given.

    In a group `gained` is told which partitions came and `lost` which go, from inside `poll`;
    `lost` may still commit. What is given in `more` goes to kafka-python's consumer.
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
        self._topics = tuple(kafka.topic(stream) for stream in streams)
        self._consumer = consumer(kafka, group, **more)
        try:
            if group is not None:
                listener = _Listener(gained, lost)
                self._consumer.subscribe(topics=list(self._topics), listener=listener)
            else:
                self._assign(None if partitions is None else sorted(partitions))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave; the group's other members take over what was ours."""
        self._consumer.close(timeout_ms=self._ms)

    @property
    def assigned(self) -> tuple[Part, ...]:
        """The partitions that are ours now, sorted."""
        return tuple(sorted(Part(*each) for each in self._consumer.assignment() or ()))

    def seek(self, offsets: Mapping[Part, int]) -> None:
        """Go on at these offsets."""
        for part, offset in sorted(offsets.items()):
            self._consumer.seek(TopicPartition(*part), offset)

    def poll(self, max_records: int = 500, timeout_s: float = 0.5) -> list[Message]:
        """The next messages, each partition's in its order; none where none came in time."""
        with self._translated("read"):
            found = self._consumer.poll(timeout_ms=int(timeout_s * 1_000), max_records=max_records)
        return [_message(record) for part in sorted(found) for record in found[part]]

    def starts(self) -> dict[Part, int]:
        """The first offset that each of our partitions still has."""
        return self._offsets(self._consumer.beginning_offsets)

    def ends(self) -> dict[Part, int]:
        """The offset that the next message of each of our partitions will get."""
        return self._offsets(self._consumer.end_offsets)

    @property
    def positions(self) -> dict[Part, int]:
        """The offset that is read next of each of our partitions."""
        with self._translated("read"):
            found = {
                part: self._consumer.position(TopicPartition(*part), timeout_ms=self._ms)
                for part in self.assigned
            }
        if any(offset is None for offset in found.values()):
            raise KafkaAway(f"{self._kafka.bootstrap}: no answer where reading stands")
        return found

    def commit(self, offsets: Mapping[Part, int], metadata: str = "") -> None:
        """Write down for the group which offsets come next, with some words beside them."""
        wanted = {
            TopicPartition(*part): OffsetAndMetadata(offset, metadata)
            for part, offset in offsets.items()
        }
        with translated(f"commit in group {self._group}", self._kafka):
            self._consumer.commit(wanted, timeout_ms=self._ms)

    def committed(self, parts: Iterable[Part] | None = None) -> dict[Part, Committed]:
        """What the group wrote down; nothing for a partition where it never did."""
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

    def _assign(self, partitions: Sequence[int] | None) -> None:
        parts = []
        for topic in self._topics:
            with self._translated("read"):
                there = self._consumer.partitions_for_topic(topic)
            if not there:
                told = "roundproof kafka init makes it, or the right to describe it is missing"
                raise KafkaAway(f"{self._kafka.bootstrap}: topic {topic} is not there; {told}")
            parts += [TopicPartition(topic, n) for n in sorted(there) if _wanted(n, partitions)]
        self._consumer.assign(parts)
        self._consumer.seek_to_beginning()

    def _offsets(self, ask: Callable[..., dict[TopicPartition, int]]) -> dict[Part, int]:
        with self._translated("read"):
            found = ask([TopicPartition(*part) for part in self.assigned], timeout_ms=self._ms)
        return {Part(*part): offset for part, offset in sorted(found.items())}

    def _translated(self, verb: str) -> Any:
        what = f"{verb} topic {', '.join(self._topics)}"
        return translated(what + (f" in group {self._group}" if self._group else ""), self._kafka)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # kafka-python has no types
    def __init__(self, gained: Parts, lost: Parts) -> None:
        self._gained, self._lost = gained, lost

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._gained(sorted(Part(*each) for each in assigned))

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._lost(sorted(Part(*each) for each in revoked))


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
