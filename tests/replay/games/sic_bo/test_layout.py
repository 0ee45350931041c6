"""Sic Bo, SA-SB: every position against every roll, counted a second way, and what it returns."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import sic_bo as game
from replay.games.shared import dice
from replay.judge import Judgement
from schemas.money import whole
from tests.support.shaker_story import told
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-SB", "2026-03-01")
ROLLS = list(product("123456", repeat=3))
POSITIONS = sorted(game.POSITIONS)


def wins(position: str, roll: tuple[str, ...], *, literal: bool = False) -> int:
    """How often a position is hit, written a second time from the page; 0 where it loses."""
    kind, _, place = position.partition(":")
    count, score = Counter(map(int, roll)), sum(map(int, roll))
    named = Counter(int(digit) for digit in place if digit.isdigit())
    odd = len([n for n in roll if n in "135"])
    plain = max(count.values()) < 3
    rules = {
        "small": plain and score in range(4, 11),
        "big": plain and score in range(11, 18),
        "odd": plain and score in {5, 7, 9, 11, 13, 15, 17, 3},
        "even": plain and score in {4, 6, 8, 10, 12, 14, 16, 18},
        "number": roll.count(place),
        "triple": roll == (place,) * 3,
        "any_triple": len(set(roll)) == 1,
        "total": place == str(score),
        "double": bool(place) and set(place.split("+")) <= set(roll),
        "pair": roll.count(place) > 1,
        "all_odd": odd == 3,
        "two_odd_one_even": odd == 2,
        "two_even_one_odd": odd == 1,
        "all_even": odd == 0,
        "single3": named == count,
        "dsingle": named == count,
        "four": set(roll) < set(place.split("-")) and (literal or len(set(roll)) == 3),
    }
    return int(rules[kind])


# The page's paytable: winning rolls, then what each tier pays and the return, fitted and usual.
PAGE = """
    small big odd even                | 105     | 1 = 97.22     | 1 = 97.22     | even money
    number                            | 75 15 1 | 1 2 3 = 92.13 | 1 2 3 = 92.13 | specific number
    triple                            | 1       | 185 = 86.11   | 180 = 83.80   | specific triple
    any_triple                        | 6       | 30 = 86.11    | 30 = 86.11    | any triple
    total:4 total:17                  | 3       | 61 = 86.11    | 60 = 84.72    | total 4, 17
    total:5 total:16                  | 6       | 30 = 86.11    | 30 = 86.11    | total 5, 16
    total:6 total:15                  | 10      | 18 = 87.96    | 17 = 83.33    | total 6, 15
    total:7 total:14                  | 15      | 12 = 90.28    | 12 = 90.28    | total 7, 14
    total:8 total:13                  | 21      | 8 = 87.50     | 8 = 87.50     | total 8, 13
    total:9 total:12                  | 25      | 7 = 92.59     | 6 = 81.02     | total 9, 12
    total:10 total:11                 | 27      | 6 = 87.50     | 6 = 87.50     | total 10, 11
    double                            | 30      | 6 = 97.22     | 5 = 83.33     | specific double
    pair                              | 16      | 11 = 88.89    | 10 = 81.48    | pair
    all_odd all_even                  | 27      | 6 = 87.50     | 6 = 87.50     | all odd, all even
    two_odd_one_even two_even_one_odd | 81      | 13/10 = 86.25 | 1 = 75.00     | two and one
    single3                           | 6       | 30 = 86.11    | 30 = 86.11    | 3 single
    dsingle                           | 3       | 61 = 86.11    | 50 = 70.83    | double and single
    four                              | 24      | 7 = 88.89     | 7 = 88.89     | 4 number
"""
EXACT = {
    "small": Fraction(35, 36),
    "number": Fraction(199, 216),
    "triple": Fraction(31, 36),
    "any_triple": Fraction(31, 36),
    "total:4": Fraction(31, 36),
    "total:6": Fraction(95, 108),
    "total:7": Fraction(65, 72),
    "total:8": Fraction(7, 8),
    "total:9": Fraction(25, 27),
    "double": Fraction(35, 36),
    "pair": Fraction(8, 9),
    "all_odd": Fraction(7, 8),
    "two_odd_one_even": Fraction(69, 80),
    "single3": Fraction(31, 36),
    "dsingle": Fraction(31, 36),
    "four": Fraction(8, 9),
}


def settled(position: str, roll: tuple[str, ...], paytable: str, reading: str) -> Fraction:
    """What one unit brings back by the edition's lines, worked out without the referee."""
    facts = game.facts(points(roll), reading)
    for line in EDITION.lines(paytable, position):
        fact = position + line.fact[2:] if line.fact.startswith("it ") else line.fact
        if fact in facts or line.fact == "otherwise":
            return 1 + line.odds.pays if line.odds.result == "win" else Fraction(0)
    raise AssertionError(position)


def returns(position: str, paytable: str, reading: str = "three_different") -> Fraction:
    """The exact return to the player over all 216 rolls."""
    return sum((settled(position, r, paytable, reading) for r in ROLLS), Fraction(0)) / len(ROLLS)


def points(roll: tuple[str, ...]) -> dice.Dice:
    found = dice.points(roll)
    assert found is not None
    return found


def positions(bets: str) -> list[str]:
    """Every position of some bets, or the positions themselves."""
    return [p for p in POSITIONS for bet in bets.split() if p == bet or p.split(":")[0] == bet]


def per_cent(share: Fraction) -> str:
    figure = Decimal(share.numerator) * 100 / Decimal(share.denominator)
    return str(figure.quantize(Decimal("0.01"), ROUND_HALF_UP))


