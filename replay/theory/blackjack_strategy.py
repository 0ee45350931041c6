"""Blackjack: basic strategy by totals, as it is printed on a player's card.

H hit, S stand, D double or else hit, d double or else stand, R surrender or else hit, P split.
It is the best play for these rules where a hand is known by its total alone.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from replay.games import blackjack as game

# The dealer's card:  2 3 4 5 6 7 8 9 T A
HARD = """
     4 5 6 7 8      H H H H H H H H H H
     9              H D D D D H H H H H
     10             D D D D D D D D H H
     11             D D D D D D D D D H
     12             H H S S S H H H H H
     13 14 15       S S S S S H H H H H
     16             S S S S S H H R H H
     17 18 19 20 21 S S S S S S S S S S
"""
SOFT = """
     12             H H H H H H H H H H
     13 14          H H H D D H H H H H
     15 16          H H D D D H H H H H
     17             H D D D D H H H H H
     18             S d d d d S S H H H
     19 20 21       S S S S S S S S S S
"""
PAIRS = """
     2 3            . . P P P P . . . .
     4 5 10         . . . . . . . . . .
     6              . P P P P . . . . .
     7              P P P P P P . . . .
     8              P P P P P P P P P P
     9              P P P P P . P P . .
     1              P P P P P P P P P P
"""
UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

Plays = Mapping[tuple[int, int], str]  # total or value, and the dealer's card, to the play


class Strategy(NamedTuple):
    """What to do with a hand against a card of the dealer's."""

    hard: Plays
    soft: Plays
    pairs: Plays

    def first(self, hand: Sequence[int], up: int) -> str:
        """The first decision: hit, stand, double, split or surrender."""
        if hand[0] == hand[1] and self.pairs[hand[0], up] == "P":
            return "P"
        return self._by_total(hand, up).upper()

    def draws(self, hand: Sequence[int], up: int) -> bool:
        """Whether a hand that can only be hit or stood takes a card."""
        return self._by_total(hand, up) in "HDR"

    def doubles(self, hand: Sequence[int], up: int) -> bool:
        """Whether a hand that cannot be split is doubled."""
        return self._by_total(hand, up) in "Dd"

    def _by_total(self, hand: Sequence[int], up: int) -> str:
        total = game.points(hand)
        return (self.hard if total == sum(hand) else self.soft)[total, up]


def read(hard: str = HARD, soft: str = SOFT, pairs: str = PAIRS) -> Strategy:
    """The strategy that tables print."""
    return Strategy(_plays(hard), _plays(soft), _plays(pairs))


def _plays(table: str) -> Plays:
    found: dict[tuple[int, int], str] = {}
    for row in filter(None, map(str.split, table.splitlines())):
        totals, plays = row[: -len(UPCARDS)], row[-len(UPCARDS) :]
        for total in totals:
            found |= {(int(total), up): at for up, at in zip(UPCARDS, plays, strict=True)}
    return found


BASIC = read()
