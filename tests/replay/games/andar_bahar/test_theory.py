"""Andar Bahar, SA-AB: exact returns as the page prints them, and a second count of the deals."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from replay import rulebooks
from replay.games import andar_bahar as game
from replay.theory import andar_bahar as theory
from schemas.cards import DECK
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-AB", "2026-03-01")
RETURNS = {row.bet: row for row in theory.returns(EDITION, "fit")}


def per_cent(share: Fraction) -> str:
    figure = Decimal(share.numerator) * 100 / Decimal(share.denominator)
    return str(figure.quantize(Decimal("0.01"), ROUND_HALF_UP))


@pytest.mark.parametrize(
    ("bet", "printed"),
    cases("""
        andar       | 8151/8330 = 97.85 | andar
        bahar       | 808/833 = 97.00   | bahar
        andar:nc    | 3285/3332 = 98.59 | andar, no commission: the maximum
        bahar:nc    | 808/833 = 97.00   | bahar, no commission
        first_andar | 16/17 = 94.12     | first andar
        first_bahar | 384/425 = 90.35   | first bahar
        first_3     | 4716/5525 = 85.36 | first 3: the minimum
        cards_1_5   | 1129/1190 = 94.87 | one to five
        cards_6_10  | 3616/4165 = 86.82 | six to ten
        cards_11_15 | 3872/4165 = 92.97 | eleven to fifteen
        cards_16_25 | 3632/4165 = 87.20 | sixteen to twenty-five
        cards_26_30 | 762/833 = 91.48   | 26 to 30
        cards_31_35 | 110/119 = 92.44   | 31 to 35
        cards_36_40 | 790/833 = 94.84   | 36 to 40
        cards_41_49 | 792/833 = 95.08   | 41 to 49
    """),
)
def test_the_returns_the_page_prints(bet: str, printed: str) -> None:
    value = RETURNS[bet].value

    assert f"{value} = {per_cent(value)}" == printed


def test_every_position_has_its_return_and_says_over_what() -> None:
    assert set(RETURNS) == game.POSITIONS
    assert {RETURNS[f"{bet}:nc"].value for bet in game.COUNTS} == {
        RETURNS[bet].value for bet in game.COUNTS
    }
    assert RETURNS["first_3"].note == "all 22,100 sets of three cards"
    assert RETURNS["andar"].note == "all 20,825 places of the Game Card's fellows"


def test_the_returns_fill_the_certified_range() -> None:
    values = sorted(row.value for row in RETURNS.values())

    assert EDITION.certified is not None
    assert [per_cent(values[0]), per_cent(values[-1])] == list(map(per_cent, EDITION.certified))


def test_the_places_of_the_fellows_one_by_one() -> None:
    """Every place of the three matching cards among the fifty-one: the first of them ends it."""
    firsts = Counter(min(places) for places in combinations(range(1, 52), 3))

    assert {n: theory.ways(n) for n in range(1, 50)} == dict(firsts)
    assert sum(firsts.values()) == comb(51, 3)
    andar = sum(ways for n, ways in firsts.items() if n % 2)
    assert Fraction(andar, comb(51, 3)) == Fraction(429, 833)


def test_sets_of_three_by_hand() -> None:
    """A second account of First 3: runs by the distance of ranks, with the ace at either end."""
    found: Counter[str] = Counter()
    for three in combinations(DECK, 3):
        low = sorted("A23456789TJQK".index(card.rank) for card in three)
        high = sorted("23456789TJQKA".index(card.rank) for card in three)
        run = any(ranks == list(range(ranks[0], ranks[0] + 3)) for ranks in (low, high))
        suit = three[0].suit == three[1].suit == three[2].suit
        found[" ".join(["straight"] * run + ["flush"] * suit)] += 1

    assert theory.patterns() == dict(found)
    assert (found["straight flush"], found["straight"], found["flush"]) == (48, 720, 1096)


def test_a_count_bet_for_every_number_of_cards() -> None:
    for count in range(1, 50):
        ranges = [bet for bet in game.COUNTS if _holds(bet, count)]

        assert len(ranges) == 1


def _holds(bet: str, count: int) -> bool:
    _, low, high = bet.split("_")
    return int(low) <= count <= int(high)
