"""Decodes events and readings of any version of the contract into today's shape."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from schemas import avro, codec, events, lock, upcasts


class UnknownWriter(LookupError):
    """Bytes written with a schema that is not in schemas.lock."""


def decode_event_as(written_with: str, stream: BytesIO) -> events.Event:
    """The next event of a stream written with this schema, in today's shape."""
    if written_with == avro.FINGERPRINT:
        return codec.decode_event(stream)
    version, schema = _writer(written_with)
    return codec.trusted_event(_today("Event", version, codec.read(stream, schema)))


def reading_as(written_with: str, raw: Mapping[str, Any]) -> events.Reading:
    """A reading that fastavro decoded with a known schema: lifted, then checked."""
    version, _ = _writer(written_with)
    return codec.checked_reading(_today("Reading", version, raw))


def _writer(written_with: str) -> tuple[int, Any]:
    version, schema = lock.version_of(written_with), lock.known(written_with)
    if version is None or schema is None:
        known = ", ".join(name for v in lock.installed().versions for name in v[1:])
        raise UnknownWriter(f"schema {written_with}: one of {known} expected (schemas.lock)")
    return version, schema


def _today(envelope: str, version: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    name, body = raw["payload"]
    record = name.removeprefix(avro.NAMESPACE)
    body = upcasts.lift(record, version, lock.installed().newest, body)
    return _record(envelope, {**raw, "payload": (name, body)})


def _record(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with every field of today: by name, else by alias, else by default."""
    made = {}
    for field in avro.RECORDS[name]["fields"]:
        names = (field["name"], *field.get("aliases", ()))
        found = next((name for name in names if name in body), None)
        made[field["name"]] = _value(field["type"], body[found]) if found else field["default"]
    return made


def _value(kind: Any, value: Any) -> Any:
    if isinstance(value, tuple):  # a payload, with the name of its branch
        name, body = value
        return name, _record(name.removeprefix(avro.NAMESPACE), body)
    if isinstance(value, list):
        return [_value(kind["items"], item) for item in value]
    if isinstance(kind, list):
        return None if value is None else _value(kind[1], value)
    if isinstance(kind, str) and kind.startswith(avro.NAMESPACE):
        return _record(kind.removeprefix(avro.NAMESPACE), value)
    return value
