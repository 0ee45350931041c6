"""Finds where betting ends: at no more bets, or at the first event that shows the outcome.

All games, rulings and checks use this one definition: what is done to a bet after the end does not
count and is reported. In every game a called result, a settlement and the round's closing end
betting. Each game names with a `Sign` what else shows its outcome: a card, a ball at rest, dice,
tokens. The order of the events decides; clocks only say how certain a finding is.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from replay.witnesses import CERTAIN
from schemas import events as e

Sign = Callable[[e.Event], str]  # what an event shows, in words; empty where it shows nothing

CLOSE = "no more bets"
CARD, BALL, DOLLY = "the first card", "the ball at rest", "the dolly"
DICE, TOKENS = "the dice at rest", "the tokens in sight"
CALLED, PAID, CLOSED = "the called result", "the first settlement", "the closing of the round"
ACTS = (e.WagerPlaced, e.WagerChanged, e.WagerWithdrawn)


class End(NamedTuple):
    """The event that ended betting, and what it was: no more bets, or what showed the outcome."""

    event: e.Event
    by: str

    @property
    def announced(self) -> bool:
        """Whether betting was closed as it should be."""
        return self.by == CLOSE


def find(
    events: Sequence[e.Event], sign: Sign = lambda _: "", in_vain: Collection[str] = ()
) -> End | None:
    """Where betting ended; None while it is open.

    `in_vain` holds the ids of results called for a shake or spin that has to be repeated.
    """
    placed: set[str] = set()
    for event in events:
        by = sign(event) or _in_any_game(event, placed, in_vain)
        if by:
            return End(event, by)
    return None


def cards(is_hand: Callable[[str], bool], *, known: bool = False, anywhere: bool = False) -> Sign:
    """The sign of a card game: the first card dealt to one of its hands, or seen there.

    With `known` a card counts only once somebody could read it; with `anywhere` every card that was
    dealt counts, wherever it was put.
    """

    def sign(event: e.Event) -> str:
        match event.payload:
            case e.CardExposed(hand=hand, card=card):
                shows = card is not None
            case e.CardDrawn() | e.CardPlaced() if anywhere:
                return CARD
            case e.CardDrawn(hand=hand, card=card) | e.CardPlaced(hand=hand, card=card):
                shows = card is not None or not known
            case e.CardsObserved(zone=hand, guesses=guesses) if guesses:
                shows = guesses[0].probability >= CERTAIN
            case _:
                return ""
        return CARD if shows and is_hand(hand) else ""

    return sign


def one_of(ids: Collection[str], kinds: tuple[type[e.Payload], ...], by: str) -> Sign:
    """The sign of a game that one shake or spin decides: the events that show its result."""
    return lambda event: by if event.event_id in ids and isinstance(event.payload, kinds) else ""


def acted_late(events: Sequence[e.Event], end: End | None) -> Iterator[e.Event]:
    """Bets placed, changed or taken back after betting ended."""
    over = False
    for event in events:
        over |= end is not None and event.event_id == end.event.event_id
        if over and isinstance(event.payload, ACTS):
            yield event


def decided_by(events: Sequence[e.Event], end: End | None) -> bool:
    """Whether the end of betting decides a bet: nobody announced it, and a bet came after it."""
    return end is not None and not end.announced and any(acted_late(events, end))


def never_closed(events: Sequence[e.Event], end: End | None) -> bool:
    """Whether bets lay there and the outcome was shown, but nobody announced no more bets."""
    kinds = {type(event.payload) for event in events}
    shown = end is not None and end.by not in (CLOSE, CLOSED)
    return shown and e.WagerPlaced in kinds and e.BettingClosed not in kinds


def early_play(
    events: Sequence[e.Event], end: End | None, waits: tuple[type[e.Payload], ...]
) -> e.Event | None:
    """The first card, shake or spin that came before no more bets and had to wait for it.

    `waits` are kinds of events that must wait although they show nothing of the outcome.
    """
    for event in events:
        if isinstance(event.payload, e.BettingClosed):
            return None
        if isinstance(event.payload, waits):
            return event
        if end is not None and event.event_id == end.event.event_id:
            return None if end.by == CLOSED else event
    return None


def _in_any_game(event: e.Event, placed: set[str], in_vain: Collection[str]) -> str:
    match event.payload:
        case e.BettingClosed():
            return CLOSE
        case e.WagerPlaced(wager_id=wager_id):
            placed.add(wager_id)
        case e.ResultCalled() if event.event_id not in in_vain:
            return CALLED
        case e.WagerSettled() as seen if seen.wager_id in placed:
            return PAID if seen.paid or seen.collected or seen.reserve_taken else ""
        case e.RoundClosed():
            return CLOSED
    return ""
