"""Puts a table's events into the order in which they happened, as far as anybody can tell.

Within one device its own numbers decide, across devices the arrival does. A reading that came late
goes back to where it belongs:

    number  It came after a reading of its own device with a higher number, so it goes before that
            one. Where its own clock says the opposite beyond its error bound, number and clock
            contradict each other (the device restarted its count, or kept a number back), and it
            stays where it arrived.
    clock   It took longer to arrive than its device's readings take, so it goes before what
            certainly happened later: by the clocks as they stand, and also by the time each
            device's readings usually take, which a wrong clock cannot change.

Nothing else moves, and no reading moves before the one that its device made before it. Decision
record 0011 says why.
"""

from bisect import bisect_left, insort
from collections import deque
from dataclasses import replace

from schemas import events as e

# Events of the table rather than of a round, and the gateway's own: they stay where they arrived.
STAYS = (
    e.TableOpened, e.TableClosed, e.TermsPosted, e.StaffCameOn, e.StaffWentOff, e.SeatTaken,
    e.SeatLeft, e.ShoeLoaded, e.ShoeRemoved, e.CardsShuffled, e.RoundOpened, e.TrayCounted,
    e.DeviceBeat, e.DeviceMoved, e.CorrectionMade,
    e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped,
)  # fmt: skip


RECENT = 64  # readings of a device that tell how long its readings take; older ones may mislead


class EventOrder:
    """A table-day's events in their order; it takes them in as they arrive."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}  # of events whose place is not that of their arrival
        self._events: list[e.Event] = []
        self._owners: list[str | None] = []
        self._devices: dict[str, _DeviceTimes] = {}

    def __len__(self) -> int:
        return len(self._events)

    def find(self, event: e.Event) -> int:
        """The index at which an event belongs; the number of events so far unless it is late."""
        device = self._device(event)
        end = len(self._events)
        before, after = device.neighbours(event)
        delayed = device.delays(event)
        device.add(event)
        if isinstance(event.payload, STAYS) or (after is None and not delayed):
            return end
        index = end if after is None else self._index(after, end)
        return self._earlier(event, before, index) if delayed else index

    def came_late(self, event: e.Event) -> bool:
        """Whether a reading of its device with a higher number came first, and its clock agrees."""
        return self._device(event).neighbours(event)[1] is not None

    def overtaken(self, event: e.Event) -> set[str | None]:
        """The rounds whose readings came before an event and happened after it; None is no round.

        Call it before `find`. How long the readings of a new device take nobody knows yet, so for
        its first event the clocks as they stand decide.
        """
        device = self._device(event)
        _, after = device.neighbours(event)
        rounds: set[str | None] = set()
        if after is not None:
            rounds.update(self._owners[self._index(after, len(self._events)) :])
        if device.delays(event) or not device.known:
            rounds |= self._later(event, len(self._events))
        return rounds

    def overtaken_since(self, event: e.Event) -> set[str | None]:
        """The same for an event that has its place, by what its device has sent since."""
        return self._later(event, self._index(event, len(self._events)))

    def held_before(self, event: e.Event) -> e.Event | None:
        """The first reading of its device that was delayed, as this one shows; call after `find`.

        Only one that took less time than all before shows that: until then the device's readings
        seemed to take as long as they did.
        """
        device = self._device(event)
        return device.first_held_back(event) if device.quickened else None

    def owner(self, event: e.Event) -> str | None:
        """The round that an event counts to."""
        return self._owners[self._index(event, len(self._events))]

    def add(self, index: int, event: e.Event, owner: str | None) -> None:
        """Put an event of a round, or of none, at its index."""
        later = self._events[index:]
        if later:
            places = [self._place(other) for other in later]
            if owner is not None and set(self._owners[index:]) == {owner}:
                moved = zip((event, *later), (*places, event.seq), strict=True)
            else:  # events of other rounds keep their places: this one shares that of the next
                moved = zip((event,), places[:1], strict=True)
            self.places.update((other.event_id, place) for other, place in moved)
        self._events.insert(index, event)
        self._owners.insert(index, owner)

    def placed(self, event: e.Event) -> e.Event:
        """An event with its place in the table's order."""
        place = self._place(event)
        return event if place == event.seq else replace(event, seq=place)

    def round_before(self, index: int) -> str | None:
        """The round that was open before an index."""
        if index == 0 or isinstance(self._events[index - 1].payload, e.RoundClosed):
            return None
        return self._owners[index - 1]

    def follows(self, index: int, round_id: str | None) -> e.Event | None:
        """The first event of a round from an index on; None where there is none."""
        for event, owner in zip(self._events[index:], self._owners[index:], strict=True):
            if owner == round_id:
                return event
        return None

    def _device(self, event: e.Event) -> "_DeviceTimes":
        return self._devices.setdefault(event.device_id, _DeviceTimes())

    def _place(self, event: e.Event) -> int:
        return self.places.get(event.event_id, event.seq)

    def _index(self, event: e.Event, end: int) -> int:
        while end and self._events[end - 1] is not event:
            end -= 1
        return end - 1

    def _later(self, event: e.Event, index: int) -> set[str | None]:
        """The rounds of readings before an index that certainly happened after an event."""
        rounds = set[str | None]()
        while index:
            index -= 1
            other = self._events[index]
            if self._sooner(other, event):
                break
            if self._sooner(event, other):
                rounds.add(self._owners[index])
        return rounds

    def _earlier(self, event: e.Event, before: e.Event | None, index: int) -> int:
        """The first index of what happened later, but after the device's reading before."""
        earliest = index
        while index:
            index -= 1
            other = self._events[index]
            opens = isinstance(other.payload, e.RoundOpened) and other.round_id == event.round_id
            if other is before or opens or self._sooner(other, event):
                break
            if self._sooner(event, other):
                earliest = index
        return earliest

    def _sooner(self, first: e.Event, second: e.Event) -> bool:
        """Whether the first certainly happened before the second, even if a clock is wrong."""
        if first.device_id == second.device_id:
            return False
        bounds_us = (first.err_ms + second.err_ms) * 1_000
        apart_us = second.occurred_at - first.occurred_at
        usual_us = (
            self._devices[second.device_id].usual_us - self._devices[first.device_id].usual_us
        )
        return apart_us > bounds_us and apart_us + usual_us > bounds_us


