"""Niu Niu by exact counting over every pair of hands, with the rules themselves."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from replay import rulebooks
from replay.games import niu_niu as game
from replay.theory import counted, niu_niu
from schemas.cards import DECK
from tests.support.tables import cases

EDITION = rulebooks.in_force("NN", "2026-03-01")

CLASSES = """
    HOIANA_NIU_NIU   | 624    | 0.00024006 | four of a kind
    ULTIMATE_NIU_NIU | 768    | 0.00029542 | five pictures
    NIU_NIU          | 190976 | 0.07075420 | Niu Niu
    NIU_9            | 171288 | 0.05886560 | Niu 9
    NIU_8            | 168072 | 0.05353621 | Niu 8
    NIU_7            | 171288 | 0.05025353 | Niu 7
    NIU_6            | 168072 | 0.04508985 | Niu 6
    NIU_5            | 177408 | 0.04303515 | Niu 5
    NIU_4            | 168072 | 0.03645775 | Niu 4
    NIU_3            | 171288 | 0.03284966 | Niu 3
    NIU_2            | 168072 | 0.02801139 | Niu 2
    NIU_1            | 171288 | 0.02423759 | Niu 1
    NO_HAND          | 871744 | 0.05637359 | No Hand
"""


@pytest.mark.parametrize(("named", "hands", "wins"), cases(CLASSES))
def test_hands_and_wins_of_each_class(named: str, hands: str, wins: str) -> None:
    won = Fraction(niu_niu.wins()[named], niu_niu.PAIRS)

    assert niu_niu.hands()[named] == int(hands)
    assert f"{float(won):.8f}" == wins


def test_every_hand_and_every_pair_is_counted_once() -> None:
    assert sum(niu_niu.hands().values()) == niu_niu.HANDS == 2_598_960
    assert niu_niu.PAIRS == 3_986_646_103_440
    assert 2 * sum(niu_niu.wins().values()) == niu_niu.PAIRS


@pytest.mark.parametrize(
    ("bet", "edge", "edge_with_reserve"),
    cases("""
        even      | 2.2545  | 2.2545 | Even
        double    | 2.6959  | 0.8986 | Double
        super_niu | 14.0482 | 1.1707 | Super Niu
    """),
)
def test_house_edges(bet: str, edge: str, edge_with_reserve: str) -> None:
    found = next(at for at in niu_niu.returns(EDITION, "standard") if at.bet == bet)
    lost = 100 * (1 - found.value)
    at_risk = 1 + game.RESERVE.get(bet, 0)

    assert f"{float(lost):.4f}" == edge
    assert f"{float(lost / at_risk):.4f}" == edge_with_reserve
    if bet in game.RESERVE:
        assert f"{100 - float(edge_with_reserve):.4f} % of bet and Reserve" in found.note


def test_even_is_fair_where_a_double_takes_its_commission_away() -> None:
    outcomes = niu_niu.outcomes(commission=False)

    (even,) = counted(EDITION, "standard", ["even"], outcomes, "")

    assert even.value == 1


def test_no_two_hands_of_one_deck_are_equal() -> None:
    """So of the pairs of one class each side wins half, as the count takes it."""
    chance = Random(3)
    for _ in range(20):
        deck = chance.sample(DECK, 10)
        for one in combinations(deck, 5):
            other = tuple(card for card in deck if card not in one)
            assert game.strength(one) != game.strength(other)
