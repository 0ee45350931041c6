"""Cases and access records in Kafka, so that another house of the operator can read them.

A message's key is the partition (a table of `cases`, `house` of `access`), its value the framed
record, byte for byte as in the embedded log. Every record carries the hash of the one before. So a
reader takes the message that follows the last one it took, and passes over all others: records that
were sent again after an unclear error, and what somebody else wrote.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ingest.disk import Disk
from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.log import Lane, LogReader, LogRecord
from ingest.parse.framing import Unframe
from schemas import case_codec, codec
from schemas.shape import Refused

CASES, ACCESS = STREAMS = ("cases", "access")
FORWARDED = "desk_forwarded.json"  # in the folder of the log: how far each lane was sent

Sent = Mapping[str, Sequence[int | str]]  # by lane: how many records, and the hash of the last


def forward(kafka: Kafka, log: LogReader, folder: Path) -> int:
    """Send the records that Kafka does not have yet; how many. The memory is a cache."""
    known, count = _loaded(folder), 0
    for lane in [(stream, name) for stream in STREAMS for name in log.partitions(stream)]:
        records = list(log.read(*lane, _done(log, lane, known)))
        if records:
            _send(kafka, lane, records)
            last = hashlib.sha256(records[-1].body).hexdigest()
            known = {**known, "/".join(lane): [records[-1].offset + 1, last]}
            Disk().create(folder / FORWARDED, json.dumps(known, sort_keys=True).encode())
            count += len(records)
    return count


class DeskTopics(LogReader):
    """The streams `cases` and `access` as their topics have them, in memory."""

    def __init__(self, kafka: Kafka) -> None:
        self._lanes: dict[Lane, list[LogRecord]] = {}
        for stream in STREAMS:
            unframe = confluent_framing.framing_of(kafka, stream).unframe
            found = sorted_records(stream, _messages(kafka, stream), unframe)
            self._lanes |= {(stream, name): records for name, records in found.items()}

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on."""
        return iter(self._lanes.get((stream, partition), [])[start:])

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions that have a record, sorted."""
        return tuple(sorted(name for each, name in self._lanes if each == stream))

    def end(self, stream: str, partition: str) -> int:
        """How many records there are."""
        return len(self._lanes.get((stream, partition), []))


def sorted_records(
    stream: str, found: Sequence[Message], unframe: Unframe
) -> dict[str, list[LogRecord]]:
    """The records of each partition, each following the one before; all other messages left out."""
    lanes: dict[str, list[LogRecord]] = {}
    ends: dict[str, bytes] = {}
    for message in found:
        try:
            key = (message.key or b"").decode()
            schema, body = unframe(message.value or b"")
            before = PREVIOUS[stream](key, body, schema)
        except (Refused, UnicodeDecodeError, *codec.UNREADABLE):
            continue
        if before == ends.get(key, codec.NO_HASH):
            lane = lanes.setdefault(key, [])
            lane.append(LogRecord(len(lane), body, schema))
            ends[key] = hashlib.sha256(body).digest()
    return lanes


def _before_case(key: str, body: bytes, schema: str) -> bytes | None:
    """The hash that a case event carries; None where it belongs to another table."""
    event = case_codec.decode_case(body, schema)
    return event.prev_hash if event.table_id == key else None


def _before_access(key: str, body: bytes, schema: str) -> bytes | None:
    del key
    return case_codec.decode_access(body, schema).prev_hash


PREVIOUS: Mapping[str, Callable[[str, bytes, str], bytes | None]] = {
    CASES: _before_case,
    ACCESS: _before_access,
}


def _send(kafka: Kafka, lane: Lane, records: Sequence[LogRecord]) -> None:
    stream, name = lane
    frame, topic = confluent_framing.framing_of(kafka, stream).frame, kafka.topic(stream)
    with TopicProducer(kafka) as producer:
        producer.send(
            OutgoingMessage(topic, name.encode(), frame(record.body, record.schema))
            for record in records
        )


def _messages(kafka: Kafka, stream: str) -> list[Message]:
    """Every message of a topic, those of one key in their order."""
    found: list[Message] = []
    with TopicConsumer(kafka, (stream,)) as consumer:
        ends = consumer.ends()
        while any(at < ends[part] for part, at in consumer.positions.items()):
            found += consumer.poll()
    return sorted(found, key=lambda each: (each.partition, each.offset))


def _done(log: LogReader, lane: Lane, known: Sent) -> int:
    """How many records of a lane Kafka has; 0 where the memory is of another log."""
    done, last = known.get("/".join(lane), (0, ""))
    record = next(log.read(*lane, max(0, int(done) - 1)), None)
    if record is None or hashlib.sha256(record.body).hexdigest() != last:
        return 0
    return int(done)


def _loaded(folder: Path) -> Sent:
    try:
        said = json.loads((folder / FORWARDED).read_bytes())
        return {str(lane): [int(done), str(last)] for lane, (done, last) in said.items()}
    except (FileNotFoundError, ValueError, TypeError, AttributeError):
        return {}
