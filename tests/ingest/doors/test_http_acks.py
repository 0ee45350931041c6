"""The answer to a device: after Kafka acknowledged, or with the disk alone while it is away."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from ingest.doors.http import HttpDoor, app
from ingest.doors.http_acks import Acks, Limits
from ingest.forward.forwarder import Forwarder, RecordBatch, SendResult
from ingest.forward.run import forward_in_background
from ingest.kafka.client import KafkaAway
from ingest.log import EVENTS
from ingest.parse import framing
from tests.ingest.doors.test_http import KEYS, Client
from tests.ingest.forward.test_forwarder import House, drained, read
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import json_line, reading

LINE = json_line(reading(0))


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What the operator's log would say."""
    with structlog.testing.capture_logs() as lines:
        yield lines


class Desk(House):
    """A house with its door, and a forwarder that a test moves by hand."""

    def __init__(self, root: Path, limits: Limits) -> None:
        super().__init__(root)
        self.kafka = FakeKafka()
        self.forwarder = Forwarder(self.spool, self.kafka)
        self.acks = Acks(self.spool, self.forwarder, limits)
        self.door = HttpDoor(self.gateway, KEYS, acks=self.acks)
        self.client = Client(app(self.door))


@contextmanager
def desk(root: Path, **limits: Any) -> Iterator[Desk]:
    made = Desk(root, Limits(**limits))
    with made.log:
        yield made
        made.door.close()


def test_an_answer_says_kafka_when_kafka_has_it(tmp_path: Path) -> None:
    with desk(tmp_path, wait_s=60) as made, forward_in_background(made.spool, made.forwarder):
        told = made.client.post(LINE).json()
        again = made.client.post(LINE + b"oops").json()

    assert (told["accepted"], told["stored"]) == (1, "kafka")
    assert (again["twins"], again["dead_lettered"], again["stored"]) == (1, 1, "kafka")
    assert len(read(made.kafka)["T12"]) == 1
    assert made.acks.given == {"kafka": 2}


def test_an_answer_does_not_come_before_kafka_has_it(tmp_path: Path) -> None:
    """Nobody forwards until the request is on disk, and the answer waits for that."""
    with desk(tmp_path, wait_s=60) as made:
        answers: list[Any] = []
        device = threading.Thread(target=lambda: answers.append(made.client.post(LINE).json()))
        device.start()
        while not made.spool.end(EVENTS, "T12"):
            made.spool.wait(0, 1)
        assert not answers
        drained(made.forwarder)
        device.join(30)

    assert answers[0]["stored"] == "kafka"


def test_a_slow_kafka_is_waited_for_only_so_long(tmp_path: Path) -> None:
    with desk(tmp_path, wait_s=0.01) as made:
        told = made.client.post(LINE).json()

    assert (told["accepted"], told["stored"]) == (1, "spool")
    assert made.spool.end(EVENTS, "T12") == 1


def test_while_kafka_is_known_to_be_away_nobody_waits(tmp_path: Path) -> None:
    with desk(tmp_path, wait_s=10**6) as made:
        made.forwarder.kafka_failed(KafkaAway("no broker"))
        told, health = made.client.post(LINE).json(), made.client.health().json()

    assert told["stored"] == "spool"
    assert (health["status"], health["kafka"]["state"]) == ("away", "away")
    assert health["kafka"]["reason"] == "no broker"


def test_of_a_kafka_that_nobody_heard_of_nothing_is_said(tmp_path: Path) -> None:
    """An empty house sends nothing, and asks all the same whether anybody is there."""
    with desk(tmp_path) as made:
        before = made.client.health().json()
        made.forwarder.check_forks()
        after = made.client.health().json()

    assert (before["status"], before["kafka"]["state"]) == ("ok", "unknown")
    assert after["kafka"]["state"] == "ok"


def test_an_empty_house_notices_that_kafka_is_away(tmp_path: Path) -> None:
    with desk(tmp_path) as made:
        made.kafka.away = True
        with forward_in_background(made.spool, made.forwarder):
            while not made.forwarder.kafka_error:
                time.sleep(0.01)
        health = made.client.health().json()

    assert (health["kafka"]["state"], health["kafka"]["reason"]) == ("away", "nobody is there")


