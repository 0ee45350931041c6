"""Where a round of play was over: with its close, or before that with its last wager settled.

The rulebooks of Hoiana end a round when the dealer has announced a result and settled all wagers in
play (TB:2.2.13, NN:2.2.5, TH:2.2.19). What happens to cards after that, and what is reported of
them then, does not undo what was paid.
"""

from collections.abc import Callable, Iterator, Sequence

from schemas import events as e


def place(events: Sequence[e.Event]) -> int:
    """Where every wager was settled or the round closed; beyond the last event where neither was.

    Stakes that only went back settle nothing unless a result was called before.
    """
    lying, moved = set[str](), False
    for n, event in enumerate(events):
        match event.payload:
            case e.RoundClosed():
                return n
            case e.WagerPlaced(wager_id=wager_id):
                lying.add(wager_id)
            case e.WagerWithdrawn(wager_id=wager_id):
                lying.discard(wager_id)
            case e.ResultCalled():
                moved = True
            case e.WagerSettled(wager_id=wager_id) as seen if wager_id in lying:
                moved = moved or bool(seen.paid or seen.collected or seen.reserve_taken)
                lying.discard(wager_id)
                if moved and not lying:
                    return n
    return len(events)


def over(events: Sequence[e.Event], complete: Callable[[Sequence[e.Event]], bool]) -> int:
    """The same; a settlement while the hands were not `complete` ended nothing, it came early."""
    end = place(events)
    if complete(events[:end]):
        return end
    closings = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    return next(closings, len(events))


def afterwards(events: Sequence[e.Event], end: int) -> Iterator[e.Event]:
    """What came after the round was over; one that only arrived late is none, as its clock says."""
    for event in events[end + 1 :]:
        if event.occurred_at >= events[end].occurred_at:
            yield event
