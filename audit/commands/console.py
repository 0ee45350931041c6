"""`roundproof console`: the web console, and its accounts."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.console.oidc import OidcClient

app = typer.Typer()
console_app = typer.Typer()
app.add_typer(console_app, name="console")

LOOPBACK = ("127.0.0.1", "::1", "localhost")
Role = Annotated[
    str, typer.Option(help="supervisor, surveillance, investigator, auditor or admin.")
]


@console_app.callback(invoke_without_command=True)
def console(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")] = 8_444,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="Host name that browsers use; may be repeated."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="PEM file of the certificate.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="PEM file of its private key.")] = None,
    oidc_issuer: Annotated[
        str, typer.Option(metavar="URL", help="OpenID Connect provider to sign in at.")
    ] = "",
    oidc_client: Annotated[str, typer.Option(metavar="ID", help="Our client id there.")] = "",
    oidc_secret: Annotated[
        Path | None, typer.Option(help="File with the client's secret; none for a public one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Serve the web console: floor, findings, rounds, rules, SQL.

    \b
    Examples:
        roundproof console                                  on this machine, port 8444
        roundproof console invite op-03 --role surveillance
        roundproof console --host 0.0.0.0 --name desk.example --tls-cert c.pem --tls-key k.pem

    The first start prints a link that makes the first administrator; it works once. Without a
    certificate the console listens on this machine only. Every look at evidence is recorded.
    """
    if ctx.invoked_subcommand:
        return
    from audit.console import serving

    tls = serving.tls_files(tls_cert, tls_key)
    if tls is None and host not in LOOPBACK:
        what = f"--host {host}: a certificate expected, as passwords would cross the network"
        raise Stopped(what, "give --tls-cert and --tls-key, or listen on 127.0.0.1", Code.USAGE)
    chosen = settings.of(ctx)
    serving.serve(
        chosen.home,
        chosen.zone,
        host,
        port,
        names=tuple(name or ()),
        tls=tls,
        as_json=as_json,
        jurisdiction=chosen.jurisdiction,
        kafka=settings.kafka_of(ctx),
        oidc=_provider(oidc_issuer, oidc_client, oidc_secret),
    )


def _provider(issuer: str, client: str, secret: Path | None) -> "OidcClient | None":
    """The provider that was named, if one was; what it needs is installed."""
    if not issuer and not client and secret is None:
        return None
    if not issuer or not client:
        what = "--oidc-issuer and --oidc-client must be given together"
        raise Stopped(what, "give both, or neither", Code.USAGE)
    missing = [name for name in ("httpx", "joserfc") if importlib.util.find_spec(name) is None]
    if missing:
        what = f"{', '.join(missing)}: not installed; a provider needs the extra oidc"
        raise Stopped(what, "install roundproof[oidc]", Code.NOT_FOUND)
    from audit.console.oidc import OidcClient, OidcRefused, require_private

    try:
        require_private(issuer)
        words = secret.read_text("utf-8").strip() if secret else ""
    except OidcRefused as error:
        raise Stopped(f"--oidc-issuer: {error}", "name its https address", Code.USAGE) from error
    except OSError as error:
        what = f"--oidc-secret {secret}: {error.strerror}"
        raise Stopped(what, "name a file that you may read", Code.NOT_FOUND) from error
    return OidcClient(issuer, client, words)


@console_app.command()
def invite(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the account.")],
    role: Role,
    person: Annotated[
        str, typer.Option(help="Id of the person on the floor, such as T01-M1.")
    ] = "",
    rank: Annotated[str, typer.Option(help="Rank for rulings and decisions.")] = "",
    pit: Annotated[str, typer.Option(help="See only tables that begin with this.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make an account, or invite it again; print the path of its invitation.

    \b
    Examples:
        roundproof console invite op-03 --role surveillance
        roundproof console invite pm-1 --role investigator --person T01-M1 --rank pit_manager

    Open the path on the console's address within a day; it works once.
    """
    from audit.console.accounts import AccountRefused
    from audit.console.roles import AccountRole

    if role not in set(AccountRole):
        known = ", ".join(AccountRole)
        raise Stopped(f"--role {role!r}: one of {known} expected", "--role auditor", Code.USAGE)
    try:
        token = _accounts(ctx).invite(name, AccountRole(role), person=person, rank=rank, pit=pit)
    except AccountRefused as error:
        raise Stopped(str(error), "roundproof console invite --help", Code.USAGE) from error
    if as_json:
        screen.say_json({"name": name, "role": role, "path": f"/welcome/{token}"})
        return
    screen.say(f"/welcome/{token}")
    screen.hint(f"open this path on the console within a day; {name} chooses a password there")


@console_app.command()
def accounts(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the accounts.

    \b
    Examples:
        roundproof console accounts
        roundproof console accounts --json
    """
    people = _accounts(ctx).all()
    if as_json:
        screen.say_json({"accounts": [each._asdict() for each in people]})
        return
    rows = [
        (
            each.name,
            each.role,
            each.person or "-",
            each.rank or "-",
            each.pit or "all",
            "closed" if not each.active else "ready" if each.ready else "invited",
        )
        for each in people
    ]
    columns.table(["name", "role", "person", "rank", "tables", "state"], rows)


@console_app.command()
def close(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the account.")],
    as_json: AsJson = False,
) -> None:
    """Close an account and end its sessions; invite it again to open it.

    \b
    Examples:
        roundproof console close op-03
    """
    people = _accounts(ctx)
    if people.account(name) is None:
        step = "roundproof console accounts lists them"
        raise Stopped(f"no account {name!r}", step, Code.NOT_FOUND)
    people.set_active(name, active=False)
    if as_json:
        screen.say_json({"name": name, "state": "closed"})
        return
    screen.say(f"{name} is closed")


def _accounts(ctx: typer.Context):  # type: ignore[no-untyped-def]  # imported late
    import time

    from audit.console.accounts import Accounts
    from audit.console.store import ConsoleStore

    return Accounts(ConsoleStore(settings.of(ctx).home), time.time)
