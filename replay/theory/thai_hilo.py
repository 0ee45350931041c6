"""Thai HiLo: the exact return of each of its 36 positions over all 216 rolls."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from replay.games import thai_hilo as game
from replay.games.shared.dice import POINTS
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted

ROLLS = Counter(tuple(sorted(roll)) for roll in product(POINTS, repeat=3))


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return, by the edition's own reading of an exact run."""
    reading = edition.issues["run_tiers"].reading
    outcomes = (Outcome(game.facts(dice, reading), ways) for dice, ways in ROLLS.items())
    return counted(edition, paytable, game.POSITIONS, outcomes, "all 216 rolls")
