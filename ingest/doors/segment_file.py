"""Events back to the readings they were: a segment of one log brought into another.

For a table whose spool held events that Kafka could not take: the right spool is put back, then the
segments of the other one are brought in. The gateway's own alarms stay behind; it raises them anew.
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
    """The fingerprint of a segment of events by its first bytes; None where it is none."""
    try:
        schema = lock.writer(avro_container.read_header(data, MAX_BODY).schema)
    except avro_container.ContainerBroken:
        return None
    if schema is None or schema not in framing.fingerprints():
        return None
    return schema if framing.schema_of(schema)["name"] == "Event" else None


def readings(data: bytes, schema: str) -> Iterator[Arrival]:
    """What the devices had said, as far as the segment is whole."""
    head = avro_container.read_header(data, MAX_BODY)
    blocks = avro_container.blocks(data, head.end, head.sync, MAX_BODY)
    while True:
        try:
            block = next(blocks, None)
        except avro_container.ContainerTorn:  # a crash left it so; it was never acknowledged
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
