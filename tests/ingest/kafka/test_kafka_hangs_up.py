"""A listener that hangs up is a broker that is away: it may be well in a moment."""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from audit.cli.errors import Code
from ingest.kafka.client import PROTOCOLS, Kafka, KafkaAway, admin

HOST = "127.0.0.1"
Treatment = Callable[[socket.socket], None]


def reset(guest: socket.socket) -> None:
    guest.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def end_of_file(guest: socket.socket) -> None:
    del guest


def end_of_file_when_heard(guest: socket.socket) -> None:
    guest.recv(65_536)


def reset_when_heard(guest: socket.socket) -> None:
    guest.recv(65_536)
    reset(guest)


TREATMENTS = (reset, end_of_file, end_of_file_when_heard, reset_when_heard)


@contextmanager
def listener(treat: Treatment) -> Iterator[str]:
    """The address of a socket that takes every connection and ends it."""
    with socket.create_server((HOST, 0)) as door:
        greeter = threading.Thread(target=_greet, args=(door, treat))
        greeter.start()
        try:
            yield f"{HOST}:{door.getsockname()[1]}"
        finally:
            door.shutdown(socket.SHUT_RDWR)
            greeter.join()


def _greet(door: socket.socket, treat: Treatment) -> None:
    with suppress(OSError):
        while True:
            guest, _ = door.accept()
            with guest, suppress(OSError):
                treat(guest)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("treat", TREATMENTS)
def test_who_hangs_up_is_away_whatever_is_spoken(treat: Treatment, protocol: str) -> None:
    with listener(treat) as address:
        kafka = Kafka(address, protocol=protocol, user="gateway", password="x", delivery_s=0.8)
        with pytest.raises(KafkaAway) as found:
            admin(kafka)

    assert address in str(found.value)


@pytest.mark.parametrize("words", ["watch", "archive run", "ingest kafka"])
def test_a_service_waits_for_a_broker_that_resets(words: str, tmp_path: Path) -> None:
    with listener(reset) as address:
        command = [sys.executable, "-m", "audit.cli.main", *words.split(), f"--home={tmp_path}"]
        around = os.environ | {"ROUNDPROOF_KAFKA": address, "ROUNDPROOF_KAFKA_DELIVERY_S": "0.8"}
        with subprocess.Popen(command, env=around, stderr=subprocess.PIPE, text=True) as service:
            assert service.stderr is not None
            told = next(line for line in service.stderr if "kafka_away" in line or "error" in line)
            waits = service.poll() is None
            service.send_signal(signal.SIGTERM)
            service.stderr.read()

    assert "kafka_away" in told
    assert waits
    assert service.returncode == Code.OK


@pytest.mark.parametrize(
    "words", ["archive run --until-idle 1", "ingest kafka --once", "kafka check"]
)
def test_a_command_that_ends_says_that_nobody_is_there(words: str, tmp_path: Path) -> None:
    with listener(reset) as address:
        ended = subprocess.run(
            [sys.executable, "-m", "audit.cli.main", *words.split(), f"--home={tmp_path}"],
            env=os.environ
            | {"ROUNDPROOF_KAFKA": address, "ROUNDPROOF_KAFKA_DELIVERY_S": "0.8"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert ended.returncode == Code.UNREACHABLE, ended.stderr
    assert "TLS" not in ended.stderr
