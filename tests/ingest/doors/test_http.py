"""The door over HTTP: who may speak, what is taken, and when a device is told to hold."""

import asyncio
import errno
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog.testing
from fastapi import FastAPI

from ingest.doors import device_keys
from ingest.doors.http import MAX_BATCH, MAX_REFUSED, HttpDoor, app
from ingest.gateway import Counts, Gateway
from ingest.local.log import LocalLog
from ingest.log import DiskFull
from ingest.parse.batch import Arrival
from ingest.parse.reading import MAX_MESSAGE, frame_reading
from ingest.seal.chain import events
from schemas import events as e
from schemas.events import Reading
from tests.support.readings import container, house, json_line, reading

KEY, OTHER = "shoe-key-0123456789", "camera-key-0123456789"
KEYS = device_keys.load(
    None, {device_keys.ENVIRONMENT: f"shoe-3/shoe/*={KEY},cam-1/camera/T12={OTHER}"}
)
SHOE = {"authorization": f"Bearer {KEY}"}
DRAWN = [reading(n) for n in range(4)]


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What the operator's log would say."""
    with structlog.testing.capture_logs() as lines:
        yield lines


class Client:
    """Speaks to an application without a network between."""

    def __init__(self, application: FastAPI) -> None:
        self._application = application

    def post(self, body: Any, headers: dict[str, str] = SHOE) -> httpx.Response:
        return asyncio.run(self.send("POST", "/readings", content=body, headers=headers))

    def get(self, path: str) -> httpx.Response:
        return asyncio.run(self.send("GET", path))

    def health(self) -> httpx.Response:
        return self.get("/health")

    async def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=self._application)
        async with httpx.AsyncClient(transport=transport, base_url="http://door") as client:
            return await client.request(method, path, **options)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """The application before a house of its own."""
    log, gateway = house(tmp_path)
    door = HttpDoor(gateway, KEYS)
    with log:
        yield Client(app(door))
        door.close()


def stored(root: Path) -> list[int]:
    return [event.device_seq for event, _ in events(LocalLog(root), "T12")]


@pytest.mark.parametrize(
    "body",
    [
        b"".join(map(json_line, DRAWN)),
        b"[" + b",".join(map(json_line, DRAWN)) + b"]",
        container(DRAWN),
    ],
    ids=["lines", "array", "avro"],
)
def test_a_batch_is_on_disk_when_it_is_answered(
    client: Client, tmp_path: Path, body: bytes
) -> None:
    answer = client.post(body)

    assert answer.status_code == 200
    assert answer.json()["accepted"] == 4
    assert stored(tmp_path) == [0, 1, 2, 3]


def test_sending_it_again_is_answered_the_same_way_and_adds_nothing(
    client: Client, tmp_path: Path
) -> None:
    for accepted, twins in ((1, 0), (0, 1)):
        answer = client.post(frame_reading(reading(0))).json()
        assert (answer["accepted"], answer["twins"]) == (accepted, twins)

    assert stored(tmp_path) == [0]


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer nope"}])
def test_a_stranger_is_not_heard(client: Client, tmp_path: Path, headers: dict[str, str]) -> None:
    answer = client.post(json_line(reading(0)), headers)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert stored(tmp_path) == []


def test_a_device_speaks_for_itself_alone(
    client: Client, tmp_path: Path, logged: list[Any]
) -> None:
    body = json_line(reading(0)) + json_line(reading(0, device_id="cam-1"))

    answer = client.post(body)

    assert answer.status_code == 403
    assert "may speak for itself alone, not for cam-1" in answer.json()["error"]
    assert [line["event"] for line in logged] == ["device_not_allowed"]
    assert stored(tmp_path) == []


