"""The order: a device's own sequence says what is new, doubled, missing or late.

No clock and no disk in here. What it knows of a table can be told to it again from the log, so a
device may send everything a second time after a crash: nothing doubles and no alarm is raised.
"""

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from schemas import events as e

GATEWAY = "gateway"  # the device that raises the alarms, and its kind
ALARMS = (e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped)
MOST_BEHIND = 2**31 - 1
FIRST = 1  # a device counts its readings from 1; one that counts from 0 is at its first as well


class SequencedReading(NamedTuple):
    """What the order needs to know of a reading, or of an event that one became."""

    device_id: str
    device_seq: int
    occurred_at: int
    content: int  # see `content`
    payload: e.Payload | None  # None where it is known to be nothing the order watches
    round_id: str | None


class Fate(Enum):
    """What becomes of a reading."""

    ACCEPTED = "accepted"
    TWIN = "twin"  # said before in the same words: dropped
    CONFLICT = "conflict"  # said before in other words: kept inside an alarm
    FORGOTTEN = "forgotten"  # from before a trim: whether it was said can no longer be told


class OrderVerdict(NamedTuple):
    """A reading's fate, and the alarms that go before it."""

    fate: Fate
    alarms: tuple[e.Payload, ...] = ()


class OrderMemory(NamedTuple):
    """What is known of a table without its events: each device's last sequence and its clock."""

    devices: Mapping[str, tuple[int, int]]
    open_round: str | None


NOTHING = OrderMemory({}, None)


class TableOrder:
    """What the devices of one table have said so far."""

    def __init__(self, memory: OrderMemory = NOTHING) -> None:
        self.open_round: str | None = memory.open_round
        self._devices = {
            device: _Device(last, clock, floor=last)
            for device, (last, clock) in memory.devices.items()
        }
        self._conflicts: set[tuple[str, int, int]] = set()
        self._unanswered: set[e.Payload] = set()

    def take(self, said: SequencedReading, event_id: str) -> OrderVerdict:
        """The verdict on a reading; from now on it counts as said."""
        device = self._devices.get(said.device_id)
        if device is None:
            self._note(said, self._met(said))
            return OrderVerdict(Fate.ACCEPTED, self._news(_before_first(said)))
        known = device.content(said.device_seq)
        if known is not None:
            return OrderVerdict(self._twin_or_conflict(known, said))
        if said.device_seq <= device.floor:
            return OrderVerdict(Fate.FORGOTTEN)
        alarms = self._news(_alarms(said, device, event_id))
        self._note(said, device)
        return OrderVerdict(Fate.ACCEPTED, alarms)

    def memory(self) -> OrderMemory:
        """What must be known of a table when its events so far are gone."""
        known = {name: (each.last, each.clock) for name, each in sorted(self._devices.items())}
        return OrderMemory(known, self.open_round)

    def recall(self, said: SequencedReading) -> None:
        """A reading that the log holds already."""
        self._unanswered.clear()
        self._note(said, self._devices.get(said.device_id) or self._met(said))

    def recall_alarm(self, alarm: e.Payload) -> None:
        """An alarm that the log holds already.

        It goes before its reading. One at the very end of the log stands alone only where a crash
        came between the two, and then it must not be raised again.
        """
        self._unanswered.add(alarm)

    def recall_conflict(self, twin: SequencedReading) -> None:
        """The second of two readings under one id, which the log holds already."""
        self._conflicts.add((twin.device_id, twin.device_seq, twin.content))

    def _met(self, said: SequencedReading) -> "_Device":
        device = self._devices[said.device_id] = _Device(said.device_seq, said.occurred_at)
        return device

    def _note(self, said: SequencedReading, device: "_Device") -> None:
        late = said.device_seq < device.last
        device.add(said.device_seq, said.content)
        if not late:
            device.last, device.clock = said.device_seq, said.occurred_at
        if isinstance(said.payload, e.RoundOpened) and not late:
            self.open_round = said.round_id
        if isinstance(said.payload, e.RoundClosed) and said.round_id in (None, self.open_round):
            self.open_round = None

    def _twin_or_conflict(self, known: int, said: SequencedReading) -> Fate:
        key = said.device_id, said.device_seq, said.content
        if known == said.content or key in self._conflicts:
            return Fate.TWIN
        self._conflicts.add(key)
        return Fate.CONFLICT

    def _news(self, alarms: tuple[e.Payload, ...]) -> tuple[e.Payload, ...]:
        return tuple(alarm for alarm in alarms if self._is_news(alarm))

    def _is_news(self, alarm: e.Payload) -> bool:
        if alarm not in self._unanswered:
            return True
        self._unanswered.remove(alarm)
        return False


class _Device:
    """A device's sequences in runs without a gap, eight bytes for each."""

    def __init__(self, first: int, clock: int, floor: int = -1) -> None:
        self.last, self.clock, self.floor = first, clock, floor
        self._starts: list[int] = []
        self._runs: list[array[int]] = []

    def content(self, seq: int) -> int | None:
        """What was said under a sequence; None where nothing was."""
        at = bisect_right(self._starts, seq) - 1
        if at < 0:
            return None
        place = seq - self._starts[at]
        return self._runs[at][place] if place < len(self._runs[at]) else None

    def add(self, seq: int, content: int) -> None:
        """Keep what was said under a sequence that was not known before."""
        at = bisect_right(self._starts, seq) - 1
        if at >= 0 and seq - self._starts[at] == len(self._runs[at]):
            self._runs[at].append(content)
        else:
            self._starts.insert(at + 1, seq)
            self._runs.insert(at + 1, array("Q", (content,)))


def content(device_kind: str, occurred_at: int, err_ms: int, said: bytes) -> int:
    """Eight bytes that differ where two readings under one id differ."""
    told = f"{device_kind}\n{occurred_at}\n{err_ms}\n".encode() + said
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")


def _before_first(said: SequencedReading) -> tuple[e.Payload, ...]:
    """What is missing before the first reading that we have of a device."""
    if said.device_seq <= FIRST:
        return ()
    return (e.GapFound(said.device_id, FIRST, said.device_seq),)


def _alarms(said: SequencedReading, device: _Device, event_id: str) -> tuple[e.Payload, ...]:
    if said.device_seq < device.last:
        behind = min(device.last - said.device_seq, MOST_BEHIND)
        return (e.LateArrived(event_id, behind),)
    found: list[e.Payload] = []
    due = device.last + 1
    if said.device_seq > due:
        found.append(e.GapFound(said.device_id, due, said.device_seq))
    if said.occurred_at < device.clock:
        found.append(e.ClockStepped(said.device_id, back_ms(device.clock, said.occurred_at)))
    return tuple(found)


def back_ms(before: int, now: int) -> int:
    """The milliseconds by which a clock ran back; any step is at least one."""
    return min(-((now - before) // 1_000), MOST_BEHIND)
