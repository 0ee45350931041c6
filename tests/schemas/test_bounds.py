"""Every number of an event is bounded, and what is beyond is refused or reckoned with."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from schemas import avro, bounds, events, shape, spans
from schemas import events as e
from schemas.money import MOST
from schemas.shape import Refused
from tests.support.any_word import FITTING

NOON = 1_772_395_200_000_000

# Numbers that are only ever compared or shown: the device's own count, and a film's frames.
UNBOUNDED = {
    ("GapFound", "expected"),
    ("GapFound", "found"),
    ("LateArrived", "behind"),
    ("CardsObserved", "frame"),
    ("DiceObserved", "frame"),
    ("TokensObserved", "frame"),
}


def test_every_number_of_a_payload_has_a_bound() -> None:
    known = {
        (kind.__name__, name) for kind, fields in spans.BOUNDS.items() for name in fields
    } | UNBOUNDED

    assert set(_numbers()) == known


def _numbers() -> Iterator[tuple[str, str]]:
    for name in (*avro.PAYLOADS, "Limit", "Chips"):
        for field in avro.RECORDS[name]["fields"]:
            kind = json.dumps(field["type"])
            if ('"int"' in kind or '"long"' in kind) and "maximum" not in field:
                yield name, field["name"]


def reading(payload: e.Payload, **changes: Any) -> e.Reading:
    return replace(e.Reading("T1", "console", "console", 0, NOON, payload), **changes)


ABSURD: list[tuple[e.Payload, str]] = [
    (e.WagerPlaced("W1", "P1", "red", 10**16), "WagerPlaced.stake"),
    (e.WagerPlaced("W1", "P1", "red", 1, reserve=2**63 - 1), "WagerPlaced.reserve"),
    (
        e.WagerPlaced("W1", "P1", "red", 1, chips=e.Chips("T1", "blue", 1, 2**62)),
        "WagerPlaced.chips.value",
    ),
    (e.WagerSettled("W1", 2**63 - 1, 0, 0, 0, 0), "WagerSettled.paid"),
    (e.StakeRead("W1", 1, -(2**63)), "StakeRead.change"),
    (
        e.TermsPosted("RO", "VND", limits=(e.Limit("red", 1, MOST + 1),)),
        "TermsPosted.limits[0].maximum",
    ),
    (e.DeviceBeat(2**31 - 1, 0, "ok"), "DeviceBeat.interval_s"),
    (e.BallTracked(2**31 - 1), "BallTracked.revolutions"),
]


@pytest.mark.parametrize(("payload", "where"), ABSURD, ids=[where for _, where in ABSURD])
def test_a_number_beyond_its_bound_is_refused_with_its_place(
    payload: e.Payload, where: str
) -> None:
    with pytest.raises(Refused) as refused:
        bounds.must_hold(reading(payload))

    assert (refused.value.code, refused.value.where) == ("bad_value", where)


@pytest.mark.parametrize("moment", [2**63 - 1, -(2**63), spans.TIME[1] + 1])
def test_a_time_that_no_clock_says_is_refused(moment: int) -> None:
    for name in ("occurred_at", "received_at"):
        with pytest.raises(Refused, match=name):
            bounds.must_hold(reading(e.BallTracked(3), **{name: moment}))


@pytest.mark.parametrize("stake", [0, -5, MOST + 1, 2**63 - 1, 2**63, 10**30])
def test_contract_and_bound_are_told_as_one_span(stake: int) -> None:
    placed = {"type": "WagerPlaced", "wager_id": "W1", "player_id": "P1", "bet": "red"}
    with pytest.raises(Refused) as refused:
        bounds.must_be_within(shape.payload(placed | {"stake": stake}))

    assert str(refused.value) == (
        f"WagerPlaced.stake: 1 to 1,000,000,000,000,000 expected, {stake:,} found"
    )


SPANS = [(kind, name) for kind in spans.EVERY if kind is not e.Event for name in spans.EVERY[kind]]


@pytest.mark.parametrize(("kind", "name"), SPANS, ids=[f"{k.__name__}.{n}" for k, n in SPANS])
def test_no_message_names_the_limits_of_a_type(kind: type[Any], name: str) -> None:
    with pytest.raises(Refused) as refused:
        shape.record(kind.__name__, _needed(kind) | {name: 2**63})

    assert refused.value.where == f"{kind.__name__}.{name}"
    assert refused.value.expected == spans.span_text(spans.EVERY[kind][name])


def _needed(kind: type[Any]) -> dict[str, Any]:
    """A value for every field that must have one."""
    plain = {"boolean": True, "double": 0.5, "int": 1, "long": 1, "string": "A"}
    return {
        field["name"]: _fitting(field, plain)
        for field in avro.RECORDS[kind.__name__]["fields"]
        if "default" not in field
    }


def _fitting(field: dict[str, Any], plain: dict[str, Any]) -> Any:
    if field["name"] == "payload":
        return e.BallTracked(3)
    if isinstance(field["type"], dict):
        return [] if field["type"]["type"] == "array" else {}
    return FITTING[field["format"]][0] if "format" in field else plain.get(field["type"])


def test_the_bound_itself_is_taken() -> None:
    at_the_bound = reading(e.WagerPlaced("W1", "P1", "red", MOST, reserve=MOST))

    assert bounds.must_hold(at_the_bound) is at_the_bound


def event(payload: e.Payload, **changes: Any) -> e.Event:
    made = e.Event(
        "T1/console/0", "T1", 0, "console", "console", 0, NOON, 5, NOON, "", bytes(32), payload
    )
    return replace(made, **changes)


def test_an_event_within_its_bounds_is_itself() -> None:
    usual = event(e.WagerPlaced("W1", "P1", "red", 5))

    assert bounds.bounded(usual) is usual
    assert bounds.of_event(usual) == ()


def test_a_count_and_a_limit_become_the_largest_there_is() -> None:
    terms = e.TermsPosted("RO", "VND", limits=(e.Limit("red", 5, 2**62),), differential=2**62)

    assert bounds.bounded(event(e.BallTracked(2**31 - 1))).payload == e.BallTracked(10_000)
    assert bounds.bounded(event(terms)).payload == e.TermsPosted(
        "RO", "VND", limits=(e.Limit("red", 5, MOST),), differential=MOST
    )


def test_a_time_that_is_none_gives_way_to_the_gateways_and_is_never_sure() -> None:
    found = bounds.bounded(event(e.BallTracked(3), occurred_at=2**63 - 1))

    assert (found.occurred_at, found.err_ms) == (NOON, bounds.UNSURE_MS)


def test_an_amount_of_chips_stays_and_is_known_as_unusable() -> None:
    paid = event(e.WagerSettled("W1", 2**63 - 1, 0, 0, 0, 0))

    assert bounds.bounded(paid) == paid
    assert bounds.is_unusable(paid.payload)
    assert not bounds.is_unusable(e.WagerSettled("W1", MOST, 0, 0, 0, 0))
    assert [kind for kind in bounds.OF_CHIPS if kind not in vars(events).values()] == []
