"""The table's events in the order in which they happened, as far as anybody can tell.

Within one device its own numbers decide, across devices arrival does. A reading that came late is
put back where it belongs:

    number  It came after a reading of its own device with a higher number, so it goes before that
            one. Where its own clock says the opposite beyond its error bound, number and clock
            contradict each other (a device that counts anew, a number that was held back), and it
            stays where it arrived.
    clock   It took longer on its way than its device's readings take, so it goes before what
            happened later for certain: by the clocks as they stand, and by the time each device's
            readings usually take, which a wrong clock cannot change.

Nothing else moves, and nothing moves before the reading that its device made before it. Decision
record 0011 says why.
"""

from bisect import bisect_left, insort
from collections import deque
from dataclasses import replace

from schemas import events as e

# What stands at the table and not in a round, and what the gateway says: it stays where it came.
STAYS = (
    e.TableOpened, e.TableClosed, e.TermsPosted, e.StaffCameOn, e.StaffWentOff, e.SeatTaken,
    e.SeatLeft, e.ShoeLoaded, e.ShoeRemoved, e.CardsShuffled, e.RoundOpened, e.TrayCounted,
    e.DeviceBeat, e.DeviceMoved, e.CorrectionMade,
    e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped,
)  # fmt: skip


RECENT = 64  # readings of a device that say how long its readings take; a clock may drift


class Line:
    """A table-day's events in their order, taken in as they arrive."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}  # of events whose place is not that of their arrival
        self._events: list[e.Event] = []
        self._owners: list[str | None] = []
        self._devices: dict[str, _Device] = {}

    def __len__(self) -> int:
        return len(self._events)

    def find(self, event: e.Event) -> int:
        """The index at which an event belongs; the number of events so far where it is no late."""
        device = self._device(event)
        end = len(self._events)
        before, after = device.neighbours(event)
        held = device.held(event)
        device.add(event)
        if isinstance(event.payload, STAYS) or (after is None and not held):
            return end
        at = end if after is None else self._index(after, end)
        return self._earlier(event, before, at) if held else at

    def came_late(self, event: e.Event) -> bool:
        """Whether a reading of its device with a higher number came first, and its clock agrees."""
        return self._device(event).neighbours(event)[1] is not None

    def overtaken(self, event: e.Event) -> set[str | None]:
        """The rounds of readings that came before an event and happened after it; None is none.

        To be asked before the event is found a place. Of a device that has said nothing so far
        nobody knows how long its readings take, and the clocks as they stand decide.
        """
        device = self._device(event)
        _, after = device.neighbours(event)
        found: set[str | None] = set()
        if after is not None:
            found.update(self._owners[self._index(after, len(self._events)) :])
        if device.held(event) or not device.spoke:
            found |= self._later(event, len(self._events))
        return found

    def overtaken_since(self, event: e.Event) -> set[str | None]:
        """The same of an event that has its place, by what its device has said since."""
        return self._later(event, self._index(event, len(self._events)))

    def add(self, at: int, event: e.Event, owner: str | None) -> None:
        """Put an event of a round, or of none, at its index."""
        later = self._events[at:]
        if later:
            places = [self._place(one) for one in later]
            if owner is not None and set(self._owners[at:]) == {owner}:
                moved = zip((event, *later), (*places, event.seq), strict=True)
            else:  # nothing of another round changes: the two share one place
                moved = zip((event,), places[:1], strict=True)
            self.places.update((one.event_id, place) for one, place in moved)
        self._events.insert(at, event)
        self._owners.insert(at, owner)

    def placed(self, event: e.Event) -> e.Event:
        """An event with its place in the table's order."""
        place = self._place(event)
        return event if place == event.seq else replace(event, seq=place)

    def round_before(self, at: int) -> str | None:
        """The round that was open before an index."""
        if at == 0 or isinstance(self._events[at - 1].payload, e.RoundClosed):
            return None
        return self._owners[at - 1]

    def follows(self, at: int, owner: str | None) -> e.Event | None:
        """The first event of a round from an index on; None where there is none."""
        for event, of in zip(self._events[at:], self._owners[at:], strict=True):
            if of == owner:
                return event
        return None

    def _device(self, event: e.Event) -> "_Device":
        return self._devices.setdefault(event.device_id, _Device())

    def _place(self, event: e.Event) -> int:
        return self.places.get(event.event_id, event.seq)

    def _index(self, event: e.Event, end: int) -> int:
        while end and self._events[end - 1] is not event:
            end -= 1
        return end - 1

    def _later(self, event: e.Event, at: int) -> set[str | None]:
        """The rounds of readings before an index that happened after an event for certain."""
        found = set[str | None]()
        while at:
            at -= 1
            other = self._events[at]
            if self._sooner(other, event):
                break
            if self._sooner(event, other):
                found.add(self._owners[at])
        return found

    def _earlier(self, event: e.Event, before: e.Event | None, at: int) -> int:
        """The first index, not before the device's reading before, of what happened later."""
        found = at
        while at:
            at -= 1
            other = self._events[at]
            opens = isinstance(other.payload, e.RoundOpened) and other.round_id == event.round_id
            if other is before or opens or self._sooner(other, event):
                break
            if self._sooner(event, other):
                found = at
        return found

    def _sooner(self, one: e.Event, other: e.Event) -> bool:
        """Whether one thing happened before another for certain, whatever is wrong with a clock."""
        if one.device_id == other.device_id:
            return False
        bounds = (one.err_ms + other.err_ms) * 1_000
        apart = other.occurred_at - one.occurred_at
        usual = self._devices[other.device_id].usual - self._devices[one.device_id].usual
        return apart > bounds and apart + usual > bounds


