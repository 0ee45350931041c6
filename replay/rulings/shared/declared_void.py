"""A round that the table called void, in an event of its own or as it closed it."""

from collections.abc import Iterable

from schemas import events as e


def ids(events: Iterable[e.Event]) -> tuple[str, ...]:
    """The ids of the events that declare the round void."""
    return tuple(
        event.event_id
        for event in events
        if isinstance(event.payload, e.RoundVoided)
        or (isinstance(event.payload, e.RoundClosed) and event.payload.status == "void")
    )
