"""The HTTP door: devices post readings, and get the answer when the readings are safe.

Safe means on disk; with Kafka configured, also in Kafka, unless Kafka is unreachable or slow.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from itertools import islice
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ingest.doors.device_keys import Grant, Keys, Objection, grant_of
from ingest.doors.http_acks import Acks, Level
from ingest.doors.http_connections import ConnectionGuard
from ingest.doors.http_metrics import GatewayMetrics
from ingest.gateway import Counts, Gateway
from ingest.local.inspection import Inspector
from ingest.log import DEAD_LETTERS, EVENTS, Lane, LogCorrupt, LogUnwritable
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from ingest.parse.batch import Arrival, Unread
from ingest.parse.reading import MAX_MESSAGE
from ingest.service_log import log

MAX_BATCH = 10_000  # readings of one request
MAX_WAITING = 64  # requests that may wait for the disk
SHARE = 4  # one device may hold 1/SHARE of them
MAX_REFUSED = 100  # refusals that an answer lists; `dlq list` shows all
BODY_S = 30.0  # seconds for a whole request body
PLAIN = ("", "identity")
NOT_ALLOWED = "not_allowed"
RETRY_S = 1
RETRY_DISK_S = 30


class HttpDoor:
    """The gateway behind a queue with one writer; when it is full, devices get 503."""

    def __init__(
        self,
        gateway: Gateway,
        keys: Keys,
        max_waiting: int = MAX_WAITING,
        *,
        acks: Acks | None = None,
        guard: ConnectionGuard | None = None,
        body_s: float = BODY_S,
        inspector: Inspector | None = None,
    ) -> None:
        """`inspector` reports damage of the log before a reading of that table arrives."""
        self._inspector = inspector
        self._gateway, self.keys, self._max_waiting = gateway, keys, max_waiting
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._acks, self._counts = acks, Counter[str]()
        self._waiting_of = Counter[str]()  # requests that wait, by device
        self.failing, self.body_s = "", body_s
        self.refused = Counter[str]()  # refused readings and requests, by reason
        self.guard = guard or ConnectionGuard()
        dropped = self.guard.dropped
        self.meter = GatewayMetrics(acks, self._counts, self.refused, dropped, damaged=self.damaged)

    @property
    def waiting(self) -> int:
        """How many requests wait for the disk."""
        return self._waiting_of.total()

    @property
    def full(self) -> bool:
        """Whether no further request may wait."""
        return self.waiting >= self._max_waiting

    async def take(self, body: bytes, grant: Grant) -> dict[str, Any]:
        """Store the readings of a request; durable when this returns."""
        device = grant.device
        self._require_room(device)
        self._waiting_of[device] += 1
        try:
            batch = await asyncio.to_thread(self._batch, body, grant)
            loop = asyncio.get_running_loop()
            take = partial(self._gateway.take, batch, device, holds=grant.one_table)
            counts = await loop.run_in_executor(self._writer, take)
        except (LogUnwritable, LogCorrupt) as error:
            self.failing = str(error)
            log.error("log_failing", device=device, reason=self.failing)
            raise RequestRefused(
                503, "the log cannot be written; keep the readings and retry", RETRY_DISK_S
            ) from error
        finally:
            self._waiting_of[device] -= 1
        if counts.accepted or counts.conflicts:  # twins write nothing, so they prove nothing
            self.failing = ""
        self._counts.update(asdict(counts))
        stopped = self._stopped(batch) if counts.stopped else {}
        if stopped and grant.one_table:
            names = "; ".join(f"table {name}: its log is damaged" for name in stopped)
            raise RequestRefused(503, f"{names}; keep the readings and retry", RETRY_DISK_S)
        lanes = _lanes(batch, counts, stopped)
        stored = await self._acks.stored(lanes) if self._acks else "disk"
        log.info("batch_taken", device=device, stored=stored, **asdict(counts))
        unread = [(n, each) for n, each in enumerate(batch) if isinstance(each, Unread)]
        told = [_refusal(n, each) for n, each in unread[:MAX_REFUSED]]
        more = len(unread) - len(told)
        answer = {**asdict(counts), "refused": told, "refused_more": more, "stored": stored}
        return answer | ({"stopped_tables": sorted(stopped)} if stopped else {})

    def damaged(self) -> dict[Lane, str]:
        """The damaged lanes of the log, and how."""
        found = dict(self._inspector.damaged) if self._inspector else {}
        stopped = {(EVENTS, name): str(why) for name, why in self._gateway.stopped.items()}
        return dict(sorted((found | stopped).items()))

    def _stopped(self, batch: Iterable[Arrival]) -> dict[str, str]:
        """The tables of a batch whose log is damaged; each is logged as an error."""
        named = {each.table_id for each in batch if not isinstance(each, Unread)}
        why = self._gateway.stopped
        found = {name: str(why[name]) for name in sorted(named & why.keys())}
        for name, reason in found.items():
            log.error("table_stopped", table=name, reason=reason)
        return found

    def health(self) -> dict[str, Any]:
        """Whether readings are accepted, and the state of forwarding where Kafka is configured."""
        level = self._acks.level() if self._acks else Level.LOW
        kafka = self._acks.health() if self._acks else {}
        damaged = {"/".join(lane): why for lane, why in self.damaged().items()}
        states = (
            ("failing", bool(self.failing)),
            ("damaged", bool(damaged)),
            ("full", level is Level.FULL),
            ("busy", self.full),
            ("stopped", bool(kafka.get("stopped"))),
            ("spooling", level is Level.SPOOLING),
            ("away", kafka.get("state") == "away"),
        )
        said = {"status": next((name for name, so in states if so), "ok"), "waiting": self.waiting}
        said |= {"damaged": damaged} if damaged else {}
        return said | ({"kafka": kafka} if kafka else {})

    def close(self) -> None:
        """Finish the waiting requests."""
        self._writer.shutdown()

    def _require_room(self, device: str) -> None:
        if self.full:
            raise RequestRefused(
                503, f"{self.waiting} requests wait for the disk; retry later", RETRY_S
            )
        if self._waiting_of[device] >= max(1, self._max_waiting // SHARE):
            told = f"{self._waiting_of[device]} requests of device {device} wait; retry later"
            raise RequestRefused(503, told, RETRY_S)
        if self._acks and self._acks.level() is Level.FULL:
            raise RequestRefused(
                503,
                "the spool is full while Kafka is unreachable; keep the readings and retry",
                RETRY_DISK_S,
            )

    def _batch(self, body: bytes, grant: Grant) -> list[Arrival]:
        found = list(islice(parse_batch.batch(body), MAX_BATCH + 1))
        if len(found) > MAX_BATCH:
            raise RequestRefused(
                413, f"at most {MAX_BATCH} readings a request expected, more found"
            )
        self.refused["payload"] += sum(map(_is_not_allowed, found))
        objections = list(_objections(found, grant))
        if objections:
            self.refused.update(each.what for each in objections)
            first, device = objections[0], grant.device
            log.warning(
                "device_not_allowed", device=device, readings=len(objections), **first._asdict()
            )
            raise RequestRefused(403, f"device {device} may speak {_spoken(first)}")
        return found


class RequestRefused(Exception):
    """A refused request: the status, what is wrong, and when to retry."""

    def __init__(self, status: int, detail: str, retry_s: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry_s = status, detail, retry_s


def app(door: HttpDoor) -> FastAPI:
    """The web application around a door."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        door.close()

    made = FastAPI(title="Roundproof ingest", lifespan=lifespan, docs_url=None, redoc_url=None)

    @made.exception_handler(RequestRefused)
    async def turned(_: Request, error: RequestRefused) -> JSONResponse:
        headers = {"Retry-After": str(error.retry_s)} if error.retry_s else {}
        if error.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if error.status == 415:
            headers["Accept-Encoding"] = "identity"
        return JSONResponse({"error": error.detail}, error.status, headers)

    @made.exception_handler(HTTPException)
    async def not_here(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)

    @made.post("/readings")
    async def readings(request: Request) -> Response:
        """Readings as a JSON array, JSON lines or Avro; answered when they are safe."""
        return await _readings(door, request)

    @made.get("/health")
    async def health() -> JSONResponse:
        """Whether readings are accepted."""
        said = door.health()
        if said["status"] in ("failing", "damaged", "full"):
            return JSONResponse(said, 503, {"Retry-After": str(RETRY_DISK_S)})
        return JSONResponse(said)

    @made.get("/metrics")
    async def metrics() -> Response:
        """Metrics for Prometheus."""
        return Response(door.meter.page(), media_type=CONTENT_TYPE_LATEST)

    return made


