"""A round that the table called void, in an event of its own or as it closed it."""

from collections.abc import Iterable

from schemas import events as e


def ids(events: Iterable[e.Event]) -> tuple[str, ...]:
    """The ids of the events that declare the round void."""
    return tuple(
        at.event_id
        for at in events
        if isinstance(at.payload, e.RoundVoided)
        or (isinstance(at.payload, e.RoundClosed) and at.payload.status == "void")
    )
