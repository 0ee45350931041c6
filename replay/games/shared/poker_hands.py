"""Poker hands: the best five of five to seven cards, as values that compare. Arithmetic only.

Each rulebook says for itself what a class is called, what it pays and which ties it breaks.
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

from schemas.cards import Card

RANK = {rank: value for value, rank in enumerate("23456789TJQKA", 2)}
ACE = RANK["A"]

# The five ranks of each straight as bits, by its top card; below 6-5-4-3-2 the ace counts low.
STRAIGHTS = {top: 0b11111 << (top - 4) for top in range(ACE, 5, -1)} | {5: 1 << ACE | 0b1111 << 2}


class PokerClass(IntEnum):
    """The classes of five cards, low to high."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class PokerHand(NamedTuple):
    """Five cards as far as they count: the greater of two hands is the higher."""

    kind: PokerClass
    ranks: tuple[int, ...] = ()  # what breaks ties within the class, in the order compared


# What the largest group of equal rank makes with the next one; more of either changes nothing.
GROUPS = {
    (4, 2): PokerClass.FOUR_OF_A_KIND,
    (4, 1): PokerClass.FOUR_OF_A_KIND,
    (3, 2): PokerClass.FULL_HOUSE,
    (3, 1): PokerClass.THREE_OF_A_KIND,
    (2, 2): PokerClass.TWO_PAIRS,
    (2, 1): PokerClass.ONE_PAIR,
    (1, 1): PokerClass.HIGH_CARD,
}
# How many groups of each class count before single cards fill up the five.
GROUPED = {
    PokerClass.FOUR_OF_A_KIND: (1, 1),
    PokerClass.THREE_OF_A_KIND: (1, 2),
    PokerClass.TWO_PAIRS: (2, 1),
    PokerClass.ONE_PAIR: (1, 3),
    PokerClass.HIGH_CARD: (0, 5),
}


def best(cards: Sequence[Card]) -> PokerHand:
    """The highest five-card hand in five to seven cards of one deck."""
    counts: dict[int, int] = {}
    suits: dict[str, int] = {}
    bits = 0
    for card in cards:
        rank = RANK[card.rank]
        counts[rank] = counts.get(rank, 0) + 1
        suits[card.suit] = suits.get(card.suit, 0) | 1 << rank
        bits |= 1 << rank
    flush = next((suited for suited in suits.values() if suited.bit_count() >= 5), 0)
    if flush and (top := _straight(flush)):
        return (
            PokerHand(PokerClass.ROYAL_FLUSH)
            if top == ACE
            else PokerHand(PokerClass.STRAIGHT_FLUSH, (top,))
        )
    groups = sorted((count << 4 | rank for rank, count in counts.items()), reverse=True)
    kind = GROUPS[min(groups[0] >> 4, 4), min(groups[1] >> 4, 2)]
    if kind >= PokerClass.FULL_HOUSE:
        return _grouped(kind, groups)
    if flush:
        return PokerHand(PokerClass.FLUSH, _highest(flush))
    if top := _straight(bits):
        return PokerHand(PokerClass.STRAIGHT, (top,))
    return _grouped(kind, groups)


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Five cards that make the best hand, those that repeat first, then from high to low."""
    wanted = best(cards)
    five = next(five for five in combinations(cards, 5) if best(five) == wanted)
    count = Counter(held.rank for held in five)
    low_ace = wanted.kind in (PokerClass.STRAIGHT, PokerClass.STRAIGHT_FLUSH) and wanted.ranks == (
        5,
    )
    value = {**RANK, "A": 1} if low_ace else RANK
    return tuple(sorted(five, key=lambda held: (-count[held.rank], -value[held.rank])))


def _straight(bits: int) -> int:
    """The top card of the highest straight; 0 where there is none."""
    for top, five in STRAIGHTS.items():
        if bits & five == five:
            return top
    return 0


def _highest(bits: int) -> tuple[int, ...]:
    """The five highest ranks."""
    return tuple(rank for rank in range(ACE, 1, -1) if bits >> rank & 1)[:5]


def _grouped(kind: PokerClass, groups: list[int]) -> PokerHand:
    """A hand told by ranks that repeat; `groups` are counts and ranks, the largest first."""
    ranks = [group & 15 for group in groups]
    if kind is PokerClass.FULL_HOUSE:
        return PokerHand(kind, (ranks[0], ranks[1]))
    fixed, singles = GROUPED[kind]
    kickers = sorted(ranks[fixed:], reverse=True)[:singles]
    return PokerHand(kind, (*ranks[:fixed], *kickers))
