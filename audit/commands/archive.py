"""`roundproof archive`: Kafka's events in sealed segments of the house's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped, explained
from audit.cli.options import AsJson
from audit.house import pull

if TYPE_CHECKING:
    from ingest.archive.store import ArchiveLog

app = typer.Typer(
    no_args_is_help=True, help="Keep Kafka's events in sealed segments, for ever and by hash."
)


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
    away it waits; with --until-idle it ends. A damaged table is named, with exit code 4, and the
    others are archived; what came for it is read again once it is mended.
    """
    import structlog

    from audit.cli.signals import stopping
    from ingest.archive.run import ArchiveCounts
    from ingest.kafka.retry import run_with_retry

    log, done = structlog.get_logger(), ArchiveCounts()
    root = _root(ctx)
    kafka = settings.must_have_kafka(ctx)
    damaged: Mapping[str, Exception] = _unsound(root, again=again)

    def tell(more: ArchiveCounts) -> None:
        nonlocal done
        done = done.plus(more)
        log.info("events_archived", **more._asdict())

    def keep() -> None:
        nonlocal damaged
        opened = pull.opened(kafka, root, buries=True, again=again, stopped=damaged)
        with opened as archiver:
            damaged = archiver.stopped
            for table, error in damaged.items():
                screen.hint(f"table {table} is damaged, nothing is added to it: {error}")
            screen.hint(f"archiving to {root}; {archiver.behind():,} messages are waiting")
            archiver.until_idle(until_idle, stop, tell)

    with stopping() as stop:
        run_with_retry(keep, stop, ends=until_idle is not None)
    if as_json:
        screen.say_json(done._asdict() | {"damaged": _told(damaged)})
    else:
        for name, count in done._asdict().items():
            screen.say(f"{name:<8} {count:>12,}")
    _must_be_undamaged(damaged, "the others are archived")


@app.command("list")
def show(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the parts of the archive: table, gaming day, events, and what is not sealed yet.

    Example: roundproof archive list
    """
    rows, damaged = _parts(_root(ctx))
    if as_json:
        screen.say_json({"parts": rows, "damaged": _told(damaged)})
        _must_be_undamaged(damaged, "the others are listed")
        return
    if not (rows or damaged):
        screen.hint("the archive is empty; next: roundproof archive run")
        return
    head = ("table_id", "gaming_day", "first", "events", "sealed")
    for line in columns.lines(head, [tuple(row[name] for name in head) for row in rows]):
        screen.say(line)
    _must_be_undamaged(damaged, "the others are listed")


@app.command("verify")
def verify(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Compare every sealed segment with its SHA-256, and every event with chain and index.

    Example: roundproof archive verify

    Every table is read, also after a damaged one; exit code 4 where any is damaged.
    """
    from ingest.archive import manifests, store
    from ingest.log import EVENTS, FAILURES

    root = _root(ctx)
    log = store.ArchiveLog(root)
    tables = log.partitions(EVENTS)
    if not tables:
        raise Stopped(f"{root}: no archive found", "roundproof archive run", Code.NOT_FOUND)
    events = sealed = 0
    damaged: dict[str, Exception] = {}
    with screen.progress("verify", len(tables), "tables") as advance:
        for table in tables:
            try:
                events += sum(1 for _ in store.events(root, table))
                sealed += len(manifests.manifests(root, table))
            except FAILURES as error:
                damaged[table] = error
            advance(1)
    whole = len(tables) - len(damaged)
    told = f"{events:,} events of {whole} tables, {sealed} sealed parts: all as written"
    if as_json:
        document = {"tables": whole, "events": events, "sealed": sealed, "ok": not damaged}
        screen.say_json(document | {"damaged": _told(damaged)})
    elif damaged:
        screen.hint(told)
    else:
        screen.say(told)
    _must_be_undamaged(damaged, "the others are as written")


def _unsound(root: Path, *, again: bool) -> dict[str, Exception]:
    """Prove what is sealed before anything is added to it; the tables that are not as written."""
    from ingest.archive import index, manifests
    from ingest.log import FAILURES

    known = {} if again and not (root / index.FILE).exists() else index.load(root)
    damaged: dict[str, Exception] = {}
    with screen.progress("prove", len(known), "tables") as advance:
        for table, entry in known.items():
            try:
                index.require_folder(root, table, entry)
                for part in manifests.chain(root, table, entry):
                    manifests.verify(root, part)
            except FAILURES as error:
                damaged[table] = error
            advance(1)
    return damaged


def _told(damaged: Mapping[str, Exception]) -> dict[str, str]:
    return {table: str(error) for table, error in damaged.items()}


def _must_be_undamaged(damaged: Mapping[str, Exception], how: str) -> None:
    """Name every damaged table with its next step, and stop where there is any."""
    for table, error in list(damaged.items())[1:]:
        told = explained(error)
        screen.hint(f"also damaged, table {table}: {told}; next: {told.next_step}")
    for table, error in list(damaged.items())[:1]:
        told = explained(error)
        what = f"{len(damaged)} damaged, {how}: table {table}: {told}"
        raise Stopped(what, told.next_step, told.code)


def _parts(root: Path) -> "tuple[list[dict[str, Any]], dict[str, Exception]]":
    """A line for each part, and what is wrong with the tables that have none."""
    from ingest.archive import store
    from ingest.log import EVENTS, FAILURES

    log = store.ArchiveLog(root)
    rows: list[dict[str, Any]] = []
    damaged: dict[str, Exception] = {}
    for table in log.partitions(EVENTS):
        try:
            rows += _of_table(root, log, table)
        except FAILURES as error:
            damaged[table] = error
    return rows, damaged


def _of_table(root: Path, log: "ArchiveLog", table: str) -> list[dict[str, Any]]:
    from ingest.archive import manifests
    from ingest.log import EVENTS

    rows, start = list[dict[str, Any]](), 0
    for part in manifests.manifests(root, table):
        start = part.end
        rows.append(_row(table, part.gaming_day, part.start, part.end, sealed="yes"))
    end = log.end(EVENTS, table)
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
    from replay.batch import source

    return settings.of(ctx).home / source.FOLDERS[source.ARCHIVE]
