"""`roundproof archive`: keep Kafka's events in sealed files of our own."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped, explained
from audit.cli.options import AsJson
from audit.house import pull
from ingest.service_log import log

if TYPE_CHECKING:
    from ingest.archive.store import ArchiveLog

app = typer.Typer(
    no_args_is_help=True, help="Keep Kafka's events for good, in sealed files with their hashes."
)


@app.command("run")
def run(
    ctx: typer.Context,
    until_idle: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="End after this long without a new event."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read the topic from its start; keep each event once.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Archive every event from Kafka, until you stop it.

    It seals a gaming day of a table when the table closes. You may stop and start it at any moment:
    it loses no event and keeps none twice.

    \b
    Examples:
        roundproof archive run                   archive until stopped
        roundproof archive run --until-idle 2    archive what Kafka holds now
        roundproof archive run --again           read the topic again, after a late upgrade
        roundproof replay --from archive         derive every round from the archive

    While Kafka is unreachable it waits; with --until-idle it ends with exit code 6. If a table's
    archive is damaged, it names the table, archives the others and ends with exit code 4; once
    you repair the table, the next run reads its events again.
    """
    from audit.cli.signals import stopping
    from audit.house import live_seal
    from ingest.archive.run import ArchiveCounts
    from ingest.kafka.retry import run_with_retry

    done = ArchiveCounts()
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
                screen.hint(f"table {table} is damaged and is not archived further: {error}")
            screen.hint(f"archiving to {root}; {archiver.behind():,} messages to read")
            archiver.until_idle(until_idle, stop, tell)

    plan = live_seal.archive(*settings.sealing_of(ctx))
    with stopping() as stop, live_seal.sealing(plan):
        run_with_retry(keep, stop, ends=until_idle is not None)
    if as_json:
        screen.say_json(done._asdict() | {"damaged": _messages(damaged)})
    else:
        for name, count in done._asdict().items():
            screen.say(f"{name:<8} {count:>12,}")
    _require_no_damage(damaged, "the others are archived")


@app.command("list")
def show(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the archived gaming days of each table.

    Shows the number of events, and which days are sealed.

    Example: roundproof archive list

    Exit code 4 if a table's archive is damaged; the others are listed.
    """
    rows, damaged = _parts(_root(ctx))
    if as_json:
        screen.say_json({"parts": rows, "damaged": _messages(damaged)})
        _require_no_damage(damaged, "the others are listed")
        return
    if not (rows or damaged):
        screen.hint("the archive is empty; next: roundproof archive run")
        return
    head = ("table_id", "gaming_day", "first", "events", "sealed")
    for line in columns.lines(head, [tuple(row[name] for name in head) for row in rows]):
        screen.say(line)
    _require_no_damage(damaged, "the others are listed")


@app.command("verify")
def verify(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Verify the archive against its hashes.

    Compares every sealed file with its SHA-256, and every event with the hash chain and the index.

    Example: roundproof archive verify

    Exit code 4 if any table is damaged; it reads the other tables all the same.
    """
    from ingest.archive import manifests, store
    from ingest.log import EVENTS, FAILURES

    root = _root(ctx)
    log = store.ArchiveLog(root)
    tables = log.partitions(EVENTS)
    if not tables:
        raise Stopped(f"{root}: there is no archive", "roundproof archive run", Code.NOT_FOUND)
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
    summary = f"{events:,} events of {whole} tables, {sealed} sealed parts: all as written"
    if as_json:
        document = {"tables": whole, "events": events, "sealed": sealed, "ok": not damaged}
        screen.say_json(document | {"damaged": _messages(damaged)})
    elif damaged:
        screen.hint(summary)
    else:
        screen.say(summary)
    _require_no_damage(damaged, "the others are as written")


def _unsound(root: Path, *, again: bool) -> dict[str, Exception]:
    """The tables whose sealed files are not as written; no event is added to them."""
    from ingest.archive import index, manifests
    from ingest.log import FAILURES

    known = {} if again and not (root / index.FILE).exists() else index.load(root)
    damaged: dict[str, Exception] = {}
    with screen.progress("verify", len(known), "tables") as advance:
        for table, entry in known.items():
            try:
                index.require_folder(root, table, entry)
                for part in manifests.chain(root, table, entry):
                    manifests.verify(root, part)
            except FAILURES as error:
                damaged[table] = error
            advance(1)
    return damaged


def _messages(damaged: Mapping[str, Exception]) -> dict[str, str]:
    return {table: str(error) for table, error in damaged.items()}


def _require_no_damage(damaged: Mapping[str, Exception], rest: str) -> None:
    """Name every damaged table with its next step, and stop if there is one."""
    for table, error in list(damaged.items())[1:]:
        stopped = explained(error)
        screen.hint(f"also damaged, table {table}: {stopped}; next: {stopped.next_step}")
    for table, error in list(damaged.items())[:1]:
        stopped = explained(error)
        what = f"{len(damaged)} damaged, {rest}: table {table}: {stopped}"
        raise Stopped(what, stopped.next_step, stopped.code)


def _parts(root: Path) -> "tuple[list[dict[str, Any]], dict[str, Exception]]":
    """A row for each part, and the errors of the damaged tables."""
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
