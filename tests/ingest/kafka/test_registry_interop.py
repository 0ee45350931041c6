"""A registry and a serializer that nobody here wrote, on both sides of our framing.

The registry is Apicurio's, which speaks Confluent's API; Confluent's own cannot be had from Maven's
central repository. The serializer and deserializer are those of Confluent's client.
"""

import json
from dataclasses import replace
from pathlib import Path

from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from ingest.kafka.client import Kafka
from ingest.log import EVENTS
from tests.broker.registry import registry
from tests.ingest.kafka.test_kafka_interop import (
    COUNT,
    consumed,
    plain,
    produce,
    published,
    said,
    taken,
    told,
    written,
)
from tests.ingest.test_log import bodies
from tests.support.kafka_writer import WritableKafkaLog
from tests.support.readings import reading


def test_a_real_registry_joins_both_sides(kafka: Kafka, tmp_path: Path) -> None:
    with registry(tmp_path) as url:
        framed = replace(kafka, framing="confluent", registry=url)
        client = SchemaRegistryClient({"url": url})

        with written(kafka), WritableKafkaLog(framed, (EVENTS,)) as log:
            log.append(EVENTS, "T1", bodies(2, COUNT))
            read_back = [record.body for record in log.read(EVENTS, "T1")]
        theirs = [message.value() or b"" for message in consumed(kafka, EVENTS, COUNT + 2)]
        read = AvroDeserializer(client)
        context = SerializationContext(kafka.topic(EVENTS), MessageField.VALUE)
        found = [told(read(value, context)) for value in theirs[COUNT:]]

        write = AvroSerializer(client, json.dumps(published("Reading")))
        context = SerializationContext(kafka.topic("readings"), MessageField.VALUE)
        values = [write(plain(n), context) for n in range(COUNT)]
        produce(kafka, "readings", {b"T12": values})
        came_in = taken(framed, tmp_path / "log", COUNT)

    assert read_back == bodies(COUNT + 2)  # what was framed before the setting changed, too
    assert [value[:1] for value in theirs] == [b"\xc3"] * COUNT + [b"\x00"] * 2
    assert found == said(COUNT + 2)[COUNT:]
    assert [event.payload for event in came_in] == [reading(n).payload for n in range(COUNT)]
