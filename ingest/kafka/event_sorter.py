"""The sorter: which messages of `rp.events` are events, which are twins, which are strays.

    sequence is the next one, prev_hash fits    the table's next event
    sequence is lower, same bytes               a twin: dropped
    anything else                               a stray: fork, gap, broken chain, or unreadable

Only the chain decides, so every reader finds the same events, however often a gateway resends and
whoever else writes to the topic. This module does no I/O.
"""

import hashlib
from array import array
from collections.abc import Mapping
from io import BytesIO
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from ingest import dead_letter
from ingest.log import LogRecord, is_id
from ingest.parse import event as parse_event
from ingest.parse import framing
from ingest.parse.reading import MAX_MESSAGE
from ingest.seal.chain import SHOWN, ChainPosition
from schemas import codec
from schemas import events as e
from schemas.shape import Refused

REMEMBERED = 10_000  # hashes kept for each table, to tell a twin from a fork


class Message(NamedTuple):
    """One message of a topic; `appended_at` is the broker's time in microseconds."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    appended_at: int


class SortedEvent(NamedTuple):
    """A message that is the next event of its table; the record's offset is the event's `seq`."""

    event: e.Event
    sha256: str
    record: LogRecord
    message: Message


class StrayMessage(NamedTuple):
    """A message that belongs to no table's chain, and why."""

    why: Refused
    message: Message


class UnknownEvent(Exception):
    """The next event of a table has a schema or a framing that this release does not know.

    To skip it would lose everything after it, so the reader stops until it is upgraded.
    """


class Sorter:
    """Sorts messages; it keeps the position and the latest hashes of each table."""

    def __init__(
        self,
        unframe: framing.Unframe = framing.unframe,
        known: Mapping[str, ChainPosition] = MappingProxyType({}),
        *,
        anywhere: bool = False,
    ) -> None:
        """With `anywhere`, an unknown table may begin at any TableOpened, not only at 0."""
        self._unframe, self._anywhere = unframe, anywhere
        self._chains = {table_id: _Chain(place) for table_id, place in known.items()}

    @property
    def positions(self) -> dict[str, ChainPosition]:
        """Where each table's next event goes."""
        return {table_id: chain.place for table_id, chain in sorted(self._chains.items())}

    def forget(self, table_id: str) -> None:
        """Drop a table that another reader takes over."""
        self._chains.pop(table_id, None)

    def sort(self, message: Message) -> SortedEvent | StrayMessage | None:
        """The event in a message, or a stray with its reason; None for a twin."""
        try:
            schema, body = _unframed(self._unframe, message.value, "Event")
            event = parse_event.decode(body, schema)
            _require_key(message.key, event.table_id)
            digest = hashlib.sha256(body).digest()
            joined = self._joins(event, digest)
        except Refused as why:
            self._require_no_next_event(why, message)
            return StrayMessage(why, message)
        if not joined:
            return None
        return SortedEvent(event, digest.hex(), LogRecord(event.seq, body, schema), message)

    def _joins(self, event: e.Event, digest: bytes) -> bool:
        """Add an event to its table's chain; False for a twin, Refused where it does not fit."""
        chain = self._chains.get(event.table_id) or _Chain(self._start(event))
        place = chain.place
        if event.seq < place.seq:
            if chain.differs(event.seq, digest):
                found = f"{_short(digest)} for the same sequence"
                _refuse("fork", event, "the event that is there", found)
            return False
        if event.seq > place.seq:
            _refuse("gap", event, f"sequence {place.seq}", str(event.seq))
        if event.prev_hash != place.prev_hash:
            expected = f"previous hash {_short(place.prev_hash)}"
            _refuse("broken_chain", event, expected, _short(event.prev_hash))
        chain.add(digest)
        self._chains[event.table_id] = chain  # only now: a stray must not create a table
        return True

    def _require_no_next_event(self, why: Refused, message: Message) -> None:
        """Raise UnknownEvent where an unreadable message continues a table's chain."""
        found = event_head(message) if why.code in ("unknown_schema", "not_framed") else None
        if found is None:
            return
        table_id, place = (
            found.head["table_id"],
            ChainPosition(found.head["seq"], found.head["prev_hash"]),
        )
        chain = self._chains.get(table_id) or _Chain(place if self._anywhere else ChainPosition())
        if place == chain.place:
            where = f"{message.topic}/{message.partition}/{message.offset}"
            raise UnknownEvent(f"{where}: event {place.seq} of table {table_id}, {why}")

    def _start(self, event: e.Event) -> ChainPosition:
        if self._anywhere and isinstance(event.payload, e.TableOpened):
            return ChainPosition(event.seq, event.prev_hash)
        return ChainPosition()


