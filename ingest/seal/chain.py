"""The hash chain: each event of a table carries its sequence and the hash of the event before it.

    event 0: prev_hash = 32 zero bytes      event n: prev_hash = SHA-256 of event n-1's bytes

Readers get events only as far as the chain holds; LogCorrupt names the first one that breaks it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, NamedTuple

from ingest.log import EVENTS, LogCorrupt, LogReader, LogRecord
from schemas import avro, codec, history
from schemas.events import Event, Reading

SHOWN = 4  # hexadecimal digits of a hash that a message shows


class ChainPosition(NamedTuple):
    """Where a table's next event goes: its sequence, and the hash it must carry."""

    seq: int = 0
    prev_hash: bytes = codec.NO_HASH


class ChainLink(NamedTuple):
    """One event whose position in the chain was checked, and the position after it."""

    offset: int
    head: dict[str, Any]
    said: bytes  # the payload and the round, lifted to today's schema
    after: ChainPosition


def event_id(reading: Reading) -> str:
    """The id of a reading: table, device and device sequence."""
    return f"{reading.table_id}/{reading.device_id}/{reading.device_seq}"


def seal(
    reading: Reading, said: bytes, place: ChainPosition, ingested_at: int
) -> tuple[bytes, ChainPosition]:
    """The bytes of the event that a reading becomes at a position, and the position after it."""
    head = {
        "event_id": event_id(reading),
        "table_id": reading.table_id,
        "seq": place.seq,
        "device_kind": reading.device_kind,
        "device_id": reading.device_id,
        "device_seq": reading.device_seq,
        "occurred_at": reading.occurred_at,
        "err_ms": reading.err_ms,
        "ingested_at": ingested_at,
        "schema": avro.FINGERPRINT,
        "prev_hash": place.prev_hash,
    }
    body = codec.encode_head(head) + said
    return body, ChainPosition(place.seq + 1, hashlib.sha256(body).digest())


def events(log: LogReader, table_id: str, start: int = 0) -> Iterator[tuple[Event, str]]:
    """A table's events from a sequence on, each with the SHA-256 of its bytes in hex."""
    records = log.read(EVENTS, table_id, max(0, start - 1))
    for event, digest in verified(records, table_id):
        if event.seq >= start:
            yield event, digest


def verified(records: Iterable[LogRecord], table_id: str) -> Iterator[tuple[Event, str]]:
    """The events of a table's records, each with its SHA-256; LogCorrupt where the chain breaks."""
    place: ChainPosition | None = None
    for record in records:
        try:
            event = _event(record)
        except codec.UNREADABLE as error:
            raise unreadable(table_id, record.offset, error) from error
        found = event.table_id, event.seq, event.prev_hash
        place = _after(record, found, table_id, place)
        yield event, place.prev_hash.hex()


def links(records: Iterable[LogRecord], table_id: str) -> Iterator[ChainLink]:
    """The records of a table as links of its chain; only their heads are decoded."""
    place: ChainPosition | None = None
    for record in records:
        try:
            head, said = _parts(record)
        except codec.UNREADABLE as error:
            raise unreadable(table_id, record.offset, error) from error
        found = head["table_id"], head["seq"], head["prev_hash"]
        place = _after(record, found, table_id, place)
        yield ChainLink(record.offset, head, said, place)


def _after(
    record: LogRecord, found: tuple[str, int, bytes], table_id: str, place: ChainPosition | None
) -> ChainPosition:
    """The position after a record; LogCorrupt unless the record fits the one before it."""
    if place is None:  # reading starts here: only the table's first event can be checked
        place = ChainPosition(*found[1:]) if record.offset else ChainPosition()
    wanted = table_id, *place
    if found != wanted:
        raise _misplaced(table_id, record.offset, wanted, found)
    return ChainPosition(place.seq + 1, hashlib.sha256(record.body).digest())


def _event(record: LogRecord) -> Event:
    stream = BytesIO(record.body)
    if record.schema != avro.FINGERPRINT:
        return history.decode_event_as(record.schema, stream)  # an older contract's bytes
    return codec.decode_event(stream)


def _parts(record: LogRecord) -> tuple[dict[str, Any], bytes]:
    stream = BytesIO(record.body)
    if record.schema == avro.FINGERPRINT:
        head = codec.decode_head(stream)
        return head, record.body[stream.tell() :]
    event = history.decode_event_as(record.schema, stream)  # an older contract's bytes
    head = {name: getattr(event, name) for name in codec.HEAD_FIELDS}
    return head, codec.encode_said(event.payload, event.round_id)


def _misplaced(
    table_id: str, offset: int, wanted: tuple[str, int, bytes], found: tuple[str, int, bytes]
) -> LogCorrupt:
    named = zip(("table", "sequence", "previous hash"), wanted, found, strict=True)
    what, expected, seen = next(row for row in named if row[1] != row[2])
    return LogCorrupt(
        f"table {table_id} offset {offset}: {what} {_short(expected)} expected, "
        f"{_short(seen)} found"
    )


def _short(value: object) -> str:
    return f"{value.hex()[:SHOWN]}…" if isinstance(value, bytes) else str(value)


def unreadable(table_id: str, offset: int, error: Exception) -> LogCorrupt:
    """The error for a record whose bytes are no event."""
    return LogCorrupt(f"table {table_id} offset {offset}: an event expected, {error!r} found")
