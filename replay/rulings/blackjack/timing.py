"""Blackjack: when bets, cards and decisions count (SA-BJ:3.4.1, 3.4.2, 3.4.5).

Betting comes before the deal, so the first card ends it where nobody closed it before; the round
comes before its close, so what is dealt or decided after it counts for nothing.
"""

from collections.abc import Iterable, Iterator, Sequence

from replay.fuse import Sight
from replay.rulings.betting_end import ended_by
from schemas import events as e

DEALT = (e.CardDrawn, e.CardPlaced)


def first_card(events: Sequence[e.Event]) -> e.Event | None:
    """The first card of the round, which ends betting."""
    return next((at for at in events if isinstance(at.payload, DEALT)), None)


def closed_by_deal(events: Sequence[e.Event]) -> Iterator[e.Event]:
    """The events with betting closed by the first card, where nobody closed it before."""
    return ended_by(events, first_card(events))


def after_close(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """The events that came once the round was closed."""
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    return events[next(ends, len(events)) :]


def dealt_late(places: Iterable[Sight], events: Sequence[e.Event]) -> frozenset[Sight]:
    """Cards dealt once the round was closed; one that was only read late is none of them."""
    late = {at.event_id for at in after_close(events)}
    put = {at.event_id for at in events if isinstance(at.payload, e.CardPlaced)}
    drawn = [
        at.payload.position
        for at in events
        if at.event_id not in late and isinstance(at.payload, e.CardDrawn)
    ]
    last = max(drawn, default=0)
    return frozenset(
        at
        for at in places
        if late.issuperset(at.evidence) and (at.position > last or put.intersection(at.evidence))
    )
