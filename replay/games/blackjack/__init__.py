"""Blackjack with bet behind.

Rulebook SA-BJ, report SAB.SAES.1001.01, game 3: values, what a hand is worth against the dealer's.
How hands are played is blackjack_hands.py; who may bet is replay/rulings/blackjack.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from schemas.cards import Card

# SA-BJ:3.3.2. Bets that are placed; insurance (SA-BJ:3.4.3) is taken by a decision.
PLACED = ("main", "pair")
DEALER = "dealer"
HANDS = (DEALER,)  # those with a name; a seat is a number

# SA-BJ:3.2.1. An Ace counts 11 where that does not bust.
VALUE = {"A": 1} | {str(n): n for n in range(2, 10)} | dict.fromkeys("TJQK", 10)

# What decides a main bet, in the words of the paytable.
SURRENDERED, BUST = "surrendered", "bust"
BOTH, BLACKJACK = "blackjack against blackjack", "blackjack"
DEALER_BLACKJACK, DEALER_BUST = "dealer blackjack", "dealer bust"
ORIGINAL_ONLY = "dealer blackjack against a doubled hand"
SECOND_BACK = "dealer blackjack against a second hand"
HIGHER, EQUAL, LOWER = "higher total", "equal totals", "lower total"
PAIR = "pair"

# The same facts as the dealer calls them.
RESULT = {
    SURRENDERED: "surrender",
    BUST: "lose",
    BOTH: "push",
    BLACKJACK: "blackjack",
    DEALER_BLACKJACK: "lose",
    ORIGINAL_ONLY: "lose",
    SECOND_BACK: "push",
    DEALER_BUST: "win",
    HIGHER: "win",
    EQUAL: "push",
    LOWER: "lose",
}


class BlackjackHand(NamedTuple):
    """One hand as it counts: its cards and what was done with it."""

    cards: tuple[Card, ...] = ()
    split: bool = False  # one of two hands after a split
    second: bool = False  # the second of them
    doubled: bool = False
    surrendered: bool = False


def points(values: Iterable[int]) -> int:
    """The total of values, an Ace (1) counted as 11 where that does not bust (SA-BJ:3.2.1)."""
    held = tuple(values)
    low = sum(held)
    return low + 10 if 1 in held and low <= 11 else low


def total(cards: Iterable[Card]) -> int:
    """The total of a hand."""
    return points(VALUE[card.rank] for card in cards)


def lowest(cards: Iterable[Card]) -> int:
    """The total with every Ace as one."""
    return sum(VALUE[card.rank] for card in cards)


def is_blackjack(cards: Sequence[Card]) -> bool:
    """An Ace and a ten-valued card as the first two cards of an unsplit hand (SA-BJ:3.2.2)."""
    return len(cards) == 2 and total(cards) == 21


def has_blackjack(hand: BlackjackHand) -> bool:
    """Whether a player's hand is a blackjack; after a split the same cards are 21."""
    return not hand.split and is_blackjack(hand.cards)


def dealer_draws(cards: Sequence[Card]) -> bool:
    """SA-BJ:3.4.5. The dealer draws on 16 or less and stands on 17 or more, soft ones included."""
    return len(cards) < 2 or total(cards) <= 16


def timeout_draws(cards: Sequence[Card], ace: str = "eleven") -> bool:
    """SA-BJ:3.5.6. A hand nobody decides on is hit while it is 11 or less (issue timeout_ace)."""
    return (total(cards) if ace == "eleven" else lowest(cards)) <= 11


def alike(two: Sequence[Card], by: str) -> bool:
    """Whether two cards share their rank, or their value where that is the reading."""
    first, second = two
    if by == "same_rank":
        return first.rank == second.rank
    return VALUE[first.rank] == VALUE[second.rank]


def may_surrender(upcard: Card) -> bool:
    """SA-BJ:3.5.5. Not against an Ace or a ten-valued card."""
    return VALUE[upcard.rank] not in (1, 10)


def fact(hand: BlackjackHand, dealer: Sequence[Card], readings: Mapping[str, str]) -> str:
    """What decides the bets on a hand, the dealer's hand being complete (SA-BJ:3.7, 3.8.3)."""
    beaten = is_blackjack(dealer)
    if hand.surrendered:
        return SURRENDERED
    if total(hand.cards) > 21:
        refunded = readings["busted_additions"] == "refunded"
        return _falls(hand, readings, BUST) if beaten and refunded else BUST
    if has_blackjack(hand):
        return BOTH if beaten else BLACKJACK
    if beaten:
        plain_21 = total(hand.cards) == 21 and readings["plain_21"] == "pushes"
        return EQUAL if plain_21 else _falls(hand, readings, DEALER_BLACKJACK)
    return _compared(total(hand.cards), total(dealer))


def told(cards: Sequence[Card], *, blackjack: bool) -> str:
    """A hand as one word: `blackjack`, `bust` or its total."""
    if blackjack:
        return "blackjack"
    return "bust" if total(cards) > 21 else str(total(cards))


def _falls(hand: BlackjackHand, readings: Mapping[str, str], otherwise: str) -> str:
    """What a dealer blackjack takes of the bets on a hand (issue dealer_blackjack)."""
    if readings["dealer_blackjack"] == "original_only":
        if hand.second:
            return SECOND_BACK
        if hand.doubled:
            return ORIGINAL_ONLY
    return otherwise


def _compared(own: int, dealers: int) -> str:
    if dealers > 21:
        return DEALER_BUST
    return EQUAL if own == dealers else HIGHER if own > dealers else LOWER
