"""A round as text: explained step by step, or compared before and after a change."""

import textwrap
from collections.abc import Iterator
from typing import Any

from audit.cli import columns, times
from audit.pages import clause_text
from replay.likelihood import posterior, witness_errors
from replay.settle import Due
from replay.whatif import WhatIf

# The columns of a reserve, shown only if a wager has one.
RESERVE = {"reserve_taken": "reserve taken", "reserve_returned": "reserve back"}
BOX = ("box",)  # the column, left out if the layout has no boxes
EVENTS_SHOWN = 8  # events shown behind a step; the JSON document has them all


def lines(told: dict[str, Any], zone: str = "UTC") -> Iterator[str]:
    """An explanation as lines of text, with times in the venue's zone."""
    terms = told["terms"]
    yield f"{told['round']}, table {told['table']}, gaming day {told['gaming_day']}"
    if terms:
        yield (
            f"{terms['title']} ({terms['rulebook']} {terms['edition']}), "
            f"paytable {terms['paytable']}, {terms['currency']}"
        )
    outcome = f": {told['outcome']}" if told["outcome"] else ""
    yield f"{told['status']}{outcome}  {' '.join(told['status_clauses'])}".rstrip()
    yield from _surroundings(told, zone)
    yield from _cards(told["cards"])
    yield from _steps(told)
    yield from _doubts(told["doubts"])
    yield from _readings(told["readings"])
    yield from _dues(told)
    yield from _wagers(told)
    yield from _fits(told["payments_fit"])
    yield from _flags(told["flags"])


def _surroundings(told: dict[str, Any], zone: str) -> Iterator[str]:
    """The times, the staff on duty, the rounds before and after, and the findings."""
    if told["times"]:
        moments = [f"{name} {times.clock(at, zone)}" for name, at in told["times"].items()]
        yield f"{', '.join(moments)} ({zone})"
    if told["staff"]:
        ranks = (f"{rank.replace('_', ' ')} {person}" for rank, person in told["staff"].items())
        yield f"on duty: {', '.join(ranks)}"
    beside = told.get("neighbours", {})
    named = [f"{word} {beside[word]}" for word in ("before", "after") if beside.get(word)]
    if named:
        yield f"round {', '.join(named)}"
    if told.get("findings"):
        yield f"findings: {', '.join(told['findings'])}"


def _cards(cards: list[dict[str, Any]]) -> Iterator[str]:
    """Each card as every witness read it."""
    if not cards:
        return
    yield "\nCards, by witness:"
    rows = [
        (
            f"{card['hand']} {card['slot']}",
            card["card"] or "unknown",
            card["shoe"] or "-",
            _guess(card),
            card["dealer"] or "-",
        )
        for card in cards
    ]
    head = ("place", "card", "shoe", "camera", "dealer")
    yield from (f"  {line}" for line in columns.lines(head, rows))


def _guess(card: dict[str, Any]) -> str:
    if card["camera"] is None:
        return "-"
    sure = posterior.percent(posterior.millionths(card["camera_probability"]))
    return f"{card['camera']} {sure}"


def _steps(told: dict[str, Any]) -> Iterator[str]:
    quoted: set[str] = set()
    yield ""
    for step in told["steps"]:
        wager = f"{step['wager']}: " if step["wager"] else ""
        yield f"{step['n']:>3}. {wager}{step['text']}  {' '.join(step['clauses'])}".rstrip()
        for anchor in step["clauses"]:
            if anchor in told["clauses"] and anchor not in quoted:
                quoted.add(anchor)
                yield from _quoted(anchor, told["clauses"][anchor])
        if step["evidence"]:
            yield from _wrapped(f"from {', '.join(_few(step['evidence']))}")


def _few(ids: list[str]) -> list[str]:
    """The first ids of a list, and the number of the others."""
    more = len(ids) - EVENTS_SHOWN
    return [*ids[:EVENTS_SHOWN], f"and {more} more"] if more > 0 else ids


