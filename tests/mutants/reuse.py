"""What a mutant shares with its honest day is taken from there; only the rest is derived.

A mutant differs from its honest day in a reading or two, yet all that follows gets other numbers:
a place in the table's order, and often a number of its device. So an event that says the same as
one of the honest day is known as that one under new numbers, and a round that consists of such
events, and began as the honest one did, has its rows under new numbers too. Nothing is written to
bytes and read again, but for payloads that the honest day has not.

`rows.derive` over the gateway's log gives the same rows, but for hashes, which no check reads. A
run proves that on some of its mutants (`proven`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, NamedTuple

from ingest import order
from ingest.order import GATEWAY, Fate, SequencedReading, TableOrder
from ingest.parse import reading as parse_reading
from ingest.seal import chain as event_chain
from replay import rulebooks
from replay.judge import judge_next
from replay.rounds import Fold, Round
from replay.tables import event_rows
from replay.tables.dictionary import dictionary
from replay.tables.round_rows import of_round
from replay.tables.rows import Row, Rows
from schemas import avro, bounds, codec
from schemas import events as e
from tests.mutants.days import DAY, TABLE, HonestDay

HASHES = {"rounds": ("digest",), "table_days": ("digest",)}
NAMES_EVENTS = (e.CorrectionMade, e.LateArrived, e.TwinConflicted)  # whose payload says an event id

Key = tuple[int, str, str, int, int, int | None, str | None]


class Unlike(Exception):
    """Rows that name an event which the mutant has not."""


class Numbers(NamedTuple):
    """The numbers that events of the honest day have in a mutant."""

    ids: Mapping[str, str]
    seqs: Mapping[int, int]


@dataclass
class Template:
    """Rows of the honest day, and where in them numbers of events stand."""

    rows: Rows
    cells: Mapping[str, Sequence[tuple[int, Sequence[int]]]]  # row, and its columns

    def under(self, numbers: Numbers) -> Rows:
        """The rows under other numbers; Unlike where an event is missing."""
        found: Rows = {}
        try:
            for table, part in self.rows.items():
                rows = found[table] = list(part)
                for n, columns in self.cells.get(table, ()):
                    row = list(rows[n])
                    for column in columns:
                        row[column] = _renumbered(row[column], numbers)
                    rows[n] = tuple(row)
        except KeyError as missing:
            raise Unlike(str(missing)) from None
        return found


class KnownRound(NamedTuple):
    """A round of the honest day: what it began with, its rows, and what it left behind."""

    round: Round
    memory: Mapping[str, Any]
    template: Template
    after: Mapping[str, Any]


class Sealed(NamedTuple):
    """A mutant's events, and those of the honest day that some of them are."""

    raw: list[e.Event]  # as the log has them
    events: list[e.Event]  # as they can be reckoned with
    origin: Mapping[str, e.Event]  # event id to the honest day's event
    numbers: Numbers


@dataclass
class Known:
    """An honest day, taken apart for its mutants."""

    day: HonestDay
    contents: dict[Key, int] = field(default_factory=dict)  # what the order compares readings by
    events: dict[Key, e.Event] = field(default_factory=dict)
    copies: dict[str, tuple[str | None, Row, Sequence[tuple[str, Template]]]] = field(
        default_factory=dict
    )
    rounds: dict[str, KnownRound] = field(default_factory=dict)
    rows: Rows = field(default_factory=dict)  # of the honest day itself
    last: tuple[Sequence[e.Reading], Rows] | None = None  # what was derived last

    def derive(self, readings: Sequence[e.Reading]) -> Rows:
        """Everything that the replay derives of a mutant of the day."""
        if self.last and _same(self.last[0], readings):
            return self.last[1]
        found = _derive(self, readings)
        self.last = tuple(readings), found
        return found


def known(day: HonestDay) -> Known:
    """An honest day, derived whole and taken apart."""
    found = Known(day)
    for reading in day.readings:
        found.contents[_key(reading)] = _content(reading)
    sealed = _sealed(found, day.readings)
    folded, rounds, owner = _folded(sealed.events)
    ids = {event.event_id for event in sealed.events}
    for event in sealed.events:
        key = _key_of(event)
        if event.device_id == GATEWAY or event.event_id in folded.places or key in found.events:
            continue
        found.events[key] = event
        round_id = owner.get(event.event_id)
        row = event_rows.of_event(DAY, event, round_id, {})
        kinds = event_rows.of_kind(DAY, event, round_id, {})
        made = [(table, _template({table: [copy]}, {event.event_id})) for table, copy in kinds]
        found.copies[event.event_id] = (round_id, row, made)
    memory: dict[str, Any] = {}
    for round in rounds:
        before = dict(memory)
        rows, _ = of_round(judge_next(round, rulebooks.in_force, memory))
        after = dict(memory)
        if _can_be_renumbered(round, ids, (before, after)):
            found.rounds[round.round_id] = KnownRound(round, before, _template(rows, ids), after)
    found.rows = _derive(found, day.readings)
    return found


