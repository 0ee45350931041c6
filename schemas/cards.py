"""Cards: a rank and a suit, written together (`AS`, `TD`, `9H`)."""

from functools import cache
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHCD"


class Card(NamedTuple):
    """One playing card."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit


@cache
def card(text: str) -> Card:
    """The card of a two-letter code."""
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"{text!r} is not a card: a rank of {RANKS} then a suit of {SUITS}")
    return Card(text[0], text[1])


def cards(text: str) -> tuple[Card, ...]:
    """The cards of codes that blanks separate."""
    return tuple(card(code) for code in text.split())


DECK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
