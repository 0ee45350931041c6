"""`roundproof witness`: a second party that signs a house's checkpoints."""

import socket
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import listen, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from ingest.seal.witness import Witness

app = typer.Typer(
    no_args_is_help=True,
    help="Be the witness of a house: sign its checkpoints while it only grows.",
)


@app.command()
def cosign(
    ctx: typer.Context,
    request: Annotated[Path, typer.Argument(metavar="FILE", help="What log cosign --write wrote.")],
    as_json: AsJson = False,
) -> None:
    """Judge one request, and print the signature line.

    Example: roundproof witness cosign request.txt --home witness > answer.txt

    Exit code 4 if the house shows another history than before: the checkpoint is kept as a proof
    of that; 7 if the house or its key is not known; 2 if the file is no request, or begins at
    another checkpoint than the last one that was signed.
    """
    from http import HTTPStatus

    from ingest.seal.witness import SIZE_TYPE

    answer = _witness(ctx).add_checkpoint(request.read_bytes(), int(time.time()))
    if answer.status == HTTPStatus.OK:
        _say(answer.text, as_json=as_json)
        return
    if answer.kind == SIZE_TYPE:
        what = f"the request must begin at checkpoint {answer.text.strip()}"
        step = f"as the house, roundproof log cosign --write FILE --old {answer.text.strip()}"
        raise Stopped(what, step, Code.USAGE)
    codes = {
        HTTPStatus.CONFLICT: (Code.UNVERIFIED, FORKED),
        HTTPStatus.UNPROCESSABLE_ENTITY: (Code.UNVERIFIED, FORKED),
        HTTPStatus.NOT_FOUND: (Code.NOT_ALLOWED, UNKNOWN),
        HTTPStatus.FORBIDDEN: (Code.NOT_ALLOWED, UNKNOWN),
    }
    code, step = codes.get(answer.status, (Code.USAGE, "roundproof log cosign --write makes one"))
    raise Stopped(answer.text.strip(), step, code)


FORKED = "sign nothing more of this house; the refused checkpoint is kept in witness/forks"
UNKNOWN = "roundproof keys trust VKEY, after you compared the key with what the house published"


@app.command()
def serve(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8720,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Certificate chain, PEM; with --tls-key.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Private key, PEM; with --tls-cert.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the address it listens on as one JSON document.")
    ] = False,
) -> None:
    """Answer requests over HTTP, until you stop it.

    It serves POST /add-checkpoint as c2sp.org/tlog-witness has it, and GET /health.

    \b
    Examples:
        roundproof --home witness keys new auditor.example/witness --for witness
        roundproof --home witness keys trust hoiana.example/log+b816eff4+AQD…
        roundproof witness serve --home witness

    Run it on a machine that the house cannot write to. Requests carry the house's signature and no
    secret, so they need no TLS; without it others see how fast the log grows.

    Exit code 3 without a key or a trusted house; 6 if the port is taken.
    """
    from audit.cli.signals import stopping
    from ingest.doors import http_connections, witness_http

    listen.must_be_pair(tls_cert, tls_key)
    if tls_cert and tls_key:
        listen.must_be_certificate(tls_cert, tls_key)
    witness = _witness(ctx)
    with stopping() as stopped, listen.bound(host, port) as listening:
        web = http_connections.server(
            witness_http.app(witness, lambda: int(time.time())),
            http_connections.ConnectionGuard(),
            ssl_certfile=tls_cert,
            ssl_keyfile=tls_key,
        )
        _tell(listening, host, as_json=as_json)
        if not stopped():
            web.config.callback_notify = partial(listen.stop_if, web, stopped)
            web.config.timeout_notify = 1
            web.run(sockets=[listening])


def _tell(listening: socket.socket, host: str, *, as_json: bool) -> None:
    taken = listening.getsockname()[1]
    screen.hint(f"listening on {host}:{taken}")
    if as_json:
        screen.say_json({"host": host, "port": taken})
        screen.flush()


def _witness(ctx: typer.Context) -> "Witness":
    from audit.house import seal
    from ingest.seal import keys
    from ingest.seal.note import SIGNS
    from ingest.seal.witness import Witness

    home = settings.of(ctx).home
    folder = seal.key_folder(home)
    houses = keys.trusted(folder, SIGNS)
    key = keys.load(folder, keys.WITNESS)
    if not houses:
        step = "roundproof keys trust VKEY, with the line that the house's keys show prints"
        raise Stopped("the witness trusts no house yet", step, Code.NOT_FOUND)
    return Witness(home / "witness", key, houses)


def _say(lines: str, *, as_json: bool) -> None:
    if as_json:
        screen.say_json({"signatures": lines})
        return
    screen.say(lines.rstrip("\n"))
