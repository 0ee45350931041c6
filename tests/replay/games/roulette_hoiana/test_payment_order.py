"""Hoiana Roulette: the order in which winners are paid (RO:6.3 to RO:6.5)."""

import pytest

from replay.judge import Judgement
from tests.support import roulette_story as story
from tests.support.roulette_story import told
from tests.support.tables import cases

# Stakes are chosen so that every wager of 10 is paid right; only the order varies.
SEVENTEEN = """
    bet col p1 column:2 10
    bet blk p1 black 10
    bet odd p2 odd 10
    bet doz p2 dozen:2 10
    bet six p1 six_line:16-17-18-19-20-21 10
    bet str p2 street:16-17-18 10
    bet cor p3 corner:16-17-19-20 10
    bet spl p2 split:17-18 10
    bet one p1 straight:17 10
    close, spin, land 17
"""
PAYS = {"col": 20, "blk": 10, "odd": 10, "doz": 20, "six": 50} | {
    "str": 110,
    "cor": 80,
    "spl": 170,
    "one": 350,
}

TWO = """
    bet doz p3 dozen:1 10
    bet six p1 six_line:1-2-3-4-5-6 10
    bet fst p2 first_four:0-1-2-3 10
    bet str p3 street:1-2-3 10
    bet cor p4 corner:2-3-5-6 10
    bet tri p5 trio:0-2-3 10
    bet spl p6 split:0-2 10
    bet one p1 straight:2 10
    close, spin, land 2
"""
PAYS_TWO = {"doz": 20, "six": 50, "fst": 80, "str": 110, "cor": 80} | {
    "tri": 110,
    "spl": 170,
    "one": 350,
}

PILE = """
    bet top p1 {0} 10 stack=0
    bet mid p2 {0} 10 stack=1
    bet low p3 {0} 10 stack=2
    close, spin, land 30
"""


def _settled(order: str, pays: dict[str, int]) -> str:
    return "".join(f"settle {name} {pays[name]} 10\n" for name in order.split())


def _clause(judgement: Judgement) -> str:
    return "".join(flag.clause for flag in judgement.flags)


@pytest.mark.parametrize(
    ("order", "clause"),
    cases("""
        col blk odd doz six str cor spl one |          | as printed
        col odd blk doz six str cor spl one |          | even chances rank together
        col blk odd doz six one str spl cor |          | a player's inside wins in one go are tolerated
        col doz                             |          | only some were seen to be paid
        one                                 |          | one alone is always in order
        blk col odd doz six str cor spl one | RO:6.3.1 | even chance before column
        col doz blk odd six str cor spl one | RO:6.3.1 | dozen before even chances
        col blk odd six doz str cor spl one | RO:6.3   | inside before outside
        col blk odd doz str six cor spl one | RO:6.3.2 | street before six-line
        col blk odd doz six str spl cor one |          | split with its player's street
        col blk odd doz six cor str spl one | RO:6.3.2 | corner before street
        col blk odd doz one six str cor spl | RO:6.3.2 | straight up before its player's six-line
    """),  # noqa: E501  (a row is a sentence)
)
def test_four_to_thirty_six(order: str, clause: str) -> None:
    found = told(SEVENTEEN + _settled(order, PAYS))

    assert " ".join(found.ruled.pay_order) == "col blk odd doz six str cor spl one"
    assert story.flags(found) == ("PAYMENT_ORDER 6.3-6.5" if clause else "")
    assert _clause(found) == clause


@pytest.mark.parametrize(
    ("order", "clause"),
    cases("""
        doz six one fst str cor tri spl |          | double line by value, one payment a player
        doz six fst str cor tri spl one | RO:6.4   | the player is served twice
        doz six one str fst cor tri spl | RO:6.5.2 | street before first four
        doz six one fst str tri cor spl | RO:6.5.2 | trio before corner
        doz six one fst str cor spl tri | RO:6.5.2 | split before trio
        six one doz fst str cor tri spl | RO:6.3   | outside after inside
    """),
)
def test_zero_to_three(order: str, clause: str) -> None:
    found = told(TWO + _settled(order, PAYS_TWO))

    assert " ".join(found.ruled.pay_order) == "doz six one fst str cor tri spl"
    assert story.flags(found) == ("PAYMENT_ORDER 6.3-6.5" if clause else "")
    assert _clause(found) == clause


@pytest.mark.parametrize(("position", "pays"), [("red", 10), ("straight:30", 350)])
@pytest.mark.parametrize(
    ("order", "clause"),
    cases("""
        top mid low |          | from the top down
        top low mid | RO:6.5.1 | the lowest before the middle
        mid top low | RO:6.5.1 | the middle before the top
    """),
)
def test_a_pile_is_paid_from_the_top(order: str, clause: str, position: str, pays: int) -> None:
    settled = _settled(order, dict.fromkeys(("top", "mid", "low"), pays))
    found = told(PILE.format(position) + settled)

    assert found.ruled.pay_order == ("top", "mid", "low")
    assert _clause(found) == clause


def test_one_payment_a_player_always_if_the_house_reads_it_so() -> None:
    always = {"readings": {"one_payment": "always"}}

    found = told(SEVENTEEN + _settled("six str cor spl one", PAYS), terms=always)

    assert " ".join(found.ruled.pay_order) == "col blk odd doz six one str spl cor"
    assert _clause(found) == "RO:6.4"
    assert found.ruled.readings == {"one_payment": "always"}


def test_losers_refused_and_void_wagers_are_in_no_order() -> None:
    lost = told("bet a p1 red 10, bet b p1 split:3-4 10, close, spin, land 4")
    void = told("bet a p1 black 10, close, spin, land 4, call pit_manager suspected landed, back 4")

    assert lost.ruled.pay_order == void.ruled.pay_order == ()


def test_a_stake_given_back_is_no_payment() -> None:
    settled = "settle six 0 10\n" + _settled("col six", PAYS)

    assert "PAYMENT_ORDER" not in story.flags(told(SEVENTEEN + settled))


def test_the_order_never_changes_amounts() -> None:
    right = told(SEVENTEEN + _settled("col six", PAYS))
    wrong = told(SEVENTEEN + _settled("six col", PAYS))

    assert right.dues == wrong.dues