def held_back(event: e.Event, since: e.Event) -> bool:
    """Whether a later reading of the same device shows that this one was delayed.

    The later one took less time to arrive, beyond the error bounds, and arrived soon after: by
    their device's clock the two are at least twice as far apart as by their arrival. The second
    condition matters because a clock that somebody corrects makes all readings before look slow.
    """
    apart = since.occurred_at - event.occurred_at
    arrived = since.ingested_at - event.ingested_at
    return apart - arrived > (event.err_ms + since.err_ms) * 1_000 and apart >= 2 * arrived


class _DeviceTimes:
    """The readings of one device so far."""

    def __init__(self) -> None:
        self.quickened = False  # whether the last reading took less time than all before
        self.usual_us = 0  # its shortest time to arrive, which includes how far its clock is off
        self._times_us: deque[int] = deque(maxlen=RECENT)
        self._last: e.Event | None = None
        self._numbers: list[int] = []
        self._events: dict[int, e.Event] = {}

    @property
    def known(self) -> bool:
        """Whether it has sent anything so far."""
        return self._last is not None

    def neighbours(self, event: e.Event) -> tuple[e.Event | None, e.Event | None]:
        """The readings before and after one by number; the one after only if the clock agrees."""
        index = bisect_left(self._numbers, event.device_seq)
        before = self._events[self._numbers[index - 1]] if index else None
        after = self._events[self._numbers[index]] if index < len(self._numbers) else None
        if after is None or after.device_seq == event.device_seq:
            return before, None
        fits = before is not None or after.device_seq == event.device_seq + 1
        bounds = (event.err_ms + after.err_ms) * 1_000
        return before, after if fits and event.occurred_at - after.occurred_at <= bounds else None

    def delays(self, event: e.Event) -> bool:
        """Whether a reading took longer than its device's readings take, beyond its error bound."""
        return bool(self._times_us) and _took_us(event) > self.usual_us + event.err_ms * 1_000

    def first_held_back(self, since: e.Event) -> e.Event | None:
        """The first of its readings that was delayed, as a later one shows."""
        before = (self._events[number] for number in self._numbers)
        return next((event for event in before if held_back(event, since)), None)

    def add(self, event: e.Event) -> None:
        """Take in a reading."""
        stepped = (
            self._last is not None
            and event.device_seq > self._last.device_seq
            and event.occurred_at < self._last.occurred_at
        )
        if stepped:
            self._times_us.clear()
        took_us = _took_us(event)
        self.quickened = bool(self._times_us) and took_us + event.err_ms * 1_000 < self.usual_us
        self._times_us.append(took_us)
        self.usual_us = min(self._times_us)
        if self._last is None or event.device_seq > self._last.device_seq:
            self._last = event
        if event.device_seq not in self._events:
            insort(self._numbers, event.device_seq)
            self._events[event.device_seq] = event


def _took_us(event: e.Event) -> int:
    return event.ingested_at - event.occurred_at
