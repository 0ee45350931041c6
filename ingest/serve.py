"""The door over HTTP: devices post readings, and the answer comes when they are safe.

Safe is: on disk, and where there is a Kafka, there as well or Kafka is away or slow.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict
from itertools import islice
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from ingest import arrivals
from ingest.acks import Acks, Level
from ingest.arrivals import Arrival, Unread
from ingest.decode import MAX_MESSAGE
from ingest.gateway import DEAD, Counts, Gateway
from ingest.keys import Keys, device_of
from ingest.log import LogCorrupt, LogUnwritable
from ingest.metrics import Meter
from ingest.order import GATEWAY
from ingest.seal import STREAM
from ingest.spool import Lane

MAX_BATCH = 10_000  # readings of one request
MAX_WAITING = 64  # requests that may wait for the disk
RETRY_S = 1
RETRY_DISK_S = 30

log = structlog.get_logger()


class Door:
    """The gateway behind a queue: one writer, and devices are told to hold when it is full."""

    def __init__(
        self,
        gateway: Gateway,
        keys: Keys,
        max_waiting: int = MAX_WAITING,
        *,
        acks: Acks | None = None,
    ) -> None:
        self._gateway, self.keys, self._max_waiting = gateway, keys, max_waiting
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._acks, self._counts = acks, Counter[str]()
        self.waiting, self.failing = 0, ""
        self.meter = Meter(acks, self._counts)

    @property
    def full(self) -> bool:
        """Whether a device must hold its readings for a while."""
        return self.waiting >= self._max_waiting

    async def take(self, body: bytes, device: str) -> dict[str, Any]:
        """Bring the readings of a request in; durable when this returns."""
        if self.full:
            raise Turned(503, f"{self.waiting} requests wait for the disk; hold it", RETRY_S)
        if self._acks and self._acks.level() is Level.FULL:
            raise Turned(503, "the spool is full while Kafka is away; hold it", RETRY_DISK_S)
        self.waiting += 1
        try:
            batch = await asyncio.to_thread(_batch, body, device)
            loop = asyncio.get_running_loop()
            counts = await loop.run_in_executor(self._writer, self._gateway.take, batch, device)
        except (LogUnwritable, LogCorrupt) as error:
            self.failing = str(error)
            log.error("log_failing", device=device, reason=self.failing)
            raise Turned(503, "the log cannot be written; hold it", RETRY_DISK_S) from error
        finally:
            self.waiting -= 1
        self.failing = ""
        self._counts.update(asdict(counts))
        stored = await self._acks.stored(_lanes(batch, counts)) if self._acks else "disk"
        log.info("batch_taken", device=device, stored=stored, **asdict(counts))
        refused = [_refusal(n, each) for n, each in enumerate(batch) if isinstance(each, Unread)]
        return {**asdict(counts), "refused": refused, "stored": stored}

    def health(self) -> dict[str, Any]:
        """Whether readings are taken, and how forwarding goes where there is a Kafka."""
        level = self._acks.level() if self._acks else Level.LOW
        kafka = self._acks.health() if self._acks else {}
        states = (
            ("failing", bool(self.failing)),
            ("full", level is Level.FULL),
            ("busy", self.full),
            ("stopped", bool(kafka.get("stopped"))),
            ("spooling", level is Level.SPOOLING),
        )
        said = {"status": next((name for name, so in states if so), "ok"), "waiting": self.waiting}
        return said | ({"kafka": kafka} if kafka else {})

    def close(self) -> None:
        """Finish what waits."""
        self._writer.shutdown()


class Turned(Exception):
    """A request that is turned away: status, what is wrong, and when to come again."""

    def __init__(self, status: int, detail: str, retry_s: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry_s = status, detail, retry_s


def app(door: Door) -> FastAPI:
    """The web application around a door."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        door.close()

    made = FastAPI(title="Roundproof ingest", lifespan=lifespan, docs_url=None, redoc_url=None)

    @made.exception_handler(Turned)
    async def turned(_: Request, error: Turned) -> JSONResponse:
        headers = {"Retry-After": str(error.retry_s)} if error.retry_s else {}
        if error.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return JSONResponse({"error": error.detail}, error.status, headers)

    @made.post("/readings")
    async def readings(request: Request) -> dict[str, Any]:
        """Readings as a JSON array, JSON lines or Avro; answered when they are safe."""
        return await _readings(door, request)

    @made.get("/health")
    async def health() -> JSONResponse:
        """Whether readings are taken."""
        said = door.health()
        return JSONResponse(said, 503 if said["status"] in ("failing", "full") else 200)

    @made.get("/metrics")
    async def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(door.meter.page(), media_type=CONTENT_TYPE_LATEST)

    return made


async def _readings(door: Door, request: Request) -> dict[str, Any]:
    device = device_of(door.keys, request.headers.get("authorization"))
    if device is None:
        log.warning("device_unknown", client=request.client.host if request.client else "")
        raise Turned(401, "Authorization: Bearer with the device's key expected")
    return await door.take(await _body(request), device)


async def _body(request: Request) -> bytes:
    said = request.headers.get("content-length", "0")
    if said.isdigit() and int(said) > MAX_MESSAGE:
        raise Turned(413, f"at most {MAX_MESSAGE} bytes a request expected, {said} found")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_MESSAGE:
            raise Turned(413, f"at most {MAX_MESSAGE} bytes a request expected, more found")
    return bytes(body)


def _batch(body: bytes, device: str) -> list[Arrival]:
    found = list(islice(arrivals.batch(body), MAX_BATCH + 1))
    if len(found) > MAX_BATCH:
        raise Turned(413, f"at most {MAX_BATCH} readings a request expected, more found")
    stranger = next(_strangers(found, device), None)
    if stranger is not None:
        log.warning("device_spoke_for_another", device=device, claimed=stranger)
        raise Turned(403, f"device {device} may only speak for itself, not for {stranger}")
    return found


def _strangers(batch: Iterable[Arrival], device: str) -> Iterator[str]:
    for arrival in batch:
        if not isinstance(arrival, Unread) and arrival.device_id != device:
            yield arrival.device_id


def _lanes(batch: Iterable[Arrival], counts: Counts) -> set[Lane]:
    """Where the log holds what became of a batch."""
    read = {(STREAM, each.table_id) for each in batch if not isinstance(each, Unread)}
    return read | ({(DEAD, GATEWAY)} if counts.dead_lettered else set())


def _refusal(number: int, unread: Unread) -> dict[str, Any]:
    why = unread.why
    return {
        "index": number,
        "reason": why.code,
        "where": why.where,
        "expected": why.expected,
        "found": why.found,
    }
