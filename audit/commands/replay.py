"""`roundproof replay` and `roundproof digest`: derive every round, and hash what was derived."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, DryRun

if TYPE_CHECKING:
    from replay.batch.failures import Failure
    from replay.batch.plan import Choice, TablePlan
    from replay.batch.replay import ReplayReport
    from replay.tables.parquet import Manifest

app = typer.Typer()


Tables = Annotated[
    list[str] | None,
    typer.Option("--table", metavar="TABLE", help="Only this table; may be repeated."),
]
Day = Annotated[str, typer.Option("--day", metavar="DAY", help="Only this gaming day.")]
FromDay = Annotated[str, typer.Option("--from-day", metavar="DAY", help="From this gaming day on.")]
ToDay = Annotated[str, typer.Option("--to-day", metavar="DAY", help="Up to this gaming day.")]
FromLog = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="local|archive|kafka",
        help="The log to read [default: the log of the last replay, at first local]",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes [default: setting workers, one per core]"),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Derive every table-day again, also finished ones.")
]
AcceptShorterLog = Annotated[
    bool,
    typer.Option(
        "--accept-shorter-log",
        help="Derive from a log that lost events, and forget what those events led to.",
    ),
]


@app.command()
def replay(
    ctx: typer.Context,
    table: Tables = None,
    day: Day = "",
    from_day: FromDay = "",
    to_day: ToDay = "",
    log: FromLog = "",
    workers: Workers = None,
    fresh: Fresh = False,
    accept_shorter_log: AcceptShorterLog = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Derive every round of the log and build the DuckDB file.

    \b
    Examples:
        roundproof replay                             derive what is new since the last replay
        roundproof replay --table T1 --day 2026-03-01
        roundproof replay --from-day 2026-03-01 --to-day 2026-03-31 --workers 4
        roundproof replay --from archive              read the archive instead of the local log
        roundproof replay --fresh                     derive everything, from the first event on

    It keeps a finished table-day whose events and rules did not change, and derives one again whose
    derived files are damaged. After an interruption the next replay continues where it stopped.

    Exit code 4 if a table-day fails: the command names it and derives the others. Exit code 3 if
    there is no such log, table or gaming day.
    """
    from audit.house import pull
    from replay.batch import plan, source

    house = settings.of(ctx)
    first, last = _days(day or from_day, day or to_day)
    _must_be_log(log)
    if (log or source.remembered(house.home)) == source.KAFKA:
        pull.pull(ctx, again=fresh)
    choice = plan.Choice(tuple(table or ()), first, last, fresh, accept_shorter_log, log)
    if accept_shorter_log and not choice.everything:
        what = "--accept-shorter-log applies to all tables and gaming days"
        raise Stopped(what, "leave out --table and the days", Code.USAGE)
    plans = plan.plans(house.home, choice)
    if dry_run:
        _preview(plans, as_json)
        return
    begun = time.monotonic()
    report = _derived(house.home, choice, plans, workers or house.workers)
    _project(house.home, choice, report, begun, as_json)
    screen.hint("next: roundproof detect")


def _preview(plans: "Sequence[TablePlan]", as_json: bool) -> None:
    """Say what a replay would derive."""
    jobs = sum(len(planned.jobs) for planned in plans)
    events = sum(planned.events for planned in plans)
    document = {"would_derive": jobs, "events": events}
    _print(document, f"would derive {jobs:,} table-days or more, {events:,} events", as_json)


def _derived(
    home: Path, choice: "Choice", plans: "Sequence[TablePlan]", workers: int
) -> "ReplayReport":
    """Derive the planned table-days; stop if there is none of those that were asked for."""
    from replay.batch import replay as batch_replay

    total = sum(planned.events for planned in plans)
    with screen.progress("replay", total, "events") as advance:
        report = batch_replay.replay(home, choice, workers=workers, tell=advance, plans=plans)
    if not (report.chosen or report.failed):
        tables = f" at {', '.join(choice.tables)}" if choice.tables else ""
        what = f"no table-day of {_span(choice.first_day, choice.last_day)}{tables}"
        raise Stopped(what, "roundproof digest lists every table-day", Code.NOT_FOUND)
    for mended in report.mended:
        screen.hint(f"damaged, so the table-day was derived again: {mended}")
    return report


def _project(
    home: Path, choice: "Choice", report: "ReplayReport", begun: float, as_json: bool
) -> None:
    """Bring the DuckDB file up to date, print the report, and stop if a table-day failed."""
    from audit.checks import findings
    from replay.batch import digest, failures
    from replay.tables import duckdb_file, proven_file

    faulty: dict[str, Failure] = {}

    def fault(day: "Manifest", error: Exception) -> None:
        faulty[str(error)] = failures.Failure(day.table_id, day.gaming_day, error)

    file = home / duckdb_file.FILE
    if file.exists() and (damaged := proven_file.fault(file)):
        screen.hint(f"changed, so the DuckDB file is built again: {damaged}")
    if choice.fresh or not findings.is_current(home):
        with screen.progress("project", report.done + report.kept, "table-days") as advance:
            filler = findings.filler(home)
            duckdb_file.project(home, advance, filler, whole=choice.fresh, fault=fault)
    proven = digest.proven(home, report.whole)
    faulty |= {str(failure.error): failure for failure in proven.failed}
    failed = (*report.failed, *faulty.values())
    if faulty:
        failures.save(home, choice, failed)
    _print_report(file, report, failed, digest.total(proven.days), begun, as_json)
    _require_no_failure(failed, "not derived, the rest is")


