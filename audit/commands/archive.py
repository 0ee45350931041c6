"""`roundproof archive`: Kafka's events in sealed segments of the house's own."""

from pathlib import Path
from typing import Annotated, Any

import typer

from audit import archiving, screen, settings
from audit.errors import Code, Stopped

app = typer.Typer(
    no_args_is_help=True, help="Keep Kafka's events in sealed segments, for ever and by hash."
)
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@app.command("run")
def run(
    ctx: typer.Context,
    until_idle: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="End when nothing came for so long."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read the topic from its start; nothing doubles.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read every event from Kafka and keep it; a part is sealed when its table closes.

    \b
    Examples:
        roundproof archive run                   until it is stopped
        roundproof archive run --until-idle 2    what is there now
        roundproof archive run --again           after an upgrade that came too late
        roundproof replay --from archive

    It may be stopped and started at any moment: nothing is lost and nothing doubles. While Kafka is
    away it waits; with --until-idle it ends.
    """
    import structlog

    from audit.stopping import stopping
    from ingest.archiving import Counts
    from ingest.patience import waiting

    log, done = structlog.get_logger(), Counts()

    def tell(more: Counts) -> None:
        nonlocal done
        done = done.plus(more)
        log.info("events_archived", **more._asdict())

    def keep() -> None:
        with archiving.opened(kafka, root, buries=True, again=again) as archiver:
            screen.hint(f"archiving to {root}; {archiver.behind():,} messages are waiting")
            archiver.until_idle(until_idle, stop, tell)

    root = _root(ctx)
    kafka = settings.must_have_kafka(ctx)
    _must_be_sound(root, again=again)
    with stopping() as stop:
        waiting(keep, stop, ends=until_idle is not None)
    if as_json:
        screen.say_json(done._asdict())
        return
    for name, count in done._asdict().items():
        screen.say(f"{name:<8} {count:>12,}")


@app.command("list")
def show(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the parts of the archive: table, gaming day, events, and what is not sealed yet.

    Example: roundproof archive list
    """
    rows = list(_parts(_root(ctx)))
    if as_json:
        screen.say_json({"parts": rows})
        return
    if not rows:
        screen.hint("the archive is empty; next: roundproof archive run")
        return
    head = ("table_id", "gaming_day", "first", "events", "sealed")
    for line in screen.columns(head, [tuple(row[name] for name in head) for row in rows]):
        screen.say(line)


@app.command("verify")
def verify(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Compare every sealed segment with its SHA-256, and every event with chain and index.

    Example: roundproof archive verify
    """
    from ingest import archive, manifests, seal

    root = _root(ctx)
    log = archive.ArchiveLog(root)
    tables = log.partitions(seal.STREAM)
    if not tables:
        raise Stopped(f"{root}: no archive found", "roundproof archive run", Code.NOT_FOUND)
    total = sum(log.end(seal.STREAM, table) for table in tables)
    events = 0
    with screen.progress("verify", total, "events") as advance:
        for table in tables:
            held = sum(1 for _ in archive.events(root, table))
            events += held
            advance(held)
    sealed = sum(len(manifests.manifests(root, table)) for table in tables)
    if as_json:
        screen.say_json({"tables": len(tables), "events": events, "sealed": sealed, "ok": True})
        return
    screen.say(f"{events:,} events of {len(tables)} tables, {sealed} sealed parts: all as written")


def _must_be_sound(root: Path, *, again: bool) -> None:
    """Prove what is sealed before anything is added to it."""
    from ingest import index, manifests

    known = {} if again and not (root / index.FILE).exists() else index.load(root)
    found = [part for table in known for part in manifests.chain(root, table, known[table])]
    with screen.progress("prove", len(found), "sealed parts") as advance:
        for part in found:
            manifests.verify(root, part)
            advance(1)


def _parts(root: Path) -> "list[dict[str, Any]]":
    from ingest import archive, manifests, seal

    log = archive.ArchiveLog(root)
    rows: list[dict[str, Any]] = []
    for table in log.partitions(seal.STREAM):
        start, day = 0, ""
        for part in manifests.manifests(root, table):
            start, day = part.end, part.gaming_day
            rows.append(_row(table, day, part.start, part.end, sealed="yes"))
        end = log.end(seal.STREAM, table)
        if end > start:
            rows.append(_row(table, "", start, end, sealed="not yet"))
    return rows


def _row(table: str, day: str, start: int, end: int, *, sealed: str) -> dict[str, Any]:
    return {
        "table_id": table,
        "gaming_day": day,
        "first": start,
        "events": end - start,
        "sealed": sealed,
    }


def _root(ctx: typer.Context) -> Path:
    from replay import source

    return settings.of(ctx).home / source.FOLDERS[source.ARCHIVE]
