"""Theory: what each bet returns to the player, counted exactly with the rules themselves.

A game's module offers `returns(edition, paytable)`, every bet with its exact return.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from replay.book import Edition, Odds
from replay.settle import deciding


class Return(NamedTuple):
    """What one unit staked on a bet brings back on the long run."""

    bet: str
    value: Fraction
    note: str = ""  # what it was counted over, or why it could not be counted


class Outcome(NamedTuple):
    """One outcome of the equipment: its facts, and in how many equally likely ways it comes."""

    facts: frozenset[str]
    ways: int


def counted(
    edition: Edition,
    paytable: str,
    positions: Iterable[str],
    outcomes: Iterable[Outcome],
    note: str,
) -> Iterator[Return]:
    """The return of each position over every outcome there is."""
    known = tuple(outcomes)
    all_ways = sum(outcome.ways for outcome in known)
    for position in positions:
        total = Fraction(0)
        for facts, ways in known:
            total += ways * back(deciding(position, facts, edition, paytable).odds)
        yield Return(position, total / all_ways, note)


def back(odds: Odds) -> Fraction:
    """What one unit staked brings back by a line, unrounded; a reserve that is lost counts."""
    if odds.result == "win":
        return 1 + odds.pays * (1 - odds.commission)
    return Fraction(1) if odds.result == "push" else 1 - odds.takes - odds.reserve
