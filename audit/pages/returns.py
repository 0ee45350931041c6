"""The return of every bet of a paytable, and how the range compares with the certificate."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from audit.cli import columns
from replay import theory
from replay.rulebooks.edition import Edition, cell
from replay.theory import Chance, Return, per_cent

POSITIONS_NAMED = 4  # more positions than these are only counted
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
        yield f"  no theory yet: replay/theory/{edition.game}.py does not exist"
        return
    notes = {each.note for each in found}
    if len(notes) == 1:
        yield f"  counted over {notes.pop()}"
    groups = grouped(found)
    yield from (f"  {line}" for line in columns.lines(*_table(groups, noted=bool(notes))))
    low, high = theory.spread(found)
    yield f"  range      {per_cent(low, 2)} to {per_cent(high, 2)}"
    for figure in theory.stated(edition, paytable):
        yield f"  {figure.what}: {figure.value} ({per_cent(figure.value)}); {figure.source}"
    if edition.certified:
        meets, outside = theory.against(edition.certified, found)
        certified = " to ".join(per_cent(end, 2) for end in edition.certified)
        beyond = f": {', '.join(map(_bets, grouped(outside)))}" if outside else ""
        yield f"  certified  {certified}; the bets are {MEETS[meets]}{beyond}"


def document(edition: Edition, paytable: str) -> dict[str, Any]:
    """The returns of a paytable as JSON values."""
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
                "probability": _fraction(each.chance_of("win")),
                "push": _fraction(each.chance_of("push")),
                "lines": [_line(chance) for chance in each.chances],
                "note": each.note,
            }
            for each in found
        ],
        "stated": [
            {"what": figure.what, "fraction": str(figure.value), "source": figure.source}
            for figure in theory.stated(edition, paytable)
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
    """Positions grouped by kind of bet, chance and return, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Return]] = {}
    for each in found:
        chances = each.chance_of("win"), each.chance_of("push")
        groups.setdefault((kind(each.bet), each.value, each.note, *chances), []).append(each)
    return list(groups.values())


def _table(groups: Sequence[Sequence[Return]], *, noted: bool) -> tuple[list[str], list[list[str]]]:
    """Only the return is an exact fraction here; in JSON all are. They run to dozens of digits."""
    head = ["bet", "wins", "pushes", "return", "per cent", *(["note"] if noted else [])]
    return head, [_row(group)[: len(head)] for group in groups]


def _row(group: Sequence[Return]) -> list[str]:
    each = group[0]
    chances = [_chance(each.chance_of(result)) for result in ("win", "push")]
    return [_bets(group), *chances, str(each.value), per_cent(each.value), each.note]


def _chance(probability: Fraction | None) -> str:
    """A chance in per cent; a dash if there is none, as for a push of most bets."""
    return per_cent(probability) if probability else "-"


def _line(chance: Chance) -> dict[str, str]:
    return {
        "fact": chance.fact,
        "odds": cell(chance.odds),
        "result": chance.odds.result,
        "probability": str(chance.probability),
        "back": str(chance.back),
    }


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def in_short(bets: Sequence[str]) -> str:
    """A few positions of one kind by name, many by their number."""
    if len(bets) <= POSITIONS_NAMED:
        return " ".join(bets)
    return f"{kind(bets[0])} ({len(bets)} positions)"


def kind(bet: str) -> str:
    """The bet of a position."""
    return bet.split(":", maxsplit=1)[0]


def _bets(group: Sequence[Return]) -> str:
    return in_short([each.bet for each in group])
