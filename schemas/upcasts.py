"""Lifts an old shape of a record to the next: one function for each change Avro cannot resolve.

A field that was added needs no lift, since it has a default; nor does a field with an alias.
"""

from collections.abc import Callable, Mapping
from typing import Any

Body = Mapping[str, Any]


def lift(record: str, version: int, newest: int, body: Body) -> Body:
    """The body of a payload of some version, lifted to the newest version."""
    for number in range(version, newest):
        if (record, number) in LIFTS:
            body = LIFTS[record, number](body)
    return body


def lifted_from(version: int) -> frozenset[str]:
    """The records whose shape in this version has a lift to the next."""
    return frozenset(name for name, number in LIFTS if number == version)


def _flat(body: Body) -> Body:
    """Version 1 had `not_flat`; since version 2 the field is `flat`."""
    rest = {name: value for name, value in body.items() if name != "not_flat"}
    return {**rest, "flat": not body["not_flat"]}


# Record and last version with the old shape, to the function that makes the next shape.
LIFTS: Mapping[tuple[str, int], Callable[[Body], Body]] = {
    ("DiceObserved", 1): _flat,
    ("ShakerOpened", 1): _flat,
}