def _print_report(
    file: Path,
    report: "ReplayReport",
    failed: "Sequence[Failure]",
    digest: str,
    begun: float,
    as_json: bool,
) -> None:
    seconds = time.monotonic() - begun
    _print(
        _document(report, failed) | {"digest": digest, "duckdb": str(file)},
        f"{report.done:,} table-days derived, {report.kept:,} kept: {report.rounds:,} rounds, "
        f"{report.events:,} events in {seconds:.1f} s\ndigest {digest}\nwritten to {file}",
        as_json,
    )


@app.command("digest")
def show_digest(
    ctx: typer.Context,
    version: Annotated[
        int, typer.Option("--version", min=1, max=2, help="1 verifies table-days derived before.")
    ] = 2,
    as_json: AsJson = False,
) -> None:
    """Print a hash of each derived table-day, and of all of them.

    \b
    Examples:
        roundproof digest
        roundproof digest --json
        roundproof digest --version 1

    The same log and the same rulebook editions give the same digest on any machine.

    Exit code 4 if a table-day is damaged or failed: stderr names it, and the total covers the rest.
    Exit code 3 if nothing was derived yet.
    """
    from replay.batch.digest import digest

    house = settings.of(ctx)
    found = digest(house.home, version)
    if version == 1 and not (found.days or found.failed):
        what = f"{house.home}: no table-day has a digest of the first version"
        raise Stopped(what, "roundproof digest", Code.NOT_FOUND)
    if not (found.days or found.failed):
        raise Stopped(f"{house.home}: nothing was derived yet", "roundproof replay", Code.NOT_FOUND)
    old = sum(day.version < version for day in found.days)
    if old:
        screen.hint(
            f"{old} table-days have digests of the first version: roundproof digest --version 1 "
            "verifies them from their files, roundproof replay derives them anew"
        )
    if found.behind:
        screen.hint(
            f"{found.behind} table-days are older than the log or the rules: roundproof replay"
        )
    if as_json:
        days = [
            {name: getattr(day, name) for name in ("table_id", "gaming_day", "rounds", "digest")}
            for day in found.days
        ]
        document = {"total": found.total, "behind": found.behind, "table_days": days}
        screen.say_json(document | {"failed": _failures(found.failed)})
    else:
        for day in found.days:
            screen.say(f"{day.digest or 'failed':<64}  {day.table_id} {day.gaming_day}")
        screen.say(f"{found.total}  total")
    _require_no_failure(found.failed, "failed, the rest is hashed")


def _document(done: "ReplayReport", failed: "Sequence[Failure]") -> dict[str, object]:
    figures = {name: value for name, value in done._asdict().items() if name != "whole"}
    return figures | {"failed": _failures(failed)}


def _failures(failed: "Sequence[Failure]") -> list[dict[str, str]]:
    return [
        {"table_id": each.table_id, "gaming_day": each.gaming_day, "why": str(each.error)}
        for each in failed
    ]


def _require_no_failure(failed: "Sequence[Failure]", rest: str) -> None:
    """Name every failure with its next step, and stop with the exit code of the first."""
    from audit.cli.errors import explained

    for failure in failed[1:]:
        screen.hint(f"failed: {_named(failure)}; next: {explained(failure.error).next_step}")
    for failure in failed[:1]:
        stopped = explained(failure.error)
        what = f"{len(failed)} {rest}: {_named(failure)}"
        raise Stopped(what, stopped.next_step, stopped.code)


def _named(failure: "Failure") -> str:
    """The message of a failure; the table-day comes first if the message does not name it."""
    from audit.cli.errors import explained

    message = str(explained(failure.error))
    day = f" gaming day {failure.gaming_day}" if failure.gaming_day else ""
    table = f"table {failure.table_id}"
    return message if table in message else f"{table}{day}: {message}"


def _must_be_log(kind: str) -> None:
    from replay.batch.source import FOLDERS

    if kind and kind not in FOLDERS:
        what = f"--from {kind}: {', '.join(FOLDERS)} expected"
        raise Stopped(what, "name a gaming day with --day, or with --from-day", Code.USAGE)


def _days(first: str, last: str) -> tuple[str, str]:
    if last and _day(first) > _day(last):
        what = f"gaming days {first} to {last}: the first day comes after the last"
        raise Stopped(what, "swap --from-day and --to-day", Code.USAGE)
    return _day(first), _day(last)


def _span(first: str, last: str) -> str:
    if first == last:
        return f"gaming day {first}"
    return f"gaming days{' from ' + first if first else ''}{' up to ' + last if last else ''}"


def _day(text: str) -> str:
    from schemas.shape import FORMATS

    fits, wanted = FORMATS["day"]
    if text and not fits(text):
        raise Stopped(f"{text!r}: {wanted} expected", "roundproof replay --help", Code.USAGE)
    return text


def _print(document: Mapping[str, object], text: str, as_json: bool) -> None:
    if as_json:
        screen.say_json(document)
    else:
        screen.say(text)
