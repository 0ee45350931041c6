"""One Card: the exact return of both bets over every card of a full shoe."""

from collections.abc import Iterator

from replay.games import one_card as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from schemas.cards import DECK


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return; each card is as likely as any other."""
    outcomes = (Outcome(game.facts(card), 1) for card in DECK)
    return counted(edition, paytable, game.POSITIONS, outcomes, "every card of a deck")
