"""Hands of cards as codes: tables over all hands of three, and over the ranks and suits of more."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from replay.bulk.frame import Column
from replay.bulk.results import Answers, distinct
from schemas.cards import DECK, Card

Cards = tuple[Card, ...]
RANKS = 13  # DECK runs through the ranks of one suit after another
SUITED = 5  # cards of a suit that make a flush


class Triples:
    """What a rule says of every three different cards, in any order."""

    def __init__(self, ask: Callable[[Cards], Any]) -> None:
        every = list(combinations(range(len(DECK)), 3))
        codes, self.found = distinct([ask(tuple(DECK[at] for at in three)) for three in every])
        self._table = np.full((len(DECK),) * 3, -1)
        self._table[tuple(np.array(every).T)] = codes

    def of(self, hands: Column) -> Column:
        """The code of each row of three cards; rows with a card twice or none have no meaning."""
        low, middle, high = np.sort(np.maximum(hands, 0), axis=1).T
        found: Column = self._table[low, middle, high]
        return found


def five_of(answers: Answers[Any], cards: Column, ask: Callable[[int], Any]) -> Column:
    """What the best five of some cards are, asked once for each kind of row.

    Without five cards of a suit only the ranks matter; with them the ranks of that suit, since the
    others are too few to beat a flush with more than those.
    """
    rank, suit = cards % RANKS, cards // RANKS
    counts = np.stack([(suit == n).sum(1) for n in range(4)])
    flush = np.flatnonzero(counts.max(0) >= SUITED)
    key = ((cards.shape[1] + 1) ** rank).sum(1)
    own = suit[flush] == counts[:, flush].argmax(0)[:, None]
    key[flush] = -1 - (own << rank[flush]).sum(1)
    return answers.of(key, ask)


def held(codes: Sequence[int]) -> Cards:
    """Cards by their codes."""
    return tuple(DECK[code] for code in codes)
