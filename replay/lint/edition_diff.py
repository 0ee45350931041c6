"""Two editions, or two paytables, side by side: what was added, removed, changed or moved."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from replay import theory
from replay.rulebooks.edition import Edition, Issue, Line, cell
from replay.theory import Return

Table = Mapping[str, tuple[Line, ...]]
ADDED, REMOVED, CHANGED, MOVED = "added", "removed", "changed", "moved"


class EditionChange(NamedTuple):
    """One difference; what there was before or after is empty where there was nothing."""

    kind: str
    what: str  # edition, clause, line, order or issue
    where: str
    before: str
    after: str


class Effect(NamedTuple):
    """What a bet returns before and after; None where it is not offered."""

    bet: str
    before: Return | None
    after: Return | None


def editions(before: Edition, after: Edition) -> Iterator[EditionChange]:
    """All differences of two editions: heads, clauses, paytables, rule issues."""
    yield from _compared("edition", _head(before), _head(after))
    yield from _clauses(before, after)
    for name in dict.fromkeys((*before.paytables, *after.paytables)):
        one, other = before.paytables.get(name, {}), after.paytables.get(name, {})
        yield from _tables(one, other, f"{name}: ")
    yield from _compared("issue", _issues(before), _issues(after))


def paytables(one: tuple[Edition, str], other: tuple[Edition, str]) -> Iterator[EditionChange]:
    """The differences of two paytables, of one edition or of two."""
    before, after = (edition.paytables[name] for edition, name in (one, other))
    yield from _tables(before, after, "")


def effects(one: tuple[Edition, str], other: tuple[Edition, str]) -> Iterator[Effect]:
    """The bets whose return is another one; nothing where a game has no theory."""
    before, after = ({each.bet: each for each in theory.of(*side)} for side in (one, other))
    if not (before and after):
        return
    for bet in dict.fromkeys((*before, *after)):
        was, now = before.get(bet), after.get(bet)
        if not (was and now and was.value == now.value):
            yield Effect(bet, was, now)


def words(before: str, after: str) -> str:
    """A word diff: `the [-old-] {+new+} words`."""
    old, new = before.split(), after.split()
    parts = []
    for kind, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(" ".join(old[i:j]))
            continue
        if i < j:
            parts.append(f"[-{' '.join(old[i:j])}-]")
        if k < n:
            parts.append(f"{{+{' '.join(new[k:n])}+}}")
    return " ".join(parts)


def _clauses(before: Edition, after: Edition) -> Iterator[EditionChange]:
    """Clauses by number; one that vanished here and stands there word for word has moved."""
    old = {_number(anchor): clause.text for anchor, clause in before.clauses.items()}
    new = {_number(anchor): clause.text for anchor, clause in after.clauses.items()}
    come = {text: number for number, text in new.items() if number not in old}
    moved = {
        number: come[text] for number, text in old.items() if text in come and number not in new
    }
    for number, to in moved.items():
        yield EditionChange(MOVED, "clause", number, number, to)
    gone, arrived = set(moved), set(moved.values())
    yield from _compared(
        "clause",
        {number: text for number, text in old.items() if number not in gone},
        {number: text for number, text in new.items() if number not in arrived},
    )


def _compared(
    what: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[EditionChange]:
    for where in dict.fromkeys((*before, *after)):
        old, new = before.get(where, ""), after.get(where, "")
        if old != new:
            kind = ADDED if where not in before else REMOVED if where not in after else CHANGED
            yield EditionChange(kind, what, where, old, new)


def _head(edition: Edition) -> dict[str, str]:
    certified = " to ".join(theory.per_cent(end, 2) for end in edition.certified or ())
    return {
        "title": edition.title,
        "number": edition.number,
        "effective": edition.effective,
        "source": edition.source,
        "default paytable": edition.paytable,
        "decks": str(edition.decks or ""),
        "rounding": edition.rounding,
        "bets": " ".join(edition.bets),
        "certified": certified,
    }


def _tables(before: Table, after: Table, prefix: str) -> Iterator[EditionChange]:
    """Lines by bet and fact, and bets whose lines stand in another order: the first decides."""
    yield from _compared("line", _lines(before, prefix), _lines(after, prefix))
    for bet in (bet for bet in before if bet in after):
        was, now = ([line.fact for line in table[bet]] for table in (before, after))
        old, new = [fact for fact in was if fact in now], [fact for fact in now if fact in was]
        if old != new:
            yield EditionChange(CHANGED, "order", f"{prefix}{bet}", ", ".join(old), ", ".join(new))


def _lines(table: Table, prefix: str) -> dict[str, str]:
    return {
        f"{prefix}{bet} | {line.fact}": " | ".join(
            (cell(line.odds), " ".join(map(_number, line.clauses)), line.provenance)
        ).removesuffix(" | ")
        for bet, lines in table.items()
        for line in lines
    }


def _issues(edition: Edition) -> dict[str, str]:
    return {name: _issue(issue) for name, issue in edition.issues.items()}


def _issue(issue: Issue) -> str:
    readings = ", or ".join((issue.reading, *issue.alternatives, *filter(None, [issue.form])))
    return f"{_number(issue.anchor)}: {issue.what} Read as {readings}."


def _number(anchor: str) -> str:
    return anchor.partition(":")[2]
