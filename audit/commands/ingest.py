"""`roundproof ingest`: readings into the log, from files or over HTTP, and what is there."""

import errno
import os
import socket
import time
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit import screen, settings
from audit.errors import Code, Stopped

if TYPE_CHECKING:
    from ingest.gateway import Counts
    from ingest.log import Log

app = typer.Typer(
    no_args_is_help=True, help="Bring readings into the log, from files or over HTTP."
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@app.command("file")
def from_files(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(help="JSON lines, or Avro containers of Reading.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Bring files of readings into the log.

    \b
    Examples:
        roundproof ingest file readings.jsonl
        roundproof ingest file monday.avro tuesday.avro --json

    A file that was brought in before, or in part, may be brought in again: nothing doubles.
    """
    from ingest import files, gateway
    from ingest.log_local import LocalLog

    total = sum(path.stat().st_size for path in paths)
    counts, found = gateway.Counts(), dict[str, gateway.Counts]()
    with (
        LocalLog(_root(ctx), gateway.STREAMS) as log,
        screen.progress("ingest", total, "bytes") as advance,
    ):
        door = gateway.Gateway(log, _now, trusts_received_at=True)
        for path in paths:
            found[str(path)] = files.bring_in(path, door, advance)
            counts.add(found[str(path)])
    if as_json:
        screen.say_json({**asdict(counts), "files": {name: asdict(c) for name, c in found.items()}})
        return
    _say_counts(counts)


@app.command("serve")
def over_http(
    ctx: typer.Context,
    keys_file: Annotated[
        Path | None,
        typer.Option("--keys", envvar="ROUNDPROOF_KEYS_FILE", help="TOML file: device = key."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for a free one.")] = 8710,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate chain, PEM.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Private key, PEM.")] = None,
) -> None:
    """Take readings over HTTP: POST /readings, GET /health.

    \b
    Examples:
        roundproof ingest serve --keys keys.toml
        curl -H "Authorization: Bearer $KEY" --data-binary @batch.jsonl localhost:8710/readings

    Each device has its own key and speaks for itself alone. An answer means: it is on disk.
    """
    _must_be_pair(tls_cert, tls_key)
    if host not in LOOPBACK and not (tls_cert and tls_key):
        raise Stopped(
            f"{host} can be reached from outside, and without TLS the keys could be read",
            "give --tls-cert and --tls-key, or listen on 127.0.0.1",
            Code.USAGE,
        )
    import uvicorn

    from ingest import gateway, keys, serve
    from ingest.log_local import LocalLog

    known = keys.load(keys_file, os.environ)
    if tls_cert and tls_key:
        _must_be_certificate(tls_cert, tls_key)
    with LocalLog(_root(ctx), gateway.STREAMS) as log, _bound(host, port) as listening:
        config = uvicorn.Config(
            serve.app(serve.Door(gateway.Gateway(log, _now), known)),
            ssl_certfile=tls_cert,
            ssl_keyfile=tls_key,
            log_level="warning",
            access_log=False,
            limit_concurrency=4 * serve.MAX_WAITING,
            server_header=False,
        )
        screen.hint(f"{len(known)} devices; listening on {host}:{listening.getsockname()[1]}")
        uvicorn.Server(config).run(sockets=[listening])


@app.command("status")
def status(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show what the log holds: events of each table, the last time, dead letters.

    Example: roundproof ingest status
    """
    from ingest import gateway, letters, seal
    from ingest.log_local import LocalLog

    log = LocalLog(_root(ctx))
    tables = [_table(log, table_id) for table_id in log.partitions(seal.STREAM)]
    dead = Counter(
        letters.decode(record.body).reason
        for partition in log.partitions(gateway.DEAD)
        for record in log.read(gateway.DEAD, partition)
    )
    if as_json:
        screen.say_json({"tables": tables, "dead_letters": dict(sorted(dead.items()))})
        return
    for table in tables:
        screen.say(f"{table['table_id']:<12} {table['events']:>12,} events  {table['last_at']}")
    if not tables:
        screen.hint("the log is empty; next: roundproof ingest file FILE")
    for reason, count in sorted(dead.items()):
        screen.say(f"{'dead letters':<12} {count:>12,} {reason}")


def _must_be_pair(cert: Path | None, key: Path | None) -> None:
    if bool(cert) != bool(key):
        wanting = "--tls-key" if cert else "--tls-cert"
        raise Stopped(f"{wanting} expected beside the other", "give both, or neither", Code.USAGE)


def _must_be_certificate(cert: Path, key: Path) -> None:
    """Both files are there and fit each other, before anybody is told that we listen."""
    import ssl

    for path in (cert, key):
        path.open("rb").close()  # its own error names the file
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as error:
        what = f"{cert} and {key}: a certificate and its key in PEM expected, {error.reason} found"
        raise Stopped(what, "give the certificate chain and its own key", Code.USAGE) from error


def _bound(host: str, port: int) -> socket.socket:
    """The listening socket; a word that helps where there can be none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        code = Code.NOT_ALLOWED if error.errno == errno.EACCES else Code.UNREACHABLE
        step = "choose another --port or --host, or stop what listens there"
        raise Stopped(f"{host}:{port}: {_why(error)}", step, code) from error


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)


def _table(log: "Log", table_id: str) -> dict[str, Any]:
    from ingest import seal

    end = log.end(seal.STREAM, table_id)
    last = [event for event, _ in seal.events(log, table_id, max(0, end - 1))]
    last_at = _shown(last[-1].ingested_at) if last else ""
    return {"table_id": table_id, "events": end, "last_at": last_at}


def _say_counts(counts: "Counts") -> None:
    for name, count in asdict(counts).items():
        screen.say(f"{name.replace('_', ' '):<14} {count:>12,}")
    if counts.dead_lettered:
        screen.hint("next: roundproof ingest status shows why readings could not be taken")


def _root(ctx: typer.Context) -> Path:
    return settings.of(ctx).home / "log"


def _now() -> int:
    return time.time_ns() // 1_000


def _shown(micros: int) -> str:
    try:
        moment = EPOCH + timedelta(microseconds=micros)
    except OverflowError:  # a collector's clock may say anything
        return f"{micros} microseconds"
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
