"""Rows that copy the record: each event, and the events of one kind side by side."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from replay.tables.rows import Row, Rows
from schemas import bounds
from schemas import events as e

DISTURBANCES = (e.CameraDisturbed, e.SpinDisturbed)
OF_SHOES = (e.ShoeLoaded, e.CardsBurned, e.ShoeRemoved)


def rows(
    day: str,
    sealed: Sequence[tuple[e.Event, str]],
    owner: Mapping[str, str],
    places: Mapping[str, int],
) -> Rows:
    """Every table that copies events.

    `owner` says which round an event counts to, `places` which ones are not where they arrived.
    """
    found = copied(day, sealed, owner, places)
    of_shoes = (event for event, _ in sealed if isinstance(event.payload, OF_SHOES))
    found["shoes"] = shoes(day, map(bounds.bounded, of_shoes))
    return found


def copied(
    day: str,
    sealed: Sequence[tuple[e.Event, str]],
    owner: Mapping[str, str],
    places: Mapping[str, int],
) -> Rows:
    """The tables whose rows are made of one event each."""
    found: Rows = {"events": []}
    for recorded, _ in sealed:
        event, round_id = bounds.bounded(recorded), owner.get(recorded.event_id)
        found["events"].append(of_event(day, event, round_id, places))
        for table, row in of_kind(day, event, round_id, places):
            found.setdefault(table, []).append(row)
        if event is not recorded:
            found.setdefault("excesses", []).extend(_excesses(day, recorded, round_id))
    return found


def of_kind(day: str, event: e.Event, round_id: str | None, places: Mapping[str, int]) -> "Copies":
    """The rows of a bounded event of its kind, each with its table; most kinds have none."""
    copy = COPIED.get(type(event.payload))
    if copy is None:
        return ()
    if event.event_id in places:
        event = replace(event, seq=places[event.event_id])
    return () if bounds.is_unusable(event.payload) else copy(event, day, round_id)


def of_event(day: str, event: e.Event, round_id: str | None, places: Mapping[str, int]) -> Row:
    """The row that every event has, from the bounded event: whose it is, and its times."""
    return (
        event.event_id,
        event.table_id,
        day,
        places.get(event.event_id, event.seq),
        event.seq,
        type(event.payload).__name__,
        event.device_kind,
        event.device_id,
        event.device_seq,
        round_id,
        event.occurred_at,
        event.err_ms,
        event.ingested_at,
        event.schema,
        getattr(event.payload, "wager_id", None),
        event.payload.kind if isinstance(event.payload, DISTURBANCES) else None,
    )


Copies = Iterable[tuple[str, Row]]
Copy = Callable[[e.Event, str, str | None], Copies]


def _excesses(day: str, event: e.Event, round_id: str | None) -> Iterator[Row]:
    """The numbers of a recorded event that are beyond their bounds."""
    keys = (event.event_id, event.table_id, day, round_id, event.seq)
    for excess in bounds.of_event(event):
        name = f"{type(event.payload).__name__}.{excess.field}"
        yield (*keys, name, excess.expected, f"{excess.found:,}")


def _stake_reading(event: e.Event, day: str, round_id: str | None) -> Copies:
    read = event.payload
    assert isinstance(read, e.StakeRead)
    keys = (event.event_id, round_id, event.table_id, day, read.wager_id)
    times = (event.seq, event.occurred_at, event.err_ms)
    return [("stake_readings", (*keys, *times, read.amount, read.change))]


def _payment(event: e.Event, day: str, round_id: str | None) -> Copies:
    paid = event.payload
    assert isinstance(paid, e.WagerSettled)
    keys = (event.event_id, paid.wager_id, round_id, event.table_id, day)
    place = (event.seq, event.occurred_at)
    amounts = (paid.paid, paid.commission, paid.collected, paid.reserve_taken, paid.returned)
    return [("payments", (*keys, *place, *amounts))]


def _irregularity(event: e.Event, _day: str, round_id: str | None) -> Copies:
    said = event.payload
    assert isinstance(said, e.IrregularityReported)
    keys = (event.event_id, round_id, event.table_id, event.seq, event.occurred_at)
    return [("irregularities", (*keys, said.kind, said.clause, said.subject, said.note))]


def _ruling(event: e.Event, _day: str, round_id: str | None) -> Copies:
    made = event.payload
    assert isinstance(made, e.RulingMade)
    keys = (event.event_id, round_id, event.table_id, event.seq, event.occurred_at)
    who = (made.rank, made.person_id, made.subject, made.value)
    return [("rulings", (*keys, made.clause, made.decision, *who))]


def _terms(event: e.Event, day: str, round_id: str | None) -> Copies:
    posted = event.payload
    assert isinstance(posted, e.TermsPosted)
    keys = (event.event_id, event.table_id, day, event.seq, event.occurred_at, round_id)
    words = (posted.game, posted.edition, posted.paytable, posted.currency)
    limits = [
        ("limits", (event.table_id, day, event.seq, limit.bet, limit.minimum, limit.maximum))
        for limit in sorted(posted.limits, key=lambda limit: limit.bet)
    ]
    return [("terms", (*keys, *words, posted.differential, posted.decks)), *limits]


def _beat(event: e.Event, day: str, _round_id: str | None) -> Copies:
    beat = event.payload
    assert isinstance(beat, e.DeviceBeat)
    keys = (event.event_id, event.table_id, day, event.device_id, event.device_kind)
    times = (event.seq, event.occurred_at)
    return [("beats", (*keys, *times, beat.interval_s, beat.offset_ms, beat.state))]


def _alarm(event: e.Event, day: str, round_id: str | None) -> Copies:
    keys = (event.event_id, event.table_id, day, round_id, event.seq, event.ingested_at)
    return [("alarms", (*keys, type(event.payload).__name__, *_alarmed(event.payload)))]


def _alarmed(payload: e.Payload) -> Row:
    """The device, the event it is about, what was due, what came."""
    match payload:
        case e.GapFound(gap_device=device, expected=expected, found=found):
            return device, "", expected, found
        case e.ClockStepped(clock_device=device, step_ms=step_ms):
            return device, "", None, step_ms
        case e.LateArrived(late_id=late_id, behind=behind):
            _, device, seq = late_id.rsplit("/", maxsplit=2)
            return device, late_id, int(seq) + behind, int(seq)
        case e.TwinConflicted(twin_of=twin_of):
            _, device, seq = twin_of.rsplit("/", maxsplit=2)
            return device, twin_of, None, int(seq)
    raise AssertionError(f"{type(payload).__name__} is no alarm")


def _correction(event: e.Event, _day: str, round_id: str | None) -> Copies:
    made = event.payload
    assert isinstance(made, e.CorrectionMade)
    keys = (event.event_id, event.table_id, round_id, made.event_id, made.author, made.rank)
    return [("corrections", (*keys, made.reason, made.claimed_at, event.ingested_at))]


def _tray_count(event: e.Event, day: str, round_id: str | None) -> Copies:
    counted = event.payload
    assert isinstance(counted, e.TrayCounted)
    keys = (event.event_id, event.table_id, day, round_id, event.seq, event.occurred_at)
    return [("tray_counts", (*keys, counted.amount))]


def _device_move(event: e.Event, day: str, _round_id: str | None) -> Copies:
    moved = event.payload
    assert isinstance(moved, e.DeviceMoved)
    keys = (event.event_id, event.table_id, day, event.seq, event.occurred_at, event.err_ms)
    return [("device_moves", (*keys, moved.moved_id, moved.to_table))]


def shoes(day: str, events: Iterable[e.Event]) -> list[Row]:
    """A row for each loading, with the first burn and the removal that came after it."""
    found: list[Row] = []
    for event in events:
        match event.payload:
            case e.ShoeLoaded() as load:
                keys = (load.shoe_id, event.table_id, day, event.seq, event.occurred_at)
                found.append((*keys, load.decks, load.shuffled, *(None,) * 6))
            case e.CardsBurned() as burn if found and found[-1][9] is None:
                found[-1] = (
                    *found[-1][:7],
                    burn.first_card,
                    burn.count,
                    event.seq,
                    *found[-1][10:],
                )
            case e.ShoeRemoved() as removed if found:
                found[-1] = (*found[-1][:10], removed.reason, event.seq, removed.cards_left)
    return found


COPIED: Mapping[type[Any], Copy] = {
    e.StakeRead: _stake_reading,
    e.WagerSettled: _payment,
    e.IrregularityReported: _irregularity,
    e.RulingMade: _ruling,
    e.TermsPosted: _terms,
    e.DeviceBeat: _beat,
    e.GapFound: _alarm,
    e.TwinConflicted: _alarm,
    e.LateArrived: _alarm,
    e.ClockStepped: _alarm,
    e.CorrectionMade: _correction,
    e.TrayCounted: _tray_count,
    e.DeviceMoved: _device_move,
}
