"""Dragon Tiger: the exact return of each bet over every two cards of a full shoe."""

from collections.abc import Iterator

from replay.games import dragon_tiger as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from schemas.cards import RANKS, SUITS, Card


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return; burned cards are unseen and change nothing."""
    note = f"every two cards of {edition.decks} decks"
    return counted(edition, paytable, game.POSITIONS, outcomes(edition.decks), note)


def outcomes(decks: int) -> Iterator[Outcome]:
    """Both cards by rank, since suits are not considered, each with the ways it comes."""
    of_a_rank = decks * len(SUITS)
    for dragon in RANKS:
        for tiger in RANKS:
            facts = game.facts(Card(dragon, SUITS[0]), Card(tiger, SUITS[0]))
            yield Outcome(facts, of_a_rank * (of_a_rank - (dragon == tiger)))
