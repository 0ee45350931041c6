"""Blackjack: how often the dealer's hand ends how, counted over all that is left in the shoe."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import perm
from typing import NamedTuple

from replay.games import blackjack as game
from schemas.cards import RANKS, SUITS, Card, cards

# How the dealer's hand can end, each with cards that show it.
ENDINGS = {
    word: cards(text)
    for word, text in {
        "blackjack": "AS TS", "17": "TS 7S", "18": "TS 8S", "19": "TS 9S", "20": "TS JS",
        "21": "7S 7H 7C", "bust": "TS 6S JS",
    }.items()
}  # fmt: skip
VALUES = range(1, 11)
LONGEST = 12  # no dealer's hand is longer

Values = tuple[int, ...]


class Tree(NamedTuple):
    """Sets of cards that end a hand, value by value: they share what they begin with."""

    steps: tuple[tuple[int, int], ...]  # the node before, and the pick that leads on from it
    ends: Mapping[tuple[str, int], tuple[tuple[int, int], ...]]  # word, size: nodes and orders


@cache
def full_shoe(decks: int) -> Values:
    """How many cards of each value a shoe holds; none of value 0."""
    ranks = Counter(game.VALUE[rank] for rank in RANKS)
    return (0, *(ranks[value] * len(SUITS) * decks for value in VALUES))


def left(decks: int, out: Values) -> Values:
    """How many cards of each value are left."""
    gone = Counter(out)
    return tuple(count - gone[value] for value, count in enumerate(full_shoe(decks)))


@cache
def shown(values: Values) -> tuple[Card, ...]:
    """Cards of these values."""
    rank = {value: rank for rank, value in reversed(game.VALUE.items())}
    return tuple(Card(rank[value], SUITS[0]) for value in values)


@cache
def endings(decks: int, up: int, out: Values) -> Mapping[str, int]:
    """In how many ways the dealer ends up how, of all draws of so many cards; `up` is out too."""
    rest = left(decks, (up, *out))
    table = [perm(count, n) for count in rest for n in range(LONGEST)]
    tree, ways = _tree(up), [1]
    for before, pick in tree.steps:
        ways.append(ways[before] * table[pick])
    found = dict.fromkeys(ENDINGS, 0)
    for (word, size), nodes in tree.ends.items():
        count = sum(orders * ways[node] for node, orders in nodes)
        found[word] += count * perm(sum(rest) - size, LONGEST - size)
    return found


@cache
def _tree(up: int) -> Tree:
    """The sets of cards that end a hand which begins with this card, as a tree."""
    nodes: dict[Values, int] = {(): 0}
    steps: list[tuple[int, int]] = []
    ends: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for (word, drawn), orders in _ends(up).items():
        path: Values = ()
        for value, count in sorted(Counter(drawn).items(), reverse=True):
            before, pick = nodes[path], value * LONGEST + count
            path = (*path, pick)
            if path not in nodes:
                nodes[path] = len(nodes)
                steps.append((before, pick))
        ends.setdefault((word, len(drawn)), []).append((nodes[path], orders))
    return Tree(tuple(steps), {key: tuple(found) for key, found in ends.items()})


def _ends(up: int) -> Mapping[tuple[str, Values], int]:
    """Cards that end the dealer's hand, and the orders in which they end it and not earlier."""
    found: Counter[tuple[str, Values]] = Counter()
    drawing: Counter[Values] = Counter([()])
    while drawing:
        on: Counter[Values] = Counter()
        for drawn, orders in drawing.items():
            for value in VALUES:
                more = tuple(sorted((*drawn, value)))
                hand = shown((up, *more))
                if game.dealer_draws(hand):
                    on[more] += orders
                else:
                    word = game.told(hand, blackjack=game.is_blackjack(hand))
                    found[word, more] += orders
        drawing = on
    return found
