"""Pok Deng: five hands of two cards, each against the Banker's.

Rulebook SA-PD, report SAB.SAES.1001.01, game 6; replay/rulings/pok_deng.py says what becomes of a
round.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.sentence import Sentence, say
from schemas.cards import Card

SEATS = ("player_1", "player_2", "player_3", "player_4", "player_5")  # SA-PD:6.2.1
PAIRS = tuple(f"{seat}_pair" for seat in SEATS)
POSITIONS = (*SEATS, *PAIRS)
BANKER = "banker"
HANDS = (*SEATS, BANKER)
HELD = 2  # cards of a hand; there is no third

# SA-PD:6.3.2. A card for everybody, Banker last, and the same again.
ORDER = HANDS * HELD

# SA-PD:6.3.3, as the examples of SA-PD:6.6 count them: tens and faces are worth nothing.
POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
FACES = frozenset("JQK")
SPECIAL = frozenset("A56T")  # SA-PD:6.4.2, pairs of these are special

REDUCED = ("0", "6")  # SA-PD:6.5.3
KEPT = ("8", "9")  # SA-PD:6.5.4

# SA-PD:6.4.1, lowest first: the place in this row is the rank.
RANKING = ("0", "1", "2", "3", "4", "5", "6", "7", "7.1", "7.2", "7.3", "7.4", "7.5", "8", "9")

Hand = Sequence[Card]  # two cards


class Value(NamedTuple):
    """What a hand is worth: its figure, and whether it has a pattern."""

    figure: str
    pattern: str  # the name of its pattern; empty where it has none

    @property
    def rank(self) -> int:
        """Its place in the ranking; equal places tie, whatever the patterns (SA-PD:6.4.3)."""
        return RANKING.index(self.figure)


class Fault(NamedTuple):
    """A deal that is not two cards for everybody, in turn."""

    code: str
    text: Sentence


def lawful_hands(cards: Sequence[Card]) -> tuple[str, ...] | None:
    """The hand of each card in the order of the shoe (SA-PD:6.3.2)."""
    return ORDER if len(cards) >= len(ORDER) else None


def legal(position: str) -> bool:
    """Whether the position is offered (SA-PD:6.2.1)."""
    return position in POSITIONS


def faults(order: Sequence[str], dealt: int, finished: bool) -> Iterator[Fault]:
    """What is wrong with the hands that got cards, in the order they got them (SA-PD:6.3.2)."""
    count = max(len(order), dealt)
    if count > len(ORDER) or (finished and count < len(ORDER)):
        yield Fault("CARD_COUNT", say("shared.card_count", n=count, due=len(ORDER)))
    if tuple(order[: len(ORDER)]) != ORDER[: len(order)]:
        yield Fault("DEAL_ORDER", say("SA-PD.deal_order"))


def points(hand: Hand) -> int:
    """The last digit of the sum."""
    return sum(POINTS[card.rank] for card in hand) % 10


def value(hand: Hand) -> Value:
    """The figure and the pattern of a hand (SA-PD:6.4.1, SA-PD:6.4.2, SA-PD:6.4.4)."""
    combination = _combination(hand) if points(hand) < 8 else None
    if combination:
        return combination
    return Value(str(points(hand)), _plain_pattern(hand))


def is_pair(hand: Hand) -> bool:
    """Whether the two cards share a rank (SA-PD:6.5.8)."""
    return hand[0].rank == hand[1].rank


def is_flush(hand: Hand) -> bool:
    """Whether the two cards share a suit."""
    return hand[0].suit == hand[1].suit


def facts(seat: str, hand: Hand, banker: Hand, reduced: str = "ranked_figure") -> Iterator[str]:
    """What happened at one seat, in the words of the paytable (SA-PD:6.5)."""
    if is_pair(hand):
        yield f"{seat}_pair wins"
    own, house = value(hand), value(banker)
    if own.rank == house.rank:
        yield f"{seat} ties"
    elif own.rank < house.rank:
        yield f"{seat} loses to a pattern" if house.pattern else f"{seat} loses"
    else:
        yield f"{seat} wins{_how(own, banker, reduced)}"


def _how(own: Value, banker: Hand, reduced: str) -> str:
    """How a winning hand wins, where that changes its odds."""
    if not own.pattern:
        return ""
    against = value(banker).figure if reduced == "ranked_figure" else str(points(banker))
    if against not in REDUCED:
        return " with a pattern"
    kept = own.figure in KEPT
    return f" with {'8 or 9 and ' if kept else ''}a pattern against 0 or 6"


def _combination(hand: Hand) -> Value | None:
    """The special combination of a hand, the first line of SA-PD:6.4.2 that fits."""
    ranks = {card.rank for card in hand}
    faces = sum(card.rank in FACES for card in hand)
    if ranks == {"A", "K"} and is_flush(hand):
        return Value("7.5", "ak_flush")
    if is_pair(hand) and ranks <= SPECIAL:
        return Value("7.4", "special_pair")
    if faces == HELD:
        return Value("7.3", "face_card_combo")
    if faces == 1 and "T" in ranks:
        return Value("7.2", "single_face_no_point")
    if not faces and is_flush(hand) and points(hand) == 0:
        return Value("7.1", "flush_no_point")
    return None


def _plain_pattern(hand: Hand) -> str:
    if is_pair(hand):
        return "pair"
    return "flush" if is_flush(hand) else ""
