"""Bounds of the numbers in an event: a larger number cannot mean anything at a table.

A type alone is no bound: a stake of 2**63 - 1 is a `long` and overflows the first sum. The doors
refuse numbers out of bounds. The contract cannot do it, since its limits never tighten. An old log
may hold such numbers; `bounded` returns its events with numbers that the rules can compute with.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from schemas import events as e
from schemas.money import MOST
from schemas.shape import Refused
from schemas.spans import BOUNDS, TIME, Span, span_text

UNSURE_MS = 2**31 - 1  # the error bound of an impossible time, so that no check relies on it

# Payloads with amounts of chips. Nobody replaces such an amount: the bound is another stake.
OF_CHIPS = (
    e.WagerPlaced,
    e.WagerChanged,
    e.WagerSettled,
    e.StakeRead,
    e.DecisionMade,
    e.TrayCounted,
)


class Excess(NamedTuple):
    """A number out of bounds: its field, the bound, the number."""

    field: str
    span: Span
    found: int

    @property
    def expected(self) -> str:
        """The bound as text."""
        return span_text(self.span)


def excesses(payload: e.Payload) -> Iterator[Excess]:
    """The numbers of a payload that are out of bounds."""
    for name, spans in _compiled(type(payload)):
        value = getattr(payload, name)
        if value is None:
            continue
        if isinstance(spans, tuple):
            if not spans[0] <= value <= spans[1]:
                yield Excess(name, spans, value)
            continue
        for n, item in enumerate(value if isinstance(value, tuple) else (value,)):
            for inner, span in spans.items():
                found = getattr(item, inner)
                if not span[0] <= found <= span[1]:
                    where = f"{name}[{n}]" if isinstance(value, tuple) else name
                    yield Excess(f"{where}.{inner}", span, found)


def must_hold(reading: e.Reading) -> e.Reading:
    """Return the reading; raise Refused where one of its numbers is out of bounds."""
    for found in _times(reading, "occurred_at", "received_at"):
        raise _refused("reading", found)
    must_be_within(reading.payload)
    return reading


def must_be_within(payload: e.Payload) -> e.Payload:
    """Return the payload; raise Refused where one of its numbers is out of bounds."""
    for found in excesses(payload):
        raise _refused(type(payload).__name__, found)
    return payload


def of_event(event: e.Event) -> tuple[Excess, ...]:
    """The numbers of an event that are out of bounds."""
    if event.payload.__class__ not in BOUNDS and _in(TIME, event.occurred_at, event.ingested_at):
        return ()
    return (*_times(event, "occurred_at", "ingested_at"), *excesses(event.payload))


def bounded(event: e.Event) -> e.Event:
    """The event with numbers that the rules can compute with.

    A count or limit out of bounds becomes the nearest bound: no stake lies beyond it. An impossible
    time becomes the gateway's time with the largest error bound, so that no check relies on it. An
    amount of chips stays as it is, and the replay leaves the wager out (`is_unusable`).
    """
    found = of_event(event)
    if not found:
        return event
    fields = {excess.field for excess in found}
    if "ingested_at" in fields:
        event = replace(event, ingested_at=_nearest(TIME, event.ingested_at))
    if "occurred_at" in fields:
        event = replace(event, occurred_at=event.ingested_at, err_ms=UNSURE_MS)
    return replace(event, payload=_reduced(event.payload))


def is_unusable(payload: e.Payload) -> bool:
    """Whether a payload still has an amount of chips that is out of bounds."""
    return isinstance(payload, OF_CHIPS) and any(excesses(payload))


def _reduced(payload: e.Payload) -> e.Payload:
    of_chips = isinstance(payload, OF_CHIPS)
    made: dict[str, Any] = {}
    for name, spans in _compiled(type(payload)):
        value = getattr(payload, name)
        if value is None:
            continue
        if not isinstance(spans, tuple):
            if isinstance(value, tuple):
                made[name] = tuple(_nested(item, spans) for item in value)
        elif not (of_chips and spans[1] == MOST):
            made[name] = _nearest(spans, value)
    return replace(payload, **made)


def _nested(item: Any, spans: Mapping[str, Span]) -> Any:
    near = {name: _nearest(span, getattr(item, name)) for name, span in spans.items()}
    return replace(item, **near)


def _nearest(span: Span, value: int) -> int:
    return min(max(value, span[0]), span[1])


def _times(timed: e.Event | e.Reading, *names: str) -> Iterator[Excess]:
    for name in names:
        value = getattr(timed, name)
        if value is not None and not _in(TIME, value):
            yield Excess(name, TIME, value)


def _in(span: Span, *values: int) -> bool:
    return all(span[0] <= value <= span[1] for value in values)


def _refused(where: str, found: Excess) -> Refused:
    return Refused("bad_value", f"{where}.{found.field}", found.expected, f"{found.found:,}")


def _compiled(kind: type[Any]) -> Sequence[tuple[str, Span | Mapping[str, Span]]]:
    """The fields of a payload that have bounds, with those of the records inside it."""
    known = _fields.get(kind)
    if known is None:
        own: list[tuple[str, Span | Mapping[str, Span]]] = list(BOUNDS.get(kind, {}).items())
        own += [(name, BOUNDS[inner]) for name, inner in INSIDE.get(kind, {}).items()]
        known = _fields[kind] = tuple(own)
    return known


# Records inside a payload that have bounds of their own.
INSIDE: Mapping[type[Any], Mapping[str, type[Any]]] = {
    e.TermsPosted: {"limits": e.Limit},
    e.WagerPlaced: {"chips": e.Chips},
}
_fields: dict[type[Any], Sequence[tuple[str, Span | Mapping[str, Span]]]] = {}
