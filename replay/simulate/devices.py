"""The devices of a table: each with its own clock, its own numbers, its own way to the gateway."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from replay.simulate.script import Act, Script
from schemas import events as e

BEAT_S = 300

# Error bound of each kind's clock in milliseconds; true offsets stay within a third of it.
ERR_MS = {
    "console": 60, "chips": 60, "pit": 900, "shoe": 30, "camera": 40, "wheel": 30, "shaker": 30,
}  # fmt: skip

LATENCY_US = (8_000, 32_000)  # added on the way in: at least, and at most so much more
JITTER_US = 1_000


@dataclass(slots=True)
class Device:
    """One device: how far its clock is off, and how many readings it has numbered."""

    kind: str
    device_id: str
    offset_us: int
    seq: int = 0
    beat_at: int = 0
    silent_until: int = 0


class TableDevices:
    """Every device of one table."""

    def __init__(self, table_id: str, kinds: tuple[str, ...], rng: Random) -> None:
        self.table_id, self.rng = table_id, rng
        self.devices = {kind: _device(table_id, kind, rng) for kind in kinds}
        self.on_the_way: list[e.Reading] = []

    def send(self, acts: Iterable[Act]) -> None:
        """Number and time what the devices saw, and send it off."""
        for act in acts:
            self.on_the_way += self._stamp(act)
        self.on_the_way.sort(key=_received_at)

    def arrived(self, by: int | None) -> list[e.Reading]:
        """What has come in by then and was not given out yet; everything where no time is given."""
        way = self.on_the_way
        count = len(way) if by is None else bisect_right(way, by, key=_received_at)
        self.on_the_way = way[count:]
        return way[:count]

    def beat(self, pause: Script) -> None:
        """Let every device whose time has come say that it is alive."""
        for device in self.devices.values():
            due = max(device.beat_at, device.silent_until)
            if pause.clock >= due:
                beat = e.DeviceBeat(BEAT_S, device.offset_us // 1_000)
                device.beat_at = pause.say(device.kind, beat).at + BEAT_S * 1_000_000

    def _stamp(self, act: Act) -> tuple[e.Reading, ...]:
        """The readings of an act as they come in: none where it is lost, two with a twin."""
        device = self.devices[act.device]
        device.seq += 1
        act.event_id = f"{self.table_id}/{device.device_id}/{device.seq}"
        if act.lost:
            return ()
        chance = self.rng.random()
        low, spread = LATENCY_US
        reading = e.Reading(
            self.table_id,
            device.kind,
            device.device_id,
            device.seq,
            act.at + device.offset_us + int(chance * JITTER_US) + act.clock_us,
            _payload(act),
            ERR_MS[device.kind],
            act.round_id,
            act.at + low + int(chance * spread) + act.late_us,
        )
        if act.twin is None:
            return (reading,)
        assert reading.received_at is not None
        return reading, replace(reading, payload=act.twin, received_at=reading.received_at + 1_000)


def _device(table_id: str, kind: str, rng: Random) -> Device:
    reach = ERR_MS[kind] * 1_000 // 3
    return Device(kind, f"{kind}-{table_id}", int((2 * rng.random() - 1) * reach))


def _received_at(reading: e.Reading) -> int:
    assert reading.received_at is not None
    return reading.received_at


def _payload(act: Act) -> e.Payload:
    if act.corrects is not None:
        assert isinstance(act.payload, e.CorrectionMade)
        return replace(act.payload, event_id=act.corrects.event_id)
    return act.payload
