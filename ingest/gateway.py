"""The gateway: arrivals become sealed events in the log, and what cannot be read a dead letter.

When `take` returns, everything it was given is on disk: accepted, kept beside its twin, or dead.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from io import BytesIO
from itertools import takewhile

from ingest import decode, letters, order, seal
from ingest.arrivals import Arrival, Unread
from ingest.log import Log, LogCorrupt, Writer
from ingest.order import GATEWAY, Fate, Said, TableOrder
from ingest.trimmed import Trimmed
from schemas import codec
from schemas import events as e
from schemas.shape import Refused

DEAD = "dlq"
STREAMS = (seal.STREAM, DEAD)  # what a gateway writes
WATCHED = ("RoundOpened", "RoundClosed")
ALARMS: dict[type[e.Payload], str] = {
    e.GapFound: "gaps",
    e.TwinConflicted: "conflicts",
    e.LateArrived: "late",
    e.ClockStepped: "clock_steps",
}


@dataclass(slots=True)
class Counts:
    """What became of the arrivals, and the alarms that went with them."""

    accepted: int = 0
    twins: int = 0
    conflicts: int = 0
    dead_lettered: int = 0
    gaps: int = 0
    late: int = 0
    clock_steps: int = 0

    def alarm(self, alarm: e.Payload) -> None:
        """Count an alarm."""
        name = ALARMS[type(alarm)]
        setattr(self, name, getattr(self, name) + 1)

    def add(self, other: "Counts") -> None:
        """Count another batch in."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


class Gateway:
    """The one writer of a house's events."""

    def __init__(
        self,
        log: Writer,
        clock: Callable[[], int],
        *,
        trusts_received_at: bool = False,
        trimmed: Callable[[str], Trimmed | None] = lambda _: None,
    ) -> None:
        """`trimmed` tells of a table what a trim left behind."""
        self._log, self._clock, self._trusts_received_at = log, clock, trusts_received_at
        self._trimmed = trimmed
        self._tables: dict[str, _Table] = {}
        self._dead: set[bytes] | None = None

    def take(self, arrivals: Iterable[Arrival], source: str) -> Counts:
        """Bring a batch into the log; durable when this returns."""
        counts, now = Counts(), self._clock()
        dead: list[e.DeadLetter] = []
        touched: dict[str, _Table] = {}
        try:
            for arrival in arrivals:
                if isinstance(arrival, Unread):
                    dead.append(_letter(arrival, source, now))
                    continue
                table = touched[arrival.table_id] = self._table(arrival.table_id)
                trusted = arrival.received_at if self._trusts_received_at else None
                fate = table.take(arrival, now if trusted is None else trusted, counts)
                if fate is Fate.FORGOTTEN:
                    dead.append(_letter(_too_old(arrival), source, now))
            self._write(touched)
            self.bury(dead)
        except BaseException:
            # The log decides what was said: what we know of these tables is read again from it.
            for table_id in touched:
                self._tables.pop(table_id, None)
            self._dead = None
            raise
        counts.dead_lettered = len(dead)
        return counts

    def _write(self, touched: "dict[str, _Table]") -> None:
        """Put what waits into the log, all tables together."""
        batches = {name: table.waiting for name, table in sorted(touched.items()) if table.waiting}
        if batches:
            self._log.append_each(seal.STREAM, batches)
        for table in touched.values():
            table.waiting = []

    def _table(self, table_id: str) -> "_Table":
        table = self._tables.get(table_id)
        if table is None:
            note = self._trimmed(table_id)
            table = self._tables[table_id] = recalled(self._log, table_id, note)
        return table

    def bury(self, dead: Iterable[e.DeadLetter]) -> None:
        """Keep dead letters, each once; durable when this returns."""
        if self._dead is None:
            buried = self._log.read(DEAD, GATEWAY)
            self._dead = {letters.digest(letters.decode(record.body)) for record in buried}
        fresh = {letters.digest(letter): letter for letter in dead}
        fresh = {digest: letter for digest, letter in fresh.items() if digest not in self._dead}
        if fresh:
            self._log.append(DEAD, GATEWAY, [letters.encode(letter) for letter in fresh.values()])
            self._dead.update(fresh)


