"""Cards that left the shoe outside a round: after its close, or before the next one was opened."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.fuse import Sight, sights
from replay.rounds import Round
from schemas import events as e

CODE = "CARD_OUTSIDE_ROUND"


class Stray(NamedTuple):
    """One such card: where it was put, and the sentence that tells of it."""

    hand: str
    text: str
    evidence: tuple[str, ...]


def told(round: Round) -> Iterator[Stray]:
    """What is to be said of the cards before and after a round."""
    drawn = [at for at in round.before if isinstance(at.payload, e.CardDrawn)]
    places = [(at, "before the round was opened") for at in drawn]
    places += [(at, "after the round was closed") for at in after_close(round.events)]
    for event, when in places:
        assert isinstance(event.payload, e.CardDrawn)
        text = f"{event.payload.card or 'a card'} left the shoe {when} and counts for nothing"
        yield Stray(event.payload.hand, text, (event.event_id,))


def after_close(events: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """Cards drawn once the round was closed.

    One that was only read late is none of them: its clock says so, or its place in the shoe.
    """
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    end = next(ends, len(events))
    before = [at.payload.position for at in events[:end] if isinstance(at.payload, e.CardDrawn)]
    return tuple(
        at
        for at in events[end:]
        if isinstance(at.payload, e.CardDrawn)
        and before
        and at.payload.position > max(before)
        and at.occurred_at >= events[end].occurred_at
    )


def counting(events: Sequence[e.Event]) -> tuple[Sight, ...]:
    """The card places of a round without those of cards that came after its close."""
    late = {at.event_id for at in after_close(events)}
    return tuple(sight for sight in sights(events) if not late.intersection(sight.evidence))
