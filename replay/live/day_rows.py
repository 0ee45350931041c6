"""What of a table-day matters beyond its rounds: kept as the events come, small enough to be asked.

Beats, alarms, payments, counts of the tray, and readings that came late. Whether something came
that is worth a look is told from the events alone.
"""

from collections.abc import Container, Mapping

from replay.tables import event_rows
from replay.tables.round_rows import Row, Rows
from schemas import events as e

ALARMS = (e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped)
KINDS = (*ALARMS, e.DeviceBeat, e.TermsPosted, e.TrayCounted, e.WagerSettled)
MOST_OFF_MS = 1_000  # a clock that is further off is told of (check INT-04)


class Daylong:
    """Rows that outlast their rounds."""

    def __init__(self, day: str) -> None:
        self.alarmed = False  # something came since; whoever looks sets it back
        self._day = day
        self._places: Mapping[str, int] = {}  # of events that are not where they arrived
        self._rows: Rows = {}
        self._events: dict[str, Row] = {}  # by their ids
        self._counts: list[tuple[str | None, Row]] = []  # of the tray, each with its round
        self._awaited: set[str] = set()  # ids of readings that an alarm announced
        self._beats: dict[str, e.Event] = {}  # the last of each device
        self._latest: tuple[e.Event, str | None, str] | None = None

    def add(
        self, event: e.Event, round_id: str | None, sha256: str, places: Mapping[str, int]
    ) -> None:
        """Take in the next event, which counts to a round or to none."""
        self._places = places
        payload = event.payload
        if self._latest is None or event.occurred_at >= self._latest[0].occurred_at:
            self._latest = event, round_id, sha256
        late = event.event_id in self._awaited
        if late or isinstance(payload, (*ALARMS, e.DeviceBeat)):
            row = event_rows.of_event(self._day, event, round_id, sha256, places)
            self._events[event.event_id] = row
        if isinstance(payload, KINDS):
            self._copy(event, round_id)
        self.alarmed |= late or isinstance(payload, ALARMS) or self._beats_oddly(event)
        if isinstance(payload, e.LateArrived):
            self._awaited.add(payload.late_id)

    def settled(self, round_id: str) -> None:
        """A round was judged: a count of the tray in it can be looked at."""
        self.alarmed |= any(owner == round_id for owner, _ in self._counts)

    @property
    def silent(self) -> bool:
        """Whether a device has not been heard of for more than two of its intervals."""
        if self._latest is None:
            return False
        until = self._latest[0].occurred_at
        return any(until - beat.occurred_at > _bound_us(beat) for beat in self._beats.values())

    def rows(self, settled: Container[str]) -> Rows:
        """The rows so far; a tray is looked at once the round of its count is among the settled."""
        events = dict(self._events)
        if self._latest is not None:
            event, round_id, sha256 = self._latest
            row = event_rows.of_event(self._day, event, round_id, sha256, self._places)
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
        """Whether a beat came after a silence, or its clock is off."""
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
