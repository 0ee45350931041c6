"""What was seen to be paid on each wager: at once, in parts, twice, or on no wager at all.

Parts of a settlement add up. One that a correction names counts no more once another follows.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.ruled import Step
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from schemas import events as e

SETTLEMENTS_LISTED = 5  # a step that lists ten thousand of them helps nobody
AMOUNTS = ("paid", "commission", "collected", "reserve_taken", "returned")


class Paid(NamedTuple):
    """What was seen on one wager."""

    first_seq: int  # place of the first payment that counts
    amounts: e.WagerSettled  # all that count, added up
    evidence: tuple[str, ...]  # ids of the payments


def by_close(events: Sequence[e.Event]) -> Mapping[str, Paid]:
    """What was seen on each wager by the time its round was closed.

    A payment that follows the closing, in the table's order and by its own time, does not count:
    it reopens the round. One that only came in late does.
    """
    closing = next((event for event in events if isinstance(event.payload, e.RoundClosed)), None)
    counted = {
        wager_id: [event for event in seen if not _follows(event, closing)]
        for wager_id, seen in _standing(events).items()
    }
    return {
        wager_id: Paid(seen[0].seq, _sum(seen), tuple(event.event_id for event in seen))
        for wager_id, seen in counted.items()
        if seen
    }


def totals(events: Sequence[e.Event]) -> Mapping[str, e.WagerSettled]:
    """What was paid on each wager by the time its round was closed."""
    again = {event.event_id for event in reopening(events)}
    counted = {
        wager_id: [event for event in seen if event.event_id not in again]
        for wager_id, seen in _standing(events).items()
    }
    return {wager_id: _sum(seen) for wager_id, seen in counted.items() if seen}


def differences(due: Due, seen: e.WagerSettled) -> Gaps:
    """What was seen less what was due, by field; empty where they agree."""
    pairs = {
        "paid": seen.paid - due.paid,
        "commission": seen.commission - due.commission,
        "collected": seen.collected - due.collected,
        "reserve_taken": seen.reserve_taken - due.reserve_taken,
        "returned": seen.returned - due.returned - due.reserve_returned,
    }
    return {name: gap for name, gap in pairs.items() if gap}


def twice(events: Sequence[e.Event], dues: Iterable[Due]) -> Iterator[Step]:
    """Settlements of one wager that are no parts of what is due, or follow the round's close."""
    due = {at.wager_id: at for at in dues}
    again = {event.event_id for event in _after_close(events)}
    for wager_id, seen in _standing(events).items():
        in_parts = wager_id in due and not differences(due[wager_id], _sum(seen))
        late = any(event.event_id in again for event in seen)
        if len(seen) > 1 and (late or not in_parts):
            text = say("shared.settled_twice", wager=wager_id, n=len(seen), seen=_listed(seen))
            yield _step(text, seen, wager_id)


def withdrawn(events: Sequence[e.Event], known: Collection[str]) -> Iterator[Step]:
    """Settlements of wagers that had been taken back in time."""
    placed = {at.payload.wager_id for at in events if isinstance(at.payload, e.WagerPlaced)}
    back = {at.payload.wager_id for at in events if isinstance(at.payload, e.WagerWithdrawn)}
    for wager_id, seen in _standing(events).items():
        if wager_id in (placed & back) - set(known):
            text = say("shared.settled_withdrawn", wager=wager_id, seen=_listed(seen))
            yield _step(text, seen, wager_id)


def unknown(events: Sequence[e.Event], known: Collection[str]) -> Iterator[Step]:
    """Settlements under an id that is none of the round's wagers."""
    placed = {at.payload.wager_id for at in events if isinstance(at.payload, e.WagerPlaced)}
    for wager_id, seen in _standing(events).items():
        if wager_id not in placed | set(known):
            text = say("shared.settled_unknown", wager=wager_id, seen=_listed(seen))
            yield _step(text, seen, wager_id)


def standing(events: Iterable[e.Event]) -> list[e.Event]:
    """The settlements without those that were corrected by a later one, in their order."""
    found = (at for seen in _standing(events).values() for at in seen)
    return sorted(found, key=lambda at: at.seq)


def reopening(events: Sequence[e.Event]) -> list[e.Event]:
    """Second settlements that the clock places after the close: they touch what was settled."""
    closed = next((at for at in events if isinstance(at.payload, e.RoundClosed)), None)
    late = _after_close(events)
    return [at for at in late if closed and at.occurred_at > closed.occurred_at]


def until_closed(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """What came before the round's close."""
    ends = (n for n, at in enumerate(events) if isinstance(at.payload, e.RoundClosed))
    return events[: next(ends, len(events))]


def _follows(event: e.Event, closing: e.Event | None) -> bool:
    if closing is None:
        return False
    return event.seq > closing.seq and event.occurred_at > closing.occurred_at


def _after_close(events: Sequence[e.Event]) -> list[e.Event]:
    """Second settlements that follow the close; one that only came in late is none.

    Their order tells where the clocks do not, as in a sheet, which has one time for everything.
    """
    closed: e.Event | None = None
    settled, found = set[str](), list[e.Event]()
    for event in events:
        match event.payload:
            case e.RoundClosed() if closed is None:
                closed = event
            case e.WagerSettled(wager_id=wager_id):
                if closed and event.occurred_at >= closed.occurred_at and wager_id in settled:
                    found.append(event)
                settled.add(wager_id)
    return found


def _standing(events: Iterable[e.Event]) -> Mapping[str, list[e.Event]]:
    """The settlements of each wager without those that were corrected by a later one."""
    found: dict[str, dict[str, e.Event]] = {}
    corrected: set[str] = set()
    for event in events:
        match event.payload:
            case e.CorrectionMade(event_id=wrong):
                corrected.add(wrong)
            case e.WagerSettled(wager_id=wager_id):
                seen = found.setdefault(wager_id, {})
                for wrong in corrected & seen.keys():
                    del seen[wrong]
                seen[event.event_id] = event
    return {wager_id: list(seen.values()) for wager_id, seen in found.items()}


def _sum(seen: Iterable[e.Event]) -> e.WagerSettled:
    parts = [at.payload for at in seen if isinstance(at.payload, e.WagerSettled)]
    amounts = (sum(getattr(part, name) for part in parts) for name in AMOUNTS)
    return e.WagerSettled(parts[0].wager_id, *amounts)


def _listed(seen: Sequence[e.Event]) -> tuple[Sentence, ...]:
    listed = tuple(map(_settlement, seen[:SETTLEMENTS_LISTED]))
    more = len(seen) - SETTLEMENTS_LISTED
    return (*listed, say("shared.more", n=more)) if more > 0 else listed


def _settlement(event: e.Event) -> Sentence:
    amounts = ((name, getattr(event.payload, name)) for name in AMOUNTS)
    moved = tuple(
        say("shared.amount_moved", what=name, amount=amount) for name, amount in amounts if amount
    )
    return say("shared.settlement", moved=moved) if moved else say("shared.nothing_moved")


def _step(text: Sentence, seen: Iterable[e.Event], wager_id: str) -> Step:
    return Step(text, evidence=tuple(at.event_id for at in seen), wager_id=wager_id)
