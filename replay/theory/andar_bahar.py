"""Andar Bahar: the exact return of every bet in both modes.

The place of the first match is counted over all places of the Game Card's three fellows in the
deck, First 3 over all sets of three cards; the two never meet in one bet.
"""

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb

from replay.games import andar_bahar as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from schemas.cards import DECK, Card

FELLOWS = 3
REST = len(DECK) - 1
PLACES = comb(REST, FELLOWS)  # of the Game Card's fellows in the rest of the deck
THREES = comb(len(DECK), 3)

GAME_CARD = DECK[0]
MATCH = next(card for card in DECK[1:] if card.rank == GAME_CARD.rank)
OTHERS = tuple(card for card in DECK if card.rank != GAME_CARD.rank)


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return."""
    by_count = sorted(game.POSITIONS - {"first_3"})
    note = f"all {PLACES:,} places of the Game Card's fellows"
    counts = [Outcome(game.facts(_deal(n)), ways(n)) for n in range(1, REST - FELLOWS + 2)]
    threes = [Outcome(frozenset({f"first 3 form a {what}"}), n) for what, n in patterns().items()]
    rows = chain(
        counted(edition, paytable, by_count, counts, note),
        counted(edition, paytable, ["first_3"], threes, f"all {THREES:,} sets of three cards"),
    )
    yield from sorted(rows)


def ways(count: int) -> int:
    """In how many of all places the first match is card number `count`."""
    return comb(REST - count, FELLOWS - 1)


def patterns() -> dict[str, int]:
    """How many sets of three cards form each pattern; those with none stand under no name."""
    found: dict[str, int] = {}
    for cards in combinations(DECK, 3):
        formed = game.pattern(cards)
        found[formed] = found.get(formed, 0) + 1
    return found


def _deal(count: int) -> game.Deal:
    """A lawful deal that ends with card number `count`; all of them pay alike, but for First 3."""
    cards: list[Card] = [*OTHERS[: count - 1], MATCH]
    return game.Deal(GAME_CARD, tuple((game.SIDES[n % 2], card) for n, card in enumerate(cards)))
