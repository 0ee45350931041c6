"""Poker hands: every class, every tie-break, and a second evaluator that shares nothing."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.shared.poker_hands import RANK, PokerClass, best
from schemas.cards import DECK, SUITS, Card, cards
from tests.support.tables import cases

Value = tuple[int, tuple[int, ...]]
HANDS = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
)


@pytest.mark.parametrize(
    ("hand", "kind", "ranks"),
    cases("""
        AH KH QH JH TH 2C 2D | ROYAL_FLUSH     |                | the highest
        JS TS 9S 8S 7S AS KS | STRAIGHT_FLUSH  | 11             | higher suited cards do not help
        5C 4C 3C 2C AC KC 9D | STRAIGHT_FLUSH  | 5              | the ace low
        AC AH AD AS TH TC TD | FOUR_OF_A_KIND  | 14 10          | threes beside are kickers
        2C 2H 2D 2S 3H 3C KD | FOUR_OF_A_KIND  | 2 13           | the highest fifth card of a pair and a single
        KC KH KD 7S 7H 7C 2D | FULL_HOUSE      | 13 7           | two threes
        KC KH KD 7S 7H 9C 9D | FULL_HOUSE      | 13 9           | the higher of two pairs
        JH 8H 6H 5H 2H AH KS | FLUSH           | 14 11 8 6 5    | five of six suited cards
        9C 8D 7C 6H 5S 5C 5D | STRAIGHT        | 9              | beats three of a kind
        AC KD QC JH TS 2C 3D | STRAIGHT        | 14             | the ace high
        AC 2D 3C 4H 5S 9C KD | STRAIGHT        | 5              | the ace low
        AC 2D 3C 4H 5S 6C KD | STRAIGHT        | 6              | the ace left out
        QC KD AC 2H 3S 7C 8D | HIGH_CARD       | 14 13 12 8 7   | no way round the corner
        TS TH TC 8H 3D 2C 4S | THREE_OF_A_KIND | 10 8 4         | two kickers
        QC QH 9C 9H 3D 3C 2S | TWO_PAIRS       | 12 9 3         | a third pair is a kicker
        AC AH 7D 6H 2S 3C 4D | ONE_PAIR        | 14 7 6 4       | three kickers
        QC 9H 6D 5S 3H 2C 8D | HIGH_CARD       | 12 9 8 6 5     | five odd cards
        QC 9H 6D 5S 3H       | HIGH_CARD       | 12 9 6 5 3     | five cards
        QC 9H 6D 5S QH 9D    | TWO_PAIRS       | 12 9 6         | six cards
    """),  # noqa: E501 (a row is a hand)
)
def test_the_best_five(hand: str, kind: str, ranks: str) -> None:
    found = best(cards(hand))

    assert found.kind is PokerClass[kind]
    assert found.ranks == tuple(map(int, ranks.split()))


def test_class_counts_of_all_five_card_hands() -> None:
    found: Counter[PokerClass] = Counter()
    for ranks in combinations_with_replacement(RANK, 5):
        times = Counter(ranks)
        if max(times.values()) == 5:
            continue
        ways = prod(comb(4, n) for n in times.values())
        if len(times) == 5:
            found[best([Card(rank, "S") for rank in ranks]).kind] += 4
            ways -= 4
        found[best(_unsuited(ranks)).kind] += ways

    counts = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
    assert [found[kind] for kind in reversed(PokerClass)] == list(counts)
    assert sum(found.values()) == comb(52, 5)


def test_seven_cards_against_every_five_of_them() -> None:
    chance = Random("hands")
    for _ in range(4_000):
        hand = chance.sample(DECK, 7)
        assert _value(best(hand)) == _second_opinion(hand), " ".join(map(str, hand))


def test_pairs_of_hands_compare_as_the_second_opinion_does() -> None:
    chance = Random("pairs")
    for _ in range(2_000):
        dealt = chance.sample(DECK, 9)
        one, other = dealt[:7], dealt[2:]

        mine, theirs = best(one), best(other)

        assert (mine > theirs) == (_second_opinion(one) > _second_opinion(other))
        assert (mine == theirs) == (_second_opinion(one) == _second_opinion(other))


@given(HANDS, st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_suits_matter(hand: list[Card], chance: Random) -> None:
    suits = dict(zip(SUITS, chance.sample(SUITS, 4), strict=True))
    other = [Card(card.rank, suits[card.suit]) for card in chance.sample(hand, len(hand))]

    assert best(other) == best(hand)


@given(HANDS.filter(lambda hand: len(hand) < 7), st.sampled_from(DECK))
def test_a_further_card_never_makes_a_hand_worse(hand: list[Card], more: Card) -> None:
    if more not in hand:
        assert best([*hand, more]) >= best(hand)


def _unsuited(ranks: Sequence[str]) -> list[Card]:
    """Cards of these ranks that are no flush: equal ranks in turn, else one suit differs."""
    given: Counter[str] = Counter()
    hand = []
    for n, rank in enumerate(ranks):
        suit = SUITS[given[rank]] if max(Counter(ranks).values()) > 1 else SUITS[n == 0]
        given[rank] += 1
        hand.append(Card(rank, suit))
    return hand


def _value(hand: tuple[PokerClass, tuple[int, ...]]) -> Value:
    kind, ranks = hand
    return int(kind), ranks


def _second_opinion(hand: Sequence[Card]) -> Value:
    """The best of all choices of five, each named the long way round."""
    return max(_five(five) for five in combinations(hand, 5))


def _five(hand: Sequence[Card]) -> Value:
    ranks = sorted((RANK[card.rank] for card in hand), reverse=True)
    suited = len({card.suit for card in hand}) == 1
    times = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [count for count, _ in times]
    order = tuple(rank for _, rank in times)
    run = ranks[0] - ranks[4] == 4 and shape == [1] * 5
    top = 5 if ranks == [14, 5, 4, 3, 2] else ranks[0] if run else 0
    if top and suited:
        return (9, ()) if top == 14 else (8, (top,))
    if top:
        return 4, (top,)
    if suited and shape == [1] * 5:
        return 5, tuple(ranks)
    return {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(
        tuple(shape), 0
    ), order
