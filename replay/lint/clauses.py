"""Where the words of an edition are at odds with themselves, as far as a program can see.

Each check yields a contradiction of the text; whether it is known is not decided here.
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations

from replay.lint.complaint import TextConflict
from replay.rulebooks.edition import Edition

OUR_NUMBERS = "sub-numbers are ours"
REFERENCE = re.compile(r"\b(?:rule|clause|section)s? (\d+(?:\.\w+)*)", re.IGNORECASE)
SPECIAL_CASE = re.compile(r"(?:when|if|where|in the event)\b", re.IGNORECASE)
SHARE = re.compile(r"\d+(?:\.\d+)?%")
DECKS = re.compile(r"\b(?:\d+|one|single|two|four|six|eight)\b[^.]*\bdecks?\b", re.IGNORECASE)
OPEN_NUMBER = re.compile(r"\bthe specified number\b", re.IGNORECASE)
ONCE = re.compile(r"\bone time only\b", re.IGNORECASE)
DEFINITION = re.compile(r"“([^”]+)” means .*\bdifference\b", re.IGNORECASE)
DISCARDED = re.compile(r"discard the \w+ card", re.IGNORECASE)
ONE_CARD = re.compile(r"“(\w+) card”", re.IGNORECASE)


def found(edition: Edition) -> Iterator[TextConflict]:
    """Every contradiction of the text."""
    for check in CHECKS:
        yield from check(edition)


def repeated(edition: Edition) -> Iterator[TextConflict]:
    """Clauses of one place that say the same, word for word."""
    if OUR_NUMBERS in edition.source:
        return  # a sentence may stand under several numbers that the document does not have
    places: dict[tuple[str, str], list[str]] = {}
    for clause in edition.clauses.values():
        above = clause.anchor.rpartition(".")[0]
        places.setdefault((above, clause.sha256), []).append(clause.anchor)
    for anchors in places.values():
        if len(anchors) > 1:
            yield TextConflict("repeated", tuple(anchors), "the same words twice")


def references(edition: Edition) -> Iterator[TextConflict]:
    """References to a clause that is not there, or that is not the list it is called."""
    for clause in edition.clauses.values():
        for number in REFERENCE.findall(clause.text):
            target = edition.clauses.get(f"{edition.code}:{number}")
            if target is None:
                text = f"refers to {number}, which is not there"
                yield TextConflict("reference", (clause.anchor,), text)
            elif f"indicated in rule {number}" in clause.text and SPECIAL_CASE.match(target.text):
                text = f"calls {number} a list, which speaks of a special case"
                yield TextConflict("reference", (clause.anchor,), text)


def columns(edition: Edition) -> Iterator[TextConflict]:
    """Rows of a drawing table with `draw` in the column of cards to stand on, or the reverse."""
    for clause in edition.clauses.values():
        head, *rows = _rows(clause.text)
        verbs = [next(iter(re.findall(r"draw|stand", cell.lower())), "") for cell in head]
        for row in rows:
            if len(row) != len(head):
                continue  # cells that reach over several columns
            for verb, cell in zip(verbs, row, strict=True):
                said = re.match(r"draw|stand", cell.lower())
                if verb and said and said[0] != verb:
                    text = f"row {row[0]} says `{cell}` in the column of cards to {verb} on"
                    yield TextConflict("column", (clause.anchor,), text)


def scopes(edition: Edition) -> Iterator[TextConflict]:
    """What holds one time only, without a word on how long that lasts."""
    for clause in edition.clauses.values():
        if ONCE.search(clause.text):
            yield TextConflict("scope", (clause.anchor,), "`one time only`, and not for how long")
        if OPEN_NUMBER.search(clause.text) and not re.search(r"\d", clause.text):
            yield TextConflict("scope", (clause.anchor,), "a number is specified, and not which")


def decks(edition: Edition) -> Iterator[TextConflict]:
    """A game of several decks whose text gives no number."""
    stated = any(DECKS.search(clause.text) for clause in edition.clauses.values())
    if edition.decks and not stated:
        yield TextConflict("decks", (), "no clause gives the number of decks", words=r"\bdecks?\b")


def measures(edition: Edition) -> Iterator[TextConflict]:
    """A limit that is defined as a difference and applied to a total."""
    for defined in edition.clauses.values():
        term = DEFINITION.match(defined.text)
        if not term:
            continue
        using = [
            clause.anchor
            for clause in edition.clauses.values()
            if all(word in clause.text.lower() for word in (term[1].lower(), "total"))
            and "difference" not in clause.text.lower()
        ]
        if using:
            text = f"hold a total against what {defined.anchor} defines as a difference"
            yield TextConflict("measure", (*using, defined.anchor), text)


def conditions(edition: Edition) -> Iterator[TextConflict]:
    """A share that one clause ties to `only` some wager, and another prints without a condition."""
    for clause in edition.clauses.values():
        if not re.search(r"\bonly an? \W?\w+\W? wager\b", clause.text):
            continue
        for share in SHARE.findall(clause.text):
            for other in edition.clauses.values():
                if other != clause and share in other.text and "only" not in other.text:
                    text = f"{share} under a condition that {other.anchor} does not have"
                    yield TextConflict("condition", (clause.anchor, other.anchor), text)


def procedures(edition: Edition) -> Iterator[TextConflict]:
    """Two ways to deal one game, of which one leaves out a step of the other."""
    ways = {
        clause.anchor: _exposed(edition, clause.anchor)
        for clause in edition.clauses.values()
        if re.match(r"When an? .* is used:", clause.text)
    }
    for (one, steps), (other, others) in combinations(ways.items(), 2):
        for at, lacking in ((one, others - steps), (other, steps - others)):
            for card in sorted(lacking):
                text = f"never has the {card} card exposed, as its twin does"
                yield TextConflict("procedure", (at,), text)


def _exposed(edition: Edition, anchor: str) -> set[str]:
    """The cards with a name of their own that a procedure turns up."""
    names = [name for each in edition.clauses.values() for name in ONE_CARD.findall(each.text)]
    texts = [clause.text for at, clause in edition.clauses.items() if at.startswith(f"{anchor}.")]
    sentences = [each for text in texts for each in text.split(". ")]
    steps = [
        DISCARDED.sub("", each)
        for each in sentences
        if "expos" in each and not each.startswith("Before")
    ]
    return {name for name in names if any(name in each for each in steps)}


def _rows(text: str) -> list[list[str]]:
    """The rows of a table in a clause; the first is its head. None: one empty row."""
    rows = [row for row in text.splitlines() if "|" in row]
    return [[cell.strip() for cell in row.split("|")] for row in rows] or [[]]


CHECKS: tuple[Callable[[Edition], Iterator[TextConflict]], ...] = (
    repeated,
    references,
    columns,
    scopes,
    decks,
    measures,
    conditions,
    procedures,
)
