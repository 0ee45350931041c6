"""Texas Hold'em Bonus Poker: exact returns, to every digit that is printed of them."""

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest

from replay import rulebooks
from replay.games.shared.poker_hands import RANK, PokerClass, best
from replay.theory import holdem_boards
from replay.theory.holdem_bonus import hole_cards, returns, showdowns
from schemas.cards import DECK, Card
from tests.support.tables import cases

EDITION = rulebooks.in_force("TH", "2026-03-01")


@pytest.mark.parametrize(
    ("line", "chance"),
    cases("""
        A-A against A-A     | 1/270725 | 1000 to 1
        A-A                 | 72/15925 | 30 to 1
        A-K suited          | 2/663    | 25 to 1
        A-Q or A-J suited   | 4/663    | 20 to 1
        A-K unsuited        | 2/221    | 15 to 1
        K-K, Q-Q or J-J     | 3/221    | 10 to 1
        A-Q or A-J unsuited | 4/221    | 5 to 1
        10-10 to 2-2        | 9/221    | 3 to 1
        no bonus            | 200/221  | loses
    """),
)
def test_chances_of_the_bonus(line: str, chance: str) -> None:
    outcomes = hole_cards()
    ways = sum(
        outcome.ways
        for outcome in outcomes
        if line in outcome.facts and (line != "A-A" or len(outcome.facts) == 1)
    )

    assert Fraction(ways, sum(outcome.ways for outcome in outcomes)) == Fraction(chance)


def test_every_board_is_counted_once() -> None:
    assert sum(board.ways for board in holdem_boards.boards()) == comb(52, 5)


def test_returns() -> None:
    found = {line.bet: line.value for line in returns(EDITION, "standard")}

    assert 1 - found["bonus"] == Fraction(13_873, 162_435)
    assert f"{float(1 - found['bonus']):.4%}" == "8.5406%"
    # With the Flop always bet and nothing after it the Flop itself is fair.
    assert f"{float(1 - found['ante']):.4%}" == "39.2268%"
    assert found["flop"] == found["turn"] == found["river"] == 1


def test_two_random_hands() -> None:
    outcomes = showdowns()
    total = sum(outcome.ways for outcome in outcomes)
    shares = {
        name: f"{sum(x.ways for x in outcomes if name in x.facts) / total:.4%}"
        for name in ("player higher", "stand-off", "dealer higher")
    }

    assert total == comb(52, 5) * comb(47, 2) * comb(45, 2)
    assert shares == {
        "player higher": "47.9663%",
        "stand-off": "4.0674%",
        "dealer higher": "47.9663%",
    }


@pytest.mark.parametrize("suited", [2, 3, 4, 5])
def test_a_board_against_every_pair_of_hands_dealt_out(suited: int) -> None:
    """The count of one board, hand by hand and without any table."""
    cards = _board(suited)
    deck = [card for card in DECK if card not in cards]
    hands = [(set(hole), best([*hole, *cards])) for hole in combinations(deck, 2)]
    ranks = {rank: n for n, rank in enumerate(RANK)}
    suit = [ranks[card.rank] for card in cards if card.suit == "S"] if suited > 2 else []
    board = holdem_boards.Board(
        tuple(sorted(ranks[card.rank] for card in cards)), tuple(sorted(suit)), 1
    )

    ties = wins = 0
    for hole, hand in hands:
        straight = hand.kind >= PokerClass.STRAIGHT
        for other, theirs in hands:
            if hand == theirs:
                ties += hole.isdisjoint(other)
            elif straight and hand > theirs:
                wins += hole.isdisjoint(other)

    assert holdem_boards.compared(board) == (ties, wins)


def _board(suited: int) -> list[Card]:
    """Five cards of which so many are spades and no other suit comes three times."""
    chance = Random(f"board {suited}")
    spades = chance.sample([card for card in DECK if card.suit == "S"], suited)
    others = [card for card in DECK if card.suit != "S"]
    while True:
        rest = chance.sample(others, 5 - suited)
        if len({card.suit for card in rest}) == len(rest):
            return [*spades, *rest]
