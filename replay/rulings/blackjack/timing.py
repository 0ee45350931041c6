"""Blackjack: when bets, cards and decisions count (SA-BJ:3.4.1, 3.4.2, 3.4.5).

The round comes before its close, so what is dealt or decided after it counts for nothing.
"""

from collections.abc import Iterable, Sequence

from replay.rulings.shared import stray_cards
from replay.witnesses import Sight
from schemas import events as e


def after_close(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """The events that came once the round was closed or declared void."""
    kinds = stray_cards.CLOSED_OR_VOID
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, kinds))
    return events[next(ends, len(events)) :]


def dealt_late(places: Iterable[Sight], events: Sequence[e.Event]) -> frozenset[Sight]:
    """Cards dealt once the round was closed; one that was only read late is none of them."""
    late = {at.event_id for at in after_close(events)}
    put = {event.event_id for event in events if isinstance(event.payload, e.CardPlaced)}
    drawn = [
        event.payload.position
        for event in events
        if event.event_id not in late and isinstance(event.payload, e.CardDrawn)
    ]
    last = max(drawn, default=0)
    return frozenset(
        place
        for place in places
        if late.issuperset(place.evidence)
        and (place.position > last or put.intersection(place.evidence))
    )
