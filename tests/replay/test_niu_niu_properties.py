"""Niu Niu: what holds for every round, whatever is bet and however it is dealt."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.judge import Judgement
from schemas.cards import DECK
from tests.replay.niu_niu_sheets import BETS, Json, event, happened, sheet
from tests.tables import judged

EDITION = rulebooks.in_force("NN", "2026-03-01")
CODES = [str(card) for card in DECK]

STAKES = st.integers(1, 20_000)
WAGERS = st.lists(
    st.tuples(
        st.sampled_from("123"),
        st.sampled_from(["P1", "P2"]),
        st.sampled_from([*BETS, *BETS, "pairs"]),
        STAKES,
        st.integers(0, 50_000),
    ),
    max_size=9,
)
ORDERS = st.permutations(CODES)
ENDINGS = st.sampled_from(
    [
        "",
        "handle 1 P1",
        "report disruption",
        "report foreign_card, rule NN:7.1.1 continue pit_manager",
        "report card_damaged, close settled",
        "void NN:7.3, close void",
        "camera 1 1 KS 0.99",
    ]
)
SIZES = st.lists(st.sampled_from([0, 4, 5, 5, 5, 5, 6]), min_size=4, max_size=4)
FIVES = [5, 5, 5, 5]


def _round(
    wagers: list[Any], order: list[str], sizes: list[int], ending: str = "", scale: int = 1
) -> Judgement:
    """Wagers named for what they are, so that their order does not show; packets of these sizes."""
    placed = [
        event("WagerPlaced", wager_id=f"W{n}", box=box, player_id=player, bet=bet,
              stake=stake * scale, reserve=reserve * scale)
        for n, (box, player, bet, stake, reserve) in wagers
    ]  # fmt: skip
    posted = [{"bet": bet, "minimum": 100 * scale, "maximum": 10_000 * scale} for bet in BETS]
    written = sheet("", "", *_dealt(order, sizes), *happened(ending), limits=posted)
    written["events"] = [*placed, *written["events"]]
    return judged(written)


def _dealt(order: list[str], sizes: list[int]) -> list[Json]:
    hands = [
        hand
        for hand, size in zip(["1", "2", "3", "dealer"], sizes, strict=True)
        for _ in range(size)
    ]
    return [
        event("CardDrawn", position=n, hand=hand, card=card)
        for n, (hand, card) in enumerate(zip(hands, order, strict=False), 1)
    ]


def _dues(found: Judgement) -> dict[str, tuple[Any, ...]]:
    return {
        due.wager_id: (due.outcome, due.paid, due.collected, due.returned, due.reserve_taken)
        for due in found.dues
    }


def _lawful(wagers: list[Any]) -> list[Any]:
    """At most one wager a bet and box, all of one player, so that their order does not matter."""
    first = {(box, bet): (box, "P1", bet, stake, reserve) for box, _, bet, stake, reserve in wagers}
    return list(enumerate(first.values()))


@settings(deadline=None)
@given(WAGERS, ORDERS, SIZES, ENDINGS)
def test_no_chip_is_lost_or_made(
    wagers: list[Any], order: list[str], sizes: list[int], ending: str
) -> None:
    found = _round(list(enumerate(wagers)), order, sizes, ending)

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
@given(WAGERS, ORDERS, SIZES, ENDINGS)
def test_every_due_flag_and_step_rests_on_a_clause_of_the_edition(
    wagers: list[Any], order: list[str], sizes: list[int], ending: str
) -> None:
    found = _round(list(enumerate(wagers)), order, sizes, ending)

    assert all(due.clauses for due in found.dues)
    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert cited <= set(EDITION.clauses)
    codes = [flag.code for flag in found.flags]
    assert len(codes) == len(set(codes)), "each code at most once a round"


@settings(deadline=None)
@given(st.data(), WAGERS, ORDERS, SIZES, ENDINGS)
def test_the_order_of_placing_changes_no_due(
    data: st.DataObject, wagers: list[Any], order: list[str], sizes: list[int], ending: str
) -> None:
    lawful = _lawful(wagers)
    shuffled = data.draw(st.permutations(lawful))

    one, other = (_round(bets, order, sizes, ending) for bets in (lawful, shuffled))

    assert _dues(one) == _dues(other)
    assert [flag.code for flag in one.flags] == [flag.code for flag in other.flags]
    assert one.ruled.pay_order == other.ruled.pay_order


@settings(deadline=None)
@given(WAGERS, ORDERS, st.permutations(["1", "2", "3"]))
def test_boxes_that_change_places_with_their_cards_change_nothing(
    wagers: list[Any], order: list[str], places: list[str]
) -> None:
    """With a hand on every box; without one the order of the packets would matter (7.6)."""
    everywhere = [(box, "P1", "even", 500, 0) for box in "123"]
    lawful = [(n, row) for n, row in _lawful([*wagers, *everywhere]) if row[2] != "pairs"]
    moved = dict(zip("123", places, strict=True))
    cards = {box: order[n * 5 : n * 5 + 5] for n, box in enumerate("123")}
    new_order = [c for place in "123" for box in "123" if moved[box] == place for c in cards[box]]

    one = _round(lawful, order, FIVES)
    other = _round(
        [(n, (moved[row[0]], *row[1:])) for n, row in lawful], new_order + order[15:], FIVES
    )

    assert _dues(one) == _dues(other)


@settings(deadline=None)
@given(WAGERS, ORDERS, st.integers(2, 50))
def test_stakes_scale_dues_up_to_rounding(wagers: list[Any], order: list[str], scale: int) -> None:
    lawful = _lawful(wagers)

    one = _dues(_round(lawful, order, FIVES, "handle 1 P1"))
    many = _dues(_round(lawful, order, FIVES, "handle 1 P1", scale))

    for wager, (outcome, *amounts) in one.items():
        assert many[wager][0] == outcome
        for amount, scaled in zip(amounts, many[wager][1:], strict=True):
            assert abs(scaled - amount * scale) <= scale


@settings(deadline=None)
@given(WAGERS, ORDERS, st.sampled_from("123"))
def test_a_further_box_changes_no_other(wagers: list[Any], order: list[str], box: str) -> None:
    """Something is handled, so that a packet more or less moves no other."""
    others = [(n, row) for n, row in _lawful(wagers) if row[0] != box]
    sizes = [5 if str(n) != box else 0 for n in (1, 2, 3)] + [5]
    mine = [(99, (box, "P9", "even", 700, 0))]

    alone = _dues(_round(others, order, sizes, "handle dealer P9"))
    more = _dues(_round([*others, *mine], order, sizes, "handle dealer P9"))

    assert more.pop("W99")[0] == "returned"
    assert more == alone


@settings(deadline=None)
@given(ORDERS, STAKES)
def test_a_losing_double_changes_no_other_due(order: list[str], stake: int) -> None:
    even = [(1, ("1", "P1", "even", 20_000, 0)), (2, ("2", "P2", "even", 300, 0))]
    double = [(3, ("1", "P1", "double", stake, 2 * stake))]
    sizes = [5, 5, 0, 5]

    alone = _dues(_round(even, order, sizes))
    more = _dues(_round([*even, *double], order, sizes))

    assert more.pop("W3")[0] == more["W1"][0]
    assert more == alone


@settings(deadline=None)
@given(WAGERS, ORDERS)
def test_settling_as_due_from_right_to_left_raises_nothing(
    wagers: list[Any], order: list[str]
) -> None:
    lawful = [(n, row) for n, row in _lawful(wagers) if row[2] != "pairs"]
    due = {line.wager_id: line for line in _round(lawful, order, FIVES, "handle 1 P1").dues}
    paid = _round(lawful, order, FIVES, "handle 1 P1").ruled.pay_order
    story = [
        f"settle {at} p{due[at].paid} c{due[at].commission} t{due[at].collected} "
        f"r{due[at].reserve_taken} b{due[at].returned + due[at].reserve_returned}"
        for at in paid
    ]

    found = _round(lawful, order, FIVES, ", ".join(["handle 1 P1", *story]))

    assert not {"SETTLE_ORDER", "SETTLEMENT_MISMATCH"} & {flag.code for flag in found.flags}
