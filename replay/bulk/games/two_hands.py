"""Baccarat and Tiger Baccarat: Player and Banker, factored by points.

What a round came to hangs on the points of both hands, on how many cards each has, and on the
pairs among their first two. So the rules of the game are asked of one deal of each such kind, and
it stands for all of them. Which cards a hand draws hangs on three numbers of points, and is
tabulated over them.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from replay.bulk import cards
from replay.bulk.cards import NO_CARD, Dealt
from replay.bulk.frame import Column
from replay.bulk.results import Results, Verdict, for_each
from replay.bulk.usual import ENDING, OPENING, Order, Usual
from schemas import events as e
from schemas.cards import DECK, Card

ORDER: Order = (
    *OPENING, (e.StakeRead,), (e.CardDrawn, e.CardsObserved), (e.ResultCalled,), *ENDING,
)  # fmt: skip
HANDS = ("player", "banker")
MOST_CARDS = 6
SCORES = range(10)

Cards = tuple[Card, ...]


class Hands(NamedTuple):
    """The cards of each round on both hands, a row a round and three places a hand."""

    player: Column
    banker: Column
    points: Column  # of both
    cards: Column  # how many both have


def hands(usual: Usual, points: Callable[[Sequence[Card]], int], lawful: Any, decks: int) -> Hands:
    """Both hands; leaves rounds whose cards are not those that the rules give them."""
    dealt = cards.dealt(usual, HANDS, decks)
    worth = np.array([points((card,)) for card in DECK] + [0], np.int64)  # NO_CARD is last
    order = dealt.laid(len(usual.frame), MOST_CARDS)
    two = (worth[order[:, [0, 2]]].sum(1) % 10, worth[order[:, [1, 3]]].sum(1) % 10)
    third = np.where(order[:, 4] == NO_CARD, 0, worth[order[:, 4]])
    drawn = np.array(lawful.table(), np.int64).reshape(len(SCORES), len(SCORES), len(SCORES), 2)
    count = drawn[two[0], two[1], third].T
    usual.leave("another count of cards than the rules deal", dealt.cards != count.sum(0))
    usual.leave("another order of cards", dealt.round[_misdealt(dealt, count)])
    player, banker = np.full((2, len(usual.frame), 3), NO_CARD)
    player[:, :2], banker[:, :2] = order[:, [0, 2]], order[:, [1, 3]]
    player[:, 2] = np.where(count[0] == 3, order[:, 4], NO_CARD)
    last = np.where(count[0] == 3, order[:, 5], order[:, 4])
    banker[:, 2] = np.where(count[1] == 3, last, NO_CARD)
    scores = np.stack([worth[player].sum(1) % 10, worth[banker].sum(1) % 10])
    return Hands(player, banker, scores, count)


def results(usual: Usual, dealt: Hands, ask: Callable[[Cards, Cards], Verdict]) -> Results:
    """The result of each round, asked once for each kind of deal."""
    key = np.zeros(len(usual.frame), np.int64)
    pairs = (_pairs(dealt.player), _pairs(dealt.banker))
    for part, size in zip(
        (*dealt.points, *(dealt.cards - 2), *pairs), (10, 10, 2, 2, 3, 3), strict=True
    ):
        key = key * size + part
    key = np.where(usual.kept, key, -1)

    def verdict(n: int) -> Verdict:
        if key[n] < 0:
            return Verdict("", "", frozenset(), ())
        return ask(cards.held(dealt.player[n].tolist()), cards.held(dealt.banker[n].tolist()))

    return Results(*for_each(key, verdict))


def specimen(score: int) -> Cards:
    """Two cards of a score."""
    ace_to_nine = Card("T", "S") if score == 0 else Card("A" if score == 1 else str(score), "S")
    return (ace_to_nine, Card("K", "S"))


def _pairs(hand: Column) -> Column:
    """0 for no pair among the first two cards, 1 for two of a rank, 2 for the same card twice."""
    first, second = hand[:, 0], hand[:, 1]
    of_rank = first % 13 == second % 13  # DECK runs through the ranks of one suit after another
    paired: Column = of_rank.astype(np.int64) + (first == second)
    return paired


def _misdealt(dealt: Dealt, count: Column) -> Column:
    """Whether each card lies on another hand than its place in the shoe gives it to."""
    fifth = np.where(count[0] == 3, 0, 1)
    turn = np.where(dealt.nth < 4, dealt.nth % 2, np.where(dealt.nth == 4, fifth[dealt.round], 1))
    wrong: Column = dealt.hand != turn
    return wrong
