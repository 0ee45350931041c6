"""Connections over HTTP that cannot shut the door: limits for each peer, and none waits for ever.

A connection that says nothing costs a socket. Where a peer, or all of them together, have more than
their share, the one that was quiet longest makes room; where all of them are being answered, the
newcomer is told to come again. Every answer of ours is JSON, and every 503 says when to come again.
"""

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

import structlog
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

RETRY_S = 1
TOLD_EVERY_S = 10.0  # a line for the operator, however many connections are dropped

log = structlog.get_logger()


class ConnectionLimits(NamedTuple):
    """How many connections are held, and how long each may take."""

    of_peer: int = 64
    of_all: int = 512
    header_s: float = 10.0  # from the first to the last byte of a request's head
    idle_s: float = 15.0  # between two requests
    handshake_s: float = 5.0  # of TLS


DEFAULT_LIMITS = ConnectionLimits()


class ConnectionGuard:
    """Who is connected, and what became of those who asked too much."""

    def __init__(self, bounds: ConnectionLimits = DEFAULT_LIMITS) -> None:
        self.bounds = bounds
        self.dropped = Counter[str]()  # connections by why they were ended
        self._told_at = float("-inf")

    def drop(self, why: str, peer: str) -> None:
        """Count a connection that was ended, and tell the operator now and then."""
        self.dropped[why] += 1
        if time.monotonic() - self._told_at >= TOLD_EVERY_S:
            self._told_at = time.monotonic()
            log.warning("connection_dropped", why=why, client=peer, dropped=self.dropped.total())


def server(application: Any, doorman: ConnectionGuard, **options: Any) -> uvicorn.Server:
    """A web server around an application; `options` go to uvicorn."""

    class Guarded(_Connection):
        """A connection that this doorman watches."""

        watched_by = doorman

    config = uvicorn.Config(
        application,
        http=Guarded,
        ws="none",
        log_level="error",  # a request that is none is answered; nothing of it needs a line
        access_log=False,
        server_header=False,
        timeout_keep_alive=doorman.bounds.idle_s,  # type: ignore[arg-type]  # it waits any seconds
        **options,
    )
    return _Server(config, doorman.bounds.handshake_s)


class _Connection(H11Protocol):
    """One connection: quiet until its request's head is whole, and again after each answer."""

    watched_by: ConnectionGuard

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._head_due: asyncio.TimerHandle | None = None
        self._quiet_since = self.loop.time()

    @property
    def peer(self) -> str:
        """The address at the other end."""
        return self.client[0] if self.client else ""

    @property
    def quiet(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for the newcomer, or have it told to come again."""
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
        """Take bytes; the head of a request must be whole within its time."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._head_is_there()
        elif self.quiet and self._head_due is None and not self.transport.is_closing():
            self._await_head()

    def on_response_complete(self) -> None:
        """Begin to be quiet."""
        self._quiet_since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Say that a request is none."""
        self._say(400, msg)

    def leave(self, why: str) -> None:
        """End a quiet connection."""
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
        """Answer without a request, and close."""
        body = json.dumps({"error": error}).encode()
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


class _Server(uvicorn.Server):
    """uvicorn's server, whose TLS handshakes do not take for ever."""

    def __init__(self, config: uvicorn.Config, handshake_s: float) -> None:
        super().__init__(config)
        self._handshake_s = handshake_s

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen on sockets that are open already."""
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
    """The answer to whom no room could be made."""
    del scope, receive
    body = json.dumps({"error": "too many connections; come again"}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_S).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
