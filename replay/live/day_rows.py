"""Keeps the rows of a live table-day that its checks read beyond single rounds.

These are device beats, alarms, payments, tray counts, and readings that came late. From the events
alone it also says when those checks have something new to look at.
"""

from collections.abc import Container, Mapping

from ingest.order import ALARMS
from replay.tables import event_rows
from replay.tables.rows import Row, Rows
from schemas import events as e

KINDS = (*ALARMS, e.DeviceBeat, e.TermsPosted, e.TrayCounted, e.WagerSettled)
MOST_OFF_MS = 1_000  # check INT-04 reports a clock that is further off


class Daylong:
    """The rows of a table-day that checks of the whole day read."""

    def __init__(self, day: str) -> None:
        self.alarmed = False  # the checks have something new to read; the caller resets it
        self._day = day
        self._places: Mapping[str, int] = {}  # of events that were moved in the table's order
        self._rows: Rows = {}
        self._events: dict[str, Row] = {}  # by their ids
        self._counts: list[tuple[str | None, Row]] = []  # of the tray, each with its round
        self._awaited: set[str] = set()  # ids of late readings that an alarm announced
        self._beats: dict[str, e.Event] = {}  # the last of each device
        self._latest: tuple[e.Event, str | None] | None = None

    def add(self, event: e.Event, round_id: str | None, places: Mapping[str, int]) -> None:
        """Take in the next event, which counts to a round or to none."""
        self._places = places
        payload = event.payload
        if self._latest is None or event.occurred_at >= self._latest[0].occurred_at:
            self._latest = event, round_id
        late = event.event_id in self._awaited
        if late or isinstance(payload, (*ALARMS, e.DeviceBeat)):
            row = event_rows.of_event(self._day, event, round_id, places)
            self._events[event.event_id] = row
        if isinstance(payload, KINDS):
            self._copy(event, round_id)
        self.alarmed |= late or isinstance(payload, ALARMS) or self._beats_oddly(event)
        if isinstance(payload, e.LateArrived):
            self._awaited.add(payload.late_id)

    def settled(self, round_id: str) -> None:
        """Note that a round was judged: the checks can read a tray count in it."""
        self.alarmed |= any(owner == round_id for owner, _ in self._counts)

    @property
    def silent(self) -> bool:
        """Whether a device has sent nothing for more than two of its intervals."""
        if self._latest is None:
            return False
        until = self._latest[0].occurred_at
        return any(until - beat.occurred_at > _bound_us(beat) for beat in self._beats.values())

    def rows(self, settled: Container[str]) -> Rows:
        """The rows so far; a tray count is among them once its round is settled."""
        events = dict(self._events)
        if self._latest is not None:
            event, round_id = self._latest
            row = event_rows.of_event(self._day, event, round_id, self._places)
            events.setdefault(event.event_id, row)
        counts = [row for owner, row in self._counts if owner is None or owner in settled]
        return {**self._rows, "events": list(events.values()), "tray_counts": counts}

    def _copy(self, event: e.Event, round_id: str | None) -> None:
        for table, row in event_rows.of_kind(self._day, event, round_id, self._places):
            if table == "tray_counts":
                self._counts.append((round_id, row))
                self.alarmed |= round_id is None
            else:
                self._rows.setdefault(table, []).append(row)

    def _beats_oddly(self, event: e.Event) -> bool:
        """Whether a beat came after a silence, or reports a clock that is off."""
        beat = event.payload
        if not isinstance(beat, e.DeviceBeat):
            return False
        before = self._beats.get(event.device_id, event)
        if event.occurred_at >= before.occurred_at:
            self._beats[event.device_id] = event
        off = beat.offset_ms is not None and abs(beat.offset_ms) > MOST_OFF_MS
        return off or event.occurred_at - before.occurred_at > _bound_us(before)


def _bound_us(event: e.Event) -> int:
    """How long after a beat its device may be silent (check INT-05)."""
    beat = event.payload
    assert isinstance(beat, e.DeviceBeat)
    return (2 * beat.interval_s + 1) * 1_000_000
