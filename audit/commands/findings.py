"""`roundproof findings` and `roundproof find`: the findings on file, and rounds by description."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.cli import amounts, columns, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Lang
from audit.commands import finding_life

if TYPE_CHECKING:
    import duckdb

    from audit.checks.run import CheckFinding

app = typer.Typer()
findings_app = typer.Typer()
findings_app.add_typer(finding_life.app)
app.add_typer(findings_app, name="findings")

OTHERS = "its findings are listed but cannot be verified; the others are verified"
DETECT = "run roundproof detect first"


@findings_app.callback(invoke_without_command=True)
def findings(
    ctx: typer.Context,
    severity: Annotated[
        list[str] | None,
        typer.Option("--severity", metavar="S1..S4", help="Only this severity; may be repeated."),
    ] = None,
    check: Annotated[
        list[str] | None,
        typer.Option("--check", metavar="ID", help="Only this check; may be repeated."),
    ] = None,
    table: Annotated[str, typer.Option("--table", help="Only this table.")] = "",
    round: Annotated[str, typer.Option("--round", help="Only this round.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="List at most N findings.")] = 50,
    gone: Annotated[
        bool, typer.Option("--gone", help="Also list findings that no longer hold.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the findings, the gravest and costliest first.

    \b
    Examples:
        roundproof findings --severity S1
        roundproof findings --table T2 --round T2-R7
        roundproof findings show PAY-01-3f9a2c1b07

    Exit code 3 if the table or round does not exist; 4 if the log of a table's findings is damaged.
    """
    if ctx.invoked_subcommand:
        return
    from audit.checks import catalogue, wording
    from audit.checks import findings as kept
    from audit.pages import finding as finding_page
    from audit.sql import database

    table, round = screen.encodable(table), screen.encodable(round)
    wanted = kept.Wanted(
        _severities(severity or []),
        tuple(each.check_id for each in catalogue.chosen(check)) if check else (),
        table,
        round,
        gone,
    )
    home = settings.of(ctx).home
    desk.searched(ctx, "findings", "finding", wanted._asdict())
    database.say_missing(home)
    with database.opened(home) as connection:
        damaged = kept.must_be_as_told(home, connection)
        ever = kept.ever(home, connection)
        found = kept.read(connection, wanted)
        if not found:
            _must_know(connection, table, round)
        seen = finding_page.seen_at(connection, found[:limit])
    if not ever:
        screen.hint(f"the checks have not run yet: {DETECT}")
    if as_json:
        shown = [
            finding_page.document(finding) | {"seen_at": seen.get(finding.finding_id)}
            for finding in found[:limit]
        ]
        document = {"findings": shown, "shown": len(shown), "total": len(found)}
        screen.say_json(document | {"damaged": {name: str(why) for name, why in damaged.items()}})
        finding_page.require_no_damage(damaged, OTHERS)
        return
    if ever and not found:
        screen.say("no findings match")
    if found:
        chosen = settings.of(ctx)
        told = [wording.told(finding, chosen.lang) for finding in found[:limit]]
        _list(told, seen, chosen.zone)
    if len(found) > limit:
        screen.hint(f"first {limit:,} of {len(found):,}; --limit shows more")
    finding_page.require_no_damage(damaged, OTHERS)


