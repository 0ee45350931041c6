"""Theory: what each bet returns to the player, counted exactly with the rules themselves.

A game's module offers `returns(edition, paytable)`, every bet with its exact return.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from replay.book import Edition, Odds
from replay.settle import deciding

CENT = Fraction(1, 10_000)  # certificates are printed to a hundredth of a per cent


class Return(NamedTuple):
    """What one unit staked on a bet brings back on the long run."""

    bet: str
    value: Fraction
    note: str = ""  # what it was counted over, or why it could not be counted


class Outcome(NamedTuple):
    """One outcome of the equipment: its facts, and in how many equally likely ways it comes."""

    facts: frozenset[str]
    ways: int


def known(game: str) -> bool:
    """Whether the game has a theory."""
    return find_spec(f"{__name__}.{game}") is not None


def of(edition: Edition, paytable: str = "") -> tuple[Return, ...]:
    """The return of every bet of an edition; nothing where its game has no theory."""
    if not known(edition.game):
        return ()
    module = import_module(f"{__name__}.{edition.game}")
    return tuple(module.returns(edition, paytable or edition.paytable))


def spread(returns: Iterable[Return]) -> tuple[Fraction, Fraction]:
    """The lowest and the highest return, as a certificate would print them."""
    values = [printed(found.value) for found in returns]
    return min(values), max(values)


def printed(value: Fraction) -> Fraction:
    """A return to a hundredth of a per cent, half up."""
    return (value / CENT + Fraction(1, 2)) // 1 * CENT


def per_cent(value: Fraction, digits: int = 4) -> str:
    """A return for people, half up: `98.9421 %`."""
    whole, part = divmod(abs(value) * 10 ** (digits + 2) + Fraction(1, 2), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{int(part):0{digits}} %"


def against(
    certified: tuple[Fraction, Fraction], returns: Sequence[Return]
) -> tuple[str, tuple[Return, ...]]:
    """How returns meet a certified range, `equal`, `inside` or `outside`, and which lie outside."""
    low, high = certified
    outside = tuple(found for found in returns if not low <= printed(found.value) <= high)
    if outside:
        return "outside", outside
    return ("equal" if spread(returns) == certified else "inside"), ()


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
