"""Many changed days of every game, derived and checked together.

Planning the queries of all checks costs more than a hundred small days do, so they run once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import days, house

NamedDay = tuple[str, Sequence[e.Reading]]
Make = Callable[[str], Iterable[NamedDay]]  # a game's days, each with a name of its own


class JudgedDay(NamedTuple):
    """What a day became: its rows, and what the checks find in it."""

    rows: Rows
    found: list[CheckFinding]


@cache
def judged(make: Make, codes: tuple[str, ...] = days.CODES) -> Mapping[str, dict[str, JudgedDay]]:
    """The days that a function makes of each game, by game and name."""
    rows = {code: {name: house.derive(day) for name, day in make(code)} for code in codes}
    found = house.detect(
        {f"{code}.{name}": each for code, part in rows.items() for name, each in part.items()}
    )
    return {
        code: {
            name: JudgedDay(each, found.get(f"{code}.{name}", [])) for name, each in part.items()
        }
        for code, part in rows.items()
    }
