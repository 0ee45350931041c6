"""Dragon Tiger: one card a side, the higher one wins.

Rulebook SA-DT, report SAB.SAES.1001.01, game 4; replay/rulings/dragon_tiger.py says what becomes
of a round.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.sentence import Sentence, say
from replay.tabulated import tabulated
from schemas.cards import DECK, RANKS, Card

POSITIONS = ("dragon", "tiger", "tie")  # SA-DT:4.2.1

# SA-DT:4.2.2. Dragon's card comes first.
SIDES = HANDS = ("dragon", "tiger")

# SA-DT:4.2.3. An ace is one point, a king thirteen.
POINTS = {rank: points for points, rank in enumerate(RANKS, 1)}


class Fault(NamedTuple):
    """A deal that is not one card for Dragon, then one for Tiger."""

    text: Sentence
    clause: str


def lawful_hands(cards: Sequence[Card]) -> tuple[str, ...] | None:
    """The hand of each card in the order of the shoe (SA-DT:4.2.2)."""
    return SIDES if len(cards) >= len(SIDES) else None


def legal(position: str) -> bool:
    """Whether the position is offered (SA-DT:4.2.1)."""
    return position in POSITIONS


def points(card: Card) -> int:
    """What a card counts; its suit is not considered (SA-DT:4.2.3)."""
    return POINTS[card.rank]


def faults(order: Sequence[str], finished: bool) -> Iterator[Fault]:
    """What is wrong with the order in which sides got cards (SA-DT:4.2.2)."""
    lawful = SIDES if finished else SIDES[: len(order)]
    if tuple(order) != tuple(lawful):
        text = say("SA-DT.deal_order", order=tuple(order)) if order else say("SA-DT.no_card")
        yield Fault(text, "SA-DT:4.2.2")


def winner(dragon: Card, tiger: Card) -> str:
    """The side with the higher card, or tie."""
    ahead = points(dragon) - points(tiger)
    return "tie" if ahead == 0 else "dragon" if ahead > 0 else "tiger"


@tabulated(DECK, DECK)
def outcome(dragon: Card, tiger: Card) -> str:
    """The result for people: who won, Dragon's points, Tiger's points, such as dragon 12-11."""
    return f"{winner(dragon, tiger)} {points(dragon)}-{points(tiger)}"


@tabulated(DECK, DECK)
def facts(dragon: Card, tiger: Card) -> frozenset[str]:
    """What happened, in the words of the paytable."""
    won = winner(dragon, tiger)
    return frozenset({"tie" if won == "tie" else f"{won} wins"})