class EventHead(NamedTuple):
    """An event of which only the head can be read, and all its bytes."""

    head: dict[str, Any]
    body: bytes


def event_head(message: Message) -> EventHead | None:
    """The head of an event in an unknown schema or framing; None where it is no event.

    Schemas only grow at the end, and every event begins with its table, sequence and hashes.
    """
    value = message.value or b""
    single = value[:2] == framing.MARKER
    if not single and value[:1] != framing.CONFLUENT_MARKER:
        return None
    body = value[framing.HEADER if single else framing.CONFLUENT_HEADER :]
    try:
        head = codec.decode_head(BytesIO(body))
    except codec.UNREADABLE:
        return None
    wanted = f"{head['table_id']}/{head['device_id']}/{head['device_seq']}"
    if head["event_id"] != wanted or head["table_id"].encode() != message.key:
        return None
    if single and head["schema"] != value[2 : framing.HEADER].hex():
        return None
    return EventHead(head, body)


class SortedLetter(NamedTuple):
    """A dead letter of `rp.dlq`; its offset counts the letters of its key."""

    record: LogRecord
    message: Message


class LetterSorter:
    """Sorts dead letters by key; the same bytes again within REMEMBERED letters are a twin."""

    def __init__(self, unframe: framing.Unframe = framing.unframe) -> None:
        self._unframe = unframe
        self._counts: dict[bytes, int] = {}
        self._recent: dict[bytes, None] = {}

    def sort(self, message: Message) -> SortedLetter | StrayMessage | None:
        """The letter in a message, or a stray with its reason; None for a twin."""
        key = message.key or b""
        try:
            schema, body = _unframed(self._unframe, message.value, "DeadLetter")
            if not is_id(key.decode("ascii", "replace")):
                raise Refused("wrong_key", "key", "an id", repr(key)[:60])
            _require_letter(body)
        except Refused as why:
            return StrayMessage(why, message)
        digest = hashlib.blake2b(key + b"\n" + body, digest_size=16).digest()
        if digest in self._recent:
            return None
        self._recent[digest] = None
        if len(self._recent) > REMEMBERED:
            del self._recent[next(iter(self._recent))]
        number = self._counts.get(key, 0)
        self._counts[key] = number + 1
        return SortedLetter(LogRecord(number, body, schema), message)


def _require_letter(body: bytes) -> None:
    try:
        dead_letter.decode(body)
    except codec.UNREADABLE as error:
        raise Refused("not_avro", "message", "a dead letter", type(error).__name__) from error


def letter(stray: StrayMessage, now: int) -> e.DeadLetter:
    """The dead letter of a stray: source is topic and partition, position the offset."""
    why, message = stray
    body = message.value or b""
    return dead_letter.letter(
        why,
        body[:MAX_MESSAGE],
        len(body),
        source=f"{message.topic}/{message.partition}",
        position=message.offset,
        received_at=now,
    )


class _Chain:
    """A table's position, and a ring with eight bytes of each of its latest hashes."""

    def __init__(self, place: ChainPosition) -> None:
        self.place, self._first, self._ring = place, place.seq, array("Q")

    def add(self, digest: bytes) -> None:
        """Append the hash of the next event."""
        short, at = _eight(digest), (self.place.seq - self._first) % REMEMBERED
        if at == len(self._ring):
            self._ring.append(short)
        else:
            self._ring[at] = short
        self.place = ChainPosition(self.place.seq + 1, digest)

    def differs(self, seq: int, digest: bytes) -> bool:
        """Whether the event of this sequence had another hash; False where it is too old."""
        if seq == self.place.seq - 1:
            return digest != self.place.prev_hash
        if seq < max(self._first, self.place.seq - REMEMBERED):
            return False
        return self._ring[(seq - self._first) % REMEMBERED] != _eight(digest)


def _unframed(unframe: framing.Unframe, value: bytes | None, record: str) -> tuple[str, bytes]:
    if value is None:
        framing.refuse("tombstone", f"a record {record}", "a message without value")
    schema, body = unframe(value)
    if framing.schema_of(schema)["name"] != record:
        framing.refuse("unknown_schema", f"the fingerprint of a record {record}", schema)
    return schema, body


def _require_key(key: bytes | None, table_id: str) -> None:
    if key != table_id.encode():
        raise Refused(
            "wrong_key", "key", repr(table_id), "nothing" if key is None else repr(key)[:60]
        )


def _refuse(code: str, event: e.Event, expected: str, found: str) -> NoReturn:
    raise Refused(code, f"table {event.table_id} sequence {event.seq}", expected, found)


def _eight(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big")


def _short(digest: bytes) -> str:
    return f"{digest.hex()[:SHOWN]}…"
