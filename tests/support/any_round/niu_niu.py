"""Rounds of Niu Niu with packets of any size, and what happened after them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from replay.games.niu_niu import RESERVE
from schemas.cards import DECK
from tests.support.any_round import Game, extra, placed, shuffles
from tests.support.niu_niu_sheets import BETS, Json, event, happened, sheet

STAKES = st.integers(1, 20_000)
WAGER = st.tuples(
    st.sampled_from("123"),
    st.sampled_from(["P1", "P2"]),
    st.sampled_from([*BETS, *BETS, "pairs"]),
    STAKES,
    st.integers(0, 50_000),
)
WAGERS = st.lists(WAGER, max_size=9)
ORDERS = shuffles([str(card) for card in DECK])
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


def written(
    wagers: Sequence[tuple[int, Any]],
    order: Sequence[str],
    sizes: Sequence[int] = FIVES,
    ending: str = "",
) -> Json:
    """Wagers with their numbers, so that their order does not show; packets of these sizes."""
    bets = [
        event("WagerPlaced", wager_id=f"W{n}", box=box, player_id=player, bet=bet, stake=stake,
              reserve=reserve)
        for n, (box, player, bet, stake, reserve) in wagers
    ]  # fmt: skip
    found = sheet("", "", *_dealt(order, sizes), *happened(ending))
    return {**found, "events": [*bets, *found["events"]]}


def lawful(wagers: Sequence[Any]) -> list[tuple[int, Any]]:
    """At most one wager a bet and box, all of one player, so that their order does not matter."""
    first = {(box, bet): (box, "P1", bet, stake, reserve) for box, _, bet, stake, reserve in wagers}
    return list(enumerate(first.values()))


def _dealt(order: Sequence[str], sizes: Sequence[int]) -> list[Json]:
    hands = [
        hand
        for hand, size in zip(["1", "2", "3", "dealer"], sizes, strict=True)
        for _ in range(size)
    ]
    return [
        event("CardDrawn", position=n, hand=hand, card=card)
        for n, (hand, card) in enumerate(zip(hands, order, strict=False), 1)
    ]


def _own_reserves(wagers: Sequence[Any]) -> list[Any]:
    """No Reserve beside an Even, where it would be anybody's."""
    return [(*row[:4], row[4] if row[2] in RESERVE else 0) for row in wagers]


def _beside_an_even(found: Json) -> list[Json]:
    """A Double or Super Niu with its Reserve, of the box's own player, beside an Even alone."""
    boxes = Counter(wager["box"] for wager in placed(found))
    return [
        extra(bet, 1, box=even["box"], player_id=even["player_id"], reserve=reserve)
        for even in placed(found)
        for bet, reserve in RESERVE.items()
        if even["bet"] == "even" and boxes[even["box"]] == 1
    ]


GAMES = (
    Game(
        "NN",
        st.builds(
            written,
            st.lists(WAGER, min_size=1, max_size=6).map(_own_reserves).map(lawful),
            ORDERS, SIZES, ENDINGS,
        ),
        _beside_an_even,
        ("paid", "commission", "collected", "returned", "reserve_taken"),
        roundings=2,  # a commission of a win
    ),
)  # fmt: skip
