"""Cards that left the shoe outside a round: after its close, or before the next one was opened."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from replay.rounds import Round
from replay.sentence import Sentence, say
from replay.witnesses import Sight, sights
from schemas import events as e

CODE = "CARD_OUTSIDE_ROUND"
OF_CARDS = (e.CardDrawn, e.CardPlaced, e.CardsObserved)
CLOSED_OR_VOID = (e.RoundClosed, e.RoundVoided)  # where nothing is dealt after a void
Kinds = tuple[type[e.Payload], ...]
Ends = Kinds | int  # what ends a round, or where it was over
CLOSED: Kinds = (e.RoundClosed,)


class StrayCard(NamedTuple):
    """One such card: where it was put, and the sentence that tells of it."""

    hand: str
    text: Sentence
    evidence: tuple[str, ...]


def told(round: Round, ends: Ends = CLOSED) -> Iterator[StrayCard]:
    """What is to be said of the cards before and after a round."""
    drawn = [event for event in round.before if isinstance(event.payload, e.CardDrawn)]
    places = [(at, say("shared.before_opening")) for at in drawn]
    after = _when(round.events[_end(round.events, ends) :])
    places += [(event, after) for event in after_close(round.events, ends)]
    for event, when in places:
        match event.payload:
            case e.CardDrawn(hand=hand, card=card):
                text = say("shared.card_drawn_outside", card=card, when=when)
            case e.CardPlaced(hand=hand, card=card):
                text = say("shared.card_put_outside", card=card, hand=hand, when=when)
            case e.CardsObserved(zone=hand, guesses=guesses):
                card = best(guesses)
                text = say("shared.card_seen_outside", card=card, hand=hand, when=when)
            case _:
                raise AssertionError(event)
        yield StrayCard(hand, text, (event.event_id,))


def after_close(events: Sequence[e.Event], ends: Ends = CLOSED) -> tuple[e.Event, ...]:
    """Cards dealt once the round was over: drawn, or put down where the shoe says nothing.

    One that was only read late is none of them: its clock says so, or its place in the shoe.
    """
    end = _end(events, ends)
    if end == len(events):
        return ()
    before = [
        event.payload.position for event in events[:end] if isinstance(event.payload, e.CardDrawn)
    ]
    last, shoe = (
        max(before, default=0),
        any(isinstance(event.payload, e.CardDrawn) for event in events),
    )
    known = (
        {(at.hand, at.slot) for at in sights(events[:end])}
        if shoe and isinstance(ends, int)
        else None
    )
    return tuple(
        event
        for event in events[end:]
        if event.occurred_at >= events[end].occurred_at
        and (
            (isinstance(event.payload, e.CardDrawn) and event.payload.position > last)
            or (isinstance(event.payload, e.CardPlaced) and not shoe)
            or (known is not None and _elsewhere(event.payload, known))
        )
    )


def _elsewhere(payload: e.Payload, known: Collection[tuple[str, int]]) -> bool:
    """Whether a card was put or seen where none had lain while the round was played."""
    match payload:
        case e.CardPlaced(hand=hand, slot=slot) | e.CardsObserved(zone=hand, slot=slot):
            return (hand, slot) not in known
    return False


def best(guesses: Sequence[e.Guess]) -> str | None:
    """The card that a camera holds likeliest; None where it names none."""
    return guesses[0].seen if guesses else None


def _when(events: Sequence[e.Event]) -> Sentence:
    match events[0].payload if events else None:
        case e.RoundVoided():
            return say("shared.after_void")
        case e.WagerSettled():
            return say("shared.after_last_settlement")
    return say("shared.after_closing")


def counting(events: Sequence[e.Event]) -> tuple[Sight, ...]:
    """The card places of a round without those of cards that came after its close or its void."""
    late = {at.event_id for at in after_close(events, CLOSED_OR_VOID)}
    return tuple(sight for sight in sights(events) if not late.intersection(sight.evidence))


def _end(events: Sequence[e.Event], ends: Ends) -> int:
    if isinstance(ends, int):
        return ends
    found = (n for n, at in enumerate(events) if isinstance(at.payload, ends))
    return next(found, len(events))
