"""Steps of disputes, reviews of findings and access records as Avro bytes and back."""

from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from typing import Any

import fastavro

from schemas import avro, contract, events, lock
from schemas.events import AccessRecorded, CaseEvent, FindingReviewed

STEPS: Mapping[str, type[Any]] = {
    branch.removeprefix(avro.NAMESPACE): getattr(events, branch.removeprefix(avro.NAMESPACE))
    for field in avro.RECORDS["CaseEvent"]["fields"]
    if field["name"] == "step"
    for branch in field["type"]
}


def encode(record: CaseEvent | AccessRecorded | FindingReviewed) -> bytes:
    """The record's Avro bytes: what is hashed, chained and stored."""
    stream = BytesIO()
    fastavro.schemaless_writer(stream, _schema(type(record).__name__), _plain(record))
    return stream.getvalue()


def decode_case(body: bytes, written_with: str = "") -> CaseEvent:
    """Decode a step of a dispute, written with the schema of this fingerprint."""
    raw = _read("CaseEvent", body, written_with)
    name, step = raw["step"]
    return CaseEvent(**{**raw, "step": _made(name.removeprefix(avro.NAMESPACE), step)})


def decode_access(body: bytes, written_with: str = "") -> AccessRecorded:
    """Decode an access record, written with the schema of this fingerprint."""
    made: AccessRecorded = _made("AccessRecorded", _read("AccessRecorded", body, written_with))
    return made


def decode_review(body: bytes, written_with: str = "") -> FindingReviewed:
    """Decode a review of a finding, written with the schema of this fingerprint."""
    made: FindingReviewed = _made("FindingReviewed", _read("FindingReviewed", body, written_with))
    return made


def fingerprint(record: type[CaseEvent] | type[AccessRecorded]) -> str:
    """The fingerprint of a record's schema of today."""
    return contract.fingerprint(_schema(record.__name__))


def _read(name: str, body: bytes, written_with: str) -> dict[str, Any]:
    """A record as plain values; ValueError where bytes are left over."""
    stream = BytesIO(body)
    raw: Any = fastavro.schemaless_reader(
        stream,
        _written(name, written_with),
        _schema(name),
        return_record_name=True,
        return_record_name_override=True,
    )
    if stream.tell() != len(body):
        raise ValueError(f"{name}: {stream.tell()} bytes expected, {len(body)} found")
    assert isinstance(raw, dict)
    return raw


@cache
def _schema(name: str) -> Any:
    return fastavro.parse_schema(contract.whole(name, avro.RECORDS))


@cache
def _written(name: str, written_with: str) -> Any:
    """The schema that a record was written with; LookupError unless schemas.lock holds it."""
    if not written_with or written_with == contract.fingerprint(_schema(name)):
        return _schema(name)
    return fastavro.parse_schema(contract.whole(name, lock.records_of(written_with)))


def _plain(value: Any) -> Any:
    """A typed record as fastavro writes it; the step of a dispute with its branch named."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(sorted(value.items()))
    if not hasattr(value, "__dataclass_fields__"):
        return value
    plain = {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, CaseEvent):
        plain["step"] = (avro.NAMESPACE + type(value.step).__name__, plain["step"])
    return plain


def _made(name: str, raw: Mapping[str, Any]) -> Any:
    """The typed record of plain values."""
    values = {
        field["name"]: _frozen(field["type"])(raw[field["name"]])
        for field in avro.RECORDS[name]["fields"]
    }
    return getattr(events, name)(**values)


def _frozen(kind: Any) -> Callable[[Any], Any]:
    """What makes a decoded value of a type into a frozen one."""
    if isinstance(kind, dict) and kind["type"] == "array":
        item = _frozen(kind["items"])
        return lambda values: tuple(item(value) for value in values)
    if isinstance(kind, str) and kind.startswith(avro.NAMESPACE):
        name = kind.removeprefix(avro.NAMESPACE)
        return lambda value: _made(name, value)
    return lambda value: value
