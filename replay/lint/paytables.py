"""Paytables against the text and against themselves: printed, named, rounded, in the way."""

import re
from collections.abc import Iterator
from fractions import Fraction

from replay.lint.complaint import ERROR, EditionComplaint, TextConflict
from replay.rulebooks.edition import OTHERWISE, Clause, Edition, Line, Odds

NUMBERS = {"2": "two", "3": "three", "4": "four", "6": "six"}
NAMED = re.compile("[:\N{EN DASH}]| - ")  # what stands between a bet and its description
LONGEST_NAME = 8  # words
# A row of the certificate: name, version, theoretical return, calculated return.
ROW = re.compile(
    r"(.+\n)?\d+\. (?P<name>.+) \| [\d.]+ \| (?P<said>[\d.]+)%( - (?P<said_high>[\d.]+)%)?"
    r" \| (?P<low>[\d.]+)%( - (?P<high>[\d.]+)%)?"
)


def found(edition: Edition) -> Iterator[EditionComplaint | TextConflict]:
    """What the paytables leave to say without playing them."""
    yield from shadowed(edition)
    yield from strangers(edition)
    yield from unprinted(edition)
    yield from unrounded(edition)
    yield from unlisted(edition)
    yield from certificate(edition)


def shadowed(edition: Edition) -> Iterator[EditionComplaint]:
    """Lines that cannot decide: the same fact stands before them, or `otherwise` does."""
    for name, table in edition.paytables.items():
        for bet, lines in table.items():
            facts = [line.fact for line in lines]
            for place, fact in enumerate(facts):
                if fact in facts[:place] or OTHERWISE in facts[:place]:
                    where = f"{name}: {bet} | {fact}"
                    text = "an earlier line of the bet always decides before it"
                    yield EditionComplaint(ERROR, "unreachable", where, text)


def strangers(edition: Edition) -> Iterator[EditionComplaint]:
    """Lines for a bet that the layout does not have."""
    for name, table in edition.paytables.items():
        for bet in table:
            if bet.split(":")[0] not in edition.bets:
                yield EditionComplaint(
                    ERROR, "layout", f"{name}: {bet}", "no such bet on the layout"
                )


def unprinted(edition: Edition) -> Iterator[EditionComplaint | TextConflict]:
    """Odds that no cited clause prints: each says where it comes from, and an issue says so too."""
    without_source = False
    for name, table in edition.paytables.items():
        for bet, lines in table.items():
            for line in lines:
                if line.odds.result != "win" or _prints(edition, line):
                    continue
                without_source = True
                if not line.provenance:
                    where = f"{name}: {bet} | {line.fact}"
                    text = "odds that no cited clause prints, and no word where they come from"
                    yield EditionComplaint(ERROR, "provenance", where, text)
    if without_source:
        text = "the text leaves out payouts"
        yield TextConflict("payouts", (), text, words=r"payouts?\b|paytable")


def unrounded(edition: Edition) -> Iterator[TextConflict]:
    """Lines that can split a chip, and no clause on what becomes of the parts."""
    splits = any(
        _splits(line.odds)
        for table in edition.paytables.values()
        for lines in table.values()
        for line in lines
    )
    stated = any(
        re.search(r"\bround(ed|ing) (up|down|to)\b", each.text) for each in edition.clauses.values()
    )
    if splits and not stated:
        text = "shares of a chip, and no clause rounds them"
        yield TextConflict("rounding", (), text, words=r"\bround(ed|ing)\b")


def unlisted(edition: Edition) -> Iterator[TextConflict]:
    """Bets that the text names somewhere, but not where it lists the bets."""
    lists = [text for text in map(_phrase, _texts(edition)) if _is_list(edition, text)]
    for bet in edition.bets:
        name = _name(bet)
        naming = [at for at, clause in edition.clauses.items() if name in _phrase(clause.text)]
        cited = _cited(edition, bet)
        listing = [_phrase(_listing(edition, clause)) for clause in cited] + lists
        if naming and not any(name in text for text in listing):
            anchors = tuple(dict.fromkeys([*(clause.anchor for clause in cited), naming[0]]))
            above = tuple(anchor.rpartition(".")[0] for anchor in anchors)
            text = f"{bet} is named in {naming[0]}, and not in the list of bets"
            yield TextConflict("unlisted", anchors, text, near=above)


def certificate(edition: Edition) -> Iterator[EditionComplaint | TextConflict]:
    """The certified row as it is printed: fit in itself, and the one the edition goes by."""
    for clause in edition.clauses.values():
        row = ROW.fullmatch(clause.text)
        if not row:
            continue
        low, high = (Fraction(row[name] or row["low"]) / 100 for name in ("low", "high"))
        said = Fraction(row["said_high"] or row["said"]) / 100
        if not low <= said <= high:
            text = f"theoretical {row['said_high'] or row['said']} % outside the calculated range"
            yield TextConflict("certificate", (clause.anchor,), text)
        elif edition.certified and edition.certified != (low, high):
            text = "the certified range of the edition is not the one that is printed"
            yield EditionComplaint(ERROR, "certificate", clause.anchor, text)


def _splits(odds: Odds) -> bool:
    shares = (odds.pays, odds.pays * odds.commission, odds.takes, odds.reserve)
    return any(share.denominator != 1 for share in shares)


def _prints(edition: Edition, line: Line) -> bool:
    """Whether a cited clause prints the odds, gross or net of commission."""
    texts = [edition.clauses[anchor].text for anchor in line.clauses]
    pays, net = line.odds.pays, line.odds.pays * (1 - line.odds.commission)
    figures = {f"{pays.numerator}", f"{float(pays):g}", f"{float(net):g}"}
    ratio = rf"(?<![\d.])(?:{'|'.join(map(re.escape, sorted(figures)))})(?: ?(?:to|:|-|for) ?)(\d+)"
    to = {str(pays.denominator), "1"}
    even = pays == 1 and any(re.search(r"even money", text, re.IGNORECASE) for text in texts)
    return even or any(found in to for text in texts for found in re.findall(ratio, text))


def _cited(edition: Edition, bet: str) -> list[Clause]:
    """The clauses that the winning lines of a bet rest on."""
    lines = [
        line
        for table in edition.paytables.values()
        for position, lines in table.items()
        if position.split(":")[0] == bet
        for line in lines
        if line.odds.result == "win"
    ]
    return [
        edition.clauses[at] for at in dict.fromkeys(at for line in lines for at in line.clauses)
    ]


def _texts(edition: Edition) -> Iterator[str]:
    return (clause.text for clause in edition.clauses.values())


def _is_list(edition: Edition, text: str) -> bool:
    """Whether a clause is a list of bets: it names two thirds of them and more."""
    return 3 * sum(_name(bet) in text for bet in edition.bets) >= 2 * len(edition.bets)


def _name(bet: str) -> str:
    return _phrase(bet.replace("_", " "))


def _listing(edition: Edition, clause: Clause) -> str:
    """What a clause lists: the names in it where it stands in a list of bet types, else all."""
    above = edition.clauses.get(clause.anchor.rpartition(".")[0])
    if above is None or above.text != "Bet Types":
        return clause.text
    *names, _ = NAMED.split(clause.text)
    return " / ".join(" ".join(name.split()[-LONGEST_NAME:]) for name in names)


def _phrase(text: str) -> str:
    """The words of a text between spaces, numbers written out and plurals taken off."""
    words = (NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", text.lower()))
    return f" {' '.join(word.removesuffix('s') for word in words)} "
