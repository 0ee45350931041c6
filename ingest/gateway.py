"""The gateway: it seals readings into the log as events, and keeps what it refuses as dead letters.

When `take` returns, everything it was given is on disk: as an event, inside an alarm, or as a dead
letter. A damaged log stops only its own table: the gateway adds nothing to that table, keeps its
readings as dead letters or leaves them with their sender, and goes on with every other table.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from itertools import islice, takewhile
from typing import NamedTuple

from ingest import dead_letter, order
from ingest.local.trim_note import TrimNote
from ingest.log import DEAD_LETTERS, EVENTS, LogCorrupt, LogReader, LogUnwritable, LogWriter
from ingest.order import GATEWAY, Fate, SequencedReading, TableOrder
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Arrival, Unread
from ingest.seal import chain as event_chain
from schemas import codec
from schemas import events as e
from schemas.shape import Refused

KNOWN_DEAD = 100_000  # the newest dead letters, whose repeats are dropped
STOPPED = "table_stopped"  # the reason of a dead letter whose table has a damaged log
SAID = 200  # characters of the damage that such a letter quotes
RETRY_S = 5.0  # before a stopped table is read again
WATCHED = ("RoundOpened", "RoundClosed")
ALARMS: dict[type[e.Payload], str] = {
    e.GapFound: "gaps",
    e.TwinConflicted: "conflicts",
    e.LateArrived: "late",
    e.ClockStepped: "clock_steps",
}


@dataclass(slots=True)
class Counts:
    """How many arrivals had which fate, and how many alarms they raised."""

    accepted: int = 0
    twins: int = 0
    conflicts: int = 0
    dead_lettered: int = 0
    gaps: int = 0
    late: int = 0
    clock_steps: int = 0
    stopped: int = 0  # readings of tables whose log is damaged

    def alarm(self, alarm: e.Payload) -> None:
        """Count an alarm."""
        name = ALARMS[type(alarm)]
        setattr(self, name, getattr(self, name) + 1)

    def add(self, other: "Counts") -> None:
        """Add the counts of another batch."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