def differences(one: Rows, other: Rows) -> list[str]:
    """The tables in which two derivations differ, hashes aside."""
    return [
        table
        for table in dictionary()
        if _without_hashes(table, one.get(table, ()))
        != _without_hashes(table, other.get(table, ()))
    ]


def _derive(known: Known, readings: Sequence[e.Reading]) -> Rows:
    """As `rows.derive` does it."""
    sealed = _sealed(known, readings)
    events = sealed.events
    folded, rounds, owner = _folded(events)
    rows = _copied(known, sealed, owner, folded.places)
    rows["shoes"] = event_rows.shoes(DAY, events)
    memory: dict[str, Any] = {}
    for round in rounds:
        for table, part in _of_round(known, sealed, round, memory).items():
            rows.setdefault(table, []).extend(part)
    opened, closed = (_first_at(events, kind) for kind in (e.TableOpened, e.TableClosed))
    rows["confusions"] = folded.record().rows(TABLE, DAY)
    rows["table_days"] = [(TABLE, DAY, opened, closed, len(events), len(rounds), "", None)]
    return rows


def _of_round(known: Known, sealed: Sealed, round: Round, memory: dict[str, Any]) -> Rows:
    """The rows of a round; what it leaves for later ones goes into `memory`."""
    honest = known.rounds.get(round.round_id)
    if honest and memory == honest.memory and _is(round, honest.round, sealed):
        try:
            rows = honest.template.under(sealed.numbers)
        except Unlike:
            pass
        else:
            memory.clear()
            memory.update(honest.after)
            return rows
    rows, _ = of_round(judge_next(round, rulebooks.in_force, memory))
    return rows


def _is(round: Round, honest: Round, sealed: Sealed) -> bool:
    """Whether a round is one of the honest day but for the numbers of its events."""
    mine, theirs = (*round.before, *round.events), (*honest.before, *honest.events)
    origin = sealed.origin
    if len(mine) != len(theirs) or len(round.before) != len(honest.before) or round.moved:
        return False
    if any(origin.get(at.event_id) is not other for at, other in zip(mine, theirs, strict=True)):
        return False
    if len({at.seq - other.seq for at, other in zip(mine, theirs, strict=True)}) > 1:
        return False
    last = origin.get(round.last_event_before)
    if (last.event_id if last else "") != honest.last_event_before:
        return False
    return _bare(round) == _bare(honest)


def _bare(round: Round) -> Round:
    return replace(round, events=(), before=(), last_event_before="")


def _can_be_renumbered(round: Round, ids: set[str], memories: tuple[Any, ...]) -> bool:
    """Whether a round's rows say numbers of events only where a template finds them."""
    if round.moved or any(isinstance(at.payload, NAMES_EVENTS) for at in round.events):
        return False
    if any(isinstance(at.payload, NAMES_EVENTS) for at in round.before):
        return False
    return not any(name in repr(memories) for name in ids)


def _copied(
    known: Known, sealed: Sealed, owner: Mapping[str, str], places: Mapping[str, int]
) -> Rows:
    """As `rows_record.copied` does it."""
    found: Rows = {"events": []}
    for event in sealed.raw:
        round_id = owner.get(event.event_id)
        honest = sealed.origin.get(event.event_id)
        copy = known.copies.get(honest.event_id) if honest else None
        if copy is None or copy[0] != round_id or event.event_id in places:
            part = event_rows.copied(DAY, [(event, "")], owner, places)
            for table, rows in part.items():
                found.setdefault(table, []).extend(rows)
            continue
        _, row, kinds = copy
        numbers = (event.seq, event.seq, *row[5:8], event.device_seq)
        found["events"].append((event.event_id, *row[1:3], *numbers, *row[9:]))
        for table, template in kinds:
            found.setdefault(table, []).extend(template.under(sealed.numbers)[table])
    return found


def _sealed(known: Known, readings: Sequence[e.Reading]) -> Sealed:
    """The events that the gateway makes of readings, without the hashes of their chain."""
    door = _Door(known)
    for reading in readings:
        door.take(reading)
    origins = door.origins
    if len({id(honest) for honest in origins.values()}) < len(origins):
        origins = {}  # one was said twice in all its words: which is which nobody knows
    ids = {honest.event_id: event_id for event_id, honest in origins.items()}
    seqs = {honest.seq: door.seqs[event_id] for event_id, honest in origins.items()}
    events = [at if at.event_id in origins else bounds.bounded(at) for at in door.events]
    return Sealed(door.events, events, origins, Numbers(ids, seqs))


