"""Rounds of Texas Hold'em Bonus Poker: a lawful deal, whatever is bet and however players act."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from replay.games import holdem_bonus as game
from schemas.cards import DECK
from tests.support.any_round import Game, extra, placed, shuffles
from tests.support.holdem_bonus_story import Json, event, happened, sheet

CONDUCT = st.sampled_from(["", "fold", "absent", "not_shown"])
BONUSES = st.just(0) | st.integers(1, 900)
STAKES = st.tuples(st.integers(1, 3_000), BONUSES, st.integers(0, 5_000), st.integers(0, 3_000))
BOXES = st.lists(st.tuples(STAKES, CONDUCT), min_size=1, max_size=5)
ENDINGS = st.sampled_from(
    [
        "",
        "report foreign_card",
        "report foreign_card, rule TH:7.1 continue pit_manager",
        "report cards_exposed",
        "report box_count 1, report not_reconstructable",
        "report power_cut",
        "report misdealt",
        "close settled",
    ]
)
DECKS = shuffles([str(card) for card in DECK])


def written(boxes: Sequence[Any], deck: Sequence[str], ending: str = "") -> Json:
    """A lawful deal from a card shoe, every box with its bets and its player's conduct."""
    names = [str(n) for n in range(1, len(boxes) + 1)]
    order = game.order("card_shoe", names)
    draws = [
        event("CardDrawn", position=n, hand=hand, card=card)
        for n, (hand, card) in enumerate(zip(order, deck, strict=False), 1)
    ]
    hole = 1 + 2 * len(boxes)
    return sheet(
        [
            *_bets(boxes, "ante", "bonus"),
            event("BettingClosed"),
            *draws[:hole],
            *_decided(boxes, "fold", "absent"),
            *_bets(boxes, "flop"),
            *draws[hole : hole + 4],
            *_bets(boxes, "turn"),
            *draws[hole + 4 :],
            *_decided(boxes, "not_shown"),
            *happened(ending),
        ]
    )


def _bets(boxes: Sequence[Any], *bets: str) -> list[Json]:
    found = []
    for name, (stakes, _) in enumerate(boxes, 1):
        for bet, stake in zip(("ante", "bonus", "flop", "turn"), stakes, strict=True):
            if bet in bets and stake:
                fields = {"player_id": f"P{name}", "box": str(name), "bet": bet, "stake": stake}
                found.append(event("WagerPlaced", wager_id=f"{name}-{bet}", **fields))
    return found


def _decided(boxes: Sequence[Any], *decisions: str) -> list[Json]:
    return [
        event("DecisionMade", player_id=f"P{name}", box=str(name), decision=conduct)
        for name, (_, conduct) in enumerate(boxes, 1)
        if conduct in decisions
    ]


def _a_bonus(found: Json) -> list[Json]:
    """A Bonus on a box that has none, of its own player (TH:4.8)."""
    wagers = placed(found)
    taken = {wager["box"] for wager in wagers if wager["bet"] == "bonus"}
    return [
        extra("bonus", 20, box=ante["box"], player_id=ante["player_id"])
        for ante in wagers
        if ante["box"] not in taken
    ]


GAMES = (Game("TH", st.builds(written, BOXES, DECKS, ENDINGS), _a_bonus, rounded=()),)
