"""Paytables against theory: too generous, off their certificate, with lines that never decide."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from replay import theory
from replay.lint.code import strings
from replay.lint.complaint import ERROR, NOTE, EditionComplaint, TextConflict
from replay.lint.paytables import ROW
from replay.rulebooks.edition import OTHERWISE, Edition, Issue, Line, Odds
from replay.theory import Return, per_cent

Key = tuple[str, str]  # bet and fact of a line


class _Watched(Line):
    """A line that tells when it decides."""

    decided: set[Key]

    if not TYPE_CHECKING:

        @property
        def odds(self) -> Odds:
            self.decided.add(self[:2])
            return self[2]


def found(
    edition: Edition, sources: Mapping[str, str]
) -> Iterator[EditionComplaint | TextConflict]:
    """What theory has to say of each paytable."""
    if not theory.known(edition.game):
        text = f"no theory yet, so returns and lines are not checked: replay/theory/{edition.game}"
        yield EditionComplaint(NOTE, "theory", edition.code, text)
        return
    for paytable in edition.paytables:
        watched, decided = _watched(edition, paytable)
        returns = theory.of(watched, paytable)
        yield from _generous(paytable, returns)
        yield from _certified(edition, paytable, returns)
        yield from _unsettled(edition, paytable, returns)
        yield from _undecided(edition, paytable, decided, sources)


def _generous(paytable: str, returns: tuple[Return, ...]) -> Iterator[EditionComplaint]:
    for each in returns:
        if each.value > 1:
            text = f"returns {per_cent(each.value)}, more than it costs"
            yield EditionComplaint(ERROR, "generous", f"{paytable}: {each.bet}", text)


def _certified(
    edition: Edition, paytable: str, returns: tuple[Return, ...]
) -> Iterator[EditionComplaint | TextConflict]:
    """The default paytable meets its certificate; another may leave it, and that is told."""
    if not edition.certified:
        return
    meets, outside = theory.against(edition.certified, returns)
    if meets == "equal":
        return
    low, high = (per_cent(end, 2) for end in edition.certified)
    text = f"{meets} the certified {low} to {high}"
    if paytable != edition.paytable:
        bets = "".join(f", {kind} {values}" for kind, values in _by_kind(outside))
        yield EditionComplaint(NOTE, "certified", paytable, f"{text}{bets}")
        return
    rows = tuple(at for at, clause in edition.clauses.items() if ROW.fullmatch(clause.text))
    for kind, values in _by_kind(outside):
        # An issue may say that the certificate leaves a bet out; it has to name the bet.
        name = rf"\b{kind.replace('_', ' ')}\b"
        yield TextConflict("certified", rows, f"{paytable}: {kind} {values} {text}", words=name)
    if not outside:
        yield TextConflict("certified", rows, f"{paytable}: {text}")


def _unsettled(
    edition: Edition, paytable: str, returns: tuple[Return, ...]
) -> Iterator[EditionComplaint]:
    """Bets of the layout that theory never plays, and so nobody has counted."""
    played = {each.bet.split(":")[0] for each in returns}
    for bet in edition.bets:
        if bet not in played:
            yield EditionComplaint(
                ERROR, "uncounted", f"{paytable}: {bet}", "theory has no return for it"
            )


def _undecided(
    edition: Edition, paytable: str, decided: set[Key], sources: Mapping[str, str]
) -> Iterator[EditionComplaint]:
    """Lines that decide no outcome, by the edition's own readings and then by every other."""
    table = edition.paytables[paytable]
    missing = {line[:2] for lines in table.values() for line in lines} - _alike(table, decided)
    for issue in _asked(edition, sources) if missing else ():
        for reading in issue.alternatives:
            read_so = {**edition.issues, issue.name: issue._replace(reading=reading)}
            watched, under = _watched(edition._replace(issues=read_so), paytable)
            theory.of(watched, paytable)
            for bet, fact in sorted(missing & under):
                text = f"decides only where {issue.name} is read as {reading}"
                yield EditionComplaint(NOTE, "reading", f"{paytable}: {bet} | {fact}", text)
            missing -= under
    words = {word for text in sources.values() for word in strings(text)}
    for bet, fact in sorted(missing):
        ruled = fact == OTHERWISE or {fact, fact.removeprefix("it")} & words
        level = NOTE if ruled else ERROR
        text = "decides by a ruling or a choice alone" if ruled else "no outcome comes to this line"
        yield EditionComplaint(level, "unreachable", f"{paytable}: {bet} | {fact}", text)


def _asked(edition: Edition, sources: Mapping[str, str]) -> list[Issue]:
    """The issues whose reading theory asks for."""
    texts = [text for name, text in sources.items() if name.startswith("theory/")]
    asked = {name for text in texts for name in strings(text)}
    return [issue for name, issue in edition.issues.items() if name in asked]


def _alike(table: Mapping[str, tuple[Line, ...]], decided: set[Key]) -> set[Key]:
    """The lines that decide, and those of bets with the very same lines: boxes are all alike."""
    shapes: dict[tuple[tuple[str, Odds], ...], set[str]] = {}
    for bet, lines in table.items():
        for fact in {fact for of, fact in decided if of == bet}:
            shapes.setdefault(_shape(lines), set()).add(fact)
    return {(bet, fact) for bet, lines in table.items() for fact in shapes.get(_shape(lines), ())}


def _shape(lines: tuple[Line, ...]) -> tuple[tuple[str, Odds], ...]:
    return tuple((line.fact, line.odds) for line in lines)


def _by_kind(returns: tuple[Return, ...]) -> Iterator[tuple[str, str]]:
    kinds: dict[str, list[Return]] = {}
    for each in returns:
        kinds.setdefault(each.bet.split(":")[0], []).append(each)
    for kind, members in kinds.items():
        ends = sorted({per_cent(end, 2) for end in theory.spread(members)})
        yield kind, " to ".join(ends)


def _watched(edition: Edition, paytable: str) -> tuple[Edition, set[Key]]:
    """The edition with lines that tell, and where they tell it."""
    decided: set[Key] = set()
    table = {}
    for bet, lines in edition.paytables[paytable].items():
        table[bet] = tuple(_Watched(*line) for line in lines)
        for line in table[bet]:
            line.decided = decided
    return edition._replace(paytables={**edition.paytables, paytable: table}), decided
