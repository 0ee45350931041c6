"""Avro records as JSON for people: long numbers as text, bytes as hex, branches as `type`."""

import json
from io import BytesIO
from typing import Any

import fastavro

from schemas import avro, contract, lock

NUMBERS = ("seq", "device_seq")  # long numbers that stay numbers: they never reach 2^53
Schema = Any


class AvroSchema:
    """The whole schema of one record, as a container's header has it."""

    def __init__(self, name: str, written_with: str = "") -> None:
        records = _records(written_with)
        self.name, self.whole = name, contract.whole(name, records)
        self.text = json.dumps(self.whole, separators=(",", ":")).encode()
        self._parsed = fastavro.parse_schema(self.whole)
        self._named = {f"{avro.NAMESPACE}{record}": whole for record, whole in records.items()}

    def decoded(self, body: bytes) -> dict[str, Any]:
        """A record as JSON values."""
        raw: Any = fastavro.schemaless_reader(
            BytesIO(body), self._parsed, None, return_record_name=True,
            return_record_name_override=True,
        )  # fmt: skip
        return self._record(self.whole, raw)

    def _record(self, schema: Schema, raw: dict[str, Any]) -> dict[str, Any]:
        return {
            field["name"]: self._field(field["name"], field["type"], raw[field["name"]])
            for field in schema["fields"]
        }

    def _field(self, name: str, kind: Schema, value: Any) -> Any:
        return value if name in NUMBERS else self._value(kind, value)

    def _value(self, kind: Schema, value: Any) -> Any:
        if isinstance(kind, list):
            return self._branch(kind, value)
        if isinstance(kind, str) and kind in self._named:
            return self._record(self._named[kind], value)
        if isinstance(kind, dict) and kind["type"] == "record":
            return self._record(kind, value)
        if isinstance(kind, dict) and kind["type"] == "array":
            return [self._value(kind["items"], item) for item in value]
        if isinstance(kind, dict) and kind["type"] == "map":
            return {key: self._value(kind["values"], item) for key, item in sorted(value.items())}
        if isinstance(value, bytes):
            return value.hex()
        return str(value) if kind == "long" else value

    def _branch(self, kinds: list[Schema], value: Any) -> Any:
        """A value of a union: nothing, the only other branch, or a record that is named."""
        if value is None:
            return None
        if isinstance(value, tuple):
            name, body = value
            fields = self._record(self._named[name], body)
            return {"type": name.removeprefix(avro.NAMESPACE)} | fields
        (kind,) = (kind for kind in kinds if kind != "null")
        return self._value(kind, value)


def _records(written_with: str) -> contract.Records:
    """Every record of the contract that wrote some bytes."""
    if not written_with or written_with == avro.FINGERPRINT:
        return avro.RECORDS
    version = lock.version_of(written_with)
    return lock.records_of(written_with) if version is None else lock.installed().records(version)
