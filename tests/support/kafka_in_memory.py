"""Kafka in memory: keeps what it is sent in its order, and fails as the test has written down."""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ingest.forward import kafka_position
from ingest.forward.forwarder import RecordBatch, SendResult
from ingest.kafka.client import KafkaAway
from ingest.kafka.event_sorter import Message
from ingest.parse import framing

PARTITIONS = 2


class FakeKafka:
    """Each failure is the number of records of a round that arrive, and of those that are told so.

    A record that does not arrive leaves a hole: those behind it in the round arrive still, where
    the failure says `holes`.
    """

    def __init__(self, failures: Iterable[tuple[int, int]] = (), *, holes: bool = False) -> None:
        self.topics: dict[tuple[str, int], list[Message]] = defaultdict(list)
        self.failures, self.holes = list(failures), holes
        self.away = False
        self.resets = self.looked = self.most = 0

    def unframe(self, value: bytes) -> tuple[str, bytes]:
        return framing.unframe(value)

    def partition_of(self, stream: str, key: str) -> int:
        del stream
        return zlib.crc32(key.encode()) % PARTITIONS

    def bounds(self, stream: str, partition: int) -> tuple[int, int]:
        if self.away:
            raise KafkaAway("nobody is there")
        return 0, len(self.topics[stream, partition])

    def ends(self, stream: str) -> dict[int, int]:
        return {number: self.bounds(stream, number)[1] for number in range(PARTITIONS)}

    def page(self, stream: str, partition: int, start: int, stop: int) -> list[Message]:
        found = self.topics[stream, partition][start:stop][: kafka_position.PAGE]
        self.looked += len(found)
        return found

    def send(self, parcels: Sequence[RecordBatch]) -> SendResult:
        flat = [(parcel.lane, record) for parcel in parcels for record in parcel.records]
        self.most = max(self.most, len(flat))
        if self.away:
            none = [0] * len(parcels), [()] * len(parcels)
            return SendResult(*none, KafkaAway("nobody is there"))
        arrive, told = self.failures.pop(0) if self.failures else (len(flat), len(flat))
        offsets = []
        for n, ((stream, key), record) in enumerate(flat):
            if n < arrive or (self.holes and n > arrive):
                offsets.append(self.put(stream, key, framing.frame(record.body, record.schema)))
        found, at = [], 0
        for parcel in parcels:
            found.append(offsets[at : min(at + len(parcel.records), told)])
            at += len(parcel.records)
        counts = [*map(len, found)]
        return SendResult(counts, found, KafkaAway("unclear") if sum(counts) < len(flat) else None)

    def reset(self) -> None:
        self.resets += 1

    def put(self, stream: str, key: str, value: bytes) -> int:
        number = self.partition_of(stream, key)
        topic = self.topics[stream, number]
        topic.append(Message(stream, number, len(topic), key.encode(), value, 0))
        return len(topic) - 1
