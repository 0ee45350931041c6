"""A round as text: explained step by step, or compared before and after a change."""

import textwrap
from collections.abc import Iterator
from typing import Any

from audit.cli import columns, times
from audit.pages import clause_text
from replay.likelihood import posterior, witness_errors
from replay.sentence import Sentence, say
from replay.settle import Due
from replay.whatif import WhatIf
from replay.words import Reader
from replay.words.outcome import spoken_outcome

AMOUNTS = ("paid", "commission", "collected", "returned")
RESERVE = ("reserve_taken", "reserve_returned")  # shown only if a wager has a reserve
EVENTS_SHOWN = 8  # events shown behind a step; the JSON document has them all


def lines(told: dict[str, Any], zone: str = "UTC", language: str = "en") -> Iterator[str]:
    """An explanation as lines of text, with times in the venue's zone."""
    reader = Reader(language, told["terms"].get("rulebook", ""))
    yield from _head(told, reader)
    yield from _surroundings(told, zone, reader)
    yield from _cards(told["cards"], reader)
    yield from _steps(told, reader)
    yield from _doubts(told["doubts"], reader)
    yield from _readings(told["readings"], reader)
    yield from _dues(told, reader)
    yield from _wagers(told, reader)
    yield from _fits(told["payments_fit"], reader)
    yield from _flags(told["flags"], reader)


def _head(told: dict[str, Any], reader: Reader) -> Iterator[str]:
    terms, day = told["terms"], told["gaming_day"]
    yield reader.text(say("explain.round", round=told["round"], table=told["table"], day=day))
    if terms:
        book = (
            f"{terms['title']} ({terms['rulebook']} {terms['edition']})",
            reader.text(say("explain.paytable", paytable=terms["paytable"])),
            terms["currency"],
        )
        yield ", ".join(book)
    status, outcome = (
        reader.label("status", told["status"]),
        spoken_outcome(told["outcome"], *reader),
    )
    said = f"{status}: {outcome}" if outcome else status
    yield f"{said}  {' '.join(told['status_clauses'])}".rstrip()


def _surroundings(told: dict[str, Any], zone: str, reader: Reader) -> Iterator[str]:
    """The times, the staff on duty, the rounds before and after, and the findings."""
    if told["times"]:
        moments = [
            f"{reader.label('moment', name)} {times.clock(at, zone)}"
            for name, at in told["times"].items()
        ]
        yield f"{', '.join(moments)} ({zone})"
    if told["staff"]:
        ranks = (f"{reader.label('rank', rank)} {who}" for rank, who in told["staff"].items())
        yield reader.text(say("explain.on_duty", staff=tuple(ranks)))
    beside = told.get("neighbours", {})
    before, after = beside.get("before"), beside.get("after")
    if before and after:
        yield reader.text(say("explain.neighbours", before=before, after=after))
    elif before:
        yield reader.text(say("explain.round_before", before=before))
    elif after:
        yield reader.text(say("explain.round_after", after=after))
    if told.get("findings"):
        yield reader.text(say("explain.findings", findings=tuple(told["findings"])))


def _cards(cards: list[dict[str, Any]], reader: Reader) -> Iterator[str]:
    """Each card as every witness read it."""
    if not cards:
        return
    yield f"\n{reader.text(say('explain.cards'))}"
    rows = [
        (
            f"{reader.label('hand', card['hand'])} {card['slot']}",
            card["card"] or reader.text(say("explain.unknown")),
            card["shoe"] or "-",
            _guess(card, reader),
            card["dealer"] or "-",
        )
        for card in cards
    ]
    witnesses = (reader.label("witness", witness) for witness in ("shoe", "camera", "dealer"))
    head = (reader.text(say("explain.place")), reader.text(say("explain.card")), *witnesses)
    yield from (f"  {line}" for line in columns.lines(head, rows))


def _guess(card: dict[str, Any], reader: Reader) -> str:
    if card["camera"] is None:
        return "-"
    ppm = posterior.millionths(card["camera_probability"])
    return reader.text(say("shared.likely_card", card=card["camera"], ppm=ppm))


def _steps(told: dict[str, Any], reader: Reader) -> Iterator[str]:
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
            yield from _wrapped(reader.text(say("explain.from", events=_few(step["evidence"]))))


def _few(ids: list[str]) -> tuple[str | Sentence, ...]:
    """The first ids of a list, and the number of the others."""
    more = len(ids) - EVENTS_SHOWN
    return (*ids[:EVENTS_SHOWN], say("shared.more", n=more)) if more > 0 else tuple(ids)


def _doubts(doubts: list[dict[str, Any]], reader: Reader) -> Iterator[str]:
    if doubts:
        switched = witness_errors.happens("switched")
        text = say(
            "explain.doubts",
            cards=switched.numerator,
            among=switched.denominator,
            file="replay/likelihood/witness_errors.toml",
            edition=witness_errors.edition(),
        )
        yield ""
        yield from textwrap.wrap(reader.text(text), 96)
    for doubt in doubts:
        place = say("shared.place_read", hand=doubt["hand"], slot=doubt["slot"], read=doubt["told"])
        yield f"  {reader.text(place)}"


def _readings(readings: list[dict[str, Any]], reader: Reader) -> Iterator[str]:
    if readings:
        yield f"\n{reader.text(say('explain.readings'))}"
    for item in readings:
        issue, anchor, reading = item["issue"], item["anchor"], item["reading"]
        text = say("explain.reading", issue=issue, anchor=anchor, reading=reading)
        yield f"  {reader.text(text)}"
        if item["changed_by"]:
            others = tuple(item["changed_by"])
            yield from _wrapped(reader.text(say("explain.changed_by", readings=others)))


