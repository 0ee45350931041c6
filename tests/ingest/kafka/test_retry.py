"""Waiting for Kafka: who waits, for how long, and what is said then."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog.testing

from audit.cli.errors import Code
from ingest import service_log
from ingest.kafka import retry
from ingest.kafka.client import KafkaAway, NoTopic
from ingest.kafka.confluent_framing import RegistryAway
from ingest.kafka.retry import KafkaRetry, ShutdownRequested
from tests.support.command_line import called


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "AGAIN_S", (0.001, 0.002))
    service_log.set_up_by(None)  # what an earlier test left would end the capture of lines


def failing(*failures: Exception) -> Callable[[], str]:
    rest: Iterator[Exception] = iter(failures)

    def do() -> str:
        for error in rest:
            raise error
        return "done"

    return do


def always(error: Exception) -> Callable[[], str]:
    def do() -> str:
        raise error

    return do


def test_it_is_tried_until_kafka_is_there_and_told_of_once() -> None:
    away = [KafkaAway("nobody is there") for _ in range(5)]

    with structlog.testing.capture_logs() as told:
        done = KafkaRetry(lambda: False).call_with_retry(failing(*away, NoTopic("no topic")))

    assert done == "done"
    said = [(each["event"], each.get("why")) for each in told]
    assert said == [
        ("kafka_away", "nobody is there"),
        ("kafka_away", "no topic"),
        ("kafka_found", None),
    ]


def test_what_went_well_for_a_while_is_told_of_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "AFRESH_S", -1.0)

    with structlog.testing.capture_logs() as told:
        KafkaRetry(lambda: False).call_with_retry(failing(KafkaAway("nobody"), KafkaAway("nobody")))

    assert [each["event"] for each in told] == ["kafka_away", "kafka_away", "kafka_found"]


def test_who_is_told_to_stop_waits_no_longer_and_has_not_failed() -> None:
    with pytest.raises(ShutdownRequested):
        KafkaRetry(lambda: True).call_with_retry(always(KafkaAway("nobody is there")))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KafkaAway("nobody"), "Kafka was unreachable for 0 s: nobody"),
        (RegistryAway("registry x"), "the registry was unreachable for 0 s: registry x"),
        (NoTopic("topic rp.events is not there"), "waited 0 s: topic rp.events is not there"),
    ],
)
def test_patience_that_is_over_says_so_once_with_what_was_waited_for(
    error: KafkaAway, told: str
) -> None:
    mine = KafkaRetry(lambda: False, 0.01)

    with pytest.raises(type(error)) as raised:
        mine.call_with_retry(lambda: mine.call_with_retry(always(error)))

    assert str(raised.value) == told
    assert type(raised.value) is type(error)


@pytest.mark.parametrize("words", [("archive", "run"), ("ingest", "kafka")], ids=" ".join)
def test_a_service_waits_for_a_kafka_that_is_away_at_its_start(
    words: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROUNDPROOF_KAFKA", "127.0.0.1:1")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_DELIVERY_S", "0.2")
    stop = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGTERM))
    stop.start()

    code = called(*words, "--home", str(tmp_path))
    stop.cancel()

    assert code == Code.OK
    assert "kafka_away" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("archive", "run", "--until-idle", "0"), ("ingest", "kafka", "--once")], ids=" ".join
)
def test_one_that_is_to_end_does_not_wait(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDPROOF_KAFKA", "127.0.0.1:1")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_DELIVERY_S", "0.2")

    assert called(*words, "--home", str(tmp_path)) == Code.UNREACHABLE