def _doubts(doubts: list[dict[str, Any]]) -> Iterator[str]:
    if doubts:
        switched = witness_errors.happens("switched")
        yield "\nCards in doubt, and how likely each explanation is; before any reading a switch is"
        yield f"taken to befall {switched.numerator} card in {switched.denominator:,}"
        file = "replay/likelihood/witness_errors.toml"
        yield f"(`switched` of {file}, edition {witness_errors.edition()}):"
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
    head = ("wager", "player", *BOX[: _boxed(told["dues"])], "bet", "stake", "outcome", *words, "")
    rows = []
    for item in told["dues"]:
        due = item["due"]
        amounts = [int(due[name]) for name in names]
        seen = "not seen" if item["seen"] is None else "as due"
        gaps = ", ".join(f"{name} {int(gap):+,}" for name, gap in item["differences"].items())
        rows.append(
            (
                *_who(item, _boxed(told["dues"])),
                int(due["stake"]),
                item["outcome"],
                *amounts,
                gaps or seen,
            )
        )
    yield from (f"  {line}" for line in columns.lines(head, rows))


def _boxed(items: list[dict[str, Any]]) -> bool:
    """Whether the layout has boxes."""
    return any(item["box"] for item in items)


def _who(item: dict[str, Any], boxed: bool) -> tuple[str, ...]:
    return (item["wager"], item["player"], *((item["box"],) if boxed else ()), item["bet"])


def _wagers(told: dict[str, Any]) -> Iterator[str]:
    """The wagers of a round without dues, with what the table paid and collected."""
    if not told["wagers"]:
        return
    yield f"\nWagers, and what was seen ({told['terms'].get('currency') or 'no currency'}):"
    boxed = _boxed(told["wagers"])
    names = ("paid", "commission", "collected", "returned")
    rows = []
    for item in told["wagers"]:
        seen = item["seen"]
        amounts = [int(seen[name]) if seen else "-" for name in names]
        last = "" if seen else "not settled"
        rows.append((*_who(item, boxed), int(item["stake"]), int(item["reserve"]), *amounts, last))
    head = ("wager", "player", *BOX[:boxed], "bet", "stake", "reserve", *names, "")
    yield from (f"  {line}" for line in columns.lines(head, rows))


def _fits(fits: list[dict[str, Any]]) -> Iterator[str]:
    """Which reading the payments fit: what the dealer paid by, which does not prove the card."""
    if fits:
        yield "\nWhat the payments fit:"
    for fit in fits:
        paid = f"{fit['fitting']} of {fit['settled']} payments fit"
        outcome = f" {fit['outcome']}" if fit["outcome"] else ""
        yield f"  {', '.join(fit['readings'])}: {fit['status']}{outcome}, {paid}"


def _flags(flags: list[dict[str, Any]]) -> Iterator[str]:
    if flags:
        yield "\nFlags:"
    for flag in flags:
        yield f"  {flag['code']}  {flag['clause']} {flag['subject']} {flag['note']}".rstrip()


def compared(seen: WhatIf) -> Iterator[str]:
    """A round before and after a change, as lines of text."""
    before, after = seen.before, seen.after
    for name, side in (("before", before), ("after", after)):
        yield f"{name:<6}  {side.ruled.status}  {side.ruled.outcome}".rstrip()
    yield ""
    head = ("wager", "bet", "before", "", "after", "", "player")
    rows = [
        (line.wager_id, line.bet, *_side(line.before), *_side(line.after), line.player)
        for line in seen.lines
    ]
    yield from columns.lines(head, rows)
    currency = after.terms.currency if after.terms else ""
    yield f"\nplayers {seen.player:+,} {currency}, house {-seen.player:+,} {currency}"


def _side(due: Due | None) -> tuple[str, str]:
    if due is None:
        return "none", ""
    return due.outcome, f"{due.paid:,} paid, {due.collected:,} collected"


def document(seen: WhatIf) -> dict[str, Any]:
    """A round before and after a change as JSON values; amounts are text."""

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


def _quoted(anchor: str, text: str) -> Iterator[str]:
    """The quoted text of a clause, wrapped; its tables keep their rows."""
    lines = list(clause_text.lines(text))
    lines[-1] += "”"
    yield from _wrapped(f"{anchor}  “{lines[0]}")
    for line in lines[1:]:
        yield from [f"{' ' * 10}{line}"] if line.startswith(" ") else _wrapped(f"  {line}")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=" " * 8, subsequent_indent=" " * 10)


def _or(words: list[str]) -> str:
    return " or ".join(words)
