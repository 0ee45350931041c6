"""`roundproof explain` and `roundproof whatif`: one round, and what changes it."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit import screen, settings

if TYPE_CHECKING:
    from replay.settle import Due
    from replay.whatif import WhatIf

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
    from replay.explain import explanation
    from replay.locate import locate

    found = locate(settings.of(ctx).home, name)
    told = explanation(found.judged, found.wager_id)
    if as_json:
        screen.say_json(told)
        return
    for line in _told(told):
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
    from replay.locate import locate
    from replay.whatif import whatif as asked

    found = locate(settings.of(ctx).home, name)
    wanted = [*(changes or ()), *(f"reading:{reading}" for reading in readings or ())]
    seen = asked(found.judged, wanted)
    if as_json:
        screen.say_json(_document(seen))
        return
    for line in _compared(seen):
        screen.say(line)


def _told(told: dict[str, Any]) -> Iterator[str]:
    terms = told["terms"]
    yield f"{told['round']}, table {told['table']}, gaming day {told['gaming_day']}"
    if terms:
        yield (
            f"{terms['title']} ({terms['rulebook']} {terms['edition']}), "
            f"paytable {terms['paytable']}, {terms['currency']}"
        )
    outcome = f": {told['outcome']}" if told["outcome"] else ""
    yield f"{told['status']}{outcome}  {' '.join(told['status_clauses'])}".rstrip()
    yield from _steps(told)
    yield from _readings(told["readings"])
    yield from _dues(told)
    yield from _flags(told["flags"])


def _steps(told: dict[str, Any]) -> Iterator[str]:
    quoted: set[str] = set()
    yield ""
    for step in told["steps"]:
        wager = f"{step['wager']}: " if step["wager"] else ""
        yield f"{step['n']:>3}. {wager}{step['text']}  {' '.join(step['clauses'])}".rstrip()
        for anchor in step["clauses"]:
            if anchor in told["clauses"] and anchor not in quoted:
                quoted.add(anchor)
                yield from _wrapped(f"{anchor}  “{told['clauses'][anchor]}”")


def _readings(readings: list[dict[str, Any]]) -> Iterator[str]:
    if readings:
        yield "\nReadings of unclear clauses:"
    for item in readings:
        yield f"  {item['issue']} ({item['anchor']}): read as {item['reading']}"
        if item["changed_by"]:
            yield from _wrapped(f"the result depends on it: {_or(item['changed_by'])} changes it")


def _dues(told: dict[str, Any]) -> Iterator[str]:
    if not told["dues"]:
        return
    yield f"\nDue, and what was seen ({told['terms']['currency']}):"
    head = ("wager", "bet", "stake", "outcome", "paid", "commission", "collected", "returned", "")
    rows = []
    for item in told["dues"]:
        due = item["due"]
        amounts = [int(due[name]) for name in ("paid", "commission", "collected", "returned")]
        seen = "not seen" if item["seen"] is None else "as due"
        gaps = ", ".join(f"{name} {int(gap):+,}" for name, gap in item["differences"].items())
        rows.append(
            (item["wager"], item["bet"], int(due["stake"]), item["outcome"], *amounts, gaps or seen)
        )
    yield from (f"  {line}" for line in screen.columns(head, rows))


def _flags(flags: list[dict[str, Any]]) -> Iterator[str]:
    if flags:
        yield "\nFlags:"
    for flag in flags:
        yield f"  {flag['code']}  {flag['clause']} {flag['subject']} {flag['note']}".rstrip()


def _compared(seen: "WhatIf") -> Iterator[str]:
    before, after = seen.before, seen.after
    for name, side in (("before", before), ("after", after)):
        yield f"{name:<6}  {side.ruled.status}  {side.ruled.outcome}".rstrip()
    yield ""
    head = ("wager", "bet", "before", "", "after", "", "player")
    rows = [
        (line.wager_id, line.bet, *_side(line.before), *_side(line.after), line.player)
        for line in seen.lines
    ]
    yield from screen.columns(head, rows)
    currency = after.terms.currency if after.terms else ""
    yield f"\nplayers {seen.player:+,} {currency}, house {-seen.player:+,} {currency}"


def _side(due: "Due | None") -> tuple[str, str]:
    if due is None:
        return "none", ""
    return due.outcome, f"{due.paid:,} paid, {due.collected:,} collected"


def _document(seen: "WhatIf") -> dict[str, Any]:
    def side(due: "Due | None") -> dict[str, str] | None:
        names = ("stake", "paid", "commission", "collected", "returned")
        if due is None:
            return None
        return {"outcome": due.outcome, **{name: str(getattr(due, name)) for name in names}}

    return {
        "round": seen.before.round.round_id,
        "currency": seen.after.terms.currency if seen.after.terms else "",
        "before": {"status": seen.before.ruled.status, "outcome": seen.before.ruled.outcome},
        "after": {"status": seen.after.ruled.status, "outcome": seen.after.ruled.outcome},
        "wagers": [
            {
                "wager": line.wager_id,
                "before": side(line.before),
                "after": side(line.after),
                "player": str(line.player),
            }
            for line in seen.lines
        ],
        "player": str(seen.player),
        "house": str(-seen.player),
    }


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=" " * 8, subsequent_indent=" " * 10)


def _or(words: list[str]) -> str:
    return " or ".join(words)
