"""A watcher that is to end when nothing comes ends where Kafka stays away, and says so."""

import os
import signal
import threading

import pytest

from audit.cli.errors import Code
from audit.watch import kafka_worker
from ingest.kafka import retry
from tests.broker import ports
from tests.support.command_line import called

pytestmark = pytest.mark.slow


def test_until_idle_ends_while_kafka_is_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (port,) = ports.some(1)
    monkeypatch.setenv("ROUNDPROOF_KAFKA", f"127.0.0.1:{port}")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_DELIVERY_S", "1")
    monkeypatch.setattr(kafka_worker, "AWAY_S", 0.2, raising=False)
    monkeypatch.setattr(retry, "AGAIN_S", (0.05, 0.05))

    code = called("watch", "--until-idle", "0.1")

    told = capsys.readouterr().err
    assert code == Code.UNREACHABLE
    assert "Kafka was unreachable for" in told
    assert f"127.0.0.1:{port}" in told


def test_who_is_stopped_while_kafka_is_away_has_not_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    (port,) = ports.some(1)
    monkeypatch.setenv("ROUNDPROOF_KAFKA", f"127.0.0.1:{port}")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_DELIVERY_S", "0.3")
    stop = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGTERM))
    stop.start()

    code = called("watch")
    stop.cancel()

    assert code == Code.OK
