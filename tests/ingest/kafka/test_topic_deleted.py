"""A topic that is deleted under a running gateway shows in its health, whatever waits."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from ingest.doors.http import HttpDoor, app
from ingest.doors.http_acks import Acks, Limits
from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.forward.run import forward_in_background
from ingest.kafka.client import Kafka, admin
from tests.broker.nodes import until
from tests.ingest.doors.test_http import KEYS, Client
from tests.ingest.forward.test_forwarder import House
from tests.support.readings import json_line, reading

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
