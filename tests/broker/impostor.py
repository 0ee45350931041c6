"""A TLS server with a certificate that no client may trust: one that a broker must not have."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.broker.ports import HOST


@contextmanager
def impostor(pem: Path) -> Iterator[str]:
    """Its address; it shakes hands with whoever comes, and says nothing after that."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with socket.create_server((HOST, 0)) as door:
        greeter = threading.Thread(target=_greet, args=(door, context))
        greeter.start()
        try:
            yield f"{HOST}:{door.getsockname()[1]}"
        finally:
            door.shutdown(socket.SHUT_RDWR)
            greeter.join()


def _greet(door: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            guest, _ = door.accept()
        except OSError:
            return
        with guest, suppress(OSError), context.wrap_socket(guest, server_side=True) as shaken:
            shaken.recv(1)
