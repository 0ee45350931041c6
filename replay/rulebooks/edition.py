"""A rulebook edition as data: clauses, paytables, dates, and readings where it is unclear."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

OTHERWISE = "otherwise"
# Where the odds of a line come from, the surest first: the text prints them, the certificate leaves
# no others, the vendor or another house published them, nobody said so.
SOURCES = ("printed", "forced", "published", "assumed")
CELL = re.compile(
    r"(?P<push>push)( as (?P<kept>\w+))?"
    r"|(?P<lose>lose)( (?P<takes>\d+/\d+))?( reserve (?P<reserve>\d+))?( as (?P<named>\w+))?"
    r"|(?P<pays>\d+):(?P<to>\d+)( less (?P<less>\d+(\.\d+)?)%)?"
)


class BadRulebook(ValueError):
    """An edition's file that cannot be what the house plays by."""


class UnknownRulebook(LookupError):
    """No rulebook or no edition of that name, or none in force on that day."""


class Odds(NamedTuple):
    """What a paytable line does with the amount in action."""

    result: str  # win, push or lose
    pays: Fraction = Fraction(0)  # to one, gross
    commission: Fraction = Fraction(0)  # share of the winnings kept back
    takes: Fraction = Fraction(1)  # share of the stake that a loss collects
    reserve: Fraction = Fraction(
        0
    )  # what a loss takes from the reserve, as a multiple of the stake
    outcome: str = ""  # the game's own word for the result, where it has one

    def __str__(self) -> str:
        if self.result != "win":
            return self.result if self.takes == 1 else f"{self.result} {self.takes}"
        return str(self.pays)


class Line(NamedTuple):
    """One line of a paytable: the first line of a bet whose fact holds decides."""

    bet: str  # a kind (`split`) or one position (`total:4`)
    fact: str  # in the words of the game; `it` stands for the wager's own position
    odds: Odds
    clauses: tuple[str, ...]
    provenance: str = ""  # its source and why: `forced: by the certified 97.50 %`
    source: str = "printed"  # one of SOURCES


class Clause(NamedTuple):
    """One numbered clause, word for word, with its hash; a row of a table is a line of its own."""

    anchor: str
    text: str
    sha256: str


class Issue(NamedTuple):
    """A place where the text is unclear, and how it is read."""

    name: str
    anchor: str
    what: str
    reading: str
    alternatives: tuple[str, ...]
    form: str = ""  # a pattern: readings of this form may be posted as well

    def allows(self, reading: str) -> bool:
        """Whether a table may post the reading."""
        known = reading == self.reading or reading in self.alternatives
        return known or bool(self.form and re.fullmatch(self.form, reading))


class Edition(NamedTuple):
    """One edition of one rulebook."""

    code: str
    game: str
    title: str
    number: str
    effective: str
    source: str
    paytable: str
    decks: int
    rounding: str
    bets: tuple[str, ...]
    paytables: Mapping[str, Mapping[str, tuple[Line, ...]]]
    clauses: Mapping[str, Clause]
    issues: Mapping[str, Issue]
    certified: tuple[Fraction, Fraction] | None = None  # return to player, lowest and highest bet

    def lines(self, paytable: str, position: str) -> tuple[Line, ...]:
        """The lines that settle a position: its own where it has any, else those of its kind."""
        table = self.paytables[paytable or self.paytable]
        return table.get(position) or table[position.split(":", maxsplit=1)[0]]

    def clause(self, anchor: str) -> Clause:
        """The clause an anchor names."""
        return self.clauses[anchor]


def parse(text: str) -> Edition:
    """The edition an edition file holds, checked: every anchor that a line cites must exist."""
    raw = tomllib.loads(text)
    code = raw["code"]
    clauses = {
        f"{code}:{number}": _clause(f"{code}:{number}", body)
        for number, body in raw["clauses"].items()
    }
    paytables = {name: _paytable(name, table["lines"]) for name, table in raw["paytable"].items()}
    edition = Edition(
        code=code,
        game=raw["game"],
        title=raw["title"],
        number=raw["number"],
        effective=raw["effective"],
        source=raw["source"],
        paytable=raw["default_paytable"],
        decks=raw.get("decks", 0),
        rounding=raw.get("rounding", "half up"),
        bets=tuple(raw["bets"]),
        paytables=paytables,
        clauses=clauses,
        issues={name: _issue(name, body) for name, body in raw.get("issue", {}).items()},
        certified=_certified(raw["certified"]) if "certified" in raw else None,
    )
    _check(edition)
    return edition


