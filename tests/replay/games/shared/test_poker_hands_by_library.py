"""Poker hands against an evaluator that others wrote (phevaluator), on random deals.

ROUNDPROOF_DEALS sets how many; `make long` asks for a million.
"""

import os
from itertools import pairwise
from random import Random

from phevaluator import evaluate_cards

from replay.games.shared.poker_hands import PokerHand, best
from schemas.cards import DECK, Card

DEALS = int(os.environ.get("ROUNDPROOF_DEALS", "100000"))
SIZES = (5, 6, 7)


def test_hands_stand_in_the_same_order_as_the_library_puts_them() -> None:
    chance, deck = Random("library"), list(DECK)
    ours: dict[int, PokerHand] = {}
    for n in range(DEALS):
        start = n % 7 * 7
        if not start:
            chance.shuffle(deck)
        dealt = deck[start : start + SIZES[n % 3]]
        mine = best(dealt)

        assert ours.setdefault(_theirs(dealt), mine) == mine, " ".join(map(str, dealt))

    # The library counts downwards: its 1 is the royal flush.
    by_library = [ours[rank] for rank in sorted(ours)]
    assert all(higher > lower for higher, lower in pairwise(by_library))
    assert len(by_library) > 4_000


def _theirs(dealt: list[Card]) -> int:
    rank: int = evaluate_cards(*(card.rank + card.suit.lower() for card in dealt))
    return rank
