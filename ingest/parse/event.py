"""One event from a topic or a file: bytes to an event, or a refusal with its reason code.

Our own log was checked when it was written; ingest/seal/chain.py reads that without these checks.
"""

from io import BytesIO
from typing import Any

from ingest.parse import framing
from schemas import avro, codec, history, lock
from schemas import events as e
from schemas.shape import Refused


def decode(body: bytes, schema: str) -> e.Event:
    """The event in some bytes, lifted to today's schema and checked in every field."""
    raw = _raw(body, schema)
    if schema == avro.FINGERPRINT:
        reading = codec.checked_reading({name: raw[name] for name in READING_FIELDS})
    else:
        reading = history.reading_as(schema, raw)
    event = e.Event(
        raw["event_id"],
        reading.table_id,
        raw["seq"],
        reading.device_kind,
        reading.device_id,
        reading.device_seq,
        reading.occurred_at,
        reading.err_ms,
        raw["ingested_at"],
        raw["schema"],
        raw["prev_hash"],
        reading.payload,
        reading.round_id,
    )
    _require_consistent(event, schema)
    return event


def _raw(body: bytes, schema: str) -> dict[str, Any]:
    stream = BytesIO(body)
    try:
        raw = codec.read(stream, avro.EVENT if schema == avro.FINGERPRINT else lock.known(schema))
    except codec.UNREADABLE as error:
        if isinstance(error, EOFError) or stream.tell() == len(body):
            framing.refuse("truncated", "an Event in Avro", f"the end after {len(body)} bytes")
        framing.refuse("not_avro", "an Event in Avro", str(error)[:60] or type(error).__name__)
    if stream.tell() != len(body):
        framing.refuse("trailing_bytes", f"{stream.tell()} bytes", str(len(body)))
    return raw


def _require_consistent(event: e.Event, schema: str) -> None:
    """Refuse an event whose id or schema contradicts its other fields."""
    wanted = f"{event.table_id}/{event.device_id}/{event.device_seq}"
    if event.event_id != wanted:
        raise Refused("bad_value", "event.event_id", wanted, repr(event.event_id)[:60])
    if event.schema != schema:
        raise Refused("bad_value", "event.schema", schema, repr(event.schema)[:60])
    if event.seq < 0:
        raise Refused("bad_value", "event.seq", "0 or more", str(event.seq))


# The fields that an Event shares with its Reading, so that both are checked by the same rules.
READING_FIELDS = tuple(
    field["name"]
    for field in avro.RECORDS["Event"]["fields"]
    if field["name"] in {field["name"] for field in avro.RECORDS["Reading"]["fields"]}
)
