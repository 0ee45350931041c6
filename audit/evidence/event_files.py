"""The events of a pack as files: an Avro container that every library reads, and JSON lines."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Any

from audit.evidence import canonical_json, redaction
from audit.evidence.avro_json import AvroSchema
from audit.evidence.redaction import Redaction
from ingest import avro_container
from ingest.log import LogRecord
from ingest.seal import tree
from schemas import case_codec
from schemas import events as e
from schemas.history import decode_event_as

EVENT, STEP, ACCESS = "Event", "CaseEvent", "AccessRecorded"
Files = dict[str, bytes]


def json_bytes(value: Any) -> bytes:
    """A value as canonical JSON (RFC 8785)."""
    return canonical_json.dumps(value)


def json_lines(values: Iterable[Any]) -> bytes:
    """Values as lines of canonical JSON."""
    return b"".join(json_bytes(value) + b"\n" for value in values)


def event_files(folder: str, name: str, records: Sequence[LogRecord], hidden: Redaction) -> Files:
    """Events as `<name>.avro` and `<name>.jsonl`; withheld ones are rows of the latter alone."""
    shown = [record for record in records if not hidden.hides(payload(record))]
    lines = [_line(record, hidden) for record in records]
    made = containers(f"{folder}/{name}", EVENT, shown)
    return made | {f"{folder}/{name}.jsonl": json_lines(lines)}


def step_files(folder: str, records: Sequence[LogRecord], hidden: Redaction) -> Files:
    """The steps of a case as `case.avro` and `case.jsonl`."""
    steps = [case_codec.decode_case(record.body, record.schema) for record in records]
    shown = [r for r, step in zip(records, steps, strict=True) if not hidden.hides(step)]
    lines = []
    for record, step in zip(records, steps, strict=True):
        row = _schema(STEP, record.schema).decoded(record.body)
        if hidden.hides(step):
            kept = redaction.withheld(record.body, row["step"], "step")
            row = {"number": row["number"], "case_id": row["case_id"], "withheld": True} | {
                "step": kept
            }
        lines.append(row)
    made = containers(f"{folder}/case", STEP, shown)
    return made | {f"{folder}/case.jsonl": json_lines(lines)}


def containers(path: str, kind: str, records: Sequence[LogRecord]) -> Files:
    """Records as Avro containers, one record a block; a new schema begins a new file."""
    made: Files = {}
    for n, (schema, group) in enumerate(groupby(records, key=lambda record: record.schema), 1):
        name = f"{path}.avro" if n == 1 else f"{path}-{n}.avro"
        sync = avro_container.sync_marker("pack", name)
        header = avro_container.header(_schema(kind, schema).text, sync)
        frames = (avro_container.frame(record.body, sync) for record in group)
        made[name] = header + b"".join(frames)
    return made or {f"{path}.avro": _empty(kind, path)}


def leaves(records: Iterable[LogRecord]) -> bytes:
    """The leaf hash of each record, a line of hex each."""
    return b"".join(f"{tree.leaf_hash(record.body).hex()}\n".encode() for record in records)


def payload(record: LogRecord) -> e.Payload:
    """What an event says, in today's shape."""
    return decode_event_as(record.schema, BytesIO(record.body)).payload


@cache
def _schema(kind: str, written_with: str) -> AvroSchema:
    return AvroSchema(kind, written_with)


def _empty(kind: str, path: str) -> bytes:
    sync = avro_container.sync_marker("pack", f"{path}.avro")
    return avro_container.header(AvroSchema(kind).text, sync)


def _line(record: LogRecord, hidden: Redaction) -> dict[str, Any]:
    row = _schema(EVENT, record.schema).decoded(record.body)
    if not hidden.hides(payload(record)):
        return row
    return {
        "seq": row["seq"],
        "withheld": True,
        "round_id": row["round_id"],
        "payload": redaction.withheld(record.body, row["payload"]),
    }


def schemas(records: Iterable[LogRecord]) -> Iterator[tuple[str, bytes]]:
    """The schema of every version that the events were written with."""
    for schema in dict.fromkeys(record.schema for record in records):
        yield f"Event-{schema}.avsc", AvroSchema(EVENT, schema).text