def odds(text: str) -> Odds:
    """The odds of a cell: `12:1`, `1:1 less 5%`, `push`, `lose`, `lose 1/2 as half_loss`.

    A push may have a name as well: `push as returned`. `lose reserve 2` also takes twice the
    amount in action from the reserve.
    """
    found = CELL.fullmatch(text)
    if not found:
        raise BadRulebook(f"{text!r}: odds such as `1:1 less 5%` expected")
    if found["push"]:
        return Odds("push", outcome=found["kept"] or "")
    if found["lose"]:
        takes, reserve = Fraction(found["takes"] or 1), Fraction(found["reserve"] or 0)
        return Odds("lose", takes=takes, reserve=reserve, outcome=found["named"] or "")
    pays = Fraction(int(found["pays"]), int(found["to"]))
    return Odds("win", pays, Fraction(found["less"] or 0) / 100)


def source(provenance: str) -> str:
    """The source that a provenance names first; a line without one is printed in the text."""
    word = provenance.partition(":")[0] or SOURCES[0]
    if word not in SOURCES:
        raise BadRulebook(f"{provenance!r}: one of {', '.join(SOURCES)} expected first")
    return word


def cell(found: Odds) -> str:
    """The odds as a paytable writes them; what `odds` reads."""
    name = f" as {found.outcome}" if found.outcome else ""
    if found.result == "win":
        kept = f" less {float(found.commission * 100):g}%" if found.commission else ""
        return f"{found.pays.numerator}:{found.pays.denominator}{kept}"
    share = f" {found.takes}" if found.takes != 1 else ""
    reserve = f" reserve {found.reserve}" if found.reserve else ""
    return f"{found.result}{share}{reserve}{name}"


def _paytable(name: str, text: str) -> Mapping[str, tuple[Line, ...]]:
    table: dict[str, list[Line]] = {}
    for row in filter(None, map(str.strip, text.splitlines())):
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) not in (4, 5):
            raise BadRulebook(
                f"paytable {name}: bet | fact | odds | clauses expected, {row!r} found"
            )
        bets, fact, cell, anchors, *rest = cells
        for bet in bets.split():
            where = rest[0] if rest else ""
            line = Line(bet, fact, odds(cell), tuple(anchors.split()), where, source(where))
            table.setdefault(bet, []).append(line)
    return {bet: tuple(lines) for bet, lines in table.items()}


def _clause(anchor: str, text: str) -> Clause:
    body = "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
    return Clause(anchor, body, hashlib.sha256(body.encode()).hexdigest())


def _certified(per_cent: list[str]) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(figure) / 100 for figure in per_cent)
    return low, high


def _issue(name: str, body: Mapping[str, Any]) -> Issue:
    alternatives = tuple(body.get("alternatives", ()))
    words = (body["anchor"], body["what"], body["reading"], alternatives, body.get("form", ""))
    return Issue(name, *words)


def _check(edition: Edition) -> None:
    if edition.paytable not in edition.paytables:
        raise BadRulebook(f"{edition.code}: default paytable {edition.paytable!r} is not there")
    for name, table in edition.paytables.items():
        for bet in edition.bets:
            if not any(key.split(":")[0] == bet for key in table):
                raise BadRulebook(f"{edition.code} {name}: bet {bet} has no line")
        for bet, lines in table.items():
            if lines[-1].fact != OTHERWISE:
                raise BadRulebook(f"{edition.code} {name}: bet {bet} must end in `otherwise`")
            for anchor in (anchor for line in lines for anchor in line.clauses):
                if anchor not in edition.clauses:
                    raise BadRulebook(
                        f"{edition.code} {name}: {bet} cites {anchor}, not in the text"
                    )
