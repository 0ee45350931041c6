"""Baccarat, SA-BC: the exact returns of both paytables, digit by digit as the page prints them."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

import pytest

from replay import rulebooks
from replay.games import baccarat as game
from replay.settle import deciding
from replay.theory import baccarat, baccarat_deals
from schemas.cards import DECK
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-BC", "2026-03-01")


def per_cent(share: Fraction) -> str:
    figure = Decimal(share.numerator) * 100 / Decimal(share.denominator)
    return str(figure.quantize(Decimal("0.01"), ROUND_HALF_UP))


def returned(paytable: str) -> dict[str, Fraction]:
    return {row.bet: row.value for row in baccarat.returns(EDITION, paytable)}


@pytest.mark.parametrize(
    ("bet", "exact", "fit", "usual"),
    cases("""
        player               | 19283843717413/19524993263685 | 98.76 | 98.76 | player
        banker               | 10732465128097/10847218479825 | 98.94 | 98.94 | banker, traditional
        banker:nc            | 19240298465317/19524993263685 | 98.54 | 98.54 | banker, no commission
        tie                  | 619306544887/723147898655     | 85.64 | 85.64 | tie
        player_pair          | 372/415                       | 89.64 | 89.64 | player pair
        banker_pair          | 372/415                       | 89.64 | 89.64 | banker pair
        any_pair             | 680326/788417                 | 86.29 | 86.29 | any pair
        perfect_pair         | 1469338/1689465               | 86.97 | 86.97 | perfect pair
        player_natural       | 4599/5395                     | 85.25 | 94.72 | player natural
        banker_natural       | 4599/5395                     | 85.25 | 94.72 | banker natural
        player_bonus         | 3801450797986/3904998652737   | 97.35 | 97.35 | player bonus
        banker_bonus         | 93623815842/103306842665      | 90.63 | 90.63 | banker bonus
        lucky_six            | 1915651910152/2169443695965   | 88.30 | 83.32 | lucky six
        two_card_lucky_six   | 1769445112/2065481145         | 85.67 | 85.67 | with two cards
        three_card_lucky_six | 185398141856/214560365535     | 86.41 | 84.75 | with three cards
    """),
)
def test_the_returns_the_page_prints(bet: str, exact: str, fit: str, usual: str) -> None:
    assert returned("fit")[bet] == Fraction(exact)
    assert per_cent(returned("fit")[bet]) == fit
    assert per_cent(returned("conventional")[bet]) == usual


def test_a_natural_tie_that_loses_costs_the_bonus_bets() -> None:
    issue = EDITION.issues["natural_tie"]._replace(reading="lose")
    edition = EDITION._replace(issues={**EDITION.issues, "natural_tie": issue})

    found = {row.bet: row.value for row in baccarat.returns(edition, "fit")}

    assert per_cent(found["player_bonus"]) == "95.56"
    assert per_cent(found["banker_bonus"]) == "88.84"
    assert found["player"] == returned("fit")["player"]


def test_the_fitted_returns_fill_the_certified_range() -> None:
    values = sorted(returned("fit").values())

    assert EDITION.certified is not None
    assert [per_cent(values[0]), per_cent(values[-1])] == list(map(per_cent, EDITION.certified))


def test_every_sequence_is_counted_once() -> None:
    points = sum(outcome.ways for outcome in baccarat.by_points(8, True))
    pairs = sum(outcome.ways for outcome in baccarat.by_pairs(8))

    assert points == baccarat_deals.sequences(8) == 4_998_398_275_503_360
    assert pairs == 416 * 415 * 414 * 413


def test_dealing_from_a_shuffled_shoe_comes_near_the_count() -> None:
    """The count sums up points and pairs apart; hands dealt from whole cards must agree."""
    rng, rounds = Random(7), 4_000
    paid = dict.fromkeys(("player", "tie", "any_pair", "player_natural"), Fraction(0))
    for _ in range(rounds):
        shoe = [card for _ in range(8) for card in DECK]
        facts = game.facts(game.deal_out(rng.sample(shoe, 6)))
        for bet in paid:
            odds = deciding(bet, facts, EDITION, "fit").odds
            paid[bet] += {"win": 1 + odds.pays, "push": Fraction(1)}.get(odds.result, Fraction(0))

    exact = returned("fit")
    for bet, within in (
        ("player", 0.06),
        ("tie", 0.2),
        ("any_pair", 0.2),
        ("player_natural", 0.15),
    ):
        assert abs(float(paid[bet] / rounds - exact[bet])) < within, bet