@pytest.mark.parametrize(
    ("said", "what", "told"),
    [
        ({"device_id": "shoe-3"}, "device", "for itself alone, not for shoe-3"),
        ({"device_kind": "console"}, "kind", "as camera alone, not as console"),
        ({"table_id": "T13"}, "table", "at T12 alone, not at T13"),
    ],
)
def test_what_a_key_may_not_say_is_refused_and_counted(
    client: Client, tmp_path: Path, said: dict[str, str], what: str, told: str
) -> None:
    """A camera's key, at one table, that would enter a wager, or speak beside it."""
    camera: dict[str, Any] = {
        "device_id": "cam-1",
        "device_kind": "camera",
        "payload": e.DeviceBeat(30),
    }
    body = b"".join(json_line(reading(n, **(camera | said))) for n in range(3))

    answer = client.post(
        json_line(reading(9, **camera)) + body, {"authorization": f"Bearer {OTHER}"}
    )

    assert (answer.status_code, told in answer.json()["error"]) == (403, True)
    assert stored(tmp_path) == []
    assert f'roundproof_refused_total{{why="{what}"}} 3.0' in client.get("/metrics").text


def test_a_stranger_is_counted(client: Client) -> None:
    client.post(b"{}", {})

    assert 'roundproof_refused_total{why="unknown_key"} 1.0' in client.get("/metrics").text


@pytest.mark.parametrize("encoding", ["gzip", "br", "x-anything", "identity, gzip"])
def test_an_encoding_that_is_not_understood_is_said(
    client: Client, tmp_path: Path, encoding: str
) -> None:
    answer = client.post(json_line(reading(0)), SHOE | {"content-encoding": encoding})

    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
    assert repr(encoding) in answer.json()["error"]
    assert LocalLog(tmp_path).end("dlq", "gateway") == 0


def test_no_encoding_is_understood(client: Client) -> None:
    answer = client.post(json_line(reading(0)), SHOE | {"content-encoding": "Identity"})

    assert answer.json()["accepted"] == 1


def test_an_answer_explains_the_first_refusals_and_counts_the_rest(client: Client) -> None:
    answer = client.post(b"oops\n" * 5_000).json()

    assert answer["dead_lettered"] == 5_000
    assert (len(answer["refused"]), answer["refused_more"]) == (MAX_REFUSED, 5_000 - MAX_REFUSED)


def test_a_binary_body_is_one_dead_letter(client: Client, tmp_path: Path) -> None:
    noise = random.Random(7).randbytes(200_000)

    answer = client.post(noise).json()

    assert noise.count(b"\n") > 100
    assert (answer["dead_lettered"], answer["refused"][0]["reason"]) == (1, "not_utf8")
    assert LocalLog(tmp_path).end("dlq", "gateway") == 1


def test_one_binary_line_does_not_take_the_others_with_it(client: Client) -> None:
    answer = client.post(b"\x00\xff\x1f\n" + json_line(reading(0)) + b"\xfe\n").json()

    assert (answer["accepted"], answer["dead_lettered"]) == (1, 2)


def test_what_cannot_be_read_is_named_and_the_rest_is_taken(client: Client, tmp_path: Path) -> None:
    body = b"oops\n" + json_line(reading(0)) + b'{"payload": {"type": "Nope"}}\n'

    answer = client.post(body).json()

    assert (answer["accepted"], answer["dead_lettered"]) == (1, 2)
    refused = [(each["index"], each["reason"]) for each in answer["refused"]]
    assert refused == [(0, "not_json"), (2, "unknown_type")]
    assert LocalLog(tmp_path).end("dlq", "gateway") == 2


def test_an_empty_request_is_a_dead_letter(client: Client) -> None:
    answer = client.post(b"").json()

    assert [each["reason"] for each in answer["refused"]] == ["empty"]


@pytest.mark.parametrize("chunked", [False, True], ids=["with a length", "in chunks"])
def test_a_body_over_the_limit_is_refused(client: Client, chunked: bool) -> None:
    body = b"x" * (MAX_MESSAGE + 1)

    async def chunks() -> AsyncIterator[bytes]:
        yield body[:1000]
        yield body[1000:]

    answer = client.post(chunks() if chunked else body)

    assert answer.status_code == 413


def test_a_batch_of_too_many_is_refused(client: Client, tmp_path: Path) -> None:
    answer = client.post(b"1\n" * (MAX_BATCH + 1))

    assert answer.status_code == 413
    assert LocalLog(tmp_path).end("dlq", "gateway") == 0


