"""Blackjack: the hands of a round while it is played (SA-BJ:3.4, 3.5).

blackjack_play.py gives them cards, blackjack_decisions.py does what the players decide.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from replay.games import blackjack as game
from replay.games.blackjack import DEALER
from replay.sentence import Sentence, say
from schemas.cards import Card

FIRST, SECOND = ".1", ".2"  # how the hands of a split seat are named: 3.1 and 3.2

SPLIT_ORDER, DRAWS, HITS = "SA-BJ:3.5.3", "SA-BJ:3.4.5", "SA-BJ:3.5.1"
DOUBLES, ACES, SURRENDERS = "SA-BJ:3.5.2", "SA-BJ:3.5.4", "SA-BJ:3.5.5"
TIMEOUT, BUSTS, ACTS, OPENING = "SA-BJ:3.5.6", "SA-BJ:3.5.7", "SA-BJ:3.4.4", "SA-BJ:3.4.2"


NO_CARDS = game.BlackjackHand()
Refusal = tuple[str, str, Sentence]  # code, clause, and why in a few words


class Move(NamedTuple):
    """One card or one decision, in the table's order."""

    hand: str  # `dealer`, a seat, or a hand of a split seat
    event_id: str
    card: Card | None = None
    decision: str = ""
    by_seat: bool = True  # False for a decision of somebody who does not sit there


class Fault(NamedTuple):
    """Where the play broke a rule."""

    code: str
    clause: str
    hand: str
    note: Sentence
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """One hand and how it came to be."""

    name: str
    hand: game.BlackjackHand = NO_CARDS
    surplus: tuple[Card, ...] = ()  # cards it was given against the rules
    limit: int = 0  # the cards it may hold; 0 where there is no such number
    stood: bool = False
    auto: bool = False  # nobody decides, so the rule of the timeout plays it
    acted: bool = False  # a decision was made on it
    again: bool = False  # a second split was asked for, and nothing was done since
    stuck: bool = False  # the rules do not say how to go on
    short: bool = False  # it lacks a card that the rules give it
    asked: int = 0  # hits that wait for their card
    meddled: bool = False  # somebody hit it who does not sit there

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that count."""
        return self.hand.cards

    @property
    def decided(self) -> bool:
        """Whether its bets are lost or halved whatever the dealer holds."""
        return self.hand.surrendered or game.total(self.cards) > 21

    @property
    def left(self) -> bool:
        """Whether nobody ended it, so that the rule of the timeout plays it (SA-BJ:3.5.6)."""
        ended = self.stood or self.hand.doubled or self.hand.surrendered or full(self)
        return not ended and not game.has_blackjack(self.hand)

    @property
    def live(self) -> bool:
        """Whether it waits for the dealer."""
        return not self.decided and not self.short and not self.stuck


@dataclass(slots=True)
class HandsInPlay:
    """The hands of a round while it is played."""

    readings: Mapping[str, str]
    hands: dict[str, Played] = field(default_factory=dict)
    opening: dict[str, tuple[Card, ...]] = field(default_factory=dict)  # a seat's first two cards
    doubled_by: dict[str, str] = field(default_factory=dict)  # hand to the deciding event
    split_by: dict[str, str] = field(default_factory=dict)  # seat to the deciding event
    split_again: dict[str, str] = field(
        default_factory=dict
    )  # seat to the hand whose split was refused
    too_late: set[str] = field(default_factory=set)  # decisions on hands that had ended
    faults: list[Fault] = field(default_factory=list)
    doubt: Sentence | None = None  # why the hands cannot be known

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards that count."""
        return self.hands[DEALER].cards if DEALER in self.hands else ()

    def of(self, seat: str) -> tuple[Played, ...]:
        """The hands of a seat, the first one first."""
        names = (seat + FIRST, seat + SECOND) if seat in self.split_by else (seat,)
        return tuple(self.hands[name] for name in names if name in self.hands)

    def find(self, code: str, clause: str, hand: str, note: Sentence, event_id: str = "") -> None:
        """Note a fault, once a hand and code."""
        if not any((at.code, at.hand) == (code, hand) for at in self.faults):
            self.faults.append(Fault(code, clause, hand, note, event_id))


def seat_of(name: str) -> str:
    """The seat a hand belongs to."""
    return name.partition(".")[0]


def finished(held: Played, readings: Mapping[str, str]) -> Refusal | None:
    """Why a hand takes no further card; None where it does."""
    cards, hand = held.cards, held.hand
    if held.name == DEALER:
        over = not game.dealer_draws(cards)
        return (
            ("DEALER_OVERDREW", DRAWS, say("SA-BJ.drawn_on", total=game.total(cards)))
            if over
            else None
        )
    timed_out = held.auto and not game.timeout_draws(cards, readings["timeout_ace"])
    reasons = (
        (game.total(cards) > 21, "CARD_AFTER_BUST", BUSTS, say("SA-BJ.after_bust")),
        (game.has_blackjack(hand), "CARD_AFTER_BLACKJACK", ACTS, say("SA-BJ.on_blackjack")),
        (hand.surrendered, "CARD_AFTER_SURRENDER", SURRENDERS, say("SA-BJ.after_surrender")),
        (hand.doubled and full(held), "DOUBLE_CARDS", DOUBLES, say("SA-BJ.after_double")),
        (full(held), "SPLIT_ACE_CARDS", ACES, say("SA-BJ.beyond_split_ace")),
        (held.stood, "CARD_AFTER_STAND", HITS, say("SA-BJ.after_stand")),
        (
            timed_out,
            "AUTO_OVERDREW",
            TIMEOUT,
            say("SA-BJ.drawn_by_system", total=game.total(cards)),
        ),
    )
    for holds, code, clause, words in reasons:
        if holds:
            return code, clause, words
    return None


def unasked(held: Played, readings: Mapping[str, str]) -> Refusal | None:
    """SA-BJ:3.5.1, 3.5.6. A card that nobody asked for, on a hand the system would not hit."""
    given = len(held.cards) < 2 or held.hand.doubled or held.asked or held.again
    if held.name == DEALER or given or game.timeout_draws(held.cards, readings["timeout_ace"]):
        return None
    return "CARD_WITHOUT_HIT", HITS, say("SA-BJ.unasked", total=game.total(held.cards))


def full(held: Played) -> bool:
    """Whether a hand holds all the cards it may."""
    return bool(held.limit) and len(held.cards) >= held.limit
