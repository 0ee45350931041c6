"""Events and readings as Avro bytes and as JSON, and back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from io import BytesIO
from typing import Any

import fastavro

from schemas import avro, contract, events, shape

NO_HASH = bytes(32)
# What decoding raises on bytes that are not what their schema says.
UNREADABLE = (EOFError, LookupError, TypeError, ValueError, OverflowError, MemoryError)


def encode_event(event: events.Event) -> bytes:
    """The event's Avro bytes: what is hashed, chained and stored."""
    head = {name: getattr(event, name) for name in HEAD_FIELDS}
    return encode_head(head) + encode_said(event.payload, event.round_id)


def encode_head(head: Mapping[str, Any]) -> bytes:
    """The first part of an event's bytes: the envelope up to the payload."""
    stream = BytesIO()
    fastavro.schemaless_writer(stream, _head, head)
    return stream.getvalue()


def encode_said(payload: events.Payload, round_id: str | None) -> bytes:
    """The last part of an event's bytes: the payload, and the round that the device named."""
    branch, schema = _said[type(payload).__name__]
    stream = BytesIO(branch)
    stream.seek(len(branch))
    fastavro.schemaless_writer(stream, schema, {"payload": _plain(payload), "round_id": round_id})
    return stream.getvalue()


def encode_reading(reading: events.Reading) -> bytes:
    """The reading's Avro bytes."""
    return _encode(reading, avro.READING)


def decode_event(stream: BytesIO) -> events.Event:
    """The next event of a stream of our log; the gateway checked it before it wrote it."""
    head = decode_head(stream)
    head["payload"], head["round_id"] = decode_said(stream)
    return events.Event(**head)


def decode_head(stream: BytesIO) -> dict[str, Any]:
    """Decode the first part of an event's bytes; the stream is then at the last part."""
    head: Any = fastavro.schemaless_reader(stream, _head, None)
    assert isinstance(head, dict)
    return head


def said_kind(said: bytes) -> str:
    """The kind of payload that the last part of an event's bytes holds, without decoding it."""
    return _branches[said[:1] if said < b"\x80" else said[:2]][0]


def decode_said(stream: BytesIO) -> tuple[events.Payload, str | None]:
    """Decode the last part of an event's bytes: the payload and the round."""
    branch = stream.read(1)
    if branch >= b"\x80":  # the number goes on in the next byte
        branch += stream.read(1)
    name, schema = _branches[branch]
    said: Any = fastavro.schemaless_reader(stream, schema, None)
    return _trusted(avro.NAMESPACE + name, said["payload"]), said["round_id"]


def decode_reading(body: bytes) -> events.Reading:
    """Decode a device's reading and check every field; raise Refused where one is wrong."""
    stream = BytesIO(body)
    try:
        raw = read(stream, avro.READING)
    except (EOFError, IndexError, ValueError, OverflowError, MemoryError, KeyError) as error:
        raise shape.Refused("not_avro", "reading", "a Reading in Avro", str(error)[:60]) from error
    if stream.tell() != len(body):
        raise shape.Refused("trailing_bytes", "reading", f"{stream.tell()} bytes", str(len(body)))
    return checked_reading(raw)


def trusted_event(raw: dict[str, Any]) -> events.Event:
    """The event of a body that fastavro decoded, in today's shape."""
    raw["payload"] = _trusted(*raw["payload"])
    return events.Event(**raw)


def checked_reading(raw: Mapping[str, Any]) -> events.Reading:
    """A reading that fastavro decoded, checked in every field."""
    name, body = raw["payload"]
    return shape.reading({**raw, "payload": {"type": name.removeprefix(avro.NAMESPACE), **body}})


def read(stream: BytesIO, schema: Any) -> dict[str, Any]:
    """Decode the next envelope with its writer's schema; the payload has its record's name."""
    raw: Any = fastavro.schemaless_reader(
        stream, schema, None, return_record_name=True, return_record_name_override=True
    )
    assert isinstance(raw, dict)
    return raw