class HeldGateway(Gateway):
    """A gateway whose disk takes as long as the test says."""

    def __init__(self) -> None:
        self.entered, self.go_on = threading.Event(), threading.Event()
        self._stopped = {}

    def take(self, arrivals: Any, source: str, *, holds: bool = False) -> Counts:
        del arrivals, source, holds
        self.entered.set()
        assert self.go_on.wait(30)
        return Counts(accepted=1)


def test_a_full_queue_tells_devices_to_hold() -> None:
    gateway = HeldGateway()
    door = HttpDoor(gateway, KEYS, max_waiting=1)
    client = Client(app(door))

    async def rush() -> tuple[httpx.Response, ...]:
        async def post() -> httpx.Response:
            return await client.send("POST", "/readings", content=b"{}", headers=SHOE)

        first = asyncio.create_task(post())
        assert await asyncio.to_thread(gateway.entered.wait, 30)
        held, health = await post(), await client.send("GET", "/health")
        gateway.go_on.set()
        return await first, held, health, await post()

    first, held, health, after = asyncio.run(rush())
    door.close()

    assert (first.status_code, after.status_code) == (200, 200)
    assert (held.status_code, held.headers["retry-after"]) == (503, "1")
    assert health.json() == {"status": "busy", "waiting": 1}


class FullGateway(Gateway):
    """A gateway whose disk is full until it is told otherwise."""

    def __init__(self) -> None:
        self.full, self._stopped = True, {}

    def take(self, arrivals: Any, source: str, *, holds: bool = False) -> Counts:
        del holds
        found: list[Arrival] = list(arrivals)
        if self.full:
            raise DiskFull(errno.ENOSPC, "No space left on device", source)
        twins = sum(isinstance(each, Reading) and each.device_seq == 7 for each in found)
        return Counts(accepted=len(found) - twins, twins=twins)


def test_a_full_disk_is_not_acknowledged_and_shows_in_health() -> None:
    gateway = FullGateway()
    door = HttpDoor(gateway, KEYS)
    client = Client(app(door))

    held, sick = client.post(json_line(reading(0))), client.health()
    gateway.full = False
    twin, still = client.post(json_line(reading(7))), client.health()
    taken, well = client.post(json_line(reading(0))), client.health()
    door.close()

    assert (held.status_code, held.headers["retry-after"]) == (503, "30")
    assert (sick.status_code, sick.json()["status"]) == (503, "failing")
    assert sick.headers["retry-after"] == "30"
    assert (twin.json()["twins"], still.json()["status"]) == (1, "failing")  # it touched no disk
    assert taken.json()["accepted"] == 1
    assert (well.status_code, well.json()["status"]) == (200, "ok")


def test_a_real_server_in_a_process_of_its_own(tmp_path: Path) -> None:
    command = [
        sys.executable, "-c", "from audit.cli.main import main; main()",
        "ingest", "serve", "--port", "0", "--home", str(tmp_path),
    ]  # fmt: skip
    environment = os.environ | {device_keys.ENVIRONMENT: f"shoe-3/shoe/T12={KEY}"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        listening = re.search(r"listening on 127\.0\.0\.1:(\d+)", server.stderr.readline())
        assert listening is not None
        address = f"http://127.0.0.1:{listening[1]}"
        with httpx.Client(base_url=address, headers=SHOE, timeout=30) as device:
            health = device.get("/health").json()
            answers = [device.post("/readings", content=json_line(each)).json() for each in DRAWN]
            second = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
        server.send_signal(signal.SIGTERM)
        said = server.stderr.read()

    assert health["status"] == "ok"
    assert [answer["accepted"] for answer in answers] == [1, 1, 1, 1]
    assert stored(tmp_path / "log") == [0, 1, 2, 3]
    assert (second.returncode, f"process {server.pid} is writing" in second.stderr) == (6, True)
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["event"] for line in lines] == ["batch_taken"] * 4
    assert KEY not in said
    assert server.returncode == 0
