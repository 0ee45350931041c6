"""Hoiana Roulette: the exact return of each of its 157 positions over all 37 pockets."""

from collections.abc import Iterator

from replay.games import roulette_hoiana as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return; each pocket is as likely as any other."""
    outcomes = (Outcome(game.facts(pocket), 1) for pocket in game.POCKETS)
    return counted(edition, paytable, game.COVERS, outcomes, "all 37 pockets")
