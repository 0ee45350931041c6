"""What holds for every round of every game: money, clauses, and wagers that are each alone."""

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.judge import Judgement
from replay.settle import Due
from tests.support.any_round import (
    Json,
    blackjack,
    closing,
    decks,
    holdem_bonus,
    niu_niu,
    placed,
    shakers,
    shoes,
    tiger_baccarat,
    wheels,
)
from tests.support.sheet_pages import CODES
from tests.support.tables import judged

pytestmark = pytest.mark.slow

ROOMS = (blackjack, decks, holdem_bonus, niu_niu, shakers, shoes, tiger_baccarat, wheels)
GAMES = {game.code: game for room in ROOMS for game in room.GAMES}
every_game = pytest.mark.parametrize("code", CODES)
often = settings(deadline=None, max_examples=60)

AMOUNTS = ("paid", "commission", "collected", "returned", "reserve_taken")
# What of a sheet is an amount of money.
MONEY = {"stake", "reserve", "minimum", "maximum", "differential", "value", "amount"}


@every_game
@given(st.data())
@often
def test_no_chip_is_lost_or_made(code: str, data: st.DataObject) -> None:
    sheet = data.draw(GAMES[code].sheets)

    found = judged(sheet)

    reserves = {stand.wager.wager_id: stand.wager.placed.reserve for stand in found.ruled.stands}
    for due in found.dues:
        held = due.outcome in ("open", "stands")  # the chips stay where they lie
        assert due.collected + due.returned == (0 if held else due.stake)
        reserve = 0 if held else reserves.get(due.wager_id, 0)
        assert due.reserve_taken + due.reserve_returned == reserve
        assert due.gross_win == due.paid + due.commission
        assert due.back == due.returned + due.reserve_returned + due.paid
        assert due.paid == 0 or due.outcome == "win"
        # Of the chips of a racetrack bet one may win while the others lose.
        assert not (due.paid and due.collected) or due.bet.startswith("race:")
        assert 0 <= due.action <= due.stake
    laid = sum(w.get("reserve", 0) for w in placed(sheet) if w["wager_id"] in reserves)
    assert sum(reserves.values()) == laid


@every_game
@given(st.data())
@often
def test_everything_rests_on_a_clause_of_the_edition(code: str, data: st.DataObject) -> None:
    edition = rulebooks.in_force(code, "2026-03-01")

    found = judged(data.draw(GAMES[code].sheets))

    assert all(due.clauses for due in found.dues)
    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert cited <= set(edition.clauses)
    assert set(found.ruled.readings) <= set(edition.issues)


@pytest.mark.parametrize("code", ["NN", "TB", "TH"])
@given(st.data())
@often
def test_a_flag_is_told_once_a_round(code: str, data: st.DataObject) -> None:
    found = judged(data.draw(GAMES[code].sheets))

    codes = [flag.code for flag in found.flags]
    assert len(codes) == len(set(codes))


@every_game
@given(st.data(), st.randoms(use_true_random=False))
@often
def test_the_order_of_wagers_changes_nothing_but_their_order(
    code: str, data: st.DataObject, dice: Random
) -> None:
    sheet = data.draw(GAMES[code].sheets)

    one, other = judged(sheet), judged(_shuffled(sheet, GAMES[code].seat, dice))

    assert sorted(one.dues) == sorted(other.dues)
    assert one.ruled.memory == other.ruled.memory
    assert one.ruled.pay_order == other.ruled.pay_order
    assert sorted(flag.code for flag in one.flags) == sorted(flag.code for flag in other.flags)


@every_game
@given(st.data(), st.integers(2, 1_000))
@often
def test_stakes_scale_dues_up_to_rounding(code: str, data: st.DataObject, times: int) -> None:
    sheet = data.draw(GAMES[code].sheets)

    slack = Fraction(times + 1, 2) * GAMES[code].roundings

    once, many = judged(sheet), judged(_scaled(sheet, times))

    for small, large in zip(once.dues, many.dues, strict=True):
        assert (large.wager_id, large.outcome) == (small.wager_id, small.outcome)
        for amount in AMOUNTS:
            off = abs(getattr(large, amount) - times * getattr(small, amount))
            assert off <= (slack if amount in GAMES[code].rounded else 0), amount


@every_game
@given(st.data())
@often
def test_one_wager_more_changes_no_other(code: str, data: st.DataObject) -> None:
    sheet = data.draw(GAMES[code].sheets)
    choice = GAMES[code].more(sheet)
    assume(choice)
    more = deepcopy(sheet)
    more["events"].insert(closing(sheet), data.draw(st.sampled_from(choice)))

    alone, beside = judged(sheet), judged(more)

    assert _without(beside, "extra") == sorted(alone.dues)
    assert len(beside.dues) == len(alone.dues) + bool(beside.dues)


def _shuffled(sheet: Json, seat: Callable[[Json], str], dice: Random) -> Json:
    """The same round with its seats in another order, the wagers of each as they were."""
    wagers = placed(sheet)
    seats = sorted({seat(wager) for wager in wagers})
    dice.shuffle(seats)
    turned = iter(sorted(wagers, key=lambda wager: seats.index(seat(wager))))
    before, after = sheet["events"][: closing(sheet)], sheet["events"][closing(sheet) :]
    moved = [next(turned) if event["type"] == "WagerPlaced" else event for event in before]
    return {**sheet, "events": [*moved, *after]}


def _scaled(value: Any, times: int) -> Any:
    """The same round with every amount of money so many times as large."""
    if isinstance(value, list):
        return [_scaled(one, times) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: one * times if name in MONEY and isinstance(one, int) else _scaled(one, times)
        for name, one in value.items()
    }


def _without(found: Judgement, wager_id: str) -> list[Due]:
    return sorted(due for due in found.dues if due.wager_id != wager_id)