def held_back(event: e.Event, since: e.Event) -> bool:
    """Whether a reading was held on its way, by a later one of its device.

    The later one took less time on its way, beyond the error bounds, and came soon: the two lie
    further apart by their device's clock than by their arrival, twice as far or more. A clock that
    was put right once makes all readings before look slow, but those from long ago came long ago.
    """
    apart = since.occurred_at - event.occurred_at
    arrived = since.ingested_at - event.ingested_at
    return apart - arrived > (event.err_ms + since.err_ms) * 1_000 and apart >= 2 * arrived


class _Device:
    """What one device has said so far."""

    def __init__(self) -> None:
        self.usual = 0  # the shortest time on the way, and how far its clock is off, microseconds
        self._ways: deque[int] = deque(maxlen=RECENT)
        self._last: e.Event | None = None
        self._numbers: list[int] = []
        self._events: dict[int, e.Event] = {}

    @property
    def spoke(self) -> bool:
        """Whether it has said anything so far."""
        return self._last is not None

    def neighbours(self, event: e.Event) -> tuple[e.Event | None, e.Event | None]:
        """The readings before and after one by its number; after it only where its clock agrees."""
        at = bisect_left(self._numbers, event.device_seq)
        before = self._events[self._numbers[at - 1]] if at else None
        after = self._events[self._numbers[at]] if at < len(self._numbers) else None
        if after is None or after.device_seq == event.device_seq:
            return before, None
        fits = before is not None or after.device_seq == event.device_seq + 1
        bounds = (event.err_ms + after.err_ms) * 1_000
        return before, after if fits and event.occurred_at - after.occurred_at <= bounds else None

    def held(self, event: e.Event) -> bool:
        """Whether a reading took longer than its device's readings take, beyond its error bound."""
        return bool(self._ways) and _way(event) > self.usual + event.err_ms * 1_000

    def add(self, event: e.Event) -> None:
        """Take in a reading."""
        stepped = (
            self._last is not None
            and event.device_seq > self._last.device_seq
            and event.occurred_at < self._last.occurred_at
        )
        if stepped:
            self._ways.clear()
        self._ways.append(_way(event))
        self.usual = min(self._ways)
        if self._last is None or event.device_seq > self._last.device_seq:
            self._last = event
        if event.device_seq not in self._events:
            insort(self._numbers, event.device_seq)
            self._events[event.device_seq] = event


def _way(event: e.Event) -> int:
    return event.ingested_at - event.occurred_at
