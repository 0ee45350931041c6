"""The words in which hands are called."""

from replay.games.holdem_bonus import NAMES
from replay.games.shared.poker_hands import PokerClass

# What else a class is called at the table.
ALSO = {
    "HIGH_CARD": NAMES[PokerClass.HIGH_CARD],
    "PAIR": "ONE_PAIR",
    "TWO_PAIR": "TWO_PAIRS",
    "THREE_OF_KIND": "THREE_OF_A_KIND",
    "FOUR_OF_KIND": "FOUR_OF_A_KIND",
}


def said(result: str) -> str:
    """A called hand as one word; what names no hand is left as it is."""
    word = result.strip().upper().replace(" ", "_").replace("-", "_")
    return ALSO.get(word, word)
