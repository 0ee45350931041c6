"""Kafka for the forwarder: it sends batches, and reads pages of what the topics hold."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any

from ingest.forward.forwarder import RecordBatch, SendResult
from ingest.forward.kafka_position import PAGE
from ingest.kafka import confluent_framing
from ingest.kafka.client import (
    Kafka,
    KafkaAway,
    TopicRemade,
    close_now,
    partition_of,
    producer,
    translated,
)
from ingest.kafka.consumer import PartitionId, TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.log import GATEWAY_STREAMS, LogUnwritable

POLL_S = 0.2


class KafkaSink(AbstractContextManager["KafkaSink"]):
    """A cluster; connections open at their first use, and again after `reset`."""

    def __init__(self, kafka: Kafka) -> None:
        self._kafka = kafka
        self._framing = {
            stream: confluent_framing.framing_of(kafka, stream) for stream in GATEWAY_STREAMS
        }
        self._producer: Any = None
        self._consumers: dict[str, TopicConsumer] = {}
        self._counts: dict[str, int] = {}

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self.reset()

    def unframe(self, value: bytes) -> tuple[str, bytes]:
        """The fingerprint and the body of a message of any of our streams."""
        return self._framing[GATEWAY_STREAMS[0]].unframe(value)

    def send(self, batches: Sequence[RecordBatch]) -> SendResult:
        """Send batches and wait until each record is acknowledged or failed."""
        try:
            for stream in {batch.lane[0] for batch in batches}:
                self._consumer(stream)  # notices a topic that was created anew meanwhile
            if self._producer is None:
                self._producer = producer(self._kafka)
            with translated("write to Kafka", self._kafka):
                sent = [self._started(batch) for batch in batches]
        except LogUnwritable as error:
            return SendResult([0] * len(batches), [()] * len(batches), error)
        told = [self._acknowledged(*each) for each in zip(sent, batches, strict=True)]
        offsets = [found for found, _ in told]
        return SendResult(
            [*map(len, offsets)], offsets, next((why for _, why in told if why), None)
        )

    def reset(self) -> None:
        """Close every connection; after an unclear error none can be trusted."""
        if self._producer is not None:
            close_now(self._producer)
        self._producer = None
        while self._consumers:
            self._consumers.popitem()[1].close()

    def partition_of(self, stream: str, key: str) -> int:
        """The partition of a key."""
        if stream not in self._counts:
            self._consumer(stream)
        return partition_of(key, self._counts[stream])

    def bounds(self, stream: str, partition: int) -> tuple[int, int]:
        """The first offset that Kafka keeps, and the offset after the last message."""
        part, consumer = self._reader(stream, partition)
        return consumer.starts()[part], consumer.ends()[part]

    def ends(self, stream: str) -> dict[int, int]:
        """The offset after the last message of each partition."""
        consumer = self._consumer(stream)
        every = range(self._counts[stream])
        if len(consumer.assigned) < len(every):
            consumer.assign(every)
        return {part.partition: end for part, end in consumer.ends().items()}

    def page(self, stream: str, partition: int, start: int, stop: int) -> list[Message]:
        """The messages from `start` on and before `stop`, at most PAGE; empty at the end."""
        if start >= stop:
            return []
        part, consumer = self._reader(stream, partition)
        if consumer.positions[part] != start:
            consumer.seek({part: start})
        deadline = monotonic() + self._kafka.delivery_s
        while monotonic() < deadline:
            found = consumer.poll(PAGE, POLL_S)
            if found:
                return [message for message in found if message.offset < stop]
        raise KafkaAway(f"{part.topic}/{part.partition}: no answer from {start} on")

    def _started(self, batch: RecordBatch) -> list[Any]:
        stream, key = batch.lane
        topic, frame = self._kafka.topic(stream), self._framing[stream].frame
        send, name = self._producer.send, key.encode()
        return [
            send(topic, key=name, value=frame(record.body, record.schema))
            for record in batch.records
        ]

    def _acknowledged(
        self, futures: Sequence[Any], batch: RecordBatch
    ) -> tuple[list[int], LogUnwritable | None]:
        """The offsets of the acknowledged records, and the error of the first that failed."""
        stream, key = batch.lane
        doing, place = f"write to topic {self._kafka.topic(stream)}", self.partition_of(stream, key)
        offsets: list[int] = []
        try:
            with translated(doing, self._kafka):
                for future in futures:
                    found = future.get(timeout=2 * self._kafka.delivery_s)
                    if found.partition != place:
                        return [], self._remade(stream)
                    offsets.append(found.offset)  # one by one: those before a failure count
        except LogUnwritable as error:
            return offsets, error
        return offsets, None

    def _reader(self, stream: str, partition: int) -> tuple[PartitionId, TopicConsumer]:
        """A consumer of one partition; assigning an open consumer is faster than opening one."""
        part, consumer = PartitionId(self._kafka.topic(stream), partition), self._consumer(stream)
        if consumer.assigned != (part,):
            consumer.assign((partition,))
        return part, consumer

    def _consumer(self, stream: str) -> TopicConsumer:
        if stream not in self._consumers:
            self._consumers[stream] = consumer = TopicConsumer(self._kafka, (stream,))
            count = len(consumer.assigned)
            if self._counts.setdefault(stream, count) != count:
                raise self._remade(stream)
        return self._consumers[stream]

    def _remade(self, stream: str) -> TopicRemade:
        was = self._counts.pop(stream)
        topic = self._kafka.topic(stream)
        return TopicRemade(f"topic {topic} had {was} partitions and has another number of them now")
