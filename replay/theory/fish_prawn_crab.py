"""Fish Prawn Crab: the exact return of each of its 23 positions over all 216 rolls."""

from collections.abc import Iterator
from itertools import product

from replay.games import fish_prawn_crab as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return, by the edition's own readings of colors and symbol triples."""
    colors, triple = (edition.issues[name].reading for name in ("colors", "symbol_triple"))
    dice = (game.symbols(roll) or () for roll in product(game.SYMBOLS, repeat=3))
    outcomes = (Outcome(game.facts(roll, colors, triple), 1) for roll in dice)
    return counted(edition, paytable, game.POSITIONS, outcomes, "all 216 rolls")