@findings_app.command()
def show(
    ctx: typer.Context,
    finding_id: Annotated[
        str, typer.Argument(metavar="ID", help="The finding's id, or the start of it.")
    ],
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Show one finding in full, with its clauses and its events.

    Example: roundproof findings show PAY-01-3f9a2c1b07

    Exit code 3 if there is no such finding; 2 if several ids start like this.
    """
    from audit.checks import findings as kept
    from audit.pages import finding as finding_page
    from audit.sql import database

    desk.viewed(ctx, "findings show", "finding", screen.encodable(finding_id))
    database.say_missing(settings.of(ctx).home)
    with database.opened(settings.of(ctx).home) as connection:
        found = kept.named(connection, screen.encodable(finding_id))
        if len(found) != 1:
            raise _not_one(finding_id, found)
        whole = finding_page.whole(connection, found[0], settings.of(ctx).home)
    if as_json:
        screen.say_json(finding_page.whole_document(whole))
        return
    chosen = settings.of(ctx)
    for line in finding_page.lines(whole, chosen.zone, lang or chosen.lang):
        screen.say(line)
    if found[0].round_id:
        screen.hint(f"roundproof explain {found[0].round_id} derives the round step by step")


@app.command()
def find(
    ctx: typer.Context,
    table: Annotated[str, typer.Option("--table", help="Rounds at this table.")] = "",
    moment: Annotated[
        str,
        typer.Option("--at", metavar="TIME", help="Near this time: 21:40 or 2026-03-01T21:40."),
    ] = "",
    within: Annotated[
        str, typer.Option("--within", metavar="SPAN", help="How near: 90s, 10m or 1h either way.")
    ] = "10m",
    day: Annotated[
        str, typer.Option("--day", help="Gaming day of --at [default: the last one]")
    ] = "",
    zone: Annotated[
        str, typer.Option("--zone", help="Time zone of --at [default: the venue's]")
    ] = "",
    seat: Annotated[str, typer.Option("--seat", help="Box or seat with a wager.")] = "",
    player: Annotated[str, typer.Option("--player", help="Pseudonym of a player.")] = "",
    bet: Annotated[str, typer.Option("--bet", help="A bet: banker, split:17-20 or split.")] = "",
    amount: Annotated[
        str, typer.Option("--amount", help="Stake or payment, in minor units: 500000.")
    ] = "",
    card: Annotated[str, typer.Option("--card", help="A card that any witness read: 9H.")] = "",
    number: Annotated[
        int | None, typer.Option("--number", help="Pocket of the wheel, or total of the dice.")
    ] = None,
    dealer: Annotated[str, typer.Option("--dealer", help="Dealer or inspector on duty.")] = "",
    outcome: Annotated[
        str, typer.Option("--outcome", help="Part of the outcome, or a status such as void.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="List at most N rounds.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Find rounds by table, time, player, amount or card.

    \b
    Examples:
        roundproof find --table T12 --at 21:40 --within 10m
        roundproof find --table T12 --at 02:15 --day 2026-03-01 --zone UTC
        roundproof find --player P7 --bet banker --amount 500000
        roundproof find --table R01 --number 17 --dealer D4

    A round must match every option; one wager of it must match seat, player, bet and amount
    together. Without --at and --day it searches all gaming days. Exit code 0, also if no round
    matches; 3 if the table or the gaming day does not exist.
    """
    from audit.house import rounds_near
    from audit.sql import database

    chosen = settings.of(ctx)
    words = (table, seat, player, bet, dealer, outcome)
    table, seat, player, bet, dealer, outcome = map(screen.encodable, words)
    remembered = rounds_near.Remembered(
        seat, player, bet, _amount(amount), _card(card), number, dealer, outcome
    )
    desk.searched(
        ctx,
        "find",
        "round",
        remembered._asdict() | {"table": table, "at": moment, "within": within, "day": day},
    )
    database.say_missing(chosen.home)
    with database.opened(chosen.home) as connection:
        question = rounds_near.question(
            connection,
            table,
            moment,
            within=within,
            day=day,
            zone=zone or chosen.zone,
            remembered=remembered,
        )
        rounds = rounds_near.rounds(connection, question)
        hours = "" if rounds else rounds_near.open_hours(connection, question)
    if as_json:
        document = rounds_near.document(question, rounds[:limit])
        screen.say_json(document | {"shown": len(document["rounds"]), "total": len(rounds)})
        return
    screen.hint(question.spoken)
    if not rounds:
        screen.say("no round matches")
        screen.hint(hours)
        return
    headers = ("round", "opened", "outcome", "status", "bets", "findings")
    columns.table(headers, [rounds_near.cells(question, round) for round in rounds[:limit]])
    if len(rounds) > limit:
        screen.hint(f"first {limit:,} of {len(rounds):,}; --limit shows more")


def _amount(text: str) -> int | None:
    if not text:
        return None
    return amounts.minor_units(text, "--amount", example="roundproof find --amount 500000")


def _card(text: str) -> str:
    from replay.witnesses import CODES

    code = text.upper().replace("10", "T")
    if code and code not in CODES:
        what = f"--card {text!r}: a rank and a suit such as 9H, TS or AD expected"
        raise Stopped(what, "roundproof find --card 9H", Code.USAGE)
    return code


def _must_know(connection: "duckdb.DuckDBPyConnection", table: str, round: str) -> None:
    """Stop if the table or the round does not exist."""
    from audit.house import rounds_near

    step = "roundproof findings without --table and --round lists them all"
    asked = "select 1 from rounds where round_id = $1 and $2 in ('', table_id)"
    days = "select 1 from table_days where table_id = ?"
    if table and not connection.execute(days, [table]).fetchone():
        raise rounds_near.unknown_table(connection, table, step)
    if round and not connection.execute(asked, [round, table]).fetchone():
        at = f" at table {table}" if table else ""
        raise Stopped(f"round {round!r}: there is no round of that id{at}", step, Code.NOT_FOUND)


def _severities(given: list[str]) -> tuple[str, ...]:
    from audit.checks.catalogue import SEVERITIES

    wanted = tuple(severity.upper() for severity in given)
    for severity in wanted:
        if severity not in SEVERITIES:
            what = f"severity {severity!r}: one of {', '.join(SEVERITIES)} expected"
            raise Stopped(what, "roundproof findings --severity S1", Code.USAGE)
    return wanted


def _list(found: list["CheckFinding"], seen: Mapping[str, str], zone: str) -> None:
    from audit.cli import times
    from audit.pages import finding as finding_page

    rows = [
        (
            finding.finding_id,
            finding.severity,
            finding.table_id,
            finding.round_id or "",
            times.local(seen.get(finding.finding_id, ""), zone)[:19],
            "certain" if finding.certain else "possible",
            times.local(finding.found, zone, finding.gaming_day or ""),
            finding_page.stake(finding),
        )
        for finding in found
    ]
    headers = ("finding", "severity", "table", "round", "seen", "sure", "found", "at stake")
    columns.table(headers, rows)
    screen.hint(f"times are in {zone}")


def _not_one(finding_id: str, found: list["CheckFinding"]) -> Stopped:
    if not found:
        what = f"finding {finding_id!r}: no finding of that id is on file"
        return Stopped(what, "roundproof findings lists them", Code.NOT_FOUND)
    near = ", ".join(finding.finding_id for finding in found[:5])
    what = f"finding {finding_id!r}: {len(found)} findings start like this, such as {near}"
    return Stopped(what, "give more of the id", Code.USAGE)
