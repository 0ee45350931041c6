"""A log in Kafka that tests write to; the house itself writes through its forwarder alone."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Self

from ingest import dead_letter
from ingest.kafka.client import Kafka
from ingest.kafka.event_sorter import StrayMessage
from ingest.kafka.log import KafkaLog
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.log import DEAD_LETTERS, EVENTS, MAX_BODY, LogCorrupt, LogWriter, checked_id
from ingest.seal import chain as event_chain
from schemas import avro, codec

SCHEMA_OF: Mapping[str, str] = {EVENTS: avro.FINGERPRINT, DEAD_LETTERS: dead_letter.FINGERPRINT}


class WritableKafkaLog(KafkaLog, LogWriter):
    """Writes only the streams it was opened for."""

    def __init__(
        self,
        kafka: Kafka,
        writes: Sequence[str],
        *,
        stray: Callable[[StrayMessage], None] = lambda _: None,
        sends: TopicProducer | None = None,
    ) -> None:
        super().__init__(kafka, stray=stray)
        self._writes, self._outbox = tuple(writes), sends or TopicProducer(kafka)

    def __enter__(self) -> Self:
        return self

    def close(self) -> None:
        """Let go of every connection."""
        self._outbox.close()
        super().close()

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Add records at the end, durable when this returns; the offset of the first."""
        checked_id(partition)
        if stream not in self._writes:
            raise ValueError(f"stream {stream} was not opened for writing")
        for body in records:
            if not 0 < len(body) <= MAX_BODY:
                raise ValueError(f"1 to {MAX_BODY} bytes a record expected, {len(body)} found")
        if stream == EVENTS and records:
            first = _sequence(partition, records[0])
        else:
            first = self.end(stream, partition)
        schema = written_with or SCHEMA_OF[stream]
        topic, key = self._kafka.topic(stream), partition.encode()
        frame = self._framing[stream].frame
        self._outbox.send(OutgoingMessage(topic, key, frame(body, schema)) for body in records)
        return first

    def append_each(
        self, stream: str, batches: Mapping[str, Sequence[bytes]], written_with: str = ""
    ) -> dict[str, int]:
        """Add records at the end of each partition."""
        return {
            name: self.append(stream, name, records, written_with)
            for name, records in batches.items()
        }


def _sequence(table_id: str, body: bytes) -> int:
    """The sequence of an event, which must be of the table that it is appended to."""
    try:
        head = codec.decode_head(BytesIO(body))
    except codec.UNREADABLE as error:
        raise event_chain.unreadable(table_id, 0, error) from error
    if head["table_id"] != table_id:
        raise LogCorrupt(f"table {table_id}: its event expected, one of {head['table_id']} found")
    seq: int = head["seq"]
    return seq
