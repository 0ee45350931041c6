"""Blackjack: lawful rounds without a remark, and an answer to whatever is recorded."""

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import DECK
from tests.support.any_round.blackjack import (
    AMOUNTS,
    ORDERS,
    SEATINGS,
    WISHES,
    Events,
    bets,
    sheet,
    written,
)
from tests.support.blackjack_story import DECISIONS
from tests.support.tables import judged


@settings(max_examples=150, deadline=None)
@given(ORDERS, SEATINGS, WISHES, AMOUNTS)
def test_a_lawful_round_is_settled_without_a_remark(
    order: list[str], seats: list[str], choice: list[int], stakes: list[int]
) -> None:
    found = judged(written(order, seats, choice, stakes))

    assert found.ruled.status == "settled"
    assert found.flags == ()
    assert len({due.wager_id for due in found.dues}) == len(found.dues)
    for due in found.dues:
        assert due.collected + due.returned == due.stake
        assert due.commission == due.reserve_taken == 0


hands = st.sampled_from(("1", "2", "1.1", "1.2", "2.1", "2.2", "1.3", "9", "dealer", "dealer"))
anything = st.one_of(
    st.builds(
        lambda hand, code: {"type": "CardDrawn", "hand": hand, "card": code},
        hands,
        st.sampled_from([str(one) for one in DECK]),
    ),
    st.builds(
        lambda hand, who, decision, amount, ms: {
            "type": "DecisionMade", "player_id": who, "decision": decision, "hand": hand,
            "box": hand.partition(".")[0], "amount": amount, "response_ms": ms,
        },
        hands,
        st.sampled_from(("p1", "p2", "q1", "q2", "z")),
        st.sampled_from((*DECISIONS, "pray")),
        st.sampled_from((None, 0, 100, 50)),
        st.sampled_from((None, 100, 9_000)),
    ),
    st.sampled_from(({"type": "RoundClosed"}, {"type": "SeatLeft", "player_id": "p1", "box": "1"})),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(anything, max_size=40))
def test_whatever_is_recorded_there_is_an_answer(said: Events) -> None:
    """Nothing raises, every chip is accounted for, and no wager is told of twice."""
    drawn = 0
    for event in said:
        if event["type"] == "CardDrawn":
            drawn += 1
            event["position"] = drawn

    found = judged(sheet([*bets(["1", "2"], [100]), {"type": "BettingClosed"}, *said]))

    names = [due.wager_id for due in found.dues]
    assert found.ruled.status in ("settled", "unsettled", "unknown")
    assert len(set(names)) == len(names)
    for due in found.dues:
        held = due.stake if due.outcome == "open" else 0
        assert due.collected + due.returned + held == due.stake