class Gateway:
    """The one writer of a house's events."""

    def __init__(
        self,
        log: LogWriter,
        clock: Callable[[], int],
        *,
        trusts_received_at: bool = False,
        trimmed: Callable[[str], TrimNote | None] = lambda _: None,
    ) -> None:
        """`trimmed` returns the note that a trim left of a table."""
        self._log, self._clock, self._trusts_received_at = log, clock, trusts_received_at
        self._trimmed = trimmed
        self._tables: dict[str, _Table] = {}
        self._dead: dict[bytes, None] | None = None  # digests, the newest last
        self._stopped: dict[str, _StoppedTable] = {}

    @property
    def stopped(self) -> Mapping[str, Exception]:
        """The tables whose log is damaged, and how."""
        return {table_id: stop.why for table_id, stop in sorted(self._stopped.copy().items())}

    def take(self, arrivals: Iterable[Arrival], source: str, *, holds: bool = False) -> Counts:
        """Store a batch; everything is durable when this returns.

        Readings of a stopped table become dead letters. With `holds`, the caller keeps them and
        sends them again, so they are only counted.
        """
        batch, now = list(arrivals), self._clock()
        counts, halted = self._joined(batch, now)
        dead = [_letter(each, source, now) for each in batch if isinstance(each, Unread)]
        dead += [_letter(_too_old(each), source, now) for each in halted.forgotten]
        if not holds:
            dead += [_letter(self._not_taken(each), source, now) for each in halted.stopped]
        try:
            self.write_dead_letters(dead)
        except BaseException:
            self._dead = None
            raise
        counts.dead_lettered, counts.stopped = len(dead), len(halted.stopped)
        return counts

    def _joined(self, batch: Sequence[Arrival], now: int) -> tuple[Counts, "_NotAccepted"]:
        """Write the readings of all tables together; if that fails, table by table."""
        readings = [each for each in batch if not isinstance(each, Unread)]
        try:
            return self._written(readings, now)
        except (LogCorrupt, LogUnwritable):
            return self._one_by_one(readings, now)

    def _one_by_one(self, readings: Sequence[e.Reading], now: int) -> tuple[Counts, "_NotAccepted"]:
        counts, halted = Counts(), _NotAccepted([], [])
        failed: LogUnwritable | None = None
        for table_id, part in _by_table(readings):
            try:
                more, also = self._written(part, now)
            except LogCorrupt as error:
                self._stop(table_id, error)
                more, also = Counts(), _NotAccepted([], part)
            except LogUnwritable as error:
                failed = failed or error
                continue
            counts.add(more)
            halted.add(also)
        if failed:
            raise failed
        return counts, halted

    def _written(self, readings: Sequence[e.Reading], now: int) -> tuple[Counts, "_NotAccepted"]:
        counts, halted = Counts(), _NotAccepted([], [])
        touched: dict[str, _Table] = {}
        try:
            for reading in readings:
                table = self._table(reading.table_id)
                if table is None:
                    halted.stopped.append(reading)
                    continue
                touched[reading.table_id] = table
                trusted = reading.received_at if self._trusts_received_at else None
                if trusted is None:
                    table.check_clock(now, counts, reading.table_id)
                fate = table.take(reading, now if trusted is None else trusted, counts)
                if fate is Fate.FORGOTTEN:
                    halted.forgotten.append(reading)
            self._write(touched)
        except BaseException:
            # Some records may be on disk: read these tables from the log again.
            for table_id in touched:
                self._tables.pop(table_id, None)
            raise
        return counts, halted

    def _write(self, touched: "dict[str, _Table]") -> None:
        """Write the waiting events of all tables with one wait for the disk."""
        batches = {name: table.waiting for name, table in sorted(touched.items()) if table.waiting}
        if batches:
            self._log.append_each(EVENTS, batches)
        for table in touched.values():
            table.waiting = []

    def _table(self, table_id: str) -> "_Table | None":
        """A table's state, read from the log at first; None where the log is damaged."""
        table = self._tables.get(table_id)
        if table is None and not self._waits(table_id):
            try:
                table = table_from_log(self._log, table_id, self._trimmed(table_id))
            except (LogCorrupt, OSError) as error:
                self._stop(table_id, error)
                return None
            self._tables[table_id] = table
            self._stopped.pop(table_id, None)
        return table

    def _waits(self, table_id: str) -> bool:
        """Whether a table stopped within RETRY_S; reading it again for each batch is too slow."""
        stop = self._stopped.get(table_id)
        return stop is not None and time.monotonic() < stop.until

    def _stop(self, table_id: str, why: Exception) -> None:
        self._tables.pop(table_id, None)
        self._stopped[table_id] = _StoppedTable(why, time.monotonic() + RETRY_S)

    def _not_taken(self, reading: e.Reading) -> Unread:
        stop = self._stopped[reading.table_id]
        return _unread(reading, STOPPED, "a table whose log is whole", str(stop.why)[:SAID])

    def write_dead_letters(self, dead: Iterable[e.DeadLetter]) -> None:
        """Store dead letters, each once; durable when this returns."""
        fresh = {dead_letter.digest(letter): letter for letter in dead}
        if not fresh:
            return
        known = self._known_dead()
        fresh = {digest: letter for digest, letter in fresh.items() if digest not in known}
        if fresh:
            self._log.append(
                DEAD_LETTERS, GATEWAY, [dead_letter.encode(letter) for letter in fresh.values()]
            )
            known.update(dict.fromkeys(fresh))
        for digest in list(islice(known, max(0, len(known) - KNOWN_DEAD))):
            del known[digest]

    def _known_dead(self) -> dict[bytes, None]:
        """The digests of the newest dead letters, read from the log once."""
        if self._dead is None:
            start = max(0, self._log.end(DEAD_LETTERS, GATEWAY) - KNOWN_DEAD)
            buried = self._log.read(DEAD_LETTERS, GATEWAY, start)
            self._dead = {
                dead_letter.digest(dead_letter.decode(each.body)): None for each in buried
            }
        return self._dead


class _StoppedTable(NamedTuple):
    """Why a table is stopped, and when to read it again."""

    why: Exception
    until: float


class _NotAccepted(NamedTuple):
    """Readings that became no events: older than a trim, or of a stopped table."""

    forgotten: list[e.Reading]
    stopped: list[e.Reading]

    def add(self, more: "_NotAccepted") -> None:
        """Add those of another table."""
        for mine, theirs in zip(self, more, strict=True):
            mine.extend(theirs)


