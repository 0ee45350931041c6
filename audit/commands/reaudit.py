"""`roundproof reaudit` and `roundproof diff`: history under other terms, and two runs compared."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from replay.batch.reaudit import Reaudit
    from replay.reaudit import TermsChange

app = typer.Typer()
SHOWN = 20  # players listed; the file has all of them


@app.command()
def reaudit(
    ctx: typer.Context,
    edition: Annotated[
        str,
        typer.Option("--edition", metavar="NAME", help="SA-SB, SA-SB@NUMBER or a rulebook's file."),
    ] = "",
    paytable: Annotated[str, typer.Option("--paytable", help="Judge by this paytable.")] = "",
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading", metavar="ISSUE=READING", help="Read a rule issue so; repeatable."
        ),
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option("--table", help="Only this table; may be repeated.")
    ] = None,
    from_day: Annotated[str, typer.Option("--from", metavar="DAY", help="From this day on.")] = "",
    to_day: Annotated[str, typer.Option("--to", metavar="DAY", help="Up to this day.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep lines, refunds and the request here.")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes.")] = None,
    as_json: AsJson = False,
) -> None:
    """Judge history again under another edition, paytable or reading.

    \b
    Examples:
        roundproof reaudit --edition SA-SB --paytable conventional
        roundproof reaudit --edition TB --reading below_minimum_scope=shoe --from 2026-03-01
        roundproof reaudit --edition corrected.toml --out after-correction
        roundproof diff before-correction after-correction

    It lists who is due more or less, by clause. The refunds sum to the house's difference. The log,
    the posted terms and the findings stay as they are.

    Exit code 0, also with differences; 3 if no round of the game lies in the span.
    """
    from replay.batch import reaudit as batch_reaudit
    from replay.reaudit import DaySpan

    house = settings.of(ctx)
    change = _change(edition, paytable, reading or [])
    span = DaySpan(tuple(table or ()), from_day, to_day)
    total = len(batch_reaudit.tasks(house.home, span, change))
    with screen.progress("reaudit", total, "tables") as advance:
        found = batch_reaudit.run(house.home, span, change, workers or house.workers, advance)
    if not sum(day.judged for day in found.days):
        what = f"{change.edition.code}: no round of this game in the span"
        raise Stopped(what, "roundproof find --help", Code.NOT_FOUND)
    about = _about(change, span)
    if out is not None:
        batch_reaudit.keep(out, found, about)
    if as_json:
        screen.say_json(about | _document(found))
        return
    _tell(found, change)
    if out is not None:
        screen.hint(f"written to {out}")


@app.command("diff")
def diff(
    first: Annotated[Path, typer.Argument(help="A folder that reaudit --out wrote.")],
    second: Annotated[Path, typer.Argument(help="Another one.")],
    as_json: AsJson = False,
) -> None:
    """Compare two re-audits, wager by wager.

    \b
    Example:
        roundproof diff before-correction after-correction

    Exit code 0 if they agree, 5 if they differ; 4 if a file is not the one that was written.
    """
    from replay.batch import reaudit as batch_reaudit
    from replay.batch.reaudit import BadRun

    try:
        before, after = batch_reaudit.kept(first), batch_reaudit.kept(second)
    except BadRun as error:
        next_step = "run roundproof reaudit --out FOLDER again"
        raise Stopped(str(error), next_step, Code.UNVERIFIED) from error
    keys = [key for key in sorted({*before, *after}) if before.get(key) != after.get(key)]
    rows = [_difference(key, before.get(key), after.get(key)) for key in keys]
    if as_json:
        screen.say_json({"differences": rows})
    else:
        for row in rows:
            screen.say("  ".join(str(value) for value in row.values()))
        screen.say(f"{len(rows):,} wagers differ between the two runs")
    if rows:
        raise typer.Exit(Code.FINDINGS)


def _change(edition: str, paytable: str, readings: list[str]) -> "TermsChange":
    from audit.pages.edition_names import named
    from replay.reaudit import TermsChange

    if not edition:
        what = "--edition: a rulebook such as SA-SB expected, nothing found"
        raise Stopped(what, "roundproof rules list names them", Code.USAGE)
    pairs = [text.partition("=")[::2] for text in readings]
    for text, (issue, value) in zip(readings, pairs, strict=True):
        if not issue or not value:
            what = f"--reading {text!r}: ISSUE=READING expected"
            raise Stopped(what, f"roundproof rules show {edition}", Code.USAGE)
    wanted = named(edition)
    return TermsChange(wanted.edition, paytable or wanted.paytable, dict(pairs))


def _about(change: "TermsChange", span: Any) -> dict[str, Any]:
    return {
        "game": change.edition.code,
        "edition": change.edition.number,
        "paytable": change.paytable,
        "readings": dict(change.readings),
        "tables": list(span.tables),
        "from": span.from_day,
        "to": span.to_day,
    }


def _document(found: "Reaudit") -> dict[str, Any]:
    return {
        "rounds": sum(day.judged for day in found.days),
        "wagers": sum(day.wagers for day in found.days),
        "changed": len(found.lines),
        "house": {currency: str(amount) for currency, amount in found.house.items()},
        "by_clause": {key: str(amount) for key, amount in found.by_clause.items()},
        "refunds": [refund._asdict() for refund in found.refunds],
        "unknown": list(found.unknown),
    }


def _tell(found: "Reaudit", change: "TermsChange") -> None:
    from schemas.money import shown

    rounds, wagers = sum(day.judged for day in found.days), sum(day.wagers for day in found.days)
    screen.say(f"{change.edition.code}: {rounds:,} rounds and {wagers:,} wagers judged again")
    screen.say(f"{len(found.lines):,} wagers are due another amount")
    for key, amount in found.by_clause.items():
        clauses, _, currency = key.rpartition(" ")
        screen.say(f"  {shown(amount, currency):>24}  to players by {clauses or 'no clause'}")
    for refund in sorted(found.refunds, key=lambda each: (-each.player_minor, each))[:SHOWN]:
        due = shown(refund.player_minor, refund.currency)
        screen.say(f"  {due:>24}  to player {refund.player_id}, {refund.wagers:,} wagers")
    if len(found.refunds) > SHOWN:
        screen.hint(f"{len(found.refunds) - SHOWN} more players: --out FOLDER or --json has them")
    for currency, amount in found.house.items():
        verb = "owes" if amount < 0 else "gains"
        screen.say(f"the house {verb} {shown(abs(amount), currency)}")
    if found.unknown:
        screen.hint(f"{len(found.unknown):,} rounds are unknown before or after; --json names them")


def _difference(
    key: tuple[str, str, str],
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
) -> dict[str, Any]:
    first, second = (row["player_minor"] if row else 0 for row in (before, after))
    return {
        "table_id": key[0],
        "round_id": key[1],
        "wager_id": key[2],
        "first": str(first),
        "second": str(second),
    }
