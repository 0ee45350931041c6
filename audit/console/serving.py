"""Serving the console: sockets, TLS, the first administrator, the access record."""

import socket
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn

from audit.cli import screen
from audit.cli.errors import Code, Stopped
from audit.console.app import LOOPBACK, ConsolePlace, make_app
from audit.console.oidc import OidcClient
from audit.console.recorder import recorder
from audit.console.roles import AccountRole
from ingest.kafka.client import Kafka

FIRST = "admin"
PORT = 8_444


def tls_files(cert: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """Both files of a certificate; None where neither is given."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        what = "--tls-cert and --tls-key must be given together"
        raise Stopped(what, "give both, or neither", Code.USAGE)
    for file in (cert, key):
        if not file.is_file():
            raise Stopped(f"{file}: a PEM file expected", "name the file", Code.NOT_FOUND)
    return cert, key


def serve(
    home: Path,
    zone: str,
    host: str,
    port: int,
    *,
    names: tuple[str, ...],
    tls: tuple[Path, Path] | None,
    as_json: bool = False,
    jurisdiction: str = "VN",
    kafka: Kafka | None = None,
    oidc: OidcClient | None = None,
    when_listening: Callable[[str], object] | None = None,
) -> None:
    """Serve until the process is told to stop; say the address once browsers may come."""
    hosts = frozenset({*(each.lower() for each in names), host, *LOOPBACK})
    place = ConsolePlace(home, zone, hosts, tls is not None, jurisdiction, kafka, oidc)
    app = make_app(place, recorder(home, now_us))
    listening = _listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"{'https' if tls else 'http'}://{shown}:{listening.getsockname()[1]}"
    people = app.state.accounts
    token = "" if people.all() else people.invite(FIRST, AccountRole.ADMIN)
    first = f"{address}/welcome/{token}" if token else ""
    if as_json:
        screen.say_json({"address": address, "first_administrator": first or None})
    else:
        if first:
            screen.say(f"make the first administrator, within a day: {first}")
        screen.say(f"console at {address}; Ctrl-C stops it")
    screen.flush()
    if when_listening:
        when_listening(address)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=15,
        limit_concurrency=400,
        h11_max_incomplete_event_size=32_768,
        ssl_certfile=str(tls[0]) if tls else None,
        ssl_keyfile=str(tls[1]) if tls else None,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen()
    except OSError as error:
        made.close()
        what = f"{host}:{port}: {error.strerror}"
        raise Stopped(
            what, "choose another --port, or stop the other program", Code.UNREACHABLE
        ) from error
    return made


def now_us() -> int:
    """The time, in microseconds since 1970."""
    return time.time_ns() // 1_000
