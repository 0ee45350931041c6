"""Readings as JSON lines, quickly: the bytes of schemas.codec.dump_line, written for volume."""

import json
from collections.abc import Callable
from dataclasses import fields
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, NamedTuple

from schemas import codec
from schemas import events as e


def line(reading: e.Reading) -> str:
    """One reading as a line of JSON, keys sorted."""
    # The envelope holds numbers and ids only, which need no escaping.
    round_id = "null" if reading.round_id is None else f'"{reading.round_id}"'
    received_at = "null" if reading.received_at is None else reading.received_at
    return (
        f'{{"device_id":"{reading.device_id}","device_kind":"{reading.device_kind}",'
        f'"device_seq":{reading.device_seq},"err_ms":{reading.err_ms},'
        f'"occurred_at":{reading.occurred_at},"payload":{_text(reading.payload)},'
        f'"received_at":{received_at},"round_id":{round_id},"table_id":"{reading.table_id}"}}'
    )


class _Shape(NamedTuple):
    """How records of one type become text: a template, and how each field fills its place."""

    template: str
    read: Callable[[Any], tuple[Any, ...]]
    write: tuple[Callable[[Any], object], ...]


def _text(record: Any) -> str:
    shape = _shapes.get(type(record)) or _learn(type(record))
    values = shape.read(record)
    written = [write(value) for write, value in zip(shape.write, values, strict=True)]
    return shape.template % tuple(written)


def _learn(cls: type[Any]) -> _Shape:
    kinds = {field.name: field.type for field in fields(cls)}
    names = tuple(sorted(kinds))
    places = dict.fromkeys(names, "%s")
    if issubclass(cls, e.Payload):
        places["type"] = f'"{cls.__name__}"'
    getter = attrgetter(*names)
    shape = _shapes[cls] = _Shape(
        "{" + ",".join(f'"{key}":{place}' for key, place in sorted(places.items())) + "}",
        getter if len(names) > 1 else lambda record: (getter(record),),
        tuple(WRITE.get(kinds[name], _json) for name in names),
    )
    return shape


def _json(value: Any) -> str:
    return json.dumps(
        codec.to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def _guesses(guesses: tuple[e.Guess, ...]) -> str:
    return "[" + ",".join(map(_text, guesses)) + "]"


# The fields that come by the thousand; all others are written the plain way.
WRITE: dict[Any, Callable[[Any], object]] = {
    int: int,
    float: repr,
    str: encode_basestring,
    bool: {True: "true", False: "false"}.__getitem__,
    str | None: lambda text: "null" if text is None else encode_basestring(text),
    tuple[e.Guess, ...]: _guesses,
}
_shapes: dict[type[Any], _Shape] = {}
