"""Readings as JSON lines, quickly: the bytes of schemas.codec.dump_line, written for volume."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

from schemas import events as e

# Keys are put in order when a record becomes plain, so nothing is left to sort.
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def line(reading: e.Reading) -> str:
    """One reading as a line of JSON, keys sorted."""
    # The envelope holds numbers and ids only, which need no escaping.
    round_id = "null" if reading.round_id is None else f'"{reading.round_id}"'
    received_at = "null" if reading.received_at is None else reading.received_at
    return (
        f'{{"device_id":"{reading.device_id}","device_kind":"{reading.device_kind}",'
        f'"device_seq":{reading.device_seq},"err_ms":{reading.err_ms},'
        f'"occurred_at":{reading.occurred_at},"payload":{_encode(plain(reading.payload))},'
        f'"received_at":{received_at},"round_id":{round_id},"table_id":"{reading.table_id}"}}'
    )


def plain(value: Any) -> dict[str, Any]:
    """A record as plain values, keys sorted; a payload gets its type."""
    shape = _shapes.get(type(value)) or _learn(type(value))
    made = dict(zip(shape.names, shape.read(value), strict=True))
    for name in shape.nested:
        made[name] = _inner(made[name])
    if shape.last:  # the type comes between fields, so what stands behind it moves behind it
        made["type"] = type(value).__name__
        for name in shape.last:
            made[name] = made.pop(name)
    elif shape.is_payload:
        made["type"] = type(value).__name__
    return made


class _Shape(NamedTuple):
    """How records of one class become plain."""

    names: tuple[str, ...]
    read: Callable[[Any], Any]
    nested: tuple[str, ...]
    is_payload: bool
    last: tuple[str, ...]  # fields that sort behind `type`


def _inner(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_inner(item) for item in value]
    if isinstance(value, Mapping):
        return dict(sorted(value.items()))
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


def _learn(cls: type[Any]) -> _Shape:
    names = tuple(sorted(field.name for field in fields(cls)))
    getter = attrgetter(*names)
    is_payload = issubclass(cls, e.Payload)
    shape = _shapes[cls] = _Shape(
        names,
        getter if len(names) > 1 else lambda value: (getter(value),),
        tuple(field.name for field in fields(cls) if _word(field.type) not in SIMPLE),
        is_payload,
        tuple(name for name in names if name > "type") if is_payload else (),
    )
    return shape


def _word(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)


SIMPLE = frozenset({"int", "str", "bool", "float", "int | None", "str | None"})
_shapes: dict[type[Any], _Shape] = {}
