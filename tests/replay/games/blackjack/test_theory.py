"""Blackjack: exact returns, digit by digit as the specification prints them."""

from fractions import Fraction

import pytest

from replay import rulebooks
from replay.games import blackjack as game
from replay.theory import Return
from replay.theory import blackjack as theory
from replay.theory.blackjack_dealer import ENDINGS, LONGEST, endings, left, shown
from replay.theory.blackjack_strategy import BASIC
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-BJ", "2026-03-01")

MAIN = Fraction(
    26806852696510726122776642155954584617865148664,
    26972237838718947936164556387992644498419032625,
)


@pytest.fixture(scope="module")
def found() -> dict[str, Return]:
    """Every bet; the main bet takes some seconds to count."""
    return {row.bet: row for row in theory.returns(EDITION, "fit")}


def test_the_exact_returns(found: dict[str, Return]) -> None:
    assert {bet: row.value for bet, row in found.items()} == {
        "main": MAIN,
        "insurance": Fraction(384, 415),
        "pair": Fraction(372, 415),
    }
    assert all(row.note for row in found.values())


def test_the_certified_interval_is_met_at_both_ends(found: dict[str, Return]) -> None:
    figures = [round(float(row.value) * 100, 2) for row in found.values()]

    assert EDITION.certified is not None
    assert (min(figures), max(figures)) == (89.64, 99.39)
    assert [float(end * 100) for end in EDITION.certified] == [89.64, 99.39]


@pytest.mark.parametrize(("up", "out"), [(10, (6, 10)), (7, (1, 1)), (9, (2, 3, 10))])
def test_the_dealers_endings_are_those_of_every_draw_in_turn(up: int, out: tuple[int, ...]) -> None:
    """Card by card with fractions, where the theory counts sets of cards."""
    rest = list(left(8, (up, *out)))
    chances = dict.fromkeys(ENDINGS, Fraction(0))

    def draw(hand: tuple[int, ...], chance: Fraction) -> None:
        if not game.dealer_draws(shown(hand)):
            chances[game.told(shown(hand), blackjack=game.is_blackjack(shown(hand)))] += chance
            return
        for value in range(1, 11):
            share = Fraction(rest[value], sum(rest))
            rest[value] -= 1
            draw((*hand, value), chance * share)
            rest[value] += 1

    draw((up,), Fraction(1))
    whole = 1
    for n in range(LONGEST):
        whole *= sum(rest) - n
    counted = {word: Fraction(ways, whole) for word, ways in endings(8, up, out).items()}
    assert counted == chances
    assert sum(counted.values()) == 1


@pytest.mark.parametrize(
    ("hand", "up", "play"),
    cases("""
        10 6 | 9  | R | sixteen against a nine is given up
        10 6 | 10 | H | against a ten it cannot be
        8 8  | 9  | P | eights are split first
        6 5  | 10 | D | eleven against a ten
        6 5  | 1  | H | eleven against an Ace
        1 7  | 6  | D | soft eighteen against a six
        1 7  | 9  | H | soft eighteen against a nine
        10 2 | 4  | S | twelve against a four
        10 2 | 3  | H | twelve against a three
        9 9  | 7  | S | nines stand against a seven
    """),
)
def test_the_strategy_reads_as_it_is_printed(hand: str, up: str, play: str) -> None:
    first, second = map(int, hand.split())

    assert BASIC.first((first, second), int(up)) == play


def test_a_double_that_is_not_open_is_hit_or_stood() -> None:
    assert BASIC.draws((2, 3, 6), 6)
    assert not BASIC.draws((1, 3, 4), 6)
