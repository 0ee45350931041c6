"""Clients that nobody here wrote: kcat and confluent-kafka read our topics and write to them.

They get no more than any reader has: the address, and the schema that `roundproof schemas` shows.
Confluent's framing and a registry are in test_registry_interop.py.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import confluent_kafka
import fastavro
from typer.testing import CliRunner

from audit.cli import app
from ingest.doors import kafka_topic
from ingest.doors.kafka_topic import ReadingsConsumer
from ingest.kafka import topics
from ingest.kafka.client import Kafka, partition_of
from ingest.kafka.consumer import TopicConsumer
from ingest.local.log import LocalLog
from ingest.log import EVENTS
from ingest.seal.chain import events
from schemas import avro
from schemas import events as e
from tests.ingest.test_log import bodies
from tests.support.kafka_writer import WritableKafkaLog
from tests.support.readings import house, json_line, reading

COUNT = 5


def published(name: str) -> Any:
    """A schema as anybody gets it from us."""
    told = CliRunner().invoke(app.command_line(), ["schemas", "show", name, "--json"])
    return json.loads(told.stdout)


def decoded(value: bytes) -> Any:
    """A message as an Avro library reads it with the published schema, header first."""
    schema = published("Event")
    crc = fastavro.schema.fingerprint(
        fastavro.schema.to_parsing_canonical_form(schema), "CRC-64-AVRO"
    )
    assert value[:10] == b"\xc3\x01" + bytes.fromhex(crc)
    body = BytesIO(value[10:])
    found = fastavro.schemaless_reader(body, fastavro.parse_schema(schema), None)
    assert body.read() == b""
    return found


def said(count: int = COUNT) -> list[tuple[str, int, str]]:
    """What the readers must find of each event."""
    return [(f"T1/shoe-3/{n}", n, "9H") for n in range(count)]


def told(found: Any) -> tuple[str, int, str]:
    return found["event_id"], found["seq"], found["payload"]["card"]


def kcat(kafka: Kafka, *words: str, stdin: bytes = b"") -> bytes:
    ran = subprocess.run(
        ["kcat", "-b", kafka.bootstrap, *words], input=stdin, capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout


def consumed(kafka: Kafka, stream: str, count: int) -> list[confluent_kafka.Message]:
    """So many messages of a topic, by confluent-kafka."""
    settings = {
        "bootstrap.servers": kafka.bootstrap,
        "group.id": topics.group(kafka, "auditor"),
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }
    with closing(confluent_kafka.Consumer(settings)) as consumer:
        consumer.subscribe([kafka.topic(stream)])
        found = consumer.consume(count, timeout=20)
    assert [message.error() for message in found] == [None] * count
    return list(found)


def produce(kafka: Kafka, stream: str, values: dict[bytes, list[bytes]]) -> Counter[str]:
    """Write messages by confluent-kafka, with the partitioner that Java's and ours are like."""
    landed: Counter[str] = Counter()
    settings = {"bootstrap.servers": kafka.bootstrap, "partitioner": "murmur2_random"}
    producer = confluent_kafka.Producer(settings)
    for key, bodies_of_key in values.items():
        for value in bodies_of_key:
            producer.produce(
                kafka.topic(stream),
                value,
                key,
                on_delivery=lambda error, message: landed.update(
                    [str(error or message.partition())]
                ),
            )
    assert producer.flush(20) == 0
    return landed


@contextmanager
def written(kafka: Kafka) -> Iterator[WritableKafkaLog]:
    """Some events of a table in the topic."""
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(COUNT))
        yield log


def taken(kafka: Kafka, home: Path, count: int) -> list[e.Event]:
    """The events of table T12 after the gateway has taken so many messages from the topic."""
    log, gateway = house(home)
    with log, TopicConsumer(kafka, ("readings",), group=topics.group(kafka, "gateway")) as tail:
        door, done = ReadingsConsumer(tail, gateway, kafka_topic.confluent(kafka)), 0
        while done < count:
            counts = door.step()
            done += counts.accepted + counts.dead_lettered
            assert counts.dead_lettered == 0
    return [event for event, _ in events(LocalLog(home), "T12")]


def test_kcat_reads_our_events(kafka: Kafka) -> None:
    with written(kafka):
        out = kcat(kafka, "-C", "-e", "-q", "-t", kafka.topic(EVENTS), "-f", "%k %S %s")

    found, stream = [], BytesIO(out)
    while head := stream.read(3):
        assert head == b"T1 "
        size = int(b"".join(iter(lambda: stream.read(1), b" ")))
        found.append(told(decoded(stream.read(size))))
    assert found == said()


def test_confluent_kafka_reads_our_events(kafka: Kafka) -> None:
    with written(kafka):
        messages = consumed(kafka, EVENTS, COUNT)

    assert [told(decoded(message.value() or b"")) for message in messages] == said()
    assert {message.key() for message in messages} == {b"T1"}
    assert {message.partition() for message in messages} == {partition_of("T1", 4)}


def test_a_reading_by_confluent_kafka_comes_in(kafka: Kafka, tmp_path: Path) -> None:
    schema = fastavro.parse_schema(published("Reading"))
    canonical = fastavro.schema.to_parsing_canonical_form(published("Reading"))
    header = b"\xc3\x01" + bytes.fromhex(fastavro.schema.fingerprint(canonical, "CRC-64-AVRO"))
    values = []
    for n in range(COUNT):
        stream = BytesIO(header)
        stream.seek(10)
        fastavro.schemaless_writer(stream, schema, plain(n))
        values.append(stream.getvalue())

    landed = produce(kafka, "readings", {b"T12": values})

    assert landed == {str(partition_of("T12", 4)): COUNT}
    found = taken(kafka, tmp_path, COUNT)
    assert [(event.device_seq, event.payload) for event in found] == [
        (n, reading(n).payload) for n in range(COUNT)
    ]


def plain(n: int) -> dict[str, Any]:
    """A reading in plain values, as another program has it."""
    value = reading(n)
    return {
        **{name: getattr(value, name) for name in FIELDS},
        "payload": ("roundproof.CardDrawn", {"position": n + 1, "hand": "player", "card": "9H"}),
    }


FIELDS = [
    field["name"] for field in avro.RECORDS["Reading"]["fields"] if field["name"] != "payload"
]


def test_a_reading_by_kcat_comes_in(kafka: Kafka, tmp_path: Path) -> None:
    lines = b"".join(b"T12|" + json_line(reading(n)) for n in range(COUNT))

    kcat(kafka, "-P", "-t", kafka.topic("readings"), "-K", "|", stdin=lines)

    found = taken(kafka, tmp_path, COUNT)
    assert [event.device_seq for event in found] == list(range(COUNT))
