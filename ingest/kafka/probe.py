"""A probe of a broker that hung up, to learn which protocol it speaks.

A broker that dies and a broker that gets the wrong protocol both hang up. So we send one request in
the other protocol: if it answers, the broker is alive and our settings are wrong.
"""

import socket
import ssl
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

WAIT_S = 2.0
LONGEST = 64 * 1024  # bytes of an answer; real ones have a few hundred
API_VERSIONS, SASL_HANDSHAKE = (18, 0), (17, 1)  # the key and version of a request
NUMBER = 8710  # correlation id, which the answer repeats
ILLEGAL_SASL_STATE = 34  # the listener wants no password


class Address(NamedTuple):
    """Where a broker listens."""

    host: str
    port: int


def speaks_openly(address: Address) -> bool:
    """Whether Kafka answers there without TLS."""
    return _answer(address, None, API_VERSIONS, b"") is not None


def asks_for_password(address: Address, *, tls: bool, ca: Path | None = None) -> bool:
    """Whether Kafka answers there and wants a user and password."""
    context = ssl.create_default_context(cafile=ca) if tls else None
    name = b"SCRAM-SHA-512"
    said = _answer(address, context, SASL_HANDSHAKE, struct.pack(">h", len(name)) + name)
    return said is not None and struct.unpack(">h", said[:2].ljust(2, b"\0"))[0] != (
        ILLEGAL_SASL_STATE
    )


def _answer(
    address: Address, context: ssl.SSLContext | None, request: tuple[int, int], words: bytes
) -> bytes | None:
    """The answer after its correlation id; None where no valid answer came."""
    asked = struct.pack(">hhih", *request, NUMBER, -1) + words  # -1: no client id
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