@pytest.mark.parametrize(("bets", "rolls", "fit", "usual"), cases(PAGE))
def test_the_printed_counts_payouts_and_returns(
    bets: str, rolls: str, fit: str, usual: str
) -> None:
    assert positions(bets)
    for position in positions(bets):
        hits = Counter(wins(position, roll) for roll in ROLLS)
        assert [hits[tier] for tier in sorted(hits) if tier] == list(map(int, rolls.split()))
        for name, row in (("fit", fit), ("conventional", usual)):
            pays, printed = row.split(" = ")
            tiers = [Fraction(pay) for pay in pays.split()]
            back = sum(hits[tier] * (1 + pay) for tier, pay in enumerate(tiers, 1))
            assert returns(position, name) == back / len(ROLLS)
            assert per_cent(returns(position, name)) == printed


@pytest.mark.parametrize("bet", EXACT)
def test_the_exact_returns_of_the_fitted_paytable(bet: str) -> None:
    assert {returns(position, "fit") for position in positions(bet)} == {EXACT[bet]}


def test_the_fitted_paytable_fills_its_certificate_and_the_usual_one_leaves_it() -> None:
    assert EDITION.certified is not None
    low, high = map(per_cent, EDITION.certified)
    fit, usual = (
        sorted(returns(position, name) for position in POSITIONS)
        for name in ("fit", "conventional")
    )

    assert (per_cent(fit[0]), per_cent(fit[-1])) == (low, high) == ("86.11", "97.22")
    assert (per_cent(usual[0]), per_cent(usual[-1])) == ("70.83", "97.22")


def test_four_number_returns_the_same_by_either_reading() -> None:
    assert positions("four")
    for position in positions("four"):
        literal = [roll for roll in ROLLS if wins(position, roll, literal=True)]
        assert len(literal) == 64
        assert returns(position, "fit", "literal") == Fraction(8, 9)


@pytest.mark.parametrize(
    ("bet", "count"),
    cases("""
        small      | 1  | small
        big        | 1  | big
        odd        | 1  | odd
        even       | 1  | even
        number     | 6  | specific number
        triple     | 6  | specific triple
        any_triple | 1  | any triple
        total      | 14 | specific total
        double     | 15 | specific double
        pair       | 6  | pair
        all_odd    | 1  | all odd
        all_even   | 1  | all even
        two_odd_one_even | 1 | two odd one even
        two_even_one_odd | 1 | two even one odd
        single3    | 20 | three single
        dsingle    | 30 | double and single
        four       | 4  | four number
    """),
)
def test_the_layout_has_so_many_of_each(bet: str, count: str) -> None:
    assert len(positions(bet)) == int(count)


def test_the_layout_has_a_hundred_and_ten_positions_and_a_line_for_each() -> None:
    assert len(POSITIONS) == 110
    assert {position.split(":")[0] for position in POSITIONS} == set(EDITION.bets)
    assert all(EDITION.lines(name, p) for name in EDITION.paytables for p in POSITIONS)


@pytest.mark.parametrize(
    "position",
    [
        "total:3",
        "total:18",
        "double:2+2",
        "double:5+2",
        "single3:1-1-2",
        "single3:2-1-3",
        "dsingle:3-3-3",
        "dsingle:2-1-1",
        "four:1-2-3-5",
        "pair:7",
        "number:0",
        "number",
        "triple:0",
        "any_triple:1",
        "Small",
        "small:",
        "total:07",
        "total",
    ],
)
def test_what_is_not_on_the_layout(position: str) -> None:
    assert not game.legal(position)


@pytest.mark.parametrize("first", "123456")
def test_every_position_is_due_what_the_page_says_on_every_roll(first: str) -> None:
    pays = {
        position: [Fraction(pay) for pay in row.values[2].split(" = ")[0].split()]
        for row in cases(PAGE)
        for position in positions(row.values[0])
    }
    for roll in (roll for roll in ROLLS if roll[0] == first):
        found = everything_on("-".join(roll))
        for due in found.dues:
            tier = wins(due.bet, roll)
            assert due.paid == (whole(7 * pays[due.bet][tier - 1]) if tier else 0), due
            assert due.outcome == ("win" if tier else "lose"), due


def everything_on(faces: str, reading: str = "three_different") -> Judgement:
    """A round with seven on every position."""
    bets = ", ".join(f"bet b{n} {position} 7" for n, position in enumerate(POSITIONS))
    return told(f"{bets}, close, shake {faces}", readings={"four_number": reading})


@given(st.permutations("134"), st.sampled_from(["three_different", "literal"]))
def test_the_order_of_the_dice_never_matters(faces: list[str], reading: str) -> None:
    assert everything_on("-".join(faces), reading).dues == everything_on("1-3-4", reading).dues


def test_every_flag_and_step_cites_a_clause_of_the_text() -> None:
    found = told(
        """bet b1 small 100, bet b2 total:3 5, start, close, bet b3 big 5, withdraw b1, seen 1-1-1,
        stop 2, enter 1-1-1, again tumbles, shake 2-2-5, shake 6-6-1 overlap, enter 1-6-6,
        settled b1 0 100 0"""
    )

    assert {flag.code for flag in found.flags} == {
        "ILLEGAL_POSITION",
        "LATE_BET",
        "MISPAY",
        "RESHAKE_MISSED",
        "RESHAKE_UNFOUNDED",
        "RESULT_MISMATCH",
        "SHAKE_BEFORE_CLOSE",
        "WITHDRAWAL_REFUSED",
    }
    assert {flag.clause for flag in found.flags} <= set(EDITION.clauses)
    assert {anchor for step in found.steps for anchor in step.clauses} <= set(EDITION.clauses)
    assert all(step.clauses for step in found.steps)


def test_every_issue_points_into_the_text() -> None:
    assert {issue.anchor for issue in EDITION.issues.values()} <= set(EDITION.clauses)
