"""Turns untrusted values into typed records, or refuses them with a reason code.

The checks (types, limits, formats) are compiled once from the .avsc files. No code behind this
module checks a value again.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NoReturn

from schemas import avro, events, spans
from schemas.cards import RANKS, SUITS
from schemas.money import ROUNDINGS
from schemas.ranks import LADDER, OFFICES

MAX_TEXT = 4_096
MAX_ITEMS = 1_024

Build = Callable[[Any, str], Any]


class Refused(ValueError):
    """A value that the contract does not allow: reason code, place, expected and found."""

    def __init__(self, code: str, where: str, expected: str, found: str) -> None:
        super().__init__(f"{where}: {expected} expected, {found} found")
        self.code, self.where, self.expected, self.found = code, where, expected, found


def payload(value: Any, where: str = "payload") -> events.Payload:
    """The payload an object with a `type` beside its fields describes."""
    if not isinstance(value, dict):
        _refuse("wrong_type", where, "an object", value)
    fields = dict(value)
    name = fields.pop("type", None)
    if not isinstance(name, str) or name not in PAYLOADS:
        _refuse("unknown_type", f"{where}.type", "a payload type such as WagerPlaced", name)
    built: events.Payload = _record(name)(fields, name)
    return built


def reading(value: Any, where: str = "reading") -> events.Reading:
    """The reading a JSON object describes; its payload is an object with a `type`."""
    if not isinstance(value, dict):
        _refuse("wrong_type", where, "an object", value)
    fields = {**value, "payload": payload(value.get("payload"), f"{where}.payload")}
    built: events.Reading = _record("Reading")(fields, where)
    return built


def record(name: str, value: Any) -> Any:
    """The record of this name; its payload, where it has one, is already typed."""
    return _record(name)(value, name)


def _record(name: str) -> Build:
    if name not in _built:
        _built[name] = _compile_record(avro.RECORDS[name])
    return _built[name]


def _compile_record(schema: Mapping[str, Any]) -> Build:
    cls = getattr(events, schema["name"])
    bounds = spans.EVERY.get(cls, {})
    rows = [
        (f["name"], _compile_field({**f, "span": bounds.get(f["name"])}), "default" in f)
        for f in schema["fields"]
    ]
    known = {name for name, _, _ in rows}

    def build(value: Any, where: str) -> Any:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            _refuse("wrong_type", where, "an object", value)
        if not known.issuperset(value):
            extra = min(str(key) for key in value if key not in known)
            _refuse("unknown_field", f"{where}.{extra}", f"a field of {cls.__name__}", extra)
        made = {}
        for name, make, optional in rows:
            if name in value:
                made[name] = make(value[name], f"{where}.{name}")
            elif not optional:
                _refuse("missing_field", f"{where}.{name}", "a value", None)
        return cls(**made)

    return build


def _compile_field(field: Mapping[str, Any]) -> Build:
    if field["name"] == "payload":
        return _is_payload
    return _compile(field["type"], field)


def _compile(kind: Any, field: Mapping[str, Any]) -> Build:
    if isinstance(kind, list):
        return _nullable(_compile(kind[1], field))
    if isinstance(kind, dict) and kind["type"] == "array":
        return _array(_compile(kind["items"], field))
    if isinstance(kind, dict) and kind["type"] == "map":
        return _map(_compile(kind["values"], field))
    if isinstance(kind, str) and kind.startswith("roundproof."):
        name = kind.removeprefix("roundproof.")
        return lambda value, where: _record(name)(value, where)
    if kind in ("int", "long"):
        return _number(kind, field)
    return {
        "string": _text(field),
        "boolean": _boolean,
        "double": _real(field),
        "bytes": _bytes,
    }[kind]


def _nullable(inner: Build) -> Build:
    return lambda value, where: None if value is None else inner(value, where)


def _array(inner: Build) -> Build:
    def build(value: Any, where: str) -> Any:
        if not isinstance(value, list | tuple):
            _refuse("wrong_type", where, "a list", value)
        if len(value) > MAX_ITEMS:
            _refuse("too_large", where, f"at most {MAX_ITEMS} items", len(value))
        return tuple(inner(item, f"{where}[{n}]") for n, item in enumerate(value))

    return build


def _map(inner: Build) -> Build:
    def build(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            _refuse("wrong_type", where, "an object", value)
        if len(value) > MAX_ITEMS:
            _refuse("too_large", where, f"at most {MAX_ITEMS} entries", len(value))
        return {str(key): inner(value[key], f"{where}.{key}") for key in sorted(value, key=str)}

    return build


def _number(kind: str, field: Mapping[str, Any]) -> Build:
    low, high = spans.contracted(kind, field)
    # An old log may hold numbers that no door takes today: the message shows the tighter span.
    wanted = spans.span_text(field["span"] or (low, high))

    def build(value: Any, where: str) -> Any:
        if type(value) is not int:
            _refuse("wrong_type", where, "a whole number", value)
        if not low <= value <= high:
            raise Refused("bad_value", where, wanted, _cut(f"{value:,}"))
        return value

    return build


def _real(field: Mapping[str, Any]) -> Build:
    low, high = field.get("minimum", float("-inf")), field.get("maximum", float("inf"))

    def build(value: Any, where: str) -> Any:
        if type(value) not in (int, float):
            _refuse("wrong_type", where, "a number", value)
        if not low <= value <= high:  # False for nan too
            _refuse("bad_value", where, f"{low} to {high}", value)
        return float(value)

    return build


def _text(field: Mapping[str, Any]) -> Build:
    form = field.get("format", "")
    optional = field.get("default") == ""
    fits, wanted = FORMATS[form] if form else (_always, "text")

    def build(value: Any, where: str) -> Any:
        if not isinstance(value, str):
            _refuse("wrong_type", where, "text", value)
        if len(value) > MAX_TEXT:
            _refuse("too_large", where, f"at most {MAX_TEXT} characters", len(value))
        if not fits(value) and not (optional and value == ""):
            _refuse("bad_value", where, wanted, value)
        return value

    return build


def _boolean(value: Any, where: str) -> Any:
    if not isinstance(value, bool):
        _refuse("wrong_type", where, "true or false", value)
    return value


def _bytes(value: Any, where: str) -> Any:
    if not isinstance(value, bytes):
        _refuse("wrong_type", where, "bytes", value)
    return value


def _is_payload(value: Any, where: str) -> Any:
    if type(value).__name__ not in PAYLOADS:
        _refuse("unknown_type", where, "a payload", value)
    return value


def _always(_: str) -> bool:
    return True


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _refuse(code: str, where: str, expected: str, found: object) -> NoReturn:
    shown = "nothing" if found is None else repr(found)
    raise Refused(code, where, expected, _cut(shown))


def _cut(shown: str) -> str:
    return shown if len(shown) <= 80 else shown[:77] + "..."


FORMATS: Mapping[str, tuple[Callable[[str], bool], str]] = {
    "anchor": (_matches(r"[A-Z]{2}(-[A-Z]{2,3})?:[0-9A-Za-z.]{1,20}"), "a clause such as TB:4.15"),
    "basis": (_matches(r"8\.4\.[2-8]"), "a clause from 8.4.2 to 8.4.8"),
    "bet": (_matches(r"[0-9A-Za-z_:+.\-]{1,64}"), "a bet such as banker or split:17-20"),
    "card": (_matches(f"[{RANKS}][{SUITS}]"), "a card such as 9H"),
    "code": (_matches(r"[A-Z]{2}(-[A-Z]{2,3})?"), "a rulebook code such as TB"),
    "currency": (_matches(r"[A-Z]{3}"), "an ISO 4217 currency such as VND"),
    "day": (_is_day, "a day such as 2026-03-01"),
    "direction": (_matches("clockwise|anticlockwise"), "clockwise or anticlockwise"),
    "id": (_matches(r"[0-9A-Za-z][0-9A-Za-z._~\-]{0,63}"), "an id of letters, digits, . _ ~ -"),
    "office": (
        lambda text: text in (*LADDER, *OFFICES),
        f"one of {', '.join((*LADDER, *OFFICES))}",
    ),
    "party": (_matches("player|house|witness"), "player, house or witness"),
    "phase": (
        _matches("spinning|landed|paying|after_paid"),
        "spinning, landed, paying, after_paid",
    ),
    "rank": (lambda text: text in LADDER, f"one of {', '.join(LADDER)}"),
    "retention": (_matches("video|events|case|access"), "video, events, case or access"),
    "rounding": (lambda text: text in ROUNDINGS, f"one of {', '.join(ROUNDINGS)}"),
    "sha256": (_matches(r"[0-9a-f]{64}"), "64 hexadecimal digits"),
    "signature": (_matches("signed|refused|recorded"), "signed, refused or recorded"),
    "verdict": (_matches("upheld|partly|rejected"), "upheld, partly or rejected"),
    "word": (_matches(r"[^\s\x00-\x1f\x7f]{1,64}"), "one word"),
}

PAYLOADS = frozenset(avro.PAYLOADS)
_built: dict[str, Build] = {}
