"""`roundproof keys`: the signing keys of a house or of a witness."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Yes

if TYPE_CHECKING:
    from ingest.seal.note import PublicKey

app = typer.Typer(
    no_args_is_help=True, help="Make, show and replace the keys that sign checkpoints."
)

Role = Annotated[str, typer.Option("--for", metavar="ROLE", help="Whose key: house or witness.")]


@app.command()
def new(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(help="Name that stands before each signature, such as hoiana.example/log."),
    ],
    role: Role = "house",
    as_json: AsJson = False,
) -> None:
    """Make the first signing key.

    \b
    Examples:
        roundproof keys new hoiana.example/log
        roundproof keys new auditor.example/witness --for witness

    The name stays for ever; keys change. Only you can read the private key, and nobody can make it
    again: docs/operating.md says where to keep a copy and what to do when it is lost.

    Exit code 2 if there is a key already; roundproof keys rotate replaces it.
    """
    from ingest.seal import keys

    made = keys.create(_folder(ctx), _role(role), name)
    _say([made.public], as_json=as_json)
    screen.hint(f"private key in {_folder(ctx) / (role + '.pem')}; give others the line above")


@app.command()
def show(
    ctx: typer.Context,
    role: Role = "house",
    pem: Annotated[
        bool, typer.Option("--pem", help="Print the newest public key in PEM, for OpenSSL.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the public keys, the newest last.

    \b
    Examples:
        roundproof keys show
        roundproof keys show --pem > house.pub.pem

    A verifier needs the first key; the notes of each rotation lead to the newest.
    """
    from ingest.seal import keys

    known = keys.public_keys(_folder(ctx), _role(role))
    if pem and not as_json:
        screen.say(keys.pem(known[-1]).rstrip("\n"))
        return
    _say(known, as_json=as_json, rotations=[str(each) for each in _rotations(ctx, role)])


@app.command()
def rotate(
    ctx: typer.Context,
    role: Role = "house",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Replace the signing key; the old key signs the new one.

    Example: roundproof keys rotate --yes

    The old private key is deleted. Give the note that is printed to everybody who holds the old
    public key: it proves that the new one is yours.
    """
    from audit.commands.spool import must_be_wanted
    from ingest.seal import keys

    folder, role = _folder(ctx), _role(role)
    old = keys.load(folder, role).public
    must_be_wanted(f"this replaces the key {old.name}+{old.id.hex()}", yes=yes)
    said = keys.rotate(folder, role)
    if as_json:
        _say(keys.public_keys(folder, role), as_json=True, rotations=[str(said)])
        return
    screen.say(str(said).rstrip("\n"))


@app.command()
def trust(
    ctx: typer.Context,
    vkey: Annotated[
        str, typer.Argument(help="Public key as keys show prints it; with --rotation, leave out.")
    ] = "",
    rotation: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Note by which a trusted key names its successor."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Trust the key of a witness, or as a witness the key of a house.

    \b
    Examples:
        roundproof keys trust auditor.example/witness+1f0e8a2b+BCp…
        roundproof --home witness keys trust hoiana.example/log+b816eff4+AQD…
        roundproof --home witness keys trust --rotation rotation.note

    Compare the key with what its owner published on paper or by telephone: who can make you trust
    another key can show you another log.
    """
    from ingest.seal import keys, note

    if bool(vkey) == bool(rotation):
        what = "either a public key or --rotation FILE expected"
        raise Stopped(what, "roundproof keys trust --help", Code.USAGE)
    folder = _folder(ctx)
    if rotation:
        said = note.parse(rotation.read_text("utf-8"))
        old, new = keys.rotated(said)
        if old not in keys.trusted(folder, old.kind):
            what = f"{old.name}+{old.id.hex()}: a trusted key expected, an unknown one found"
            raise Stopped(what, "roundproof keys trust VKEY enters it", Code.NOT_ALLOWED)
        keys.followed(old, [said])
        key = new
    else:
        key = note.public_key(vkey)
    keys.trust(folder, key)
    _say([key], as_json=as_json)


def _rotations(ctx: typer.Context, role: str) -> list[Any]:
    from ingest.seal import keys

    return list(keys.rotations(_folder(ctx), role))


def _say(known: "list[PublicKey]", *, as_json: bool, rotations: list[str] | None = None) -> None:
    if as_json:
        rows = [{"name": key.name, "id": key.id.hex(), "vkey": key.vkey} for key in known]
        screen.say_json({"keys": rows, "rotations": rotations or []})
        return
    for key in known:
        screen.say(key.vkey)


def _folder(ctx: typer.Context) -> Path:
    from audit.house import seal

    return seal.key_folder(settings.of(ctx).home)


def _role(text: str) -> str:
    from ingest.seal.keys import KINDS

    if text not in KINDS:
        step = "give --for house or --for witness"
        raise Stopped(f"--for {text}: {' or '.join(KINDS)} expected", step, Code.USAGE)
    return text
