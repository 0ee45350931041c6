"""The order of readings: a device's sequence numbers show what is new, repeated, missing or late.

This module uses no clock and no disk. The gateway can rebuild its state from the log, so a device
may send everything again after a crash: nothing is stored twice and no alarm is raised twice.
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
    """What the order needs of a reading, or of the event that the reading became."""

    device_id: str
    device_seq: int
    occurred_at: int
    content: int  # see `content`
    payload: e.Payload | None  # None for kinds that the order does not need
    round_id: str | None


class Fate(Enum):
    """What the gateway does with a reading."""

    ACCEPTED = "accepted"
    TWIN = "twin"  # the same reading again: dropped
    CONFLICT = "conflict"  # the same number with another content: kept inside an alarm
    FORGOTTEN = "forgotten"  # older than the last trim: nobody can tell whether it was stored


class OrderVerdict(NamedTuple):
    """The fate of a reading, and the alarms to store before it."""

    fate: Fate
    alarms: tuple[e.Payload, ...] = ()


class OrderMemory(NamedTuple):
    """What the order keeps when events are trimmed: each device's last sequence and time."""

    devices: Mapping[str, tuple[int, int]]
    open_round: str | None


NOTHING = OrderMemory({}, None)


class TableOrder:
    """What the devices of one table have sent so far."""

    def __init__(self, memory: OrderMemory = NOTHING) -> None:
        self.open_round: str | None = memory.open_round
        self._devices = {
            device: _Device(last, clock, floor=last)
            for device, (last, clock) in memory.devices.items()
        }
        self._conflicts: set[tuple[str, int, int]] = set()
        self._unanswered: set[e.Payload] = set()

    def take(self, said: SequencedReading, event_id: str) -> OrderVerdict:
        """Judge a reading; from now on the order knows it."""
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
        """What to keep of the table when a trim removes its events."""
        known = {name: (each.last, each.clock) for name, each in sorted(self._devices.items())}
        return OrderMemory(known, self.open_round)

    def recall(self, said: SequencedReading) -> None:
        """Learn a reading that the log already holds."""
        self._unanswered.clear()
        self._note(said, self._devices.get(said.device_id) or self._met(said))

    def recall_alarm(self, alarm: e.Payload) -> None:
        """Learn an alarm that the log already holds.

        The gateway stores an alarm before its reading. If a crash came between the two, the alarm
        is the last record of the log, and `take` must not raise it again.
        """
        self._unanswered.add(alarm)

    def recall_conflict(self, twin: SequencedReading) -> None:
        """Learn a conflicting reading that the log already holds inside an alarm."""
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
    """The contents by sequence number, in runs without a gap; eight bytes a reading."""

    def __init__(self, first: int, clock: int, floor: int = -1) -> None:
        self.last, self.clock, self.floor = first, clock, floor
        self._starts: list[int] = []
        self._runs: list[array[int]] = []

    def content(self, seq: int) -> int | None:
        """The content under a sequence number; None where there is none."""
        at = bisect_right(self._starts, seq) - 1
        if at < 0:
            return None
        place = seq - self._starts[at]
        return self._runs[at][place] if place < len(self._runs[at]) else None

    def add(self, seq: int, content: int) -> None:
        """Keep the content of a sequence number that is new."""
        at = bisect_right(self._starts, seq) - 1
        if at >= 0 and seq - self._starts[at] == len(self._runs[at]):
            self._runs[at].append(content)
        else:
            self._starts.insert(at + 1, seq)
            self._runs.insert(at + 1, array("Q", (content,)))


def content(device_kind: str, occurred_at: int, err_ms: int, said: bytes) -> int:
    """A 64-bit hash of a reading; two readings under one id differ in it where they differ."""
    told = f"{device_kind}\n{occurred_at}\n{err_ms}\n".encode() + said
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")


def _before_first(said: SequencedReading) -> tuple[e.Payload, ...]:
    """A gap alarm where a device's first reading here is not its first one."""
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
    """The milliseconds by which a clock was set back, rounded up."""
    return min(-((now - before) // 1_000), MOST_BEHIND)
