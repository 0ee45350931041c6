"""Paying: half losses, reserves and wagers that are several layout bets."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from replay.payments import differences
from replay.rulebooks.edition import parse
from replay.rulebooks.terms import Terms
from replay.ruled import Part, Stand
from replay.settle import pay, step
from replay.wagers import Wager
from schemas import events as e
from tests.support.english import english

EDITION = parse("""
    code = "XX"
    game = "none"
    title = "A paytable with one line of each kind"
    number = "1"
    effective = "2026-01-01"
    source = "this test"
    default_paytable = "only"
    bets = ["half", "banker", "double", "straight"]
    [paytable.only]
    lines = '''
        half     | tie       | lose 1/2 as half_loss | XX:1
        half     | otherwise | lose                  | XX:1
        banker   | wins      | 1:1 less 5%           | XX:1
        banker   | otherwise | push                  | XX:1
        double   | nine      | lose reserve 2        | XX:1
        double   | otherwise | 3:1                   | XX:1
        straight | it wins   | 35:1                  | XX:1
        straight | otherwise | lose                  | XX:1
    '''
    [clauses]
    1 = "A clause."
""")
TERMS = Terms("XX", "only", "VND", {}, None, 0, "half up", {})


def stand(bet: str, stake: int, reserve: int = 0, **more: Any) -> Stand:
    placed = e.WagerPlaced("W", "P", bet, stake, reserve=reserve)
    made = Stand(Wager("W", "P", bet, stake, "", "T/c/1", placed), Fraction(stake))
    return made._replace(**more)


@pytest.mark.parametrize(
    ("stake", "collected", "returned"), [(100, 50, 50), (101, 50, 51), (1, 0, 1)]
)
def test_half_a_loss_gives_back_the_rounded_half(stake: int, collected: int, returned: int) -> None:
    due = pay(stand("half", stake), frozenset({"tie"}), EDITION, TERMS)

    assert (due.outcome, due.collected, due.returned) == ("half_loss", collected, returned)


def test_gross_and_net_are_rounded_apart_and_commission_is_between() -> None:
    due = pay(stand("banker", 1005), frozenset({"wins"}), EDITION, TERMS)

    assert (due.gross_win, due.commission, due.paid) == (1005, 50, 955)


def test_a_loss_takes_its_multiple_from_the_reserve() -> None:
    due = pay(stand("double", 100, reserve=250), frozenset({"nine"}), EDITION, TERMS)

    assert (due.collected, due.reserve_taken, due.reserve_returned, due.back) == (100, 200, 50, 50)
    assert "reserve 200 collected and 50 back" in english(step(due, TERMS).text)


def test_a_win_gives_the_whole_reserve_back() -> None:
    due = pay(stand("double", 100, reserve=200), frozenset(), EDITION, TERMS)

    assert (due.paid, due.reserve_taken, due.reserve_returned, due.back) == (300, 0, 200, 600)


def test_chips_of_an_open_wager_stay_where_they_lie() -> None:
    held = stand("double", 100, reserve=200, fate="open", clauses=("XX:1",))

    due = pay(held, frozenset(), EDITION, TERMS)

    assert (due.returned, due.reserve_returned, due.back) == (0, 0, 0)


def test_chips_that_were_added_lie_with_the_stake() -> None:
    doubled = replace(stand("banker", 100).wager, added=100)

    won = pay(Stand(doubled, Fraction(200)), frozenset({"wins"}), EDITION, TERMS)
    kept = pay(Stand(doubled, Fraction(200)), frozenset(), EDITION, TERMS)

    assert (won.stake, won.gross_win, won.returned, won.back) == (200, 200, 200, 390)
    assert (kept.outcome, kept.returned) == ("push", 200)


def test_each_part_of_a_wager_is_settled_alone() -> None:
    parts = (Part("straight:1", Fraction(50)), Part("straight:2", Fraction(50)))
    bet = stand("straight", 100, parts=parts)

    won = pay(bet, frozenset({"straight:2 wins"}), EDITION, TERMS)
    lost = pay(bet, frozenset(), EDITION, TERMS)

    assert (won.outcome, won.paid, won.collected, won.returned) == ("win", 1750, 50, 50)
    assert (lost.outcome, lost.paid, lost.collected, lost.returned) == ("lose", 0, 100, 0)


def test_differences_name_what_was_seen_less_what_was_due() -> None:
    due = pay(stand("double", 100, reserve=200), frozenset({"nine"}), EDITION, TERMS)

    right = e.WagerSettled("W", 0, collected=100, reserve_taken=200)
    wrong = e.WagerSettled("W", 0, collected=100, reserve_taken=100, returned=100)

    assert differences(due, right) == {}
    assert differences(due, wrong) == {"reserve_taken": -100, "returned": 100}


def test_a_settlement_that_stands_is_due_as_it_was_seen() -> None:
    seen = e.WagerSettled("W", paid=90, commission=5, collected=0, returned=80)
    kept = stand("banker", 100, fate="stands", clauses=("XX:1",), recorded=seen)

    due = pay(kept, frozenset(), EDITION, TERMS)

    assert (due.outcome, due.paid, due.commission, due.returned) == ("stands", 90, 5, 80)
    assert differences(due, seen) == {}
    assert "stays as settled: 90 paid" in english(step(due, TERMS).text)


@pytest.mark.parametrize(
    ("fate", "action"),
    [("returned", 0), ("refused", 0), ("void", 0), ("open", 100), ("win_refused", 100)],
)
def test_a_clause_is_cited_once_and_nothing_that_goes_back_is_in_action(
    fate: str, action: int
) -> None:
    twice = stand("half", 100, fate=fate, clauses=("XX:1", "XX:1"))

    due = pay(twice, frozenset(), EDITION, TERMS)

    assert due.action == action
    assert due.clauses == ("XX:1",)
