"""Complete baccarat deals by the points of their cards, each with the ways a full shoe makes it.

The drawing rules come from the game that asks, so two rulebooks share the counting alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from math import perm
from typing import NamedTuple

from schemas.cards import DECK, RANKS, SUITS, Card

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]  # Player's and Banker's cards
NextHand = Callable[[Hands], str]  # the hand that the next card belongs to; empty at the end

LONGEST = 6  # cards of the longest deal; every deal is counted in sequences of so many
NAMES = ("player", "banker")
STANDS_FOR = tuple(Card(rank, SUITS[0]) for rank in "KA23456789")  # a card for each point value


class CountedDeal(NamedTuple):
    """Cards on both hands, and in how many ways the shoe makes them."""

    hands: Hands
    ways: int


def sequences(decks: int) -> int:
    """All ordered sequences of six cards."""
    return perm(_cards(decks), LONGEST)


def deals(decks: int, next_hand: NextHand) -> Iterator[CountedDeal]:
    """Every complete deal by points, in ways of six cards of the shoe.

    The order within a hand's first two cards is summed up.
    """
    values = {0: 4 * decks * len(SUITS)} | {point: decks * len(SUITS) for point in range(1, 10)}
    pairs = list(combinations_with_replacement(values, 2))
    for player in pairs:
        for banker in pairs:
            left = Counter(values)
            ways = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            for point in (*player, *banker):
                ways *= left[point]
                left[point] -= 1
            yield from _drawn((_hand(player), _hand(banker)), ways, left, decks, next_hand)


def openings(decks: int) -> Iterator[CountedDeal]:
    """The first two cards of each hand, rank by rank and suit by suit; ways of four cards.

    Renaming ranks, or the suits within a rank, changes no pair: three second cards stand for all.
    """
    first = DECK[0]
    seconds = {first: 1, Card(first.rank, SUITS[1]): len(SUITS) - 1}
    seconds[Card(RANKS[1], SUITS[0])] = len(DECK) - len(SUITS)
    for second, alike in seconds.items():
        left = Counter(dict.fromkeys(DECK, decks))
        begun = len(DECK) * _taken(left, first) * alike * _taken(left, second)
        for third in DECK:
            for fourth in DECK:
                ways = left[third] * (left[fourth] - (third == fourth))
                yield CountedDeal(((first, second), (third, fourth)), begun * ways)


def _taken(left: Counter[Card], card: Card) -> int:
    """How many copies of a card can be drawn; one of them is gone after it."""
    copies = left[card]
    left[card] -= 1
    return copies


def _drawn(
    hands: Hands, ways: int, left: Counter[int], decks: int, next_hand: NextHand
) -> Iterator[CountedDeal]:
    """The deals that a deal becomes by the third cards it is owed."""
    name = next_hand(hands)
    if not name:
        used = len(hands[0]) + len(hands[1])
        yield CountedDeal(hands, ways * perm(_cards(decks) - used, LONGEST - used))
        return
    player, banker = hands
    for point, copies in left.items():
        card = STANDS_FOR[point]
        grown = ((*player, card), banker) if name == NAMES[0] else (player, (*banker, card))
        yield from _drawn(grown, ways * copies, left - Counter([point]), decks, next_hand)


def _hand(points: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(STANDS_FOR[point] for point in points)


def _cards(decks: int) -> int:
    return len(DECK) * decks