class _Table:
    """One table: its order, the end of its chain, and the events that wait to be written."""

    def __init__(self, note: TrimNote | None) -> None:
        self._order = TableOrder(note.memory) if note else TableOrder()
        self._place, self._alarms = event_chain.ChainPosition(), note.alarms if note else 0
        self._ingested_at = 0  # of the last event
        self.waiting: list[bytes] = []

    def trimmed(self, base: int) -> TrimNote:
        """The note to leave when the events before `base` are trimmed."""
        return TrimNote(base, self._alarms, self._order.memory())

    def check_clock(self, now: int, counts: Counts, table_id: str) -> None:
        """Raise an alarm where our own clock is behind the last event."""
        if now < self._ingested_at:
            alarm = e.ClockStepped(GATEWAY, order.back_ms(self._ingested_at, now))
            counts.alarm(alarm)
            self._raise(alarm, table_id, self._order.open_round, now)

    def take(self, reading: e.Reading, ingested_at: int, counts: Counts) -> Fate:
        """Judge a reading and queue its event, after the alarms it raises."""
        content = codec.encode_said(reading.payload, reading.round_id)
        round_before = self._order.open_round
        event_id = event_chain.event_id(reading)
        fate, alarms = self._order.take(_said(reading, content), event_id)
        if fate is Fate.CONFLICT:
            alarms = (e.TwinConflicted(event_id, parse_reading.frame_reading(reading)),)
        for alarm in alarms:
            counts.alarm(alarm)
            self._raise(alarm, reading.table_id, round_before, ingested_at)
        if fate is Fate.ACCEPTED:
            counts.accepted += 1
            self._seal(reading, content, ingested_at)
        counts.twins += fate is Fate.TWIN
        return fate

    def recall(self, link: event_chain.ChainLink) -> None:
        """Learn an event that the log already holds."""
        head = link.head
        self._place, self._ingested_at = link.after, head["ingested_at"]
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
        self._order.recall(
            SequencedReading(device, seq, head["occurred_at"], content, payload, round_id)
        )

    def _recall_alarm(self, said: bytes) -> None:
        alarm, _ = codec.decode_said(BytesIO(said))
        if isinstance(alarm, e.TwinConflicted):
            twin = parse_reading.stored_reading(alarm.kept)
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
        body, self._place = event_chain.seal(reading, content, self._place, ingested_at)
        self._ingested_at = ingested_at
        self.waiting.append(body)


def table_from_log(
    log: LogReader, table_id: str, note: TrimNote | None = None, upto: int | None = None
) -> _Table:
    """A table's state from its events in the log, before offset `upto` where that is given."""
    table, base, begun = _Table(note), note.base if note else 0, False
    records = log.read(EVENTS, table_id, base)
    if upto is not None:
        records = takewhile(lambda record: record.offset < upto, records)
    for link in event_chain.links(records, table_id):
        if not begun and link.offset != base:
            raise LogCorrupt(f"table {table_id}: offset {base} expected first, {link.offset} found")
        begun = True
        try:
            table.recall(link)
        except codec.UNREADABLE as error:
            raise event_chain.unreadable(table_id, link.offset, error) from error
    return table


def _said(reading: e.Reading, content: bytes) -> SequencedReading:
    return SequencedReading(
        reading.device_id,
        reading.device_seq,
        reading.occurred_at,
        order.content(reading.device_kind, reading.occurred_at, reading.err_ms, content),
        reading.payload,
        reading.round_id,
    )


def _by_table(readings: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    found: dict[str, list[e.Reading]] = {}
    for reading in readings:
        found.setdefault(reading.table_id, []).append(reading)
    yield from sorted(found.items())


def _too_old(reading: e.Reading) -> Unread:
    """The refusal of a reading from before a trim: it may already have been an event."""
    wanted = "a sequence after the last one trimmed"
    return _unread(reading, "older_than_spool", wanted, str(reading.device_seq))


def _unread(reading: e.Reading, code: str, expected: str, found: str) -> Unread:
    """The refusal of a reading, with the reading in our own Avro bytes."""
    framed = parse_reading.frame_reading(reading)
    why = Refused(code, event_chain.event_id(reading), expected, found)
    return Unread(why, reading.device_seq, len(framed), framed)


def _letter(unread: Unread, source: str, now: int) -> e.DeadLetter:
    return dead_letter.letter(
        unread.why,
        unread.body,
        unread.size,
        source=source,
        position=unread.position,
        received_at=now,
    )
