"""Theory: how often each bet wins and what it returns, counted exactly with the rules themselves.

A game's module offers `returns(edition, paytable)`, every bet with its chances and its return, and
may offer `stated(edition, paytable)`, figures that take too long to count every time.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from replay.rulebooks.edition import Edition, Odds
from replay.settle import deciding

CENT = Fraction(1, 10_000)  # certificates are printed to a hundredth of a per cent


class Chance(NamedTuple):
    """One line of a bet: how likely it decides, and what one unit staked brings back by it."""

    fact: str  # in the words of the paytable
    odds: Odds
    probability: Fraction
    back: Fraction


class Return(NamedTuple):
    """What one unit staked on a bet brings back on the long run."""

    bet: str
    value: Fraction
    note: str = ""  # what it was counted over, or why it could not be counted
    chances: tuple[Chance, ...] = ()  # none where they depend on how a hand is played
    play: str = ""  # how the player plays for whom it was counted; empty where nobody can choose

    def chance_of(self, result: str) -> Fraction | None:
        """How likely the bet ends in `win`, `push` or `lose`; None where that was not counted."""
        found = (each.probability for each in self.chances if each.odds.result == result)
        return sum(found, Fraction(0)) if self.chances else None


class Stated(NamedTuple):
    """A figure that was counted elsewhere, and where."""

    what: str
    value: Fraction
    source: str


def _nothing_stated(edition: Edition, paytable: str) -> Iterable[Stated]:
    del edition, paytable
    return ()


class Theory(NamedTuple):
    """What a game's module here offers by name; without `stated` nothing is."""

    returns: Callable[[Edition, str], Iterable[Return]]
    stated: Callable[[Edition, str], Iterable[Stated]] = _nothing_stated


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
    return tuple(_theory(edition.game).returns(edition, paytable or edition.paytable))


def stated(edition: Edition, paytable: str = "") -> tuple[Stated, ...]:
    """What is known of an edition's bets beyond their returns, with its source."""
    if not known(edition.game):
        return ()
    return tuple(_theory(edition.game).stated(edition, paytable or edition.paytable))


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
    """The chances and the return of each position over every outcome there is."""
    known = tuple(outcomes)
    for position in positions:
        yield summed(position, decided(position, edition, paytable, known), note)


def decided(
    position: str, edition: Edition, paytable: str, outcomes: Sequence[Outcome]
) -> tuple[Chance, ...]:
    """How likely each line of a position decides, in the order of the paytable."""
    all_ways = sum(outcome.ways for outcome in outcomes)
    ways_of: Counter[str] = Counter()
    odds_of: dict[str, Odds] = {}
    for facts, ways in outcomes:
        line = deciding(position, facts, edition, paytable)
        ways_of[line.fact] += ways
        odds_of[line.fact] = line.odds
    written = (line.fact for line in edition.lines(paytable, position))
    return tuple(
        Chance(fact, odds_of[fact], Fraction(ways_of[fact], all_ways), back(odds_of[fact]))
        for fact in written
        if ways_of[fact]
    )


def summed(bet: str, chances: tuple[Chance, ...], note: str) -> Return:
    """The return that chances come to."""
    value = sum((each.probability * each.back for each in chances), Fraction(0))
    return Return(bet, value, note, chances)


def back(odds: Odds) -> Fraction:
    """What one unit staked brings back by a line, unrounded; a reserve that is lost counts."""
    if odds.result == "win":
        return 1 + odds.pays * (1 - odds.commission)
    return Fraction(1) if odds.result == "push" else 1 - odds.takes - odds.reserve


def _theory(game: str) -> Theory:
    module = vars(import_module(f"{__name__}.{game}"))
    return Theory(**{field: module[field] for field in Theory._fields if field in module})
