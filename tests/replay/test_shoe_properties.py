"""What holds for every round of Baccarat, Dragon Tiger and Pok Deng, lawful or not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import baccarat, dragon_tiger, pok_deng
from replay.judge import Judgement
from replay.settle import Due
from schemas.cards import DECK
from tests.replay.shoe_story import sheet
from tests.tables import judged

HANDS = {
    "SA-BC": baccarat.Deal._fields,
    "SA-DT": dragon_tiger.SIDES,
    "SA-PD": pok_deng.HANDS,
}
ORDERS = {
    "SA-BC": (*baccarat.OPENING, "player", "banker"),
    "SA-DT": dragon_tiger.SIDES,
    "SA-PD": pok_deng.ORDER,
}
BETS = {
    "SA-BC": (*baccarat.BETS, "banker:nc"),
    "SA-DT": dragon_tiger.POSITIONS,
    "SA-PD": pok_deng.POSITIONS,
}
every_game = pytest.mark.parametrize("code", sorted(HANDS))
codes = st.sampled_from([str(card) for card in DECK])


@st.composite
def stories(draw: st.DrawFn, code: str) -> tuple[list[str], list[str]]:
    """The bets of a round, and what else happened in it."""
    rows = draw(st.lists(st.tuples(st.sampled_from(BETS[code]), st.integers(1, 9_999)), max_size=6))
    reserved = [bet in pok_deng.SEATS for bet, _ in rows]
    bets = [
        f"bet b{n} {bet} {stake} {stake if held else 0}"
        for n, ((bet, stake), held) in enumerate(zip(rows, reserved, strict=True))
    ]
    lawful = [f"deal {hand} {draw(codes)}" for hand in ORDERS[code]]
    anyhow = st.lists(
        st.tuples(st.sampled_from((*HANDS[code], "boots")), codes).map(
            lambda at: f"deal {at[0]} {at[1]}"
        ),
        max_size=8,
    )
    back = ["withdraw b0"] if bets else []
    happens = st.sampled_from(["void", "burn 1", "burn 3 3S", "cut", "call tie", *back])
    cards = lawful if draw(st.booleans()) else draw(anyhow)
    return bets, ["close", *cards, *draw(st.lists(happens, max_size=3)), "end"]


def told(code: str, bets: list[str], rest: list[str], **terms: Any) -> Judgement:
    return judged(sheet(code, ", ".join([*bets, *rest]), {"hands": 3}, **terms))


@st.composite
def readings(draw: st.DrawFn, code: str) -> dict[str, str]:
    issues = rulebooks.in_force(code, "2026-03-01").issues
    issue = issues[draw(st.sampled_from(sorted(issues)))]
    return {issue.name: draw(st.sampled_from((issue.reading, *issue.alternatives)))}


@every_game
@given(st.data())
@settings(deadline=None, max_examples=150)
def test_money_in_is_money_out(code: str, data: st.DataObject) -> None:
    bets, rest = data.draw(stories(code))
    found = told(code, bets, rest, readings=data.draw(readings(code)))

    for due in found.dues:
        if due.outcome == "open":
            assert due.back == 0
            continue
        held = reserve(bets, due)
        assert due.collected + due.returned == due.stake
        assert due.reserve_taken + due.reserve_returned == held
        assert due.gross_win == due.paid + due.commission
        assert due.back - due.stake - held == due.paid - due.collected - due.reserve_taken


@every_game
@given(st.data())
@settings(deadline=None, max_examples=100)
def test_every_amount_flag_and_step_has_a_clause_that_exists(
    code: str, data: st.DataObject
) -> None:
    edition = rulebooks.in_force(code, "2026-03-01")
    found = told(code, *data.draw(stories(code)), readings=data.draw(readings(code)))

    anchors = {anchor for due in found.dues for anchor in due.clauses}
    anchors |= {anchor for step in found.steps for anchor in step.clauses}
    anchors |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert all(due.clauses for due in found.dues)
    assert anchors <= set(edition.clauses)
    assert set(found.ruled.readings) <= set(edition.issues)
    assert found.ruled.memory == {}


@every_game
@given(st.data(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=80)
def test_the_order_of_bets_changes_nothing_but_their_order(
    code: str, data: st.DataObject, dice: Any
) -> None:
    bets, rest = data.draw(stories(code))
    shuffled = list(bets)
    dice.shuffle(shuffled)

    before, after = told(code, bets, rest), told(code, shuffled, rest)

    assert sorted(before.dues) == sorted(after.dues)
    assert sorted(before.flags) == sorted(after.flags)


@every_game
@given(st.data(), st.integers(2, 5))
@settings(deadline=None, max_examples=80)
def test_stakes_scaled_scale_what_is_due_up_to_rounding(
    code: str, data: st.DataObject, times: int
) -> None:
    bets, rest = data.draw(stories(code))

    before, after = told(code, bets, rest), told(code, [_scaled(bet, times) for bet in bets], rest)

    for small, large in zip(before.dues, after.dues, strict=True):
        assert small.outcome == large.outcome
        assert abs(large.paid - times * small.paid) <= times
        assert abs(large.collected - times * small.collected) <= times
        assert large.reserve_taken == times * small.reserve_taken


@every_game
@given(st.data())
@settings(deadline=None, max_examples=80)
def test_one_more_bet_changes_no_other(code: str, data: st.DataObject) -> None:
    bets, rest = data.draw(stories(code))

    before = told(code, bets, rest)
    after = told(code, [*bets, f"bet b9 {BETS[code][-1]} 77"], rest)

    assert after.dues[: len(before.dues)] == before.dues


def reserve(bets: list[str], due: Due) -> int:
    """What was withheld for a wager of the story."""
    row = next(bet for bet in bets if bet.startswith(f"bet {due.wager_id} "))
    return int(row.split()[-1])


def _scaled(bet: str, times: int) -> str:
    verb, name, position, stake, held = bet.split()
    return f"{verb} {name} {position} {int(stake) * times} {int(held) * times}"
