"""Xoc Dia: the exact return of each of its ten positions over all 16 throws."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from replay.games import xoc_dia as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted

THROWS = Counter(game.reds(faces) for faces in product("RW", repeat=game.TOKENS))


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return."""
    outcomes = (Outcome(game.facts(reds), ways) for reds, ways in sorted(THROWS.items()))
    return counted(edition, paytable, game.POSITIONS, outcomes, "all 16 throws")