def _dues(told: dict[str, Any], reader: Reader) -> Iterator[str]:
    if not told["dues"]:
        return
    yield f"\n{reader.text(say('explain.dues', currency=told['terms']['currency']))}"
    reserve = any(int(item["due"][name]) for item in told["dues"] for name in RESERVE)
    names, boxed = (*AMOUNTS, *(RESERVE if reserve else ())), _boxed(told["dues"])
    rows = [
        (
            *_who(item, boxed, reader),
            int(item["due"]["stake"]),
            reader.label("result", item["outcome"]),
            *(int(item["due"][name]) for name in names),
            _seen(item, reader),
        )
        for item in told["dues"]
    ]
    head = (*_heads(boxed, reader, "stake", "outcome"), *_amounts(names, reader), "")
    yield from (f"  {line}" for line in columns.lines(head, rows, reader.figures))


def _seen(item: dict[str, Any], reader: Reader) -> str:
    """What was seen of a settlement: nothing, as due, or by how much it differs."""
    if item["seen"] is None:
        return reader.text(say("explain.not_seen"))
    gaps = tuple(
        say("shared.gap", amount=name, gap=int(gap)) for name, gap in item["differences"].items()
    )
    return reader.text(say("shared.gaps", gaps=gaps) if gaps else say("explain.as_due"))


def _boxed(items: list[dict[str, Any]]) -> bool:
    """Whether the layout has boxes."""
    return any(item["box"] for item in items)


def _who(item: dict[str, Any], boxed: bool, reader: Reader) -> tuple[str, ...]:
    box = (reader.label("box", item["box"]),) if boxed else ()
    return (item["wager"], item["player"], *box, reader.label("bet", item["bet"]))


def _heads(boxed: bool, reader: Reader, *names: str) -> Iterator[str]:
    wanted = ("wager", "player", *(("box",) if boxed else ()), "bet", *names)
    return (reader.label("column", name) for name in wanted)


def _amounts(names: tuple[str, ...], reader: Reader) -> Iterator[str]:
    return (reader.label("column", name) for name in names)


def _wagers(told: dict[str, Any], reader: Reader) -> Iterator[str]:
    """The wagers of a round without dues, with what the table paid and collected."""
    if not told["wagers"]:
        return
    currency = told["terms"].get("currency") or say("explain.no_currency")
    yield f"\n{reader.text(say('explain.wagers', currency=currency))}"
    boxed = _boxed(told["wagers"])
    rows = []
    for item in told["wagers"]:
        seen = item["seen"]
        amounts = [int(seen[name]) if seen else "-" for name in AMOUNTS]
        last = "" if seen else reader.text(say("explain.not_settled"))
        chips = (int(item["stake"]), int(item["reserve"]))
        rows.append((*_who(item, boxed, reader), *chips, *amounts, last))
    head = (*_heads(boxed, reader, "stake", "reserve"), *_amounts(AMOUNTS, reader), "")
    yield from (f"  {line}" for line in columns.lines(head, rows, reader.figures))


def _fits(fits: list[dict[str, Any]], reader: Reader) -> Iterator[str]:
    """Which reading the payments fit: what the dealer paid by, which does not prove the card."""
    if fits:
        yield f"\n{reader.text(say('explain.fits'))}"
    for fit in fits:
        status, outcome = (
            reader.label("status", fit["status"]),
            spoken_outcome(fit["outcome"], *reader),
        )
        text = say(
            "explain.fit",
            readings=tuple(fit["readings"]),
            result=f"{status} {outcome}".rstrip(),
            fitting=fit["fitting"],
            settled=fit["settled"],
        )
        yield f"  {reader.text(text)}"


def _flags(flags: list[dict[str, Any]], reader: Reader) -> Iterator[str]:
    if flags:
        yield f"\n{reader.text(say('explain.flags'))}"
    for flag in flags:
        yield f"  {flag_line(flag, reader)}"


def flag_line(flag: dict[str, Any], reader: Reader) -> str:
    """A flag on one line: what it is called, its clause, what it concerns, what is said of it."""
    parts = (
        reader.label("code", flag["code"]),
        flag["clause"],
        reader.label("subject", flag["subject"]) if flag["subject"] else "",
        flag["note"],
    )
    return "  ".join(filter(None, parts))


def compared(seen: WhatIf, language: str = "en") -> Iterator[str]:
    """A round before and after a change, as lines of text."""
    reader = Reader(language, seen.after.code)
    sides = (say("explain.before"), seen.before), (say("explain.after"), seen.after)
    heads = [reader.text(name) for name, _ in sides]
    for head, (_, side) in zip(heads, sides, strict=True):
        status = reader.label("status", side.ruled.status)
        outcome = spoken_outcome(side.ruled.outcome, *reader)
        yield f"{head:<{max(map(len, heads))}}  {status}  {outcome}".rstrip()
    yield ""
    named = [reader.label("column", name) for name in ("wager", "bet", "player")]
    rows = [
        (
            line.wager_id,
            reader.label("bet", line.bet),
            *_side(line.before, reader),
            *_side(line.after, reader),
            line.player,
        )
        for line in seen.lines
    ]
    top = (*named[:2], heads[0], "", heads[1], "", named[2])
    yield from columns.lines(top, rows, reader.figures)
    currency = seen.after.terms.currency if seen.after.terms else ""
    text = say("explain.balance", players=seen.player, house=-seen.player, currency=currency)
    yield f"\n{reader.text(text)}"


def _side(due: Due | None, reader: Reader) -> tuple[str, str]:
    if due is None:
        return reader.text(say("explain.no_wager")), ""
    moved = say("explain.paid_and_collected", paid=due.paid, collected=due.collected)
    return reader.label("result", due.outcome), reader.text(moved)


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
