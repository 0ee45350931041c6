"""`roundproof findings` and `roundproof find`: what was found, and what happened around a time."""

from typing import TYPE_CHECKING, Annotated

import typer

from audit import listing, screen, settings
from audit.errors import Code, Stopped

if TYPE_CHECKING:
    import duckdb

    from audit.run_checks import Finding

app = typer.Typer()
findings_app = typer.Typer(help="What the checks found.")
app.add_typer(findings_app, name="findings")

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
DETECT = "run roundproof detect first"


@findings_app.callback(invoke_without_command=True)
def findings(
    ctx: typer.Context,
    severity: Annotated[
        list[str] | None, typer.Option("--severity", help="S1 to S4; may be repeated.")
    ] = None,
    check: Annotated[
        list[str] | None, typer.Option("--check", metavar="ID", help="May be repeated.")
    ] = None,
    table: Annotated[str, typer.Option("--table", help="Only this table.")] = "",
    round: Annotated[str, typer.Option("--round", help="Only this round.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many to list.")] = 50,
    gone: Annotated[bool, typer.Option("--gone", help="With those that no longer hold.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the findings, the gravest and costliest first.

    \b
    Examples:
        roundproof findings --severity S1
        roundproof findings --table T2 --round T2-R7
        roundproof findings show PAY-01-3f9a2c1b07
    """
    if ctx.invoked_subcommand:
        return
    from audit import catalogue, database, finding_pages
    from audit import findings as kept

    wanted = kept.Wanted(
        _severities(severity or []),
        tuple(each.check_id for each in catalogue.chosen(check)) if check else (),
        table,
        round,
        gone,
    )
    with database.opened(settings.of(ctx).home) as connection:
        ever = kept.exists(connection)
        found = kept.read(connection, wanted)
        if not found:
            _must_know(connection, table, round)
    if not ever:
        screen.hint(f"the checks have not run over this house yet: {DETECT}")
    if as_json:
        shown = [finding_pages.document(finding) for finding in found[:limit]]
        screen.say_json({"findings": shown, "shown": len(shown), "total": len(found)})
        return
    if ever and not found:
        screen.say("no findings that fit")
    if found:
        _list(found[:limit])
    if len(found) > limit:
        screen.hint(f"first {limit:,} of {len(found):,}; --limit shows more")


@findings_app.command()
def show(
    ctx: typer.Context,
    finding_id: Annotated[str, typer.Argument(metavar="ID", help="Its id, or how it starts.")],
    as_json: AsJson = False,
) -> None:
    """Tell one finding whole: expected, found, the text of its clauses, its events.

    Example: roundproof findings show PAY-01-3f9a2c1b07
    """
    from audit import database, finding_pages
    from audit import findings as kept

    with database.opened(settings.of(ctx).home) as connection:
        found = kept.named(connection, finding_id)
        if len(found) != 1:
            raise _not_one(finding_id, found)
        told = finding_pages.whole(connection, found[0])
    if as_json:
        screen.say_json(finding_pages.whole_document(told))
        return
    for line in finding_pages.lines(told):
        screen.say(line)
    if found[0].round_id:
        screen.hint(f"roundproof explain {found[0].round_id} derives the round step by step")


@app.command()
def find(
    ctx: typer.Context,
    table: Annotated[str, typer.Option("--table", help="The table.")],
    moment: Annotated[str, typer.Option("--at", help="21:40, or 2026-03-01T21:40.")],
    within: Annotated[str, typer.Option("--within", help="90s, 10m or 1h either way.")] = "10m",
    day: Annotated[str, typer.Option("--day", help="Gaming day [default: the last one]")] = "",
    zone: Annotated[str, typer.Option("--zone", help="Time zone [default: the venue's]")] = "",
    as_json: AsJson = False,
) -> None:
    """List the rounds around a time, with outcome, bets, status and findings.

    \b
    Examples:
        roundproof find --table T12 --at 21:40 --within 10m
        roundproof find --table T12 --at 02:15 --day 2026-03-01 --zone UTC
    """
    from audit import around, database

    chosen = settings.of(ctx)
    with database.opened(chosen.home) as connection:
        asked = around.asked(
            connection, table, moment, within=within, day=day, zone=zone or chosen.zone
        )
        rounds = around.rounds(connection, asked)
    if as_json:
        screen.say_json(around.document(asked, rounds))
        return
    screen.hint(f"table {table}, {asked.spoken}")
    if not rounds:
        screen.say("no round around that time")
        return
    headers = ("round", "opened", "outcome", "status", "bets", "findings")
    listing.table(headers, [around.cells(asked, round) for round in rounds])


def _must_know(connection: "duckdb.DuckDBPyConnection", table: str, round: str) -> None:
    """Nothing was found where there is something to look at, or there is no such place."""
    from audit import around

    step = "roundproof findings without --table and --round lists them all"
    asked = "select 1 from rounds where round_id = $1 and $2 in ('', table_id)"
    days = "select 1 from table_days where table_id = ?"
    if table and not connection.execute(days, [table]).fetchone():
        raise around.unknown_table(connection, table, step)
    if round and not connection.execute(asked, [round, table]).fetchone():
        at = f" at table {table}" if table else ""
        raise Stopped(f"round {round!r}: no round of that id{at}", step, Code.NOT_FOUND)


def _severities(given: list[str]) -> tuple[str, ...]:
    from audit.catalogue import SEVERITIES

    wanted = tuple(severity.upper() for severity in given)
    for severity in wanted:
        if severity not in SEVERITIES:
            what = f"severity {severity!r}: one of {', '.join(SEVERITIES)} expected"
            raise Stopped(what, "roundproof findings --severity S1", Code.USAGE)
    return wanted


def _list(found: list["Finding"]) -> None:
    from audit import finding_pages

    rows = [
        (
            finding.finding_id,
            finding.severity,
            finding.table_id,
            finding.round_id or "",
            "certain" if finding.certain else "possible",
            finding.found,
            finding_pages.stake(finding),
        )
        for finding in found
    ]
    headers = ("finding", "severity", "table", "round", "sure", "found", "at stake")
    listing.table(headers, rows)


def _not_one(finding_id: str, found: list["Finding"]) -> Stopped:
    if not found:
        what = f"finding {finding_id!r}: no finding of that id is on file"
        return Stopped(what, "roundproof findings lists them", Code.NOT_FOUND)
    near = ", ".join(finding.finding_id for finding in found[:5])
    what = f"finding {finding_id!r}: one finding expected, {len(found)} start so, such as {near}"
    return Stopped(what, "give more of its id", Code.USAGE)
