"""When bets and cards of Andar Bahar and Teen Patti count: betting, then the deal, then the close.

SA-AB:1.2.2 comes before 1.2.3 and SA-TP:9.2.1 before 9.2.2: the first dealt card ends betting
where nobody closed it before.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from replay.rulings.deck_procedure import DEALT
from schemas import events as e


def closed_by_deal(events: Sequence[e.Event], hands: Collection[str]) -> Iterator[e.Event]:
    """The events with betting closed by the first card to one of these hands, if not before."""
    dealt = False
    for event in events:
        if not dealt and isinstance(event.payload, DEALT) and event.payload.hand in hands:
            dealt = True
            yield replace(event, payload=e.BettingClosed())
        yield event


def in_time(events: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """The events without cards dealt after the close; a late look at an earlier card counts."""
    end = _end(events)
    late = (at for at in events[end:] if not isinstance(at.payload, DEALT))
    return (*events[:end], *late)


def after_end(events: Sequence[e.Event]) -> tuple[str, ...]:
    """The ids of cards that came after the round was closed, which count for nothing."""
    late = events[_end(events) :]
    return tuple(at.event_id for at in late if isinstance(at.payload, DEALT))


def _end(events: Sequence[e.Event]) -> int:
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    return next(ends, len(events))
