"""Leaves out wagers with an amount beyond its bound, which nobody can compute with.

Ingest refuses such an amount, but an old log may hold one. What was due on that wager is unknown;
the rest of the round is judged without it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from replay.rounds import Round
from replay.ruled import Flag, Step
from replay.sentence import say
from schemas import bounds
from schemas import events as e

CODE = "AMOUNT_BEYOND"
OF_WAGER = (e.WagerPlaced, e.WagerChanged, e.WagerSettled)


class LeftOut(NamedTuple):
    """A round without what cannot be used in it, and what is told of that."""

    round: Round
    flags: tuple[Flag, ...] = ()
    steps: tuple[Step, ...] = ()


def left_out(round: Round) -> LeftOut:
    """The round as it can be judged."""
    found = [event for event in round.events if bounds.is_unusable(event.payload)]
    if not found:
        return LeftOut(round)
    unknown = {wager_id for event in found for wager_id in _wagers(round, event.payload)}
    kept = (
        event
        for event in round.events
        if event not in found and getattr(event.payload, "wager_id", None) not in unknown
    )
    steps = tuple(step for event in found for step in _told(round, event))
    flags = tuple(Flag(CODE, "", step.wager_id or step.evidence[0], step.text) for step in steps)
    return LeftOut(replace(round, events=tuple(kept)), flags, steps)


def _wagers(round: Round, payload: e.Payload) -> Iterator[str]:
    """The wagers whose due rests on an event; a sensor's reading or a count decides none."""
    if isinstance(payload, OF_WAGER):
        yield payload.wager_id
    if isinstance(payload, e.DecisionMade):
        for event in round.events:
            placed = event.payload
            if isinstance(placed, e.WagerPlaced) and placed.player_id == payload.player_id:
                yield placed.wager_id


def _told(round: Round, event: e.Event) -> Iterator[Step]:
    for excess in bounds.excesses(event.payload):
        (least, most), kind = excess.span, type(event.payload).__name__
        amount = say(
            "shared.amount_beyond",
            event=kind,
            field=excess.field,
            found=excess.found,
            least=least,
            most=most,
        )
        for wager_id in _wagers(round, event.payload):
            unknown = say("shared.due_unknown", amount=amount, wager=wager_id)
            yield Step(unknown, evidence=(event.event_id,), wager_id=wager_id)
        if not any(_wagers(round, event.payload)):
            text = say("shared.amount_ignored", amount=amount)
            yield Step(text, evidence=(event.event_id,))
