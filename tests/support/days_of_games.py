"""Many changed days of every game, derived and checked together.

Planning the queries of all checks costs more than a hundred small days do, so they run once. The
days of a game differ in a reading or two, so what they share is derived once (tests/mutants/reuse);
some of them are derived from the log too, and must have the same rows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import days, house, reuse

NamedDay = tuple[str, Sequence[e.Reading]]
Make = Callable[[str], Iterable[NamedDay]]  # a game's days, each with a name of its own
PROVEN = 25  # days of which one is derived from the log too


class JudgedDay(NamedTuple):
    """What a day became: its rows, and what the checks find in it."""

    rows: Rows
    found: list[CheckFinding]


@cache
def judged(make: Make, codes: tuple[str, ...] = days.CODES) -> Mapping[str, dict[str, JudgedDay]]:
    """The days that a function makes of each game, by game and name."""
    rows = {code: derived(code, make(code)) for code in codes}
    found = house.detect(
        {f"{code}.{name}": each for code, part in rows.items() for name, each in part.items()}
    )
    return {
        code: {
            name: JudgedDay(each, found.get(f"{code}.{name}", [])) for name, each in part.items()
        }
        for code, part in rows.items()
    }


def derived(code: str, made: Iterable[NamedDay]) -> dict[str, Rows]:
    """The rows of each day, by its name."""
    named = dict(made)
    first = next(iter(named.values()), ())
    known = reuse.known(days.HonestDay(code, tuple(first), ()))
    found = {name: known.derive(day) for name, day in named.items()}
    for name in list(named)[::PROVEN]:
        differing = reuse.differences(found[name], house.derive(named[name]))
        assert differing == [], f"{code} {name}: derived otherwise than from the log"
    return found
