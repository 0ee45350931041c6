"""Tiger Baccarat, Niu Niu and hold'em: cards that nobody read, rounds that had none."""

from typing import Any

import pytest

from replay.judge import Judgement
from tests.support import holdem_bonus_story as holdem
from tests.support import niu_niu_sheets as niu_niu
from tests.support import tiger_baccarat_sheets as tiger
from tests.support.tables import judged

CLOSED = {"type": "RoundClosed", "status": "settled"}
SHEETS: dict[str, dict[str, Any]] = {
    "TB": tiger.sheet("P1 player 1000", tiger.NATURAL, CLOSED),
    "NN": niu_niu.sheet("1 P1 even 1000", niu_niu.PLAIN, CLOSED),
    "TH": holdem.from_shoe("1 ante 100, 1 flop 200, 2 ante 100", holdem.SHOE, CLOSED),
}


@pytest.mark.parametrize("code", SHEETS)
def test_a_place_of_the_shoe_that_nobody_read_is_told(code: str) -> None:
    plain = SHEETS[code]
    passed = [_later(event) for event in plain["events"]]

    assert "CARD_NOT_READ" not in codes(judged(plain))
    assert "CARD_NOT_READ" in codes(judged({**plain, "events": passed}))


@pytest.mark.parametrize("code", SHEETS)
@pytest.mark.parametrize("wagered", [True, False])
def test_a_round_that_ended_without_a_card_is_told(code: str, wagered: bool) -> None:
    kinds = ("WagerPlaced", "BettingClosed", "RoundClosed") if wagered else ("RoundClosed",)
    events = [event for event in SHEETS[code]["events"] if event["type"] in kinds]

    assert "ROUND_WITHOUT_CARDS" in codes(judged({**SHEETS[code], "events": events}))


@pytest.mark.parametrize("code", SHEETS)
def test_a_round_declared_void_before_its_first_card_is_not(code: str) -> None:
    void = {"type": "RoundClosed", "status": "void"}

    assert "ROUND_WITHOUT_CARDS" not in codes(judged({**SHEETS[code], "events": [void]}))


def codes(found: Judgement) -> set[str]:
    return {flag.code for flag in found.flags}


def _later(event: dict[str, Any]) -> dict[str, Any]:
    """The shoe passes over its third place."""
    moved = event["type"] == "CardDrawn" and event["position"] > 2
    return {**event, "position": event["position"] + 1} if moved else event
