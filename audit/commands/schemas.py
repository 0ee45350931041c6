"""`roundproof schemas`: the event schemas, and whether a change keeps old events readable."""

import json
from pathlib import Path
from typing import Annotated

import typer

import schemas
from audit.cli import screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson
from schemas import compatible, contract, lock, upcasts

app = typer.Typer(help="Show the event schemas, and check a change of them.")

Folder = Annotated[
    Path | None,
    typer.Option(
        "--folder", help="Folder with avsc/ and schemas.lock [default: the installed one]"
    ),
]


@app.command()
def check(
    folder: Folder = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write compatible changes to schemas.lock.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that old events stay readable after a change.

    \b
    Examples:
        roundproof schemas check
        roundproof schemas check --write

    Exit code 4 if a change would make old events unreadable.
    """
    place, locked, working = _contract(folder)
    newest = locked.newest
    breaches = list(
        compatible.breaches(locked.records(newest), working, upcasts.lifted_from(newest))
    )
    now = locked if breaches else lock.grown(locked, working)
    if write and now != locked:
        (place / "schemas.lock").write_text(lock.dump(now), "utf-8")
    if as_json:
        screen.say_json(
            {
                "breaches": [breach._asdict() for breach in breaches],
                "changed": now != locked,
                "version": now.newest if write else newest,
                "records": len(working),
            }
        )
    if breaches:
        _refuse(breaches)
    if not as_json:
        _report(locked, now, count=len(working), write=write)


@app.command("list")
def list_(folder: Folder = None, as_json: AsJson = False) -> None:
    """List every record with its fingerprint and version.

    Example: roundproof schemas list
    """
    _, locked, _ = _contract(folder)
    rows = {entry.name: entry for entry in locked.frozen}
    if as_json:
        versions = [version._asdict() for version in locked.versions]
        records = {
            name: {"version": row.version, "crc64": row.crc64, "sha256": row.sha256}
            for name, row in rows.items()
        }
        screen.say_json({"versions": versions, "records": records})
        return
    for version in locked.versions:
        screen.say(f"version {version.number}  event {version.event}  reading {version.reading}")
    for row in rows.values():
        screen.say(f"{row.name:22} {row.crc64}  version {row.version}  {row.schema['doc']}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="RECORD", help="A record such as WagerPlaced.")],
    folder: Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the Avro schema.")] = False,
) -> None:
    """Show the fields of one record: type, default, meaning.

    Example: roundproof schemas show WagerPlaced
    """
    _, _, working = _contract(folder)
    record = working.get(name)
    if record is None:
        near = [known for known in working if name.lower() in known.lower()]
        what = f"record {name!r}: one of {', '.join(near or working)} expected"
        raise Stopped(what, "roundproof schemas list shows every record", Code.NOT_FOUND)
    if as_json:
        screen.say_json(contract.whole(name, working))
        return
    screen.say(f"{name}: {record['doc']}")
    for field in record["fields"]:
        default = f" = {json.dumps(field['default'])}" if "default" in field else ""
        screen.say(f"  {field['name']}: {compatible.spoken(field['type'])}{default}")
        screen.say(f"      {field['doc']}")


def _contract(folder: Path | None) -> tuple[Path, lock.Lock, dict[str, contract.Record]]:
    place = folder or Path(schemas.__file__).parent
    try:
        working = contract.load(place / "avsc")
    except contract.BadContract as error:
        step = "correct the file, then run the same command again"
        raise Stopped(str(error), step, Code.UNVERIFIED) from error
    return place, _locked(place / "schemas.lock"), working


def _locked(path: Path) -> lock.Lock:
    text = path.read_bytes()
    try:
        return lock.read(text.decode("utf-8"))
    except (ValueError, TypeError) as error:
        what = f"{path}: a version or a record as JSON on each line expected, {error}"
        raise Stopped(what, "restore the file from its backup", Code.UNVERIFIED) from error


def _refuse(breaches: list[compatible.Breach]) -> None:
    for breach in breaches[1:]:
        screen.hint(f"also {breach} (next: {breach.next_step})")
    raise Stopped(str(breaches[0]), breaches[0].next_step, Code.UNVERIFIED)


def _report(locked: lock.Lock, now: lock.Lock, *, count: int, write: bool) -> None:
    if now == locked:
        screen.say(f"{count} records, all as locked in version {locked.newest}")
        return
    changed = ", ".join(entry.name for entry in now.frozen if entry not in locked.frozen)
    screen.say(f"{count} records, compatible with version {locked.newest}; changed: {changed}")
    if write:
        screen.say(f"locked as version {now.newest}")
    else:
        screen.hint("next: roundproof schemas check --write locks them")