class _Door:
    """As the gateway's own table, with events in place of bytes."""

    def __init__(self, known: Known) -> None:
        self.events: list[e.Event] = []
        self.origins: dict[str, e.Event] = {}
        self.seqs: dict[str, int] = {}
        self._known, self._order, self._alarms = known, TableOrder(), 0

    def take(self, reading: e.Reading) -> None:
        """Let a reading join, with the alarms it raises before it."""
        key, event_id = _key(reading), event_chain.event_id(reading)
        content = self._known.contents.get(key)
        if content is None:
            reading = _read_again(reading)
            content = _content(reading)
        round_before = self._order.open_round
        said = SequencedReading(
            reading.device_id,
            reading.device_seq,
            reading.occurred_at,
            content,
            reading.payload,
            reading.round_id,
        )
        fate, alarms = self._order.take(said, event_id)
        assert reading.received_at is not None
        if fate is Fate.CONFLICT:
            alarms = (e.TwinConflicted(event_id, parse_reading.frame_reading(reading)),)
        for alarm in alarms:
            told = (GATEWAY, GATEWAY, self._alarms, reading.received_at, alarm)
            raised = e.Reading(TABLE, *told, 0, round_before, reading.received_at)
            self._alarms += 1
            self._add(raised, event_chain.event_id(raised), None)
        if fate is Fate.ACCEPTED:
            self._add(reading, event_id, self._known.events.get(key))

    def _add(self, reading: e.Reading, event_id: str, honest: e.Event | None) -> None:
        seq = len(self.events)
        if honest is not None:
            self.origins[event_id] = honest
            self.seqs[event_id] = seq
            if (honest.event_id, honest.seq) == (event_id, seq):
                self.events.append(honest)
                return
        assert reading.received_at is not None
        event = e.Event(
            event_id,
            TABLE,
            seq,
            reading.device_kind,
            reading.device_id,
            reading.device_seq,
            reading.occurred_at,
            reading.err_ms,
            reading.received_at,
            avro.FINGERPRINT,
            codec.NO_HASH,
            reading.payload,
            reading.round_id,
        )
        self.events.append(event)


def _folded(events: Sequence[e.Event]) -> tuple[Fold, list[Round], dict[str, str]]:
    folded = Fold(DAY)
    for event in events:
        folded.add(event)
    rounds = [folded.round(round_id) for round_id in folded.opened]
    owner = {event.event_id: round.round_id for round in rounds for event in round.events}
    return folded, rounds, owner


def _read_again(reading: e.Reading) -> e.Reading:
    """A reading as the log gives it back."""
    said = codec.encode_said(reading.payload, reading.round_id)
    payload, round_id = codec.decode_said(BytesIO(said))
    return replace(reading, payload=payload, round_id=round_id)


def _content(reading: e.Reading) -> int:
    said = codec.encode_said(reading.payload, reading.round_id)
    return order.content(reading.device_kind, reading.occurred_at, reading.err_ms, said)


def _key(reading: e.Reading) -> Key:
    """What a reading is known by as long as the honest day is there: its payload and its times."""
    return (
        id(reading.payload),
        reading.device_kind,
        reading.device_id,
        reading.occurred_at,
        reading.err_ms,
        reading.received_at,
        reading.round_id,
    )


def _key_of(event: e.Event) -> Key:
    said = (event.device_kind, event.device_id, event.occurred_at, event.err_ms)
    return (id(event.payload), *said, event.ingested_at, event.round_id)


def _template(rows: Rows, ids: set[str]) -> Template:
    cells = {}
    for table, part in rows.items():
        seqs = _SEQS[table]
        found = []
        for n, row in enumerate(part):
            columns = [
                column
                for column, value in enumerate(row)
                if (column in seqs and value is not None) or _names(value, ids)
            ]
            if columns:
                found.append((n, columns))
        cells[table] = found
    return Template(rows, cells)


def _names(value: Any, ids: set[str]) -> bool:
    """Whether a value is an event's id, or a list that has one."""
    if isinstance(value, str):
        return value in ids
    return isinstance(value, tuple | list) and any(each in ids for each in value)


def _renumbered(value: Any, numbers: Numbers) -> Any:
    if isinstance(value, str):
        return numbers.ids[value]
    if isinstance(value, int):
        return numbers.seqs[value]
    return type(value)(numbers.ids[each] if "/" in each else each for each in value)


def _first_at(events: Sequence[e.Event], kind: type[Any]) -> int | None:
    return next((event.occurred_at for event in events if isinstance(event.payload, kind)), None)


def _same(some: Sequence[e.Reading], others: Sequence[e.Reading]) -> bool:
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(one is other for one, other in pairs)


def _without_hashes(table: str, rows: Sequence[Row]) -> list[Row]:
    names = [column.name for column in dictionary()[table].stored]
    left_out = [names.index(name) for name in HASHES.get(table, ())]
    return [tuple(_plain(row, left_out)) for row in rows]


def _plain(row: Row, left_out: Sequence[int]) -> Iterator[Any]:
    for n, value in enumerate(row):
        if n not in left_out:
            yield tuple(value) if isinstance(value, list) else value


_SEQS = {
    table: frozenset(n for n, column in enumerate(page.stored) if column.name.endswith("seq"))
    for table, page in dictionary().items()
}
