"""Limits on HTTP connections, so that no peer can exhaust the server.

An idle connection costs a socket. Where a peer, or all peers together, have too many connections,
the one that was idle longest is closed; where none is idle, the new one gets 503. Every answer is
JSON, and every 503 carries Retry-After.
"""

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ingest.service_log import log

RETRY_S = 1
TOLD_EVERY_S = 10.0  # seconds between two log lines about dropped connections


class ConnectionLimits(NamedTuple):
    """How many connections may be open, and how long each step may take."""

    of_peer: int = 64
    of_all: int = 512
    header_s: float = 10.0  # from the first to the last byte of a request's headers
    idle_s: float = 15.0  # between two requests
    handshake_s: float = 5.0  # of TLS


DEFAULT_LIMITS = ConnectionLimits()


class ConnectionGuard:
    """The limits, and a count of the connections that exceeded them."""

    def __init__(self, bounds: ConnectionLimits = DEFAULT_LIMITS) -> None:
        self.bounds = bounds
        self.dropped = Counter[str]()  # closed connections, by reason
        self._told_at = float("-inf")

    def drop(self, why: str, peer: str) -> None:
        """Count a closed connection, and log that at most every TOLD_EVERY_S."""
        self.dropped[why] += 1
        if time.monotonic() - self._told_at >= TOLD_EVERY_S:
            self._told_at = time.monotonic()
            log.warning("connection_dropped", why=why, client=peer, dropped=self.dropped.total())


def server(application: Any, guard: ConnectionGuard, **options: Any) -> uvicorn.Server:
    """A web server around an application; `options` go to uvicorn."""

    class Guarded(_Connection):
        """A connection under this guard's limits."""

        watched_by = guard

    config = uvicorn.Config(
        application,
        http=Guarded,
        ws="none",
        log_level="error",  # malformed requests get an answer and no log line
        access_log=False,
        server_header=False,
        timeout_keep_alive=guard.bounds.idle_s,  # type: ignore[arg-type]  # uvicorn accepts fractions
        **options,
    )
    return _Server(config, guard.bounds.handshake_s)


class _Connection(H11Protocol):
    """One connection; it is quiet before its request's headers are whole and after each answer."""

    watched_by: ConnectionGuard

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._head_due: asyncio.TimerHandle | None = None
        self._quiet_since = self.loop.time()

    @property
    def peer(self) -> str:
        """The address of the peer."""
        return self.client[0] if self.client else ""

    @property
    def quiet(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for the new connection, or answer it with 503."""
        super().connection_made(transport)
        self._await_head()
        others = [each for each in self.connections if isinstance(each, _Connection)]
        mine = [each for each in others if each.peer == self.peer]
        bounds = self.watched_by.bounds
        for why, held, most in (("peer", mine, bounds.of_peer), ("all", others, bounds.of_all)):
            if len(held) > most and not self._made_room(held, why):
                self.app = _come_again
                return

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._head_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive bytes; the headers of a request must be whole within `header_s`."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._head_is_there()
        elif self.quiet and self._head_due is None and not self.transport.is_closing():
            self._await_head()

    def on_response_complete(self) -> None:
        """Note when the connection became quiet."""
        self._quiet_since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request."""
        self._say(400, msg)

    def leave(self, why: str) -> None:
        """Close a quiet connection."""
        self.watched_by.drop(why, self.peer)
        self.connections.discard(self)
        self.transport.abort()

    def _made_room(self, held: Iterable["_Connection"], why: str) -> bool:
        quiet = [each for each in held if each is not self and each.quiet]
        if quiet:
            min(quiet, key=lambda each: each._quiet_since).leave(f"too_many_of_{why}")
        return bool(quiet)

    def _await_head(self) -> None:
        self._head_due = self.loop.call_later(self.watched_by.bounds.header_s, self._too_slow)

    def _head_is_there(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def _too_slow(self) -> None:
        self._head_due = None
        if self.quiet and not self.transport.is_closing():
            self.watched_by.drop("slow_head", self.peer)
            self._say(408, f"a whole request within {self.watched_by.bounds.header_s:g} s expected")

    def _say(self, status: int, error: str) -> None:
        """Send an answer outside a request, and close."""
        body = json.dumps({"error": error}).encode()
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


class _Server(uvicorn.Server):
    """uvicorn's server with a time limit on TLS handshakes."""

    def __init__(self, config: uvicorn.Config, handshake_s: float) -> None:
        super().__init__(config)
        self._handshake_s = handshake_s

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen on sockets that are already open."""
        assert sockets is not None
        await self.lifespan.startup()
        config, loop = self.config, asyncio.get_running_loop()
        handshake_s = self._handshake_s if config.ssl else None

        def connection() -> asyncio.Protocol:
            made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        self.servers = [
            await loop.create_server(
                connection,
                sock=each,
                ssl=config.ssl,
                backlog=config.backlog,
                ssl_handshake_timeout=handshake_s,
            )
            for each in sockets
        ]
        self.started = True


async def _come_again(scope: Any, receive: Any, send: Any) -> None:
    """The 503 for a connection that finds no room."""
    del scope, receive
    body = json.dumps({"error": "too many connections; retry later"}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_S).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