def to_json(value: Any) -> Any:
    """A typed record as plain JSON values; a payload gets its `type`, bytes become hex."""
    if type(value).__name__ in shape.PAYLOADS:
        return {"type": type(value).__name__} | _members(value)
    if hasattr(value, "__dataclass_fields__"):
        return _members(value)
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    return value.hex() if isinstance(value, bytes) else value


def dump_line(value: Any) -> str:
    """One line of JSON with sorted keys: the same value gives the same line."""
    return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _encode(envelope: Any, schema: Any) -> bytes:
    body = {name: getattr(envelope, name) for name in _names(type(envelope))}
    payload = envelope.payload
    # With the branch named, fastavro need not search the union.
    body["payload"] = (avro.NAMESPACE + type(payload).__name__, _plain(payload))
    stream = BytesIO()
    fastavro.schemaless_writer(stream, schema, body)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {
            name: found if type(found := getattr(value, name)) in _PLAIN else _plain(found)
            for name in _names(type(value))
        }
    # Sort a map: its order means nothing and must not change the bytes.
    return dict(sorted(value.items())) if isinstance(value, Mapping) else value


def _members(value: Any) -> dict[str, Any]:
    return {name: to_json(getattr(value, name)) for name in _names(type(value))}


def _names(cls: type[Any]) -> tuple[str, ...]:
    names = _field_names.get(cls)
    if names is None:
        names = _field_names[cls] = tuple(field.name for field in fields(cls))
    return names


def _trusted(name: str, body: dict[str, Any]) -> events.Payload:
    cls, nested = _makers[name]
    for field, make in nested:
        body[field] = make(body[field])
    made: events.Payload = cls(**body)
    return made


def _maker(record: Mapping[str, Any]) -> tuple[type[Any], list[tuple[str, Callable[[Any], Any]]]]:
    nested = [(f["name"], make) for f in record["fields"] if (make := _nested(f["type"]))]
    return getattr(events, record["name"]), nested


def _nested(kind: Any) -> Callable[[Any], Any] | None:
    """How a decoded value becomes frozen; None where it is frozen already."""
    if isinstance(kind, list):
        inner = _nested(kind[1])
        return inner and (lambda value: None if value is None else inner(value))
    if isinstance(kind, dict) and kind["type"] == "array":
        item = _nested(kind["items"])
        return tuple if item is None else (lambda values: tuple(item(value) for value in values))
    if isinstance(kind, str) and kind.startswith(avro.NAMESPACE):
        cls = getattr(events, kind.removeprefix(avro.NAMESPACE))
        return lambda value: cls(**value)
    return None


def _branch(number: int) -> bytes:
    """The number of a union's branch as Avro writes it, for up to 8191 branches."""
    twice = 2 * number
    return bytes((twice,)) if twice < 0x80 else bytes((twice & 0x7F | 0x80, twice >> 7))


def _said_schema(name: str) -> Any:
    """What follows the branch number in an event's bytes when the payload is of one kind."""
    payload = {"name": "payload", "type": contract.whole(name, avro.RECORDS)}
    fields = [payload, avro.RECORDS["Event"]["fields"][-1]]
    return fastavro.parse_schema({"type": "record", "name": "Said", "fields": fields})


# Avro writes a record's fields one after the other, so an event's two parts can be written and
# read apart: small schemas are twice as fast, and a reading's content needs no second encoding.
*_first, _payload, _round_id = avro.RECORDS["Event"]["fields"]
assert (_payload["name"], _round_id["name"]) == ("payload", "round_id")
HEAD_FIELDS = tuple(field["name"] for field in _first)
_head = fastavro.parse_schema({"type": "record", "name": "Head", "fields": _first})
_said = {name: (_branch(n), _said_schema(name)) for n, name in enumerate(avro.PAYLOADS)}
_branches: dict[bytes, tuple[str, Any]] = {
    branch: (name, schema) for name, (branch, schema) in _said.items()
}

_PLAIN = frozenset((str, int, bool, float, bytes, type(None)))
_field_names: dict[type[Any], tuple[str, ...]] = {}
_makers = {avro.NAMESPACE + name: _maker(avro.RECORDS[name]) for name in avro.PAYLOADS}
