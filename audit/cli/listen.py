"""What the commands that listen on a port share: the socket, TLS files, the end."""

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from audit.cli.errors import Code, Stopped


def must_be_pair(cert: Path | None, key: Path | None) -> None:
    """Stop unless certificate and key are given together."""
    if bool(cert) != bool(key):
        what = "--tls-cert and --tls-key must be given together"
        raise Stopped(what, "give both, or neither", Code.USAGE)


def must_be_certificate(cert: Path, key: Path) -> None:
    """Stop if a file is missing or the key is not the certificate's."""
    import ssl

    for path in (cert, key):
        path.open("rb").close()  # a missing file raises an error that names it
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as error:
        what = f"{cert} and {key}: a certificate and its key in PEM expected, {error.reason} found"
        raise Stopped(what, "give a certificate chain and the key of it", Code.USAGE) from error


def bound(host: str, port: int) -> socket.socket:
    """The listening socket; an error with a next step if the address cannot be bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        code = Code.NOT_ALLOWED if error.errno == errno.EACCES else Code.UNREACHABLE
        step = "choose another --port or --host, or stop the program that listens there"
        raise Stopped(f"{host}:{port}: {_why(error)}", step, code) from error


async def stop_if(web: Any, stopped: Callable[[], bool]) -> None:
    """Stop a web server once a signal asked for it."""
    web.should_exit = web.should_exit or stopped()


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)
