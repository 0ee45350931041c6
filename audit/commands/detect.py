"""`roundproof detect` and `roundproof checks`: run the checks, and show what each looks for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from audit.checks.catalogue import Check
    from audit.checks.run import CheckFinding

SIDES = ("house_minor", "player_minor")

app = typer.Typer()
checks_app = typer.Typer()
app.add_typer(checks_app, name="checks")

Checks = Annotated[
    list[str] | None,
    typer.Option("--check", metavar="ID", help="Run only this check; may be repeated."),
]


@app.command()
def detect(ctx: typer.Context, check: Checks = None, as_json: AsJson = False) -> None:
    """Run every check and keep the findings.

    \b
    Examples:
        roundproof detect
        roundproof detect --check PAY-01 --check BET-01 --json

    A second run gives a finding the same id; a finding that no longer holds stays on file as gone.
    The total at stake counts each wager once, even if several checks name it.

    Exit code 0 without findings, 5 with findings. Exit code 4 if a check fails: the command names
    it, runs the others and keeps its earlier findings. Exit code 4 too if the log of a table's
    findings is damaged: the command adds nothing to that log.
    """
    import duckdb

    from audit.checks import case_rows, catalogue, findings
    from audit.checks import run as run_checks
    from audit.pages import finding as finding_page
    from audit.sql import database

    chosen = catalogue.chosen(check or ())
    found: list[CheckFinding] = []
    failed: dict[str, str] = {}
    home = settings.of(ctx).home
    database.say_missing(home)
    with database.opened(home) as connection:
        case_rows.lend(connection, home)
        run_checks.prepare(connection, chosen)
        with screen.progress("checks", len(chosen), "checks") as advance:
            for each in chosen:
                try:
                    found += list(run_checks.run(connection, each))
                except duckdb.Error as error:
                    failed[each.check_id] = str(error).splitlines()[0]
                advance()
        ran = [each for each in chosen if each.check_id not in failed]
        damaged = findings.store(home, connection, [each.check_id for each in ran], found)
    if as_json:
        messages = {table: str(error) for table, error in damaged.items()}
        screen.say_json(_document(ran, found) | {"failed": failed, "damaged": messages})
    else:
        _report(ran, found)
    _require_all_ran(failed)
    finding_page.require_no_damage(damaged, "its new findings are listed above and not kept")
    raise typer.Exit(Code.FINDINGS if found else Code.OK)


@checks_app.callback(invoke_without_command=True)
def checks(
    ctx: typer.Context,
    lang: Lang = None,
    as_json: AsJson = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page docs/checks.md.")
    ] = False,
) -> None:
    """List every check with its severity and title.

    \b
    Examples:
        roundproof checks
        roundproof checks show BET-01
        roundproof checks --markdown > docs/checks.md
    """
    from audit.checks import catalogue
    from audit.checks.titles import title
    from audit.pages import check as check_page

    if ctx.invoked_subcommand:
        return
    known = catalogue.checks().values()
    if markdown:
        screen.say(check_page.page(known).rstrip())
    elif as_json:
        screen.say_json({check.check_id: check_page.document(check) for check in known})
    else:
        language = lang or settings.of(ctx).lang
        rows = [
            (check.check_id, check.severity, check.mode, title(check.title, language))
            for check in known
        ]
        columns.table(("check", "severity", "mode", "title"), rows)
        screen.hint("roundproof checks show ID shows why it matters, what is benign, and the query")


@checks_app.command()
def show(
    check_id: Annotated[str, typer.Argument(metavar="ID", help="Such as PAY-01.")],
    as_json: AsJson = False,
) -> None:
    """Show one check: why it matters, what is benign, its query.

    Example: roundproof checks show BET-01
    """
    from audit.checks import catalogue
    from audit.pages import check as check_page

    (check,) = catalogue.chosen([check_id])
    if as_json:
        screen.say_json(check_page.document(check) | {"sql": check.sql})
        return
    for line in check_page.told(check):
        screen.say(line)


def _require_all_ran(failed: Mapping[str, str]) -> None:
    """Name the checks that failed, and stop if there is one."""
    for check_id, why in failed.items():
        screen.hint(f"check {check_id} failed: {why}")
    if failed:
        what = f"{len(failed)} checks failed, {next(iter(failed))} first; the others ran"
        step = "report this message; roundproof checks show ID shows the query"
        raise Stopped(what, step, Code.UNVERIFIED)


def _report(chosen: Sequence["Check"], found: Sequence["CheckFinding"]) -> None:
    if not found:
        screen.say(f"nothing found by {len(chosen)} checks")
        return
    count = Counter(finding.check_id for finding in found)
    hit = sorted(
        (check for check in chosen if count[check.check_id]),
        key=lambda check: (check.severity, check.check_id),
    )
    rows = []
    for check in hit:
        own = [finding for finding in found if finding.check_id == check.check_id]
        certain = sum(finding.certain for finding in own)
        money = (_amounts(_all(own, side)) for side in SIDES)
        head = (check.severity, check.check_id, check.title)
        rows.append((*head, f"{len(own):,}", f"{certain:,}", *money))
    headers = ("severity", "check", "title", "findings", "certain", "house", "players")
    columns.table(headers, rows, right=("findings", "certain", "house", "players"))
    house, players = (_amounts(_once(found, side)) or "nothing" for side in SIDES)
    at_stake = f"; at stake: house {house}, players {players}"
    screen.say(f"{len(found):,} findings by {len(hit)} of {len(chosen)} checks{at_stake}")
    if any(_once(found, side) != _all(found, side) for side in SIDES):
        screen.hint("the total counts a wager that several checks name once, at its highest amount")
    screen.hint("roundproof findings lists them, roundproof findings show ID shows one in full")


def _all(found: Iterable["CheckFinding"], side: str) -> Counter[str]:
    """What findings cost one side, by currency."""
    totals: Counter[str] = Counter()
    for finding in found:
        totals[finding.currency or ""] += getattr(finding, side)
    return totals


def _once(found: Iterable["CheckFinding"], side: str) -> Counter[str]:
    """The same with each wager or event counted once, however many checks name it."""
    worst: dict[tuple[str, str | None, str], CheckFinding] = {}
    for finding in found:
        key = finding.table_id, finding.round_id, finding.subject
        worst[key] = max(worst.get(key, finding), finding, key=lambda one: int(getattr(one, side)))
    return _all(worst.values(), side)


def _amounts(totals: Counter[str]) -> str:
    from schemas.money import shown

    parts = (shown(amount, currency) for currency, amount in sorted(totals.items()) if amount)
    return ", ".join(parts)


def _document(chosen: Sequence["Check"], found: Sequence["CheckFinding"]) -> dict[str, Any]:
    from audit.pages.finding import document

    count = Counter(finding.check_id for finding in found)
    house, players = (_once(found, side) for side in SIDES)
    return {
        "at_stake": {
            currency or "unknown": {
                "house": str(house[currency]),
                "players": str(players[currency]),
            }
            for currency in sorted(house | players)
        },
        "checks": {check.check_id: count[check.check_id] for check in chosen},
        "findings": [document(finding) for finding in found],
    }
