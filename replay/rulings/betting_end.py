"""When betting ends: at its close, or before that with what shows the outcome.

The games of SA Gaming take bets, then deal, spin or reveal. What shows the outcome ends betting
where nobody closed it before, so that no bet on it counts; which event that is each game says.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from replay.fuse import CERTAIN
from replay.rulings.remark import Remark
from schemas import events as e


def first_sign(
    events: Sequence[e.Event], hands: Collection[str], *, known: bool = False
) -> e.Event | None:
    """The first card to one of these hands, or seen of it, or a result that was called.

    With `known` a card counts from when anybody could read it.
    """
    for event in events:
        match event.payload:
            case e.ResultCalled():
                return event
            case e.CardExposed(hand=hand, card=card):
                shows = card is not None
            case e.CardDrawn(hand=hand, card=card) | e.CardPlaced(hand=hand, card=card):
                shows = card is not None or not known
            case e.CardsObserved(zone=hand, guesses=guesses) if guesses:
                shows = guesses[0].probability >= CERTAIN
            case _:
                continue
        if shows and hand in hands:
            return event
    return None


def first_of(
    events: Sequence[e.Event], ids: Collection[str], kinds: tuple[type[e.Payload], ...]
) -> e.Event | None:
    """The first of the events with these ids that is of one of these kinds."""
    found = (at for at in events if at.event_id in ids and isinstance(at.payload, kinds))
    return next(found, None)


def ended_by(events: Sequence[e.Event], shown: e.Event | None) -> Iterator[e.Event]:
    """The events with betting closed by what shows the outcome, if not before."""
    for event in events:
        if event is shown:
            yield replace(event, payload=e.BettingClosed())
        yield event


def decided_by(events: Sequence[e.Event], shown: e.Event | None) -> bool:
    """Whether anything was done to a bet after the outcome showed and before the close."""
    if shown is None:
        return False
    at = events.index(shown)
    closes = (n for n, event in enumerate(events) if isinstance(event.payload, e.BettingClosed))
    until = next(closes, len(events))
    moves = (e.WagerPlaced, e.WagerChanged, e.WagerWithdrawn)
    return any(isinstance(event.payload, moves) for event in events[at:until])


def unclosed(clause: str, events: Sequence[e.Event], shown: e.Event | None) -> Iterator[Remark]:
    """A round whose outcome was shown although betting on it was never closed."""
    bet = any(isinstance(at.payload, e.WagerPlaced) for at in events)
    closed = any(isinstance(at.payload, e.BettingClosed) for at in events)
    if shown and bet and not closed:
        text = "betting was never closed: it ended when the outcome began to show"
        yield Remark("BETTING_NOT_CLOSED", clause, text, evidence=(shown.event_id,))
