"""`roundproof pack`: the evidence of a round or a case in one file that proves itself."""

import contextlib
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.evidence.build import BuiltPack

app = typer.Typer(no_args_is_help=True, help="Build evidence packs, and verify them.")


@app.command()
def build(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="CASE|ROUND", help="The case or the round.")],
    party: Annotated[
        str,
        typer.Option("--party", metavar="PLAYER", help="Make the edition for this player."),
    ] = "",
    lang: Annotated[
        str, typer.Option("--lang", metavar="LANGUAGES", help="Languages of the report.")
    ] = "vi,en",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write the pack.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put everything on file about a round or a case into one zip that anybody can verify.

    \b
    Examples:
        roundproof pack build T1-R12-D1
        roundproof pack build T1-R12 --party P7 --lang vi --out for-P7.zip

    The log must be sealed beyond the round: roundproof log seal. Built again from the same record,
    the pack is the same, byte for byte. What it does not hold is named.

    Exit code 3 if there is no such case or round, or no checkpoint covers it yet.
    """
    from audit.evidence.build import build as built
    from audit.evidence.gather import gather
    from ingest.disk import Disk

    chosen = settings.of(ctx)
    asked = {"party": party} if party else {}
    request = AccessRequest(
        "export", "pack build", "pack", (screen.encodable(name),), parameters=asked
    )
    desk.asked(ctx, request)
    languages = _languages(lang)
    made = built(chosen.home, gather(chosen.home, name, party), languages, chosen.zone)
    path = out or Path(f"{made.pack_id}.zip")
    Disk().create(path, made.body)
    if as_json:
        screen.say_json(_document(made, path))
        return
    screen.say(f"{path}: {len(made.files)} files, {len(made.body):,} bytes")
    for item in made.missing:
        screen.say(f"not in it: {item.document()['en']} ({item.clause})")


@app.command()
def verify(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PACK", help="The pack.")],
    key: Annotated[
        str, typer.Option("--key", metavar="KEY", help="The house's public key, as published.")
    ] = "",
    opens: Annotated[
        Path | None,
        typer.Option("--opens", metavar="FULL", help="The full edition, to open PACK with."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a pack with the same program that every pack carries.

    \b
    Examples:
        roundproof pack verify rp-0123456789abcdef.zip
        roundproof pack verify for-P7.zip --opens rp-0123456789abcdef.zip
        roundproof pack verify for-P7.zip --key hoiana.example/log+e71702f2+AauB...

    It says what is proven, by whose key, and what is not. With --opens it also opens everything
    that the edition for a party withholds. Exit code 4 if the pack was altered: the file or event
    is named; 2 if it is incomplete.
    """
    from audit.evidence import verify as verifier

    desk.asked(ctx, AccessRequest("verify", "pack verify", "pack", (screen.encodable(path.name),)))
    path.open("rb").close()  # a missing file raises an error that names it
    said = io.StringIO()
    words = [str(path), *(["--key", key] if key else [])]
    with contextlib.redirect_stdout(said if as_json else sys.stdout):
        code = verifier.main(words)
        if opens and code == Code.OK:
            code = _opened(path, opens, key)
    if as_json:
        lines = said.getvalue().splitlines()
        screen.say_json({"pack": str(path), "verified": code == Code.OK, "lines": lines})
    raise typer.Exit(code)


def _opened(party: Path, full: Path, key: str) -> int:
    """Open a party's edition with the full one, and print how much was opened."""
    from audit.evidence import opening
    from audit.evidence.verify import PackRefused

    full.open("rb").close()
    try:
        count = opening.opened(party, full, key)
    except PackRefused as error:
        code, what = error.args
        screen.say(f"\nALTERED: {what}")
        return int(code)
    screen.say(f"\nOpened: {full} opens all {count} commitments of {party}")
    return Code.OK


def _languages(text: str) -> list[str]:
    from replay.words import LANGUAGES

    wanted = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [part for part in wanted if part not in LANGUAGES]
    if unknown or not wanted:
        what = f"--lang {text!r}: {' or '.join(LANGUAGES)} expected, with a comma between them"
        raise Stopped(what, "roundproof pack build CASE --lang vi,en", Code.USAGE)
    return sorted(dict.fromkeys(wanted))


def _document(made: "BuiltPack", path: Path) -> dict[str, Any]:
    return {
        "pack": made.pack_id,
        "path": str(path),
        "bytes": len(made.body),
        "files": sorted(made.files),
        "missing": [item.document() for item in made.missing],
    }
