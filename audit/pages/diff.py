"""The differences of two editions or paytables, as text and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from audit.cli import columns
from audit.pages.edition_names import Named
from audit.pages.returns import in_short, kind
from replay import theory
from replay.lint import edition_diff
from replay.lint.edition_diff import ADDED, CHANGED, MOVED, REMOVED, EditionChange, Effect
from replay.theory import per_cent

SIGNS = {ADDED: "+", REMOVED: "-", CHANGED: "~", MOVED: ">"}


class EditionDiff(NamedTuple):
    """Two editions, their differences, and the returns that differ, by paytable."""

    before: Named
    after: Named
    changes: tuple[EditionChange, ...]
    effects: dict[str, tuple[Effect, ...]]

    @property
    def uncounted(self) -> list[str]:
        """The games without a theory, whose returns are unknown."""
        games = dict.fromkeys((self.before.edition.game, self.after.edition.game))
        return [game for game in games if not theory.known(game)]


def compared(before: Named, after: Named) -> EditionDiff:
    """Compare two paytables if a side names one, else the whole editions."""
    if not (before.paytable or after.paytable):
        changes = edition_diff.editions(before.edition, after.edition)
        both = [name for name in before.edition.paytables if name in after.edition.paytables]
        pairs = {name: (name, name) for name in both}
    else:
        one = before.paytable or before.edition.paytable
        other = after.paytable or after.edition.paytable
        changes = edition_diff.paytables((before.edition, one), (after.edition, other))
        pairs = {f"{one} to {other}": (one, other)}
    effects = {
        name: tuple(edition_diff.effects((before.edition, one), (after.edition, other)))
        for name, (one, other) in pairs.items()
    }
    return EditionDiff(before, after, tuple(changes), {k: v for k, v in effects.items() if v})


def told(found: EditionDiff) -> Iterator[str]:
    """The differences as lines of text."""
    yield f"{found.before} to {found.after}: {_counts(found.changes)}"
    for change in found.changes:
        sign = SIGNS[change.kind]
        if change.kind == MOVED:
            yield f"{sign} {change.what} {change.before} is now {change.after}"
        elif change.kind == CHANGED:
            yield f"{sign} {change.what} {change.where}: {_words(change)}"
        else:
            yield f"{sign} {change.what} {change.where}: {change.before or change.after}"
    for name, effects in found.effects.items():
        yield f"\nreturns, paytable {name}"
        rows = [_row(group) for group in _grouped(effects)]
        yield from (f"  {line}" for line in columns.lines(("bet", "before", "after", "more"), rows))
    if not (found.effects or found.uncounted):
        yield "\nno bet returns more or less"
    for game in found.uncounted:
        yield f"\nreturns are not compared: no theory yet in replay/theory/{game}.py"


def document(found: EditionDiff) -> dict[str, Any]:
    """The differences as JSON values."""
    return {
        "before": str(found.before),
        "after": str(found.after),
        "changes": [
            change._asdict() | ({"words": _words(change)} if change.kind == CHANGED else {})
            for change in found.changes
        ],
        "returns": {
            name: [
                {
                    "bet": effect.bet,
                    "before": str(effect.before.value) if effect.before else None,
                    "after": str(effect.after.value) if effect.after else None,
                }
                for effect in effects
            ]
            for name, effects in found.effects.items()
        },
        "without_theory": found.uncounted,
    }


def _words(change: EditionChange) -> str:
    return edition_diff.words(change.before, change.after)


def _grouped(effects: Sequence[Effect]) -> list[list[Effect]]:
    """Effects grouped by kind of bet and by return."""
    groups: dict[tuple[object, ...], list[Effect]] = {}
    for effect in effects:
        values = (each and each.value for each in effect[1:])
        groups.setdefault((kind(effect.bet), *values), []).append(effect)
    return list(groups.values())


def _row(group: Sequence[Effect]) -> tuple[str, str, str, str]:
    _, before, after = group[0]
    more = per_cent(after.value - before.value) if before and after else ""
    sign = "" if more.startswith("-") or not more else "+"
    values = [per_cent(each.value) if each else "not offered" for each in (before, after)]
    return in_short([effect.bet for effect in group]), values[0], values[1], sign + more


def _counts(changes: Sequence[EditionChange]) -> str:
    count = Counter(change.kind for change in changes)
    return ", ".join(f"{count[kind]} {kind}" for kind in SIGNS if count[kind]) or "no difference"
