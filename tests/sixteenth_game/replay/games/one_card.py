"""One Card: a card is red, black or a seven.

Rulebook OC, sections 1 and 3; replay/rulings/one_card.py says what becomes of a round.
"""

from schemas.cards import Card

POSITIONS = ("red", "black")  # OC:1.2
HANDS = ("card",)  # OC:2.2
RED = "HD"


def legal(position: str) -> bool:
    """Whether the position is offered (OC:1.2)."""
    return position in POSITIONS


def result(card: Card) -> str:
    """What the dealer has to call (OC:2.3)."""
    if card.rank == "7":
        return "seven"  # OC:3.2
    return "red" if card.suit in RED else "black"


def facts(card: Card) -> frozenset[str]:
    """What happened, in the words of the paytable."""
    return frozenset({result(card)})