def test_above_the_soft_limit_an_alarm_is_raised_and_above_the_hard_one_devices_hold(
    tmp_path: Path, logged: list[Any]
) -> None:
    with desk(tmp_path, wait_s=0, soft_bytes=50, hard_bytes=400) as made:
        seen = []
        for n in range(4):
            answer = made.client.post(json_line(reading(n)))
            made.forwarder.measure_lag()
            health = made.client.health()
            seen.append((answer.status_code, health.status_code, health.json()["status"]))
        held = made.client.post(json_line(reading(9)))
        drained(made.forwarder)
        made.forwarder.measure_lag()
        after = made.client.post(json_line(reading(4)))

    assert seen == [
        (200, 200, "spooling"),
        (200, 200, "spooling"),
        (200, 503, "full"),
        (503, 503, "full"),
    ]
    assert (held.headers["retry-after"], after.status_code) == ("30", 200)
    told = [line for line in logged if line["event"] == "spool_level_changed"]
    assert [line["now"] for line in told] == ["spooling", "full", "low"]
    assert all("level" not in line for line in told)  # that word is the log's own


def test_a_table_that_is_stopped_shows_in_health_and_the_others_go_on(tmp_path: Path) -> None:
    """A copy of the spool elsewhere went on with the table while this gateway runs."""
    with (
        desk(tmp_path / "own", wait_s=60) as made,
        forward_in_background(made.spool, made.forwarder),
    ):
        made.client.post(LINE)
        copy = House(tmp_path / "copy")
        with copy.log:
            copy.gateway.take([reading(0)], "file")
            copy.gateway.take([reading(77)], "file")
            records = list(copy.log.read(EVENTS, "T12"))
        made.kafka.put(EVENTS, "T12", framing.frame(records[1].body, records[1].schema))
        forked = made.client.post(json_line(reading(1))).json()
        other = made.client.post(json_line(reading(0, table_id="T13"))).json()
        made.forwarder.measure_lag()
        health = made.client.health()

    assert (forked["accepted"], forked["stored"], other["stored"]) == (1, "spool", "kafka")
    assert (health.status_code, health.json()["status"]) == (200, "stopped")
    assert "another event 1" in health.json()["kafka"]["stopped"]["events/T12"]
    assert made.spool.end(EVENTS, "T12") == 2


class SilentKafka(FakeKafka):
    """Takes what it is sent and does not answer until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.answers, self.asked = threading.Event(), threading.Event()

    def send(self, parcels: Sequence[RecordBatch]) -> SendResult:
        self.asked.set()
        self.answers.wait(30)
        return super().send(parcels)


def test_figures_are_those_of_now_while_kafka_is_silent(tmp_path: Path) -> None:
    """A broker that does not answer is waited for; what comes in meanwhile is weighed."""
    with desk(tmp_path, wait_s=0) as made:
        silent = SilentKafka()
        made.forwarder = Forwarder(made.spool, silent)
        made.acks._forwarder = made.forwarder
        with forward_in_background(made.spool, made.forwarder):
            made.client.post(LINE)
            silent.asked.wait(30)
            made.client.post(json_line(reading(1)))
            patience = time.monotonic() + 20
            while (lag := made.acks.health()["lag"]) < 2 and time.monotonic() < patience:
                silent.answers.wait(0.01)
            silent.answers.set()

    assert lag == 2


def test_metrics_say_what_waits_and_how_answers_were_given(tmp_path: Path) -> None:
    with desk(tmp_path, wait_s=0) as made:
        made.client.post(LINE + b"oops")
        made.forwarder.measure_lag()
        assert "roundproof_kafka_up" not in made.client.get("/metrics").text
        made.forwarder.check_forks()
        page = made.client.get("/metrics").text

    figures = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    assert figures['roundproof_acks_total{stored="spool"}'] == "1.0"
    assert figures['roundproof_readings_total{fate="accepted"}'] == "1.0"
    assert figures['roundproof_lag_records{partition="T12",stream="events"}'] == "1.0"
    assert figures['roundproof_lag_records{partition="gateway",stream="dlq"}'] == "1.0"
    assert float(figures['roundproof_spool_bytes{partition="T12",stream="events"}']) > 100
    assert figures["roundproof_kafka_up"] == "1.0"
    assert float(figures['roundproof_oldest_waiting_seconds{partition="T12",stream="events"}']) > 0


def test_without_kafka_an_answer_says_disk_and_metrics_count(tmp_path: Path) -> None:
    house = House(tmp_path)
    door = HttpDoor(house.gateway, KEYS)
    with house.log:
        client = Client(app(door))
        told, page = client.post(LINE).json(), client.get("/metrics").text
        door.close()

    assert told["stored"] == "disk"
    assert 'roundproof_readings_total{fate="accepted"} 1.0' in page
    assert "kafka" not in page
