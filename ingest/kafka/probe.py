"""A question of our own to a broker that hung up, to learn what it speaks.

A broker that dies hangs up like one that is spoken to in the wrong way. Only an answer tells the
two apart, so we ask once more in the other way: what answers is alive, and our setting is wrong.
"""

import socket
import ssl
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

WAIT_S = 2.0
LONGEST = 64 * 1024  # bytes of an answer; both take a few hundred
API_VERSIONS, SASL_HANDSHAKE = (18, 0), (17, 1)  # the key and version of a request
NUMBER = 8710  # which an answer repeats
ILLEGAL_SASL_STATE = 34  # the listener takes no password


class Address(NamedTuple):
    """Where a broker listens."""

    host: str
    port: int


def speaks_openly(address: Address) -> bool:
    """Whether Kafka answers there without TLS."""
    return _answer(address, None, API_VERSIONS, b"") is not None


def asks_for_password(address: Address, *, tls: bool, ca: Path | None = None) -> bool:
    """Whether Kafka answers there that it wants to know a user."""
    context = ssl.create_default_context(cafile=ca) if tls else None
    name = b"SCRAM-SHA-512"
    said = _answer(address, context, SASL_HANDSHAKE, struct.pack(">h", len(name)) + name)
    return said is not None and struct.unpack(">h", said[:2].ljust(2, b"\0"))[0] != (
        ILLEGAL_SASL_STATE
    )


def _answer(
    address: Address, context: ssl.SSLContext | None, request: tuple[int, int], words: bytes
) -> bytes | None:
    """What comes back after the number of our request; None where that is no answer to it."""
    asked = struct.pack(">hhih", *request, NUMBER, -1) + words  # -1: without a client's name
    with suppress(OSError, EOFError), socket.create_connection(address, WAIT_S) as plain:
        if context is None:
            return _exchanged(plain, asked)
        with context.wrap_socket(plain, server_hostname=address.host) as secured:
            return _exchanged(secured, asked)
    return None


def _exchanged(connection: socket.socket, asked: bytes) -> bytes | None:
    connection.sendall(struct.pack(">i", len(asked)) + asked)
    size, number = struct.unpack(">ii", _exactly(connection, 8))
    if number != NUMBER or not 4 <= size <= LONGEST:
        return None
    return _exactly(connection, size - 4)


def _exactly(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        chunk = connection.recv(size - len(found))
        if not chunk:
            raise EOFError
        found += chunk
    return found
