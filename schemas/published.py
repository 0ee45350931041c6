"""Findings, derived rounds and checkpoints as Avro bytes and back."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, NamedTuple

import fastavro

from schemas import avro, contract
from schemas.events import CheckpointSigned, DerivedRound, Finding, FindingTold


class Written(NamedTuple):
    """A record's schema, ready for fastavro, and the names of its fields."""

    schema: Any
    fingerprint: str
    fields: tuple[str, ...]


def encode(record: Finding | FindingTold | DerivedRound | CheckpointSigned) -> bytes:
    """The record's Avro bytes."""
    written = SCHEMAS[type(record)]
    stream = BytesIO()
    values = {name: getattr(record, name) for name in written.fields}
    fastavro.schemaless_writer(stream, written.schema, values)
    return stream.getvalue()


def decode_finding(body: bytes) -> Finding:
    """Decode a finding of the live checks."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMAS[Finding].schema, None)
    raw |= {name: tuple(raw[name]) for name in ("clauses", "evidence")}
    return Finding(**raw)


def decode_told(body: bytes) -> FindingTold:
    """Decode a finding of the log; ValueError, EOFError or the like where it is none."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMAS[FindingTold].schema, None)
    raw |= {name: tuple(raw[name]) for name in ("clauses", "evidence")}
    return FindingTold(**raw)


def decode_round(body: bytes) -> DerivedRound:
    """Decode a derived round."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMAS[DerivedRound].schema, None)
    return DerivedRound(**raw)


def decode_checkpoint(body: bytes) -> CheckpointSigned:
    """Decode a checkpoint; ValueError, EOFError or the like where it is none."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMAS[CheckpointSigned].schema, None)
    return CheckpointSigned(**raw | {"heads": tuple(raw["heads"])})


def _written(name: str) -> Written:
    schema = fastavro.parse_schema(contract.whole(name, avro.RECORDS))
    fields = tuple(field["name"] for field in avro.RECORDS[name]["fields"])
    return Written(schema, contract.fingerprint(schema), fields)


SCHEMAS: Mapping[type, Written] = {
    Finding: _written("Finding"),
    FindingTold: _written("FindingTold"),
    DerivedRound: _written("DerivedRound"),
    CheckpointSigned: _written("CheckpointSigned"),
}