class _Table:
    """One table's order and the end of its chain, with the events that wait to be written."""

    def __init__(self, note: Trimmed | None) -> None:
        self._order = TableOrder(note.memory) if note else TableOrder()
        self._place, self._alarms = seal.Place(), note.alarms if note else 0
        self.waiting: list[bytes] = []

    def trimmed(self, base: int) -> Trimmed:
        """What must be known of the table when its events so far are gone."""
        return Trimmed(base, self._alarms, self._order.memory())

    def take(self, reading: e.Reading, ingested_at: int, counts: Counts) -> Fate:
        """Let a reading join, with the alarms it raises before it."""
        content = codec.encode_said(reading.payload, reading.round_id)
        round_before = self._order.open_round
        event_id = seal.event_id(reading)
        fate, alarms = self._order.take(_said(reading, content), event_id)
        if fate is Fate.CONFLICT:
            alarms = (e.TwinConflicted(event_id, decode.framed(reading)),)
        for alarm in alarms:
            counts.alarm(alarm)
            self._raise(alarm, reading.table_id, round_before, ingested_at)
        if fate is Fate.ACCEPTED:
            counts.accepted += 1
            self._seal(reading, content, ingested_at)
        counts.twins += fate is Fate.TWIN
        return fate

    def recall(self, link: seal.Link) -> None:
        """Take up an event that the log holds."""
        head = link.head
        self._place = link.after
        if head["device_id"] == GATEWAY:
            self._alarms = head["device_seq"] + 1
            self._recall_alarm(link.said)
            return
        payload: e.Payload | None = None
        round_id = None
        if codec.said_kind(link.said) in WATCHED:
            payload, round_id = codec.decode_said(BytesIO(link.said))
        content = order.content(head["device_kind"], head["occurred_at"], head["err_ms"], link.said)
        device, seq = head["device_id"], head["device_seq"]
        self._order.recall(Said(device, seq, head["occurred_at"], content, payload, round_id))

    def _recall_alarm(self, said: bytes) -> None:
        alarm, _ = codec.decode_said(BytesIO(said))
        if isinstance(alarm, e.TwinConflicted):
            twin = decode.single_object(alarm.kept)
            self._order.recall_conflict(_said(twin, codec.encode_said(twin.payload, twin.round_id)))
        else:
            self._order.recall_alarm(alarm)

    def _raise(
        self, alarm: e.Payload, table_id: str, round_id: str | None, ingested_at: int
    ) -> None:
        raised = e.Reading(
            table_id, GATEWAY, GATEWAY, self._alarms, ingested_at, alarm, round_id=round_id
        )
        self._alarms += 1
        self._seal(raised, codec.encode_said(alarm, round_id), ingested_at)

    def _seal(self, reading: e.Reading, content: bytes, ingested_at: int) -> None:
        body, self._place = seal.seal(reading, content, self._place, ingested_at)
        self.waiting.append(body)


def recalled(
    log: Log, table_id: str, note: Trimmed | None = None, upto: int | None = None
) -> _Table:
    """A table as the log knows it, up to an offset where one is given."""
    table, base, begun = _Table(note), note.base if note else 0, False
    records = log.read(seal.STREAM, table_id, base)
    if upto is not None:
        records = takewhile(lambda record: record.offset < upto, records)
    for link in seal.links(records, table_id):
        if not begun and link.offset != base:
            raise LogCorrupt(f"table {table_id}: offset {base} expected first, {link.offset} found")
        begun = True
        try:
            table.recall(link)
        except seal.UNREADABLE as error:
            raise seal.unreadable(table_id, link.offset, error) from error
    return table


def _said(reading: e.Reading, content: bytes) -> Said:
    return Said(
        reading.device_id,
        reading.device_seq,
        reading.occurred_at,
        order.content(reading.device_kind, reading.occurred_at, reading.err_ms, content),
        reading.payload,
        reading.round_id,
    )


def _too_old(reading: e.Reading) -> Unread:
    """A reading that may have been an event before a trim; it is kept, and nothing is doubled."""
    framed = decode.framed(reading)
    where, found = seal.event_id(reading), str(reading.device_seq)
    why = Refused("older_than_spool", where, "a sequence after the last one trimmed", found)
    return Unread(why, reading.device_seq, len(framed), framed)


def _letter(unread: Unread, source: str, now: int) -> e.DeadLetter:
    why = unread.why
    return e.DeadLetter(
        reason=why.code,
        where=why.where,
        expected=why.expected,
        found=why.found,
        source=source,
        position=unread.position,
        received_at=now,
        size=unread.size,
        body=unread.body,
    )
