"""Old shapes lifted to the next: one pure function for each change that Avro cannot resolve.

A field that was added or renamed with an alias needs none: its default or its alias speaks.
"""

from collections.abc import Callable, Mapping
from typing import Any

Body = Mapping[str, Any]


def lift(record: str, version: int, newest: int, body: Body) -> Body:
    """A payload's body as a version shaped it, carried through every lift up to the newest."""
    for number in range(version, newest):
        if (record, number) in LIFTS:
            body = LIFTS[record, number](body)
    return body


def lifted_from(version: int) -> frozenset[str]:
    """The records whose shape of a version is lifted to the next one."""
    return frozenset(name for name, number in LIFTS if number == version)


def _flat(body: Body) -> Body:
    """Version 1 said that a die was not flat; since then the field says that all were."""
    rest = {name: value for name, value in body.items() if name != "not_flat"}
    return {**rest, "flat": not body["not_flat"]}


# The record and the last version that had the old shape, to what gives the next shape.
LIFTS: Mapping[tuple[str, int], Callable[[Body], Body]] = {
    ("DiceObserved", 1): _flat,
    ("ShakerOpened", 1): _flat,
}
