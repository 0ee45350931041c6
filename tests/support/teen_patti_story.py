"""Rounds of Teen Patti told by their hands: `KS KD QC v KH KC 9C`."""

from typing import Any

from replay.games import teen_patti as game
from replay.judge import Judgement
from tests.support.shoe_story import told


def dealt(hands: str) -> str:
    """Both hands by turns (`KS KD QC v KH KC 9C`), as lines of a story."""
    one, two = (hand.split() for hand in hands.split(" v "))
    turns = [card for pair in zip(one, two, strict=True) for card in pair]
    return ", ".join(f"deal {hand} {card}" for hand, card in zip(game.TURNS, turns, strict=True))


def played(bets: str, hands: str, more: str = "", **terms: Any) -> Judgement:
    """A round with these bets (`player_a 100, tie 100`) and hands."""
    placed = [f"bet b{n} {bet}" for n, bet in enumerate(bets.split(","), 1)]
    return told("SA-TP", f"{','.join(placed)}, close, {dealt(hands)}, {more}", **terms)


A3, B3 = "deal player_a KS KD 2C", "deal player_b 9S 8D 3C"
LAWFUL = dealt("KS KD 2C v 9S 8D 3C")
