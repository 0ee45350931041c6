"""A round for people: explained step by step, or compared with what it would have been."""

import textwrap
from collections.abc import Iterator
from typing import Any

from audit import screen
from replay import confusion
from replay.settle import Due
from replay.whatif import WhatIf

# The columns of a reserve, shown only where a wager has one.
RESERVE = {"reserve_taken": "reserve taken", "reserve_returned": "reserve back"}


def lines(told: dict[str, Any]) -> Iterator[str]:
    """An explanation as lines."""
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
    yield from _doubts(told["doubts"])
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


def _doubts(doubts: list[dict[str, Any]]) -> Iterator[str]:
    if doubts:
        switched = confusion.happens("switched")
        yield "\nCards in doubt, and how likely each explanation is; before any reading a switch is"
        yield f"taken to befall {switched.numerator} card in {switched.denominator:,}"
        yield f"(`switched` of replay/confusions.toml, edition {confusion.edition()}):"
    for doubt in doubts:
        yield f"  {doubt['place']}: {doubt['told']}"


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
    names = ["paid", "commission", "collected", "returned"]
    if any(int(item["due"][name]) for item in told["dues"] for name in RESERVE):
        names += RESERVE
    words = [RESERVE.get(name, name) for name in names]
    head = ("wager", "bet", "stake", "outcome", *words, "")
    rows = []
    for item in told["dues"]:
        due = item["due"]
        amounts = [int(due[name]) for name in names]
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


def compared(seen: WhatIf) -> Iterator[str]:
    """A round before and after a change, as lines."""
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


def _side(due: Due | None) -> tuple[str, str]:
    if due is None:
        return "none", ""
    return due.outcome, f"{due.paid:,} paid, {due.collected:,} collected"


def document(seen: WhatIf) -> dict[str, Any]:
    """A round before and after a change as plain JSON values; amounts are text."""

    def side(due: Due | None) -> dict[str, str] | None:
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
