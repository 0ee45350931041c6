"""Sends readings: by HTTP to a gateway, into the local log, or as JSON lines.

A sender takes a whole batch or raises; what it did not take is kept and sent again.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ingest.gateway import Gateway
from ingest.log import LogUnwritable
from ingest.service_log import log
from schemas import codec
from schemas.events import Reading

BATCH_READINGS = 500  # readings of one request
TIMEOUT_S = 10.0
RETRY_S = 5.0
LONGEST_RETRY_S = 60.0
PATH = "/readings"
RETRYABLE_STATUS = (408, 413, 425, 429)  # statuses that may change on another try
MAX_ANSWER_BYTES = 64 * 1024  # bytes of an answer
LOOPBACK = ("127.0.0.1", "::1", "localhost")

Send = Callable[[Sequence[Reading]], None]


class GatewayAway(Exception):
    """The gateway cannot take readings now; send them again later."""

    def __init__(self, why: str, retry_s: float = RETRY_S) -> None:
        super().__init__(why)
        self.retry_s = min(LONGEST_RETRY_S, max(0.0, retry_s))


class ReadingsDenied(Exception):
    """The gateway rejects these readings for good; an operator must look into it."""


class BadAddress(ValueError):
    """The address cannot take readings."""


def posted(address: str, key: str, timeout_s: float = TIMEOUT_S) -> Send:
    """A sender to `roundproof ingest serve`, with the camera's own key."""
    url = _checked(address)

    def send(readings: Sequence[Reading]) -> None:
        body = "".join(codec.dump_line(reading) + "\n" for reading in readings).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"}
        request = Request(url, body, headers)  # noqa: S310 - checked to be http(s)
        try:
            with urlopen(request, timeout=timeout_s) as answer:  # noqa: S310 - as above
                found = json.loads(answer.read(MAX_ANSWER_BYTES))
        except HTTPError as error:
            with error:
                raise _turned(url, error) from error
        except (URLError, TimeoutError, ConnectionError, ValueError) as error:
            raise GatewayAway(f"{url}: {getattr(error, 'reason', error)}") from error
        for refused in _refused(found):
            log.error("reading_refused", gateway=url, **refused)

    return send


def into(gateway: Gateway, source: str) -> Send:
    """A sender into the local log."""

    def send(readings: Sequence[Reading]) -> None:
        try:
            gateway.take(readings, source)
        except LogUnwritable as error:
            raise GatewayAway(str(error)) from error

    return send


def written(stream: IO[str]) -> Send:
    """A sender that writes one JSON line for each reading."""

    def send(readings: Sequence[Reading]) -> None:
        stream.write("".join(codec.dump_line(reading) + "\n" for reading in readings))
        stream.flush()

    return send


class ReadingOutbox:
    """Sends waiting readings in a thread, so that a slow gateway costs no frames."""

    def __init__(self, send: Send, waiting: list[Reading], clock_s: Callable[[], float]) -> None:
        """`waiting` is the list of the camera's state; sent readings are removed from it."""
        self._send, self.waiting, self._clock_s = send, waiting, clock_s
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sender")
        self._under_way: tuple[Future[None], int] | None = None
        self._again_s = 0.0
        self.sent, self.away = 0, ""  # readings that were sent; why the gateway takes none

    def pump(self, *, wait: bool = False) -> bool:
        """Remove what was sent and send the next batch; True if a batch was sent."""
        taken = self._note(wait=wait)
        if self.waiting and self._under_way is None and self._clock_s() >= self._again_s:
            batch = self.waiting[:BATCH_READINGS]
            self._under_way = self._worker.submit(self._send, batch), len(batch)
        return taken

    def drain(self, until_s: float) -> None:
        """Send everything that waits, until `until_s` or until the gateway is away."""
        self._note(wait=True)
        self._again_s = 0.0  # the gateway may be back by now
        while self.waiting and self._clock_s() < until_s:
            self.pump(wait=True)
            if self.pump(wait=True) is False and self.away:
                return

    def close(self) -> None:
        """Finish the batch under way, and stop the thread."""
        self._worker.shutdown()

    def _note(self, *, wait: bool) -> bool:
        if self._under_way is None:
            return False
        future, count = self._under_way
        if not wait and not future.done():
            return False
        self._under_way = None
        try:
            future.result()
        except GatewayAway as error:
            if not self.away:
                log.warning("gateway_away", reason=str(error), waiting=len(self.waiting))
            self.away, self._again_s = str(error), self._clock_s() + error.retry_s
            return False
        if self.away:
            log.info("gateway_back", waiting=len(self.waiting))
        self.away = ""
        self.sent += count
        del self.waiting[:count]
        return True


def _checked(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress(f"an http(s) address expected, {address!r} found")
    if parts.username or parts.password or parts.query:
        raise BadAddress("an address without user, password and query expected")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise BadAddress(
            f"https expected for {parts.hostname}, where the key could be read on http"
        )
    path = parts.path.rstrip("/").removesuffix(PATH) + PATH
    return f"{parts.scheme}://{parts.netloc}{path}"


def _turned(url: str, error: HTTPError) -> Exception:
    told = error.read(200).decode("utf-8", "replace")
    if 400 <= error.code < 500 and error.code not in RETRYABLE_STATUS:
        return ReadingsDenied(f"{url}: {error.code} {told}")
    after = error.headers.get("Retry-After", "") if error.headers else ""
    return GatewayAway(f"{url}: {error.code} {told}", float(after) if after.isdigit() else RETRY_S)


def _refused(answer: Any) -> list[dict[str, Any]]:
    found = answer.get("refused", []) if isinstance(answer, dict) else []
    return [
        {name: each.get(name) for name in ("reason", "where", "expected", "found")}
        for each in found
        if isinstance(each, dict)
    ]
