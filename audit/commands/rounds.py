"""`roundproof explain` and `roundproof whatif`: one round, and what changes it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from replay.rounds import Round

app = typer.Typer()

Name = Annotated[str, typer.Argument(metavar="ROUND|WAGER", help="Its id; TABLE/ROUND if need be.")]


@app.command()
def explain(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Explain a round or a wager: people, cards by witness, steps with clauses, dues, payments.

    \b
    Examples:
        roundproof explain T1-R12
        roundproof explain T1-R12-3 --json

    It is judged from the log at this moment, so nothing in it is stale.
    """
    from audit.pages import round as round_page
    from replay.explain import explanation
    from replay.locate import locate

    chosen = settings.of(ctx)
    found = locate(chosen.home, name)
    told = explanation(found.judged, found.wager_id) | {
        "neighbours": {"before": found.before, "after": found.after},
        "findings": _findings(chosen.home, found.judged.round),
    }
    if as_json:
        screen.say_json(told)
        return
    # The words of the clauses are ours, with tables of several lines; the rest came from outside.
    shown = screen.visible_in(told) | {"clauses": told["clauses"]}
    for line in round_page.lines(shown, chosen.zone):
        screen.say(line)


@app.command()
def whatif(
    ctx: typer.Context,
    name: Name,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="May be repeated.")
    ] = None,
    readings: Annotated[
        list[str] | None,
        typer.Option("--reading", metavar="NAME=VALUE", help="Another reading of a rule issue."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge a round again with something changed; nothing on disk changes.

    A ruling is named by its clause: another decision changes it or adds it, `none` drops it.

    \b
    Examples:
        roundproof whatif T1-R12 --set card:player.2=9H
        roundproof whatif T1-R12 --set card:banker.3=none
        roundproof whatif T2-R7 --set pocket=17
        roundproof whatif T3-R4 --set faces=1-2-4
        roundproof whatif T1-R12 --set wager:T1-R12-1.stake=500000
        roundproof whatif T1-R12 --set ruling:TB:7.20=void --set ruling:TB:7.20.rank=director
        roundproof whatif T1-R12 --set ruling:TB:7.20=none
        roundproof whatif T1-R12 --set terms.paytable=non_commission
        roundproof whatif T1-R12 --reading differential=...
        roundproof whatif T1-R12 --set T1/console/18.stake=500000
    """
    from audit.pages import round as round_page
    from replay.locate import locate
    from replay.whatif import whatif as asked

    wanted = [*(changes or ()), *(f"reading:{reading}" for reading in readings or ())]
    if not wanted:
        step = "roundproof whatif --help has an example of each"
        raise Stopped("a change by --set or --reading expected, none found", step, Code.USAGE)
    found = locate(settings.of(ctx).home, name)
    seen = asked(found.judged, wanted)
    if as_json:
        screen.say_json(round_page.document(seen))
        return
    for line in round_page.compared(seen):
        screen.say(line)


def _findings(home: Path, round: "Round") -> list[str]:
    """The ids of what the checks found in a round; none where they never ran over the house."""
    from audit.checks import findings
    from audit.sql import database

    wanted = findings.Wanted(table_id=round.table_id, round_id=round.round_id)
    try:
        with database.opened(home) as connection:
            return [finding.finding_id for finding in findings.read(connection, wanted)]
    except Stopped as error:
        if error.code != Code.NOT_FOUND:  # a round is explained from the log, findings or not
            screen.hint(f"findings not shown: {error}")
        return []
