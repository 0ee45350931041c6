"""The log in Kafka: a stream is a topic, a partition is a key, an offset is an event's sequence.

The sorter decides which messages are records: it drops twins, and strays go to a callback. Memory
holds one seek point for every thousand records, and one page of messages.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from time import monotonic
from typing import NamedTuple

from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka, KafkaAway, partition_of
from ingest.kafka.consumer import PartitionId, TopicConsumer
from ingest.kafka.event_sorter import LetterSorter, Message, SortedEvent, Sorter, StrayMessage
from ingest.log import EVENTS, GATEWAY_STREAMS, LogReader, LogRecord, checked_id
from ingest.seal.chain import ChainPosition

MARK_EVERY = 1_000  # records of a table between two seek points
PAGE = 1_000  # messages in memory


class SeekPoint(NamedTuple):
    """Where reading of a table can start: its sequence, offset in the topic, and previous hash."""

    seq: int
    offset: int
    prev_hash: bytes


def _passed_over(_: StrayMessage) -> None:
    """Ignore strays; the services that read the topic send their dead letters."""


class KafkaLog(AbstractContextManager["KafkaLog"], LogReader):
    """The log in a cluster, for reading; ingest/forward and ingest/kafka/bury_strays write it."""

    def __init__(
        self,
        kafka: Kafka,
        *,
        stray: Callable[[StrayMessage], None] = _passed_over,
    ) -> None:
        """`stray` is called once for each message that is no record."""
        self._kafka, self._stray = kafka, stray
        self._framing = {
            stream: confluent_framing.framing_of(kafka, stream) for stream in GATEWAY_STREAMS
        }
        self._lanes: dict[PartitionId, _PartitionIndex] = {}
        self._counts: dict[str, int] = {}
        self._idle: dict[PartitionId, list[TopicConsumer]] = {}

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every connection."""
        for consumers in self._idle.values():
            while consumers:
                consumers.pop().close()

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on, as far as the topic reaches now."""
        lane = self._caught_up(self._part(stream, checked_id(partition)))
        marks = lane.marks.get(partition, ())
        if not marks or start >= lane.ends[partition]:
            return
        mark = marks[max(0, bisect_right(marks, start, key=lambda each: each.seq) - 1)]
        known = {partition: ChainPosition(mark.seq, mark.prev_hash)}
        sorter = self._sorter(stream, known)
        for message in self._messages(lane.part, mark.offset, lane.scanned, partition.encode()):
            found = sorter.sort(message)
            if (
                found is not None
                and not isinstance(found, StrayMessage)
                and found.record.offset >= start
            ):
                yield found.record

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream, sorted: the tables that have a record."""
        parts = [PartitionId(self._topic(stream), n) for n in range(self._count(stream))]
        return tuple(sorted(name for part in parts for name in self._caught_up(part).ends))

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get."""
        lane = self._caught_up(self._part(stream, checked_id(partition)))
        return lane.ends.get(partition, 0)

    def _caught_up(self, part: PartitionId) -> "_PartitionIndex":
        """The index of a Kafka partition, after sorting its new messages."""
        lane = self._lanes.get(part)
        start, end = self._bounds(part)
        if lane is None:
            stream = part.topic.removeprefix(self._kafka.prefix)
            sorter = self._sorter(stream, {}, anywhere=start > 0)
            lane = self._lanes[part] = _PartitionIndex(part, start, sorter)
        for message in self._messages(part, lane.scanned, end):
            stray = lane.take(message)
            if stray is not None:
                self._stray(stray)
        lane.scanned = max(lane.scanned, end)
        return lane

    def _messages(
        self, part: PartitionId, start: int, stop: int, key: bytes | None = None
    ) -> Iterator[Message]:
        """The messages between two offsets, of a key where one is given."""
        if start >= stop:
            return
        consumer = self._borrowed(part)
        try:
            consumer.seek({part: start})
            deadline = monotonic() + self._kafka.delivery_s
            while start < stop:
                found = consumer.poll(PAGE, 0.2)
                at = found[-1].offset + 1 if found else consumer.positions[part]
                if at > start:
                    start, deadline = at, monotonic() + self._kafka.delivery_s
                elif monotonic() > deadline:
                    raise KafkaAway(f"{part.topic}/{part.partition}: no answer from {start} on")
                for message in found:
                    if message.offset < stop and (key is None or message.key == key):
                        yield message
        finally:
            self._idle[part].append(consumer)

    def _bounds(self, part: PartitionId) -> tuple[int, int]:
        consumer = self._borrowed(part)
        try:
            return consumer.starts()[part], consumer.ends()[part]
        finally:
            self._idle[part].append(consumer)

    def _borrowed(self, part: PartitionId) -> TopicConsumer:
        """An idle consumer of a partition, or a new one."""
        idle = self._idle.setdefault(part, [])
        if idle:
            return idle.pop()
        stream = part.topic.removeprefix(self._kafka.prefix)
        return TopicConsumer(self._kafka, (stream,), partitions=(part.partition,))

    def _sorter(
        self, stream: str, known: Mapping[str, ChainPosition], *, anywhere: bool = False
    ) -> Sorter | LetterSorter:
        unframe = self._framing[stream].unframe
        if stream != EVENTS:
            return LetterSorter(unframe)
        return Sorter(unframe, known, anywhere=anywhere)

    def _part(self, stream: str, partition: str) -> PartitionId:
        return PartitionId(self._topic(stream), partition_of(partition, self._count(stream)))

    def _count(self, stream: str) -> int:
        if stream not in self._counts:
            with TopicConsumer(self._kafka, (stream,)) as consumer:
                self._counts[stream] = len(consumer.assigned)
        return self._counts[stream]

    def _topic(self, stream: str) -> str:
        return self._kafka.topic(checked_id(stream))


class _PartitionIndex:
    """The index of one Kafka partition: how far it is sorted, and its tables' seek points."""

    def __init__(self, part: PartitionId, start: int, sorter: Sorter | LetterSorter) -> None:
        self.part, self.scanned, self._sorter = part, start, sorter
        self.marks: dict[str, list[SeekPoint]] = {}
        self.ends: dict[str, int] = {}

    def take(self, message: Message) -> StrayMessage | None:
        """Sort the next message; returns it where it is a stray."""
        found = self._sorter.sort(message)
        self.scanned = message.offset + 1
        if found is None or isinstance(found, StrayMessage):
            return found
        seq, name = found.record.offset, (message.key or b"").decode()
        marks = self.marks.setdefault(name, [])
        if isinstance(found, SortedEvent) and (not marks or seq % MARK_EVERY == 0):
            marks.append(SeekPoint(seq, message.offset, found.event.prev_hash))
        elif not marks:  # letters are few: read them from the first one
            marks.append(SeekPoint(seq, message.offset, b""))
        self.ends[name] = seq + 1
        return None
