"""Blackjack: when bets, cards and decisions count (SA-BJ:3.4.1, 3.4.2, 3.4.5).

Betting comes before the deal, so the first card ends it where nobody closed it before; the round
comes before its close, so what is dealt or decided after it counts for nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from replay.fuse import Sight
from schemas import events as e

DEALT = (e.CardDrawn, e.CardPlaced)


def closed_by_deal(events: Sequence[e.Event]) -> Iterator[e.Event]:
    """The events with betting closed by the first card, where nobody closed it before."""
    closed = False
    for event in events:
        if not closed and isinstance(event.payload, DEALT):
            yield replace(event, payload=e.BettingClosed())
        closed = closed or isinstance(event.payload, (*DEALT, e.BettingClosed))
        yield event


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