async def _readings(door: HttpDoor, request: Request) -> Response:
    client = request.client.host if request.client else ""
    grant = grant_of(door.keys, request.headers.get("authorization"))
    if grant is None:
        door.refused["unknown_key"] += 1
        log.warning("device_unknown", client=client)
        raise RequestRefused(401, "Authorization: Bearer with the device's key expected")
    _require_no_encoding(request)
    try:
        async with asyncio.timeout(door.body_s):
            body = await _body(request)
    except TimeoutError:
        raise RequestRefused(408, f"the whole body within {door.body_s:g} s expected") from None
    except ClientDisconnect:  # nothing was stored; the device sends it again
        log.warning("device_hung_up", device=grant.device, client=client)
        return Response(status_code=400)
    return JSONResponse(await door.take(body, grant))


def _require_no_encoding(request: Request) -> None:
    said = request.headers.get("content-encoding", "").strip().lower()
    if said not in PLAIN:
        raise RequestRefused(415, f"a body without Content-Encoding expected, {said[:60]!r} found")


async def _body(request: Request) -> bytes:
    said = request.headers.get("content-length", "0")
    if said.isdigit() and int(said) > MAX_MESSAGE:
        raise RequestRefused(413, f"at most {MAX_MESSAGE} bytes a request expected, {said} found")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_MESSAGE:
            raise RequestRefused(413, f"at most {MAX_MESSAGE} bytes a request expected, more found")
    return bytes(body)


def _objections(batch: Iterable[Arrival], grant: Grant) -> Iterator[Objection]:
    for arrival in batch:
        objection = None if isinstance(arrival, Unread) else grant.objection(arrival)
        if objection:
            yield objection


def _is_not_allowed(arrival: Arrival) -> bool:
    """Whether a device sent a payload that its kind may not send."""
    return isinstance(arrival, Unread) and arrival.why.code == NOT_ALLOWED


def _spoken(objection: Objection) -> str:
    what, granted, claimed = objection
    if what == "device":
        return f"for itself alone, not for {claimed}"
    return (
        f"as {granted} alone, not as {claimed}"
        if what == "kind"
        else (f"at {granted} alone, not at {claimed}")
    )


def _lanes(batch: Iterable[Arrival], counts: Counts, stopped: Iterable[str]) -> set[Lane]:
    """The lanes that hold the events and dead letters of a batch."""
    tables = {each.table_id for each in batch if not isinstance(each, Unread)}
    read = {(EVENTS, name) for name in tables - set(stopped)}
    return read | ({(DEAD_LETTERS, GATEWAY)} if counts.dead_lettered else set())


def _refusal(number: int, unread: Unread) -> dict[str, Any]:
    why = unread.why
    return {
        "index": number,
        "reason": why.code,
        "where": why.where,
        "expected": why.expected,
        "found": why.found,
    }
