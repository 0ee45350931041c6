"""A segment of events as a file of readings: import from one log into another.

For a table whose spool forked from Kafka: restore the right spool, then import the segments of the
other one. The gateway's own alarms are left out; the gateway raises them again.
"""

from collections.abc import Iterator

from ingest import avro_container
from ingest.log import MAX_BODY
from ingest.order import ALARMS
from ingest.parse import event as parse_event
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Arrival, Unread
from ingest.parse.reading import MAX_MESSAGE
from schemas import events as e
from schemas import lock
from schemas.shape import Refused


def written_with(data: bytes) -> str | None:
    """The schema fingerprint of a segment of events, by its first bytes; None for other files."""
    try:
        schema = lock.writer(avro_container.read_header(data, MAX_BODY).schema)
    except avro_container.ContainerBroken:
        return None
    if schema is None or schema not in framing.fingerprints():
        return None
    return schema if framing.schema_of(schema)["name"] == "Event" else None


def readings(data: bytes, schema: str) -> Iterator[Arrival]:
    """The readings behind a segment's events, up to a torn tail or a damaged block."""
    head = avro_container.read_header(data, MAX_BODY)
    blocks = avro_container.blocks(data, head.end, head.sync, MAX_BODY)
    while True:
        try:
            block = next(blocks, None)
        except avro_container.ContainerTorn:  # a crash tore it; nobody acknowledged that record
            return
        except avro_container.ContainerBroken as error:
            why = Refused(error.code, f"byte {error.at}", error.expected, error.found)
            rest = data[error.at :]
            yield Unread(why, error.at, len(rest), rest[:MAX_MESSAGE])
            return
        if block is None:
            return
        yield from _said(data[block.start : block.stop], schema, block.start)


def _said(body: bytes, schema: str, position: int) -> Iterator[Arrival]:
    try:
        event = parse_event.decode(body, schema)
        if isinstance(event.payload, e.TwinConflicted):
            yield parse_reading.single_object(event.payload.kept)
        elif not isinstance(event.payload, ALARMS):
            yield parse_reading.from_device(_reading(event))
    except Refused as why:
        yield Unread(why, position, len(body), body[:MAX_MESSAGE])


def _reading(event: e.Event) -> e.Reading:
    return e.Reading(
        event.table_id,
        event.device_kind,
        event.device_id,
        event.device_seq,
        event.occurred_at,
        event.payload,
        err_ms=event.err_ms,
        round_id=event.round_id,
        received_at=event.ingested_at,
    )
