"""Returns for people: every bet of a paytable, and how its range meets the certificate."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from audit import screen
from replay import theory
from replay.book import Edition
from replay.theory import Return, per_cent

FEW = 4  # positions that are named; more are counted
MEETS = {
    "equal": "the certified range exactly",
    "inside": "inside the certified range",
    "outside": "outside the certified range",
}


def told(edition: Edition, paytable: str) -> Iterator[str]:
    """The returns of a paytable as lines of text."""
    yield f"{edition.title} ({edition.code} {edition.number}), paytable {paytable}"
    found = theory.of(edition, paytable)
    if not found:
        yield f"  no theory yet: replay/theory/{edition.game}.py is not there"
        return
    notes = {each.note for each in found}
    if len(notes) == 1:
        yield f"  counted over {notes.pop()}"
    groups = grouped(found)
    yield from (f"  {line}" for line in screen.columns(*_table(groups, noted=bool(notes))))
    low, high = theory.spread(found)
    yield f"  range      {per_cent(low, 2)} to {per_cent(high, 2)}"
    if edition.certified:
        meets, outside = theory.against(edition.certified, found)
        certified = " to ".join(per_cent(end, 2) for end in edition.certified)
        beyond = f": {', '.join(map(_bets, grouped(outside)))}" if outside else ""
        yield f"  certified  {certified}; the bets are {MEETS[meets]}{beyond}"


def document(edition: Edition, paytable: str) -> dict[str, Any]:
    """The returns of a paytable as plain JSON values."""
    found = theory.of(edition, paytable)
    certified = edition.certified
    meets, outside = theory.against(certified, found) if certified and found else ("", ())
    return {
        "code": edition.code,
        "edition": edition.number,
        "paytable": paytable,
        "theory": bool(found),
        "returns": [
            {
                "bet": each.bet,
                "fraction": str(each.value),
                "per_cent": per_cent(each.value).removesuffix(" %"),
                "note": each.note,
            }
            for each in found
        ],
        "range": [per_cent(end, 2).removesuffix(" %") for end in theory.spread(found)]
        if found
        else None,
        "certified": [per_cent(end, 2).removesuffix(" %") for end in certified]
        if certified
        else None,
        "meets": meets or None,
        "outside": [each.bet for each in outside],
    }


def grouped(found: Sequence[Return]) -> list[list[Return]]:
    """Positions of one kind with one return together, in the order of the first of them."""
    groups: dict[tuple[str, Fraction, str], list[Return]] = {}
    for each in found:
        groups.setdefault((kind(each.bet), each.value, each.note), []).append(each)
    return list(groups.values())


def _table(groups: Sequence[Sequence[Return]], *, noted: bool) -> tuple[list[str], list[list[str]]]:
    head = ["bet", "return", "per cent", *(["note"] if noted else [])]
    rows = [
        [_bets(group), str(group[0].value), per_cent(group[0].value), group[0].note][: len(head)]
        for group in groups
    ]
    return head, rows


def in_short(bets: Sequence[str]) -> str:
    """Positions of one kind by name where they are few, else by their number."""
    return " ".join(bets) if len(bets) <= FEW else f"{kind(bets[0])} ({len(bets)} positions)"


def kind(bet: str) -> str:
    """The bet of a position."""
    return bet.split(":", maxsplit=1)[0]


def _bets(group: Sequence[Return]) -> str:
    return in_short([each.bet for each in group])
