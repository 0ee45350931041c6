"""Adds up what the record shows as paid on each wager, and finds payments that cannot be right.

A wager may be settled in parts, which add up. A settlement that a correction names stops counting
as soon as another one follows it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.ruled import Step
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from schemas import events as e

SETTLEMENTS_LISTED = 5  # a step lists so many, and counts the rest
AMOUNTS = ("paid", "commission", "collected", "reserve_taken", "returned")


class Paid(NamedTuple):
    """What the record shows as paid on one wager."""

    first_seq: int  # place of the first payment that counts
    amounts: e.WagerSettled  # all that count, added up
    evidence: tuple[str, ...]  # ids of the payments


def by_close(events: Sequence[e.Event]) -> Mapping[str, Paid]:
    """What each wager was paid by the time its round was closed.

    A payment does not count if it follows the closing both in the table's order and by its own
    time: it reopens the round. A payment that was made in time and arrived late counts.
    """
    closing = _closing(events)
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
    """The amounts that each wager was paid, without payments that reopen the round."""
    reopened = {event.event_id for event in reopening(events)}
    counted = {
        wager_id: [event for event in seen if event.event_id not in reopened]
        for wager_id, seen in _standing(events).items()
    }
    return {wager_id: _sum(seen) for wager_id, seen in counted.items() if seen}


def differences(due: Due, seen: e.WagerSettled) -> Gaps:
    """The amounts paid less the amounts due, by field; empty if they agree."""
    pairs = {
        "paid": seen.paid - due.paid,
        "commission": seen.commission - due.commission,
        "collected": seen.collected - due.collected,
        "reserve_taken": seen.reserve_taken - due.reserve_taken,
        "returned": seen.returned - due.returned - due.reserve_returned,
    }
    return {name: gap for name, gap in pairs.items() if gap}


def twice(events: Sequence[e.Event], dues: Iterable[Due]) -> Iterator[Step]:
    """Wagers settled more than once, if the parts do not add up or one follows the closing."""
    due_on = {due.wager_id: due for due in dues}
    after_close = {event.event_id for event in _after_close(events)}
    for wager_id, seen in _standing(events).items():
        in_parts = wager_id in due_on and not differences(due_on[wager_id], _sum(seen))
        late = any(event.event_id in after_close for event in seen)
        if len(seen) > 1 and (late or not in_parts):
            text = say("shared.settled_twice", wager=wager_id, n=len(seen), seen=_listed(seen))
            yield _step(text, seen, wager_id)


def withdrawn(events: Sequence[e.Event], known: Collection[str]) -> Iterator[Step]:
    """Settlements of wagers that their players took back in time."""
    taken_back = _wager_ids(events, e.WagerPlaced) & _wager_ids(events, e.WagerWithdrawn)
    taken_back -= set(known)
    for wager_id, seen in _standing(events).items():
        if wager_id in taken_back:
            text = say("shared.settled_withdrawn", wager=wager_id, seen=_listed(seen))
            yield _step(text, seen, wager_id)


def unknown(events: Sequence[e.Event], known: Collection[str]) -> Iterator[Step]:
    """Settlements under an id that no wager of the round has."""
    placed = _wager_ids(events, e.WagerPlaced) | set(known)
    for wager_id, seen in _standing(events).items():
        if wager_id not in placed:
            text = say("shared.settled_unknown", wager=wager_id, seen=_listed(seen))
            yield _step(text, seen, wager_id)


def standing(events: Iterable[e.Event]) -> list[e.Event]:
    """The settlements in their order, without those that a later one corrected."""
    settlements = (event for seen in _standing(events).values() for event in seen)
    return sorted(settlements, key=lambda event: event.seq)


def reopening(events: Sequence[e.Event]) -> list[e.Event]:
    """Second settlements that the clock places after the closing: they reopen the round."""
    closing = _closing(events)
    late = _after_close(events)
    return [event for event in late if closing and event.occurred_at > closing.occurred_at]


def until_closed(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """The events before the round's closing."""
    closings = (n for n, event in enumerate(events) if isinstance(event.payload, e.RoundClosed))
    return events[: next(closings, len(events))]


def _closing(events: Iterable[e.Event]) -> e.Event | None:
    return next((event for event in events if isinstance(event.payload, e.RoundClosed)), None)


def _wager_ids(
    events: Iterable[e.Event], kind: type[e.WagerPlaced] | type[e.WagerWithdrawn]
) -> set[str]:
    return {event.payload.wager_id for event in events if isinstance(event.payload, kind)}


def _follows(event: e.Event, closing: e.Event | None) -> bool:
    if closing is None:
        return False
    return event.seq > closing.seq and event.occurred_at > closing.occurred_at


def _after_close(events: Sequence[e.Event]) -> list[e.Event]:
    """Second settlements of a wager that follow the closing; one that only arrived late does not.

    Where times are equal the order decides: a round sheet has one time for all its events.
    """
    closing: e.Event | None = None
    settled, late = set[str](), list[e.Event]()
    for event in events:
        match event.payload:
            case e.RoundClosed() if closing is None:
                closing = event
            case e.WagerSettled(wager_id=wager_id):
                if closing and event.occurred_at >= closing.occurred_at and wager_id in settled:
                    late.append(event)
                settled.add(wager_id)
    return late


def _standing(events: Iterable[e.Event]) -> Mapping[str, list[e.Event]]:
    """The settlements of each wager, without those that a later one corrected."""
    settlements: dict[str, dict[str, e.Event]] = {}
    corrected: set[str] = set()
    for event in events:
        match event.payload:
            case e.CorrectionMade(event_id=wrong):
                corrected.add(wrong)
            case e.WagerSettled(wager_id=wager_id):
                seen = settlements.setdefault(wager_id, {})
                for wrong in corrected & seen.keys():
                    del seen[wrong]
                seen[event.event_id] = event
    return {wager_id: list(seen.values()) for wager_id, seen in settlements.items()}


def _sum(seen: Iterable[e.Event]) -> e.WagerSettled:
    parts = [event.payload for event in seen if isinstance(event.payload, e.WagerSettled)]
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
    return Step(text, evidence=tuple(event.event_id for event in seen), wager_id=wager_id)
