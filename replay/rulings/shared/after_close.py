"""What came after a round was closed: another shake or spin then is no longer of that round."""

from collections.abc import Sequence

from schemas import events as e


def ids(events: Sequence[e.Event]) -> frozenset[str]:
    """The events after the close; one that only arrived late is none, as its clock says."""
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    end = next(ends, None)
    if end is None:
        return frozenset()
    closed = events[end].occurred_at
    return frozenset(event.event_id for event in events[end + 1 :] if event.occurred_at >= closed)
