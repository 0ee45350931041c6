"""A SOCKS proxy between a client and its brokers, which can lose what the brokers answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress


class Socks:
    """Every connection of a client goes through here, wherever the cluster sends it."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self.url = f"socks5://127.0.0.1:{listening.getsockname()[1]}"
        self.losing = False  # the brokers hear the client, and the client hears nothing
        self.lost = 0  # bytes

    def serve(self) -> None:
        """Take connections until the listening socket is closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._join, args=(client,), daemon=True).start()

    def _join(self, client: socket.socket) -> None:
        with suppress(OSError), closing(client):
            broker = _connected(client)
            with closing(broker):
                back = threading.Thread(target=self._answers, args=(broker, client), daemon=True)
                back.start()
                while chunk := client.recv(65_536):
                    broker.sendall(chunk)

    def _answers(self, broker: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while chunk := broker.recv(65_536):
                if self.losing:
                    self.lost += len(chunk)
                else:
                    client.sendall(chunk)
            client.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy() -> Iterator[Socks]:
    """A proxy of one's own on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Socks(listening)
        threading.Thread(target=made.serve, daemon=True).start()
        yield made
        listening.shutdown(socket.SHUT_RDWR)


def _connected(client: socket.socket) -> socket.socket:
    """RFC 1928 without authentication: the greeting, then one CONNECT to an IPv4 address."""
    _, methods = _exactly(client, 2)
    _exactly(client, methods)
    client.sendall(b"\x05\x00")
    _exactly(client, 3)
    kind = _exactly(client, 1)[0]
    size = 4 if kind == 1 else _exactly(client, 1)[0]
    address = _exactly(client, size)
    host = socket.inet_ntoa(address) if kind == 1 else address.decode()
    port = int.from_bytes(_exactly(client, 2), "big")
    made = socket.create_connection((host, port))
    client.sendall(b"\x05\x00\x00\x01" + bytes(6))
    return made


def _exactly(client: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        chunk = client.recv(size - len(found))
        if not chunk:
            raise OSError("the client left")
        found += chunk
    return found
