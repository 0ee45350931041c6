"""Checkpoints in Kafka: the records of the stream `checkpoints`, so that others can follow them.

A message's key is the origin, its value a framed CheckpointSigned, byte for byte as in the embedded
log. After an unclear error a publisher sends records again, and anybody with the right may write to
the topic. So a reader takes a message that the house signed and that follows the one before, drops
what it has already, and passes over what no known key signed. What the house signed and what does
not follow is a second history.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.disk import Disk
from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.log import CHECKPOINTS, HOUSE, LogReader, LogRecord
from ingest.parse.framing import Unframe, unframe
from ingest.seal.house import SealBroken, SealState, read_record
from ingest.seal.note import NoteWrong, PublicKey
from schemas import published
from schemas.events import CheckpointSigned
from schemas.shape import Refused

PUBLISHED = "published.json"
FINGERPRINT = published.SCHEMAS[CheckpointSigned].fingerprint


def publish(kafka: Kafka, log: LogReader, origin: str, folder: Path) -> int:
    """Send the records that Kafka does not have yet; how many. The memory is a cache."""
    done = _published(log, folder)
    records = list(log.read(CHECKPOINTS, HOUSE, done))
    if not records:
        return 0
    frame = confluent_framing.framing_of(kafka, CHECKPOINTS).frame
    topic = kafka.topic(CHECKPOINTS)
    with TopicProducer(kafka) as producer:
        producer.send(
            OutgoingMessage(topic, origin.encode(), frame(record.body, FINGERPRINT))
            for record in records
        )
    last = hashlib.sha256(records[-1].body).hexdigest()
    said = {"records": records[-1].offset + 1, "last": last}
    Disk().create(folder / PUBLISHED, json.dumps(said, sort_keys=True).encode())
    return len(records)


class CheckpointTopic(LogReader):
    """The stream `checkpoints` of one house, as its topic has it."""

    def __init__(
        self, found: Sequence[Message], keys: Sequence[PublicKey], unframed: Unframe = unframe
    ) -> None:
        self._bodies = list(_sorted(found, keys, unframed))

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from one on."""
        if (stream, partition) == (CHECKPOINTS, HOUSE):
            for offset, body in enumerate(self._bodies[start:], start):
                yield LogRecord(offset, body, FINGERPRINT)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The one partition, where it has a record."""
        return (HOUSE,) if stream == CHECKPOINTS and self._bodies else ()

    def end(self, stream: str, partition: str) -> int:
        """How many records there are."""
        return len(self._bodies) if (stream, partition) == (CHECKPOINTS, HOUSE) else 0


def messages(kafka: Kafka, origin: str) -> list[Message]:
    """Every message of the topic under an origin."""
    found: list[Message] = []
    with TopicConsumer(kafka, (CHECKPOINTS,)) as consumer:
        ends = consumer.ends()
        while any(at < ends[part] for part, at in consumer.positions.items()):
            found += [each for each in consumer.poll() if each.key == origin.encode()]
    return sorted(found, key=lambda each: each.offset)


def _sorted(
    found: Sequence[Message], keys: Sequence[PublicKey], unframed: Unframe
) -> Iterator[bytes]:
    state, seen = SealState(), set[bytes]()
    for message in found:
        try:
            schema, body = unframed(message.value or b"")
            _, signed = read_record(message.offset, body)
            ours = schema == FINGERPRINT and signed.signers(keys)
        except (Refused, NoteWrong, SealBroken):
            continue
        digest = hashlib.sha256(body).digest()
        if not ours or digest in seen:
            continue
        try:
            state = state.after(state.records, body)
        except SealBroken as error:
            where = f"{message.topic}/{message.partition} offset {message.offset}"
            raise SealBroken(f"{where}: the house signed a second history: {error}") from error
        seen.add(digest)
        yield body


def _published(log: LogReader, folder: Path) -> int:
    """How many records Kafka has; 0 where the memory is lost or of another log."""
    try:
        said = json.loads((folder / PUBLISHED).read_bytes())
        done, last = int(said["records"]), str(said["last"])
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return 0
    record = next(log.read(CHECKPOINTS, HOUSE, max(0, done - 1)), None)
    if record is None or hashlib.sha256(record.body).hexdigest() != last:
        return 0
    return done
