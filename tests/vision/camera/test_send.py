"""Readings are taken whole or kept; nobody loses one, and a stranger is told to stop."""

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest

from ingest.parse import reading as parse_reading
from schemas import events as e
from vision.camera import send
from vision.camera.send import BadAddress, GatewayAway, ReadingOutbox, ReadingsDenied

READINGS = [
    e.Reading("T01", "camera", "cam", n, n, e.DeviceBeat(60), err_ms=40) for n in range(1, 4)
]


class Gateway(BaseHTTPRequestHandler):
    """A gateway that answers as it was told."""

    answers: ClassVar[list[tuple[int, Any, str]]] = []
    bodies: ClassVar[list[bytes]] = []
    keys: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """Take a batch."""
        status, said, retry = self.answers.pop(0)
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.keys.append(self.headers["Authorization"])
        body = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if retry:
            self.send_header("Retry-After", retry)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Where that gateway listens."""
    for known in (Gateway.answers, Gateway.bodies, Gateway.keys):
        known.clear()
    with HTTPServer(("127.0.0.1", 0), Gateway) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_batch_is_posted_with_the_cameras_key(address: str) -> None:
    Gateway.answers.append((200, {"accepted": 3, "refused": []}, ""))

    send.posted(address, "key-0123456789abcdef")(READINGS)

    assert Gateway.keys == ["Bearer key-0123456789abcdef"]
    assert [parse_reading.json_reading(line) for line in Gateway.bodies[0].splitlines()] == READINGS


@pytest.mark.parametrize(
    ("answer", "retry_s"),
    [
        pytest.param((503, {"error": "hold it"}, "30"), 30, id="the disk is full"),
        pytest.param((503, {"error": "hold it"}, "99999"), 60, id="never too long"),
        pytest.param((500, b"", ""), send.RETRY_S, id="something broke"),
        pytest.param((200, b"<html>", ""), send.RETRY_S, id="somebody else answered"),
    ],
)
def test_what_was_not_taken_is_sent_again_later(
    address: str, answer: tuple[int, Any, str], retry_s: float
) -> None:
    Gateway.answers.append(answer)

    with pytest.raises(GatewayAway) as away:
        send.posted(address, "key")(READINGS)

    assert away.value.retry_s == retry_s


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_stranger_is_told_to_stop(address: str, status: int) -> None:
    Gateway.answers.append((status, {"error": "no"}, ""))

    with pytest.raises(ReadingsDenied, match=str(status)):
        send.posted(address, "key")(READINGS)


def test_a_gateway_that_is_not_there_is_away() -> None:
    with pytest.raises(GatewayAway, match=r"127\.0\.0\.1:9"):
        send.posted("http://127.0.0.1:9", "key")(READINGS)


@pytest.mark.parametrize(
    "address",
    ["ftp://house", "house:8710", "http://", "http://house:8710", "https://a:b@house", "file:///x"],
)
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        send.posted(address, "key")


def test_lines_can_be_read_back() -> None:
    out = io.StringIO()

    send.written(out)(READINGS)

    assert [
        parse_reading.json_reading(line.encode()) for line in out.getvalue().splitlines()
    ] == READINGS


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_outbox_forgets_only_what_was_taken() -> None:
    taken: list[e.Reading] = []
    clock, open_from = Clock(), 5.0

    def taker(readings: Any) -> None:
        if clock.now < open_from:
            raise GatewayAway("closed", 3.0)
        taken.extend(readings)

    box = ReadingOutbox(taker, list(READINGS), clock)
    for _ in range(4):
        box.pump(wait=True)
    assert (len(box.waiting), taken, box.away) == (3, [], "closed")

    clock.now = 5.0
    box.drain(until_s=20)
    box.close()

    assert taken == READINGS
    assert (box.waiting, box.sent, box.away) == ([], 3, "")


def test_an_outbox_does_not_ask_again_before_its_time() -> None:
    asked: list[float] = []
    clock = Clock()

    def taker(_: Any) -> None:
        asked.append(clock.now)
        raise GatewayAway("closed", 3.0)

    box = ReadingOutbox(taker, list(READINGS), clock)
    for clock.now in (0.0, 1.0, 2.0, 3.5, 4.0, 5.0):
        box.pump(wait=True)
        box.pump(wait=True)
    box.close()

    assert asked == [0.0, 3.5]


def test_an_outbox_that_is_denied_says_so() -> None:
    def taker(_: Any) -> None:
        raise ReadingsDenied("401")

    box = ReadingOutbox(taker, list(READINGS), Clock())
    with pytest.raises(ReadingsDenied):
        box.drain(until_s=1)
    box.close()

    assert box.waiting == READINGS
