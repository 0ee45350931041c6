"""A topic that is deleted under a running service is noticed, whatever waits."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from ingest.doors import kafka_topic
from ingest.doors.http import HttpDoor, app
from ingest.doors.http_acks import Acks, Limits
from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.forward.run import forward_in_background
from ingest.gateway import Counts
from ingest.kafka import topics
from ingest.kafka.client import Kafka, NoTopic, admin
from ingest.kafka.topics import TopicSettings
from ingest.parse import reading as parse_reading
from tests.broker.fixtures import PARTITIONS
from tests.broker.nodes import until
from tests.ingest.doors.test_http import KEYS, Client
from tests.ingest.doors.test_kafka_topic import inbox_of, produced, taken
from tests.ingest.forward.test_forwarder import House
from tests.support.readings import house as house_of
from tests.support.readings import json_line, reading, talk

NOTICED_S = 30.0


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What the operator's log would say."""
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.mark.parametrize("stream", ["events", "dlq"])
@pytest.mark.parametrize("before", [b"", json_line(reading(0)) + b"oops"], ids=["empty", "busy"])
def test_after_a_topic_is_deleted_health_is_not_ok(
    kafka: Kafka, tmp_path: Path, stream: str, before: bytes
) -> None:
    house = House(tmp_path)
    with house.log, KafkaSink(kafka) as sink:
        forwarder = Forwarder(house.spool, sink)
        door = HttpDoor(house.gateway, KEYS, acks=Acks(house.spool, forwarder, Limits(wait_s=60)))
        client = Client(app(door))
        with forward_in_background(house.spool, forwarder):
            if before:
                client.post(before)
            until(lambda: client.health().json()["kafka"]["state"] == "ok", NOTICED_S, "Kafka")
            well = client.health().json()
            with closing(admin(kafka)) as administrator:
                administrator.delete_topics([kafka.topic(stream)])
            until(lambda: client.health().json()["status"] != "ok", NOTICED_S, "the loss")
            told = client.health().json()
        door.close()

    assert well["status"] == "ok"
    assert told["status"] == "away"
    assert kafka.topic(stream) in told["kafka"]["reason"]


def sent(count: int) -> list[tuple[str, bytes]]:
    return [(each.table_id, parse_reading.frame_reading(each)) for each in talk(count)]


def deleted(kafka: Kafka, stream: str) -> None:
    with closing(admin(kafka)) as administrator:
        administrator.delete_topics([kafka.topic(stream)])


def test_a_topic_of_readings_that_is_deleted_is_told(
    kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_topic, "CHECKED_EVERY_S", 0.1)
    produced(kafka, sent(3))
    log, gateway = house_of(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        taken(box, 3)
        deleted(kafka, "readings")
        begun = time.monotonic()

        with pytest.raises(NoTopic, match=kafka.topic("readings")):
            list(box.run(lambda: time.monotonic() - begun > NOTICED_S))


def test_a_topic_of_readings_that_is_made_anew_is_read_from_its_start(
    kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    monkeypatch.setattr(kafka_topic, "CHECKED_EVERY_S", 0.1)
    produced(kafka, sent(9))
    log, gateway = house_of(tmp_path)
    with log, inbox_of(kafka, gateway) as box:
        taken(box, 9)
        deleted(kafka, "readings")
        until(lambda: _made(kafka, "readings"), NOTICED_S, "the new topic")
        produced(kafka, sent(60)[9:])
        counts, begun = Counts(), time.monotonic()
        for found in box.run(lambda: counts.accepted == 51 or time.monotonic() - begun > NOTICED_S):
            counts.add(found)

    assert (counts.accepted, counts.dead_lettered) == (51, 0)
    assert "topic_created_anew" in [line["event"] for line in logged]


def _made(kafka: Kafka, stream: str) -> bool:
    """Whether the topic is made anew; the broker may still be deleting the one before."""
    return kafka.topic(stream) in topics.init(kafka, TopicSettings(PARTITIONS, replication=1))
