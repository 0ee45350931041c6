"""A round as a script: what each device will see, at which true time. Faults rewrite it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from schemas import events as e

P = TypeVar("P", bound=e.Payload)

# Devices that are told which round is on; the others only see their own part of the table.
KNOW_THE_ROUND = frozenset({"console", "camera", "wheel"})

# What is put between two acts stands this far from its neighbour: further than readings can
# overtake one another on their way in, nearer than any two acts of an honest round.
BESIDE_MS = 80


@dataclass(slots=True, eq=False)
class Act:
    """One thing a device sees, and what becomes of its reading on the way."""

    at: int  # true time, UTC microseconds
    device: str  # kind of device
    payload: e.Payload
    round_id: str | None = None
    lost: bool = False  # the reading never arrives
    late_us: int = 0  # the reading arrives so much later
    clock_us: int = 0  # the device's clock is off by so much more
    twin: e.Payload | None = None  # a second reading under the same number
    corrects: "Act | None" = None  # for a correction: what it corrects
    event_id: str = ""  # known once the device numbered it


class Script:
    """The acts of one round, or of the pause before it, in the order of their true times."""

    def __init__(self, table_id: str, round_id: str | None, clock: int, rng: Random) -> None:
        self.table_id, self.round_id = table_id, round_id
        self.clock, self.rng = clock, rng
        self.acts: list[Act] = []

    def say(self, device: str, payload: e.Payload, low_ms: int = 200, high_ms: int = 400) -> Act:
        """The next act, some time after the one before."""
        wait = low_ms * 1_000 + int(self.rng.random() * (high_ms - low_ms) * 1_000)
        self.clock += wait
        act = Act(self.clock, device, payload, self._known_by(device))
        self.acts.append(act)
        return act

    def each(self, kind: type[P]) -> Iterator[tuple[Act, P]]:
        """Every act of a kind, with its payload."""
        for act in self.acts:
            if isinstance(act.payload, kind):
                yield act, act.payload

    def first(self, kind: type[P]) -> tuple[Act, P]:
        """The first act of a kind."""
        return next(self.each(kind))

    def has(self, kind: type[P]) -> bool:
        """Whether there is an act of a kind."""
        return any(True for _ in self.each(kind))

    def insert(self, beside: Act, device: str, payload: e.Payload, ms: int = BESIDE_MS) -> Act:
        """A further act so long after another, or before it where the time is negative."""
        act = Act(beside.at + ms * 1_000, device, payload, self._known_by(device))
        self.acts.append(act)
        self.sort()
        return act

    def drop(self, act: Act) -> None:
        """Take an act out: it never happened."""
        self.acts.remove(act)

    def sort(self) -> None:
        """Put the acts back in the order of their times."""
        self.acts.sort(key=lambda act: act.at)
        self.clock = max(self.clock, self.acts[-1].at)

    def _known_by(self, device: str) -> str | None:
        return self.round_id if device in KNOW_THE_ROUND else None
