"""Loads the .avsc files of a folder and makes self-contained schemas of their records."""

import json
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

import fastavro

NAMESPACE = "roundproof."

Record = dict[str, Any]
Records = Mapping[str, Record]


class BadContract(ValueError):
    """A file of the contract that holds no record."""


def load(folder: Traversable) -> dict[str, Record]:
    """Every record of a folder of .avsc files, by name."""
    texts = sorted((f for f in folder.iterdir() if f.name.endswith(".avsc")), key=lambda f: f.name)
    return {_name(f): _record(f) for f in texts}


def whole(name: str, records: Records) -> Record:
    """One record as a self-contained schema: each named type spelled out where it first occurs."""
    spelled: set[str] = set()

    def spell(kind: Any) -> Any:
        if isinstance(kind, str) and kind.startswith(NAMESPACE):
            bare = kind.removeprefix(NAMESPACE)
            return kind if bare in spelled or bare not in records else record(bare)
        if isinstance(kind, list):
            return [spell(branch) for branch in kind]
        if isinstance(kind, dict):
            return {
                key: spell(part) if key in ("items", "values") else part
                for key, part in kind.items()
            }
        return kind

    def record(bare: str) -> Record:
        spelled.add(bare)
        schema = records[bare]
        fields = [{**field, "type": spell(field["type"])} for field in schema["fields"]]
        return {**schema, "fields": fields}

    return record(name)


def fingerprint(schema: Any, algorithm: str = "CRC-64-AVRO") -> str:
    """The fingerprint of a self-contained schema's parsing canonical form, in hex."""
    form = fastavro.schema.to_parsing_canonical_form(schema)
    return fastavro.schema.fingerprint(form, algorithm)


def _name(file: Traversable) -> str:
    """The record of a file; Avro libraries look for `roundproof.` before its name."""
    return file.name.removesuffix(".avsc").removeprefix(NAMESPACE)


def _record(file: Traversable) -> Record:
    try:
        record = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise BadContract(f"{file.name}: a record in JSON expected, {error}") from error
    if not isinstance(record, dict):
        raise BadContract(f"{file.name}: a record in JSON expected, {type(record).__name__} found")
    return record
