"""Niu Niu: boxes that change places, Reserves of anybody, and settling from right to left."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.judge import Judgement
from tests.support.any_round.niu_niu import ENDINGS, FIVES, ORDERS, SIZES, WAGERS, lawful, written
from tests.support.tables import judged


def round_of(wagers: list[Any], order: list[str], sizes: list[int], ending: str = "") -> Judgement:
    """The judgement of a round with these wagers and packets."""
    return judged(written(wagers, order, sizes, ending))


def _dues(found: Judgement) -> dict[str, tuple[Any, ...]]:
    return {
        due.wager_id: (due.outcome, due.paid, due.collected, due.returned, due.reserve_taken)
        for due in found.dues
    }


@settings(deadline=None)
@given(WAGERS, ORDERS, SIZES, ENDINGS)
def test_no_chip_is_lost_or_made_whoever_bets_where(
    wagers: list[Any], order: list[str], sizes: list[int], ending: str
) -> None:
    found = round_of(list(enumerate(wagers)), order, sizes, ending)

    if found.ruled.status == "unknown":
        assert found.dues == ()
        return
    kept = found.ruled.status == "unsettled"  # the chips stay where they lie
    for stand, due in zip(found.ruled.stands, found.dues, strict=True):
        reserve = stand.wager.placed.reserve
        assert due.collected + due.returned == (0 if kept else due.stake)
        assert due.reserve_taken + due.reserve_returned == (0 if kept else reserve)
        assert due.gross_win == due.paid + due.commission
        assert due.back == due.returned + due.reserve_returned + due.paid
        assert not (due.paid and due.collected)
    placed = sum(reserve for *_, reserve in wagers)
    assert sum(stand.wager.placed.reserve for stand in found.ruled.stands) == placed


@settings(deadline=None)
@given(WAGERS, ORDERS, st.permutations(["1", "2", "3"]))
def test_boxes_that_change_places_with_their_cards_change_nothing(
    wagers: list[Any], order: list[str], places: list[str]
) -> None:
    """With a hand on every box; without one the order of the packets would matter (7.6)."""
    everywhere = [(box, "P1", "even", 500, 0) for box in "123"]
    bets = [(n, row) for n, row in lawful([*wagers, *everywhere]) if row[2] != "pairs"]
    moved = dict(zip("123", places, strict=True))
    cards = {box: order[n * 5 : n * 5 + 5] for n, box in enumerate("123")}
    new_order = [c for place in "123" for box in "123" if moved[box] == place for c in cards[box]]

    one = round_of(bets, order, FIVES)
    other = round_of(
        [(n, (moved[row[0]], *row[1:])) for n, row in bets], new_order + order[15:], FIVES
    )

    assert _dues(one) == _dues(other)


@settings(deadline=None)
@given(WAGERS, ORDERS, st.sampled_from("123"))
def test_a_further_box_changes_no_other(wagers: list[Any], order: list[str], box: str) -> None:
    """Something is handled, so that a packet more or less moves no other."""
    others = [(n, row) for n, row in lawful(wagers) if row[0] != box]
    sizes = [5 if str(n) != box else 0 for n in (1, 2, 3)] + [5]
    mine = [(99, (box, "P9", "even", 700, 0))]

    alone = _dues(round_of(others, order, sizes, "handle dealer P9"))
    more = _dues(round_of([*others, *mine], order, sizes, "handle dealer P9"))

    assert more.pop("W99")[0] == "returned"
    assert more == alone


@settings(deadline=None)
@given(WAGERS, ORDERS)
def test_settling_as_due_from_right_to_left_raises_nothing(
    wagers: list[Any], order: list[str]
) -> None:
    bets = [(n, row) for n, row in lawful(wagers) if row[2] != "pairs"]
    due = {line.wager_id: line for line in round_of(bets, order, FIVES, "handle 1 P1").dues}
    paid = round_of(bets, order, FIVES, "handle 1 P1").ruled.pay_order
    story = [
        f"settle {at} p{due[at].paid} c{due[at].commission} t{due[at].collected} "
        f"r{due[at].reserve_taken} b{due[at].returned + due[at].reserve_returned}"
        for at in paid
    ]

    found = round_of(bets, order, FIVES, ", ".join(["handle 1 P1", *story]))

    assert not {"SETTLE_ORDER", "SETTLEMENT_MISMATCH"} & {flag.code for flag in found.flags}
