"""`roundproof explain` and `roundproof whatif`: one round, and what changes it."""

from typing import Annotated

import typer

from audit import screen, settings
from audit.errors import Code, Stopped

app = typer.Typer()

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Name = Annotated[str, typer.Argument(metavar="ROUND|WAGER", help="Its id; TABLE/ROUND if need be.")]


@app.command()
def explain(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Explain a round or a wager: terms, numbered steps with their clauses, dues and payments.

    \b
    Examples:
        roundproof explain T1-R12
        roundproof explain T1-R12-3 --json

    It is judged from the log at this moment, so nothing in it is stale.
    """
    from audit import round_pages
    from replay.explain import explanation
    from replay.locate import locate

    found = locate(settings.of(ctx).home, name)
    told = explanation(found.judged, found.wager_id)
    if as_json:
        screen.say_json(told)
        return
    for line in round_pages.lines(told):
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

    \b
    Examples:
        roundproof whatif T1-R12 --set card:player.2=9H
        roundproof whatif T1-R12 --set card:banker.3=none
        roundproof whatif T2-R7 --set pocket=17
        roundproof whatif T3-R4 --set faces=1-2-4
        roundproof whatif T1-R12 --set wager:T1-R12-1.stake=500000
        roundproof whatif T1-R12 --set terms.paytable=non_commission
        roundproof whatif T1-R12 --reading differential=...
        roundproof whatif T1-R12 --set T1/console/18.stake=500000
    """
    from audit import round_pages
    from replay.locate import locate
    from replay.whatif import whatif as asked

    wanted = [*(changes or ()), *(f"reading:{reading}" for reading in readings or ())]
    if not wanted:
        step = "roundproof whatif --help has an example of each"
        raise Stopped("a change by --set or --reading expected, none found", step, Code.USAGE)
    found = locate(settings.of(ctx).home, name)
    seen = asked(found.judged, wanted)
    if as_json:
        screen.say_json(round_pages.document(seen))
        return
    for line in round_pages.compared(seen):
        screen.say(line)
