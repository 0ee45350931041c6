"""Readings as JSON lines, quickly: the bytes of schemas.codec.dump_line, written for volume."""

import json
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from schemas import events as e

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def line(reading: e.Reading) -> str:
    """One reading as a line of JSON, keys sorted."""
    return _encode(plain(reading))


def plain(value: Any) -> dict[str, Any]:
    """A record as plain values; a payload gets its type."""
    cls = type(value)
    shape = _shapes.get(cls)
    if shape is None:
        shape = _shapes[cls] = _shape(cls)
    names, read, kind, nested = shape
    made = dict(zip(names, read(value), strict=True))
    if kind is not None:
        made["type"] = kind
    for name in nested:
        made[name] = _inner(made[name])
    return made


def _inner(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_inner(item) for item in value]
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


Shape = tuple[tuple[str, ...], Callable[[Any], Any], str | None, tuple[str, ...]]


def _shape(cls: type[Any]) -> Shape:
    names = tuple(field.name for field in fields(cls))
    getter = attrgetter(*names)
    read = getter if len(names) > 1 else lambda value: (getter(value),)
    kind = cls.__name__ if issubclass(cls, e.Payload) else None
    simple = ("int", "str", "bool", "float", "int | None", "str | None")
    nested = tuple(f.name for f in fields(cls) if str(_annotation(f.type)) not in simple)
    return names, read, kind, nested


def _annotation(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)


_shapes: dict[type[Any], Shape] = {}
