"""Rounds of Tiger Baccarat in which anything may have happened."""

from typing import Any

from hypothesis import strategies as st

from replay import rulebooks
from replay.games.tiger_baccarat import BETS
from schemas.cards import DECK
from schemas.ranks import LADDER
from tests.support.any_round import Game, anywhere
from tests.support.tiger_baccarat_sheets import (
    SIDE_BETS,
    Json,
    event,
    report,
    ruling,
    sheet,
    withdraws,
)

EDITION = rulebooks.in_force("TB", "2026-03-01")
PLAYERS = ("P1", "P2", "P3", "P4")
KINDS = (
    "foreign_card", "not_reconstructable", "face_up_card", "next_card_seen", "wrong_order",
    "squeeze_misdelivery", "multiple_draw", "order_unknown", "squeezer_absent", "earthquake",
)  # fmt: skip
CLAUSES = ("TB:7.9", "TB:7.10.1", "TB:7.10.2", "TB:7.12", "TB:7.13.1", "TB:7.20")


def _written(rows: list[tuple[str, str, int]]) -> str:
    return ", ".join(f"{player} {bet} {stake}" for player, bet, stake in rows)


players, stakes = st.sampled_from(PLAYERS), st.integers(1, 15_000)
anything = st.lists(st.tuples(players, st.sampled_from(BETS), stakes), max_size=8)
# Both main bets for themselves above the differential, whatever lies between them (TB:7.19).
both_sides = st.tuples(
    st.tuples(players, st.just("player"), st.integers(5_000, 10_000)),
    st.tuples(players, st.just("banker"), st.integers(5_000, 10_000)),
    st.tuples(players, st.sampled_from(("player", "banker")), stakes),
    st.tuples(players, st.sampled_from(("player", "banker", "tie")), st.integers(1, 150)),
).map(list)
bets = st.one_of(anything, both_sides).map(_written)
places = st.tuples(
    st.sampled_from([str(card) for card in DECK]),
    st.sampled_from("PBN"),
    st.sampled_from(["", "?"]),
).map(lambda place: f"{place[0]}>{place[1]}{place[2]}")
few, enough = st.lists(places, max_size=5), st.lists(places, min_size=6, max_size=8)
cards = st.one_of(enough, enough, few).map(" ".join)
happenings = st.one_of(
    st.builds(report, st.sampled_from(KINDS)),
    st.builds(
        withdraws,
        st.sampled_from(["W1", "W2", "W3"]),
        st.sampled_from(CLAUSES),
        st.sampled_from(LADDER),
    ),
    st.builds(
        ruling,
        st.sampled_from(CLAUSES),
        st.sampled_from(["void", "continue", "allow_withdrawal", "order_fixed"]),
        st.sampled_from(LADDER),
    ),
    st.sampled_from(["banker", "player", "tie"]).map(lambda to: event("ResultCalled", result=to)),
    st.sampled_from(["shoe", "next", "hand"]).map(lambda at: event("CardExposed", place=at)),
    st.just(event("ShoeExhausted", shoe_id="S1")),
    st.just(event("RoundVoided")),
)
carries = st.fixed_dictionaries(
    {
        "below_min_used": st.lists(st.sampled_from(PLAYERS), unique=True),
        "free_hand": st.none() | st.lists(st.sampled_from(["9S", "4H", None]), max_size=2),
        "shoe": st.sampled_from(["", "S0", "S1"]),  # the one of the round before
    }
)


@st.composite
def sheets(draw: st.DrawFn) -> Json:
    """A round in which anything may have happened."""
    issue = EDITION.issues[draw(st.sampled_from(sorted(EDITION.issues)))]
    reading = draw(st.sampled_from((issue.reading, *issue.alternatives)))
    shoe: dict[str, Any] = {"shoe_id": "S1", "burned": draw(st.booleans())}
    placed = draw(bets)
    known = [f"W{n}" for n in range(1, 1 + len(placed.split(",")) * bool(placed))]
    happened = draw(st.lists(happenings, max_size=4))
    return sheet(
        placed,
        draw(cards),
        *(at for at in happened if at.get("wager_id", "") in ("", *known)),
        carry=draw(carries),
        shoe=shoe | {"hands": draw(st.integers(0, 2))},
        paytable=draw(st.sampled_from(sorted(EDITION.paytables))),
        differential=draw(st.none() | st.integers(0, 12_000)),
        readings={issue.name: reading},
    )


@st.composite
def between_two_boxes(draw: st.DrawFn) -> Json:
    """A round dealt by the rules with chips on both main bets, and the limits read in any way."""
    limits = ("differential", "exempt_wagers", "below_minimum_scope", "below_minimum_stand_off")
    issue = EDITION.issues[draw(st.sampled_from(limits))]
    return sheet(
        draw(both_sides.map(_written)),
        draw(st.sampled_from(("9S>P KS>B KH>P 4H>B", "2S>P KS>B 3H>P 7H>B TD>P"))),
        carry={"below_min_used": draw(st.lists(players, unique=True)), "shoe": "S0"},
        shoe={"shoe_id": draw(st.sampled_from(["S0", "S1"])), "hands": 1},
        differential=draw(st.integers(0, 12_000)),
        readings={issue.name: draw(st.sampled_from((issue.reading, *issue.alternatives)))},
    )


GAMES = (
    Game(
        "TB",
        sheets(),
        anywhere(SIDE_BETS),  # on the sides it would touch the differential (TB:4.3.1)
        ("paid", "commission", "collected", "returned"),
        roundings=2,  # a commission is what two rounded amounts differ by
    ),
)
