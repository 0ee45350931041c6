"""`roundproof explain` and `roundproof whatif`: one round step by step, and with a change."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from replay.rounds import Round

app = typer.Typer()

Name = Annotated[
    str,
    typer.Argument(
        metavar="ROUND|WAGER", help="The id; TABLE/ROUND if several tables have that id."
    ),
]


@app.command()
def explain(ctx: typer.Context, name: Name, lang: Lang = None, as_json: AsJson = False) -> None:
    """Derive one round or wager step by step, with its clauses.

    Shows who was on duty, the cards as each witness read them, every step with its clauses, what
    each wager was due, and what was paid.

    \b
    Examples:
        roundproof explain T1-R12
        roundproof explain T1-R12-3 --json
        roundproof explain T1-R12 --lang vi

    It derives the round from the log as it is now. Exit code 3 if there is no such round or wager.
    """
    from audit.pages import round as round_page
    from replay.explain import explanation
    from replay.locate import locate

    chosen = settings.of(ctx)
    desk.viewed(ctx, "explain", "round", screen.encodable(name))
    found = locate(chosen.home, name)
    language = lang or chosen.lang
    document = explanation(found.judged, found.wager_id, language) | {
        "neighbours": {"before": found.before, "after": found.after},
        "findings": _findings(chosen.home, found.judged.round),
    }
    if as_json:
        screen.say_json(document)
        return
    # Clause texts are ours and keep their line breaks; every other text comes from outside.
    shown = screen.visible_in(document) | {"clauses": document["clauses"]}
    for line in round_page.lines(shown, chosen.zone, language):
        screen.say(line)


@app.command()
def whatif(
    ctx: typer.Context,
    name: Name,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a fact; may be repeated."),
    ] = None,
    readings: Annotated[
        list[str] | None,
        typer.Option("--reading", metavar="NAME=VALUE", help="Read an unclear clause another way."),
    ] = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Derive a round again with something changed.

    Nothing on disk changes. `none` removes a card or a ruling; a ruling is named by its clause.

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
        step = "roundproof whatif --help has an example of every kind of change"
        raise Stopped("a change by --set or --reading expected, none found", step, Code.USAGE)
    name = screen.encodable(name)
    question = screen.encodable("; ".join(wanted))
    desk.asked(ctx, AccessRequest("view", "whatif", "round", (name,), question))
    chosen = settings.of(ctx)
    found = locate(chosen.home, name)
    seen = asked(found.judged, wanted)
    if as_json:
        screen.say_json(round_page.document(seen))
        return
    for line in round_page.compared(seen, lang or chosen.lang):
        screen.say(line)


def _findings(home: Path, round: "Round") -> list[str]:
    """The ids of the findings in a round; none if the checks never ran."""
    from audit.checks import findings
    from audit.sql import database

    wanted = findings.Wanted(table_id=round.table_id, round_id=round.round_id)
    try:
        with database.opened(home) as connection:
            return [finding.finding_id for finding in findings.read(connection, wanted)]
    except Stopped as error:
        if error.code != Code.NOT_FOUND:  # the log alone explains a round
            screen.hint(f"findings not shown: {error}")
        return []
