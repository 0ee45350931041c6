"""Connections over HTTP: the silent make room, the slow are told, and who leaves is one line."""

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import structlog.testing

from ingest.doors import http_connections
from ingest.doors.http import HttpDoor, app
from ingest.doors.http_connections import ConnectionGuard, ConnectionLimits
from ingest.local.log import LocalLog
from tests.broker import certificates
from tests.ingest.doors.test_http import KEY, KEYS, SHOE, HeldGateway
from tests.support.readings import house, json_line, reading

HOST = "127.0.0.1"
LINE = json_line(reading(0))
HEALTH = "GET /health HTTP/1.1\r\nhost: door\r\n\r\n"
HEAD = f"POST /readings HTTP/1.1\r\nhost: door\r\nauthorization: Bearer {KEY}\r\n"


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What the operator's log would say."""
    with structlog.testing.capture_logs() as lines:
        yield lines


class Serving(NamedTuple):
    """A door that listens."""

    port: int
    door: HttpDoor
    guard: ConnectionGuard

    def post(self, body: bytes = LINE) -> httpx.Response:
        return httpx.post(f"http://{HOST}:{self.port}/readings", content=body, headers=SHOE)

    def silent(self) -> socket.socket:
        return socket.create_connection((HOST, self.port), 30)

    def raw(self, words: str) -> socket.socket:
        made = self.silent()
        made.sendall(words.encode())
        return made


@contextmanager
def serving(door: HttpDoor, guard: ConnectionGuard, **options: Any) -> Iterator[Serving]:
    with socket.create_server((HOST, 0)) as listening:
        web = http_connections.server(app(door), guard, **options)
        thread = threading.Thread(target=web.run, args=([listening],))
        thread.start()
        try:
            yield Serving(listening.getsockname()[1], door, guard)
        finally:
            web.should_exit = True
            thread.join()


@contextmanager
def opened(root: Path, body_s: float = 30.0, **bounds: Any) -> Iterator[Serving]:
    guard = ConnectionGuard(ConnectionLimits(**bounds))
    log, gateway = house(root)
    door = HttpDoor(gateway, KEYS, guard=guard, body_s=body_s)
    with log, serving(door, guard) as made:
        yield made


def answer(connection: socket.socket) -> tuple[int, dict[str, str], Any]:
    """Everything that comes until the other side closes: status, headers, JSON."""
    said = b""
    while chunk := connection.recv(65_536):
        said += chunk
    head, _, body = said.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, json.loads(body)


def test_silent_connections_do_not_shut_the_door(tmp_path: Path) -> None:
    with opened(tmp_path) as door, ExitStack() as held:
        for _ in range(600):
            held.enter_context(door.silent())
        taken = door.post()

    assert taken.json()["accepted"] == 1
    assert door.guard.dropped["too_many_of_peer"] >= 600 - ConnectionLimits().of_peer


def test_all_peers_together_have_a_limit_too(tmp_path: Path) -> None:
    with opened(tmp_path, of_peer=100, of_all=5) as door, ExitStack() as held:
        for _ in range(20):
            held.enter_context(door.silent())
        taken = door.post()

    assert taken.json()["accepted"] == 1
    assert door.guard.dropped["too_many_of_all"] >= 15


def test_who_finds_no_room_is_told_when_to_come_again() -> None:
    gateway, guard = HeldGateway(), ConnectionGuard(ConnectionLimits(of_peer=1))
    door = HttpDoor(gateway, KEYS, guard=guard)
    request = f"{HEAD}content-length: 2\r\n\r\n{{}}"
    with serving(door, guard) as made, made.raw(request):
        assert gateway.entered.wait(30)
        with made.raw(request) as second:
            status, headers, said = answer(second)
        gateway.go_on.set()

    assert (status, headers["retry-after"], headers["content-type"]) == (
        503, "1", "application/json",
    )  # fmt: skip
    assert "too many connections" in said["error"]


@pytest.mark.parametrize("words", ["", "POST /readings HT", HEAD])
def test_a_head_that_does_not_end_is_not_waited_for(tmp_path: Path, words: str) -> None:
    with opened(tmp_path, header_s=0.1) as door, door.raw(words) as slow:
        status, _, said = answer(slow)

    assert status == 408
    assert "a whole request within 0.1 s expected" in said["error"]
    assert door.guard.dropped == {"slow_head": 1}


def test_a_second_request_of_a_connection_is_timed_too(tmp_path: Path) -> None:
    with opened(tmp_path, header_s=0.2) as door, door.raw(HEALTH) as kept:
        kept.recv(1)
        kept.sendall(b"GET /hea")
        said = b""
        while chunk := kept.recv(65_536):
            said += chunk

    assert b" 408 " in said


def test_an_idle_connection_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path, idle_s=0.1) as door, door.raw(HEALTH) as kept:
        status, _, said = answer(kept)

    assert (status, said["status"]) == (200, "ok")


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    begun = f"{HEAD}content-length: 100\r\n\r\n{{"
    with opened(tmp_path, body_s=0.1, idle_s=0.1) as door, door.raw(begun) as slow:
        status, _, said = answer(slow)

    assert (status, "the whole body within 0.1 s" in said["error"]) == (408, True)


def test_a_client_that_hangs_up_is_one_line(
    tmp_path: Path, logged: list[Any], capfd: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path) as door:
        with door.raw(f"{HEAD}content-length: 100\r\n\r\n{{"):
            _answered(door)
        taken = door.post()

    assert taken.json()["accepted"] == 1
    assert [line["event"] for line in logged] == ["device_hung_up", "batch_taken"]
    assert capfd.readouterr() == ("", "")
    assert LocalLog(tmp_path).end("dlq", "gateway") == 0


def _answered(door: Serving) -> None:
    """A later request is answered, so the earlier one was begun."""
    assert httpx.get(f"http://{HOST}:{door.port}/health").status_code == 200


@pytest.mark.parametrize("words", ["no http at all\r\n\r\n", "GET /\r\nhost door\r\n\r\n"])
def test_what_is_no_request_is_answered_in_json(
    tmp_path: Path, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path) as door, door.raw(words) as connection:
        status, headers, said = answer(connection)

    assert (status, headers["content-type"]) == (400, "application/json")
    assert said["error"]
    assert capfd.readouterr() == ("", "")


def test_a_path_that_is_none_is_answered_in_json(tmp_path: Path) -> None:
    with opened(tmp_path) as door:
        lost = httpx.get(f"http://{HOST}:{door.port}/nowhere")

    assert (lost.status_code, lost.json()) == (404, {"error": "Not Found"})


def test_a_handshake_that_is_not_made_is_not_waited_for(tmp_path: Path) -> None:
    own = certificates.authority("door")
    pem, ca = own.sign(tmp_path / "door.pem"), own.write(tmp_path / "ca.crt")
    guard = ConnectionGuard(ConnectionLimits(handshake_s=0.1))
    log, gateway = house(tmp_path / "log")
    with log, serving(HttpDoor(gateway, KEYS, guard=guard), guard, ssl_certfile=pem) as made:
        with made.silent() as mute:
            left = mute.recv(1)
        with made.silent() as plain:
            trusting = ssl.create_default_context(cafile=ca)
            with trusting.wrap_socket(plain, server_hostname=HOST) as secured:
                secured.sendall(HEALTH.replace("door", "door\r\nconnection: close").encode())
                status, _, _ = answer(secured)

    assert (left, status) == (b"", 200)
