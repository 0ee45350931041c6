"""The Avro contract, loaded: every record by name, the two envelopes ready for fastavro."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import fastavro

NAMESPACE = "roundproof."


def _load() -> dict[str, dict[str, Any]]:
    folder = files("schemas") / "avsc"
    texts = sorted((f for f in folder.iterdir() if f.name.endswith(".avsc")), key=lambda f: f.name)
    return {f.name.removesuffix(".avsc"): json.loads(f.read_text("utf-8")) for f in texts}


def whole(name: str, records: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """One record as a self-contained schema: each named type spelled out where it first occurs."""
    spelled: set[str] = set()
    source = RECORDS if records is None else records

    def spell(kind: Any) -> Any:
        if isinstance(kind, str) and kind.startswith(NAMESPACE):
            bare = kind.removeprefix(NAMESPACE)
            return kind if bare in spelled or bare not in source else record(bare)
        if isinstance(kind, list):
            return [spell(branch) for branch in kind]
        if isinstance(kind, dict):
            return {
                key: spell(part) if key in ("items", "values") else part
                for key, part in kind.items()
            }
        return kind

    def record(bare: str) -> dict[str, Any]:
        spelled.add(bare)
        schema = source[bare]
        fields = [{**field, "type": spell(field["type"])} for field in schema["fields"]]
        return {**schema, "fields": fields}

    return record(name)


RECORDS = _load()
PAYLOADS = tuple(
    branch.removeprefix(NAMESPACE)
    for field in RECORDS["Event"]["fields"]
    if field["name"] == "payload"
    for branch in field["type"]
)
EVENT = fastavro.parse_schema(whole("Event"))
READING = fastavro.parse_schema(whole("Reading"))
FINGERPRINT: str = fastavro.schema.fingerprint(
    fastavro.schema.to_parsing_canonical_form(EVENT), "CRC-64-AVRO"
)
