"""A day that is being changed, and what a mutation of it is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from schemas import events as e
from tests.mutants import days
from tests.mutants.days import HonestDay

# Of the gateway and of the frame of the day; a table without them is no table-day.
SPARED = (e.TableOpened, e.TableClosed, e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped)
MONEY = (e.WagerPlaced, e.WagerChanged, e.WagerWithdrawn)


@dataclass
class Draft:
    """A day that is being changed."""

    day: HonestDay
    rng: Random
    readings: list[e.Reading]
    did: list[str] = field(default_factory=list)  # what was done, in words
    late: set[str] = field(default_factory=set)  # wagers made, changed or taken back after the call
    slips: int = 0  # changes that happen to honest devices now and then

    @property
    def innocent(self) -> bool:
        """Whether every change is one that happens to honest devices."""
        return self.slips == len(self.did)

    def pick(self, kinds: tuple[type[Any], ...] = (object,)) -> int | None:
        """The place of a reading; rare kinds as often as common ones."""
        places: dict[str, list[int]] = {}
        for n, reading in enumerate(self.readings):
            if isinstance(reading.payload, kinds) and not isinstance(reading.payload, SPARED):
                places.setdefault(type(reading.payload).__name__, []).append(n)
        if not places:
            return None
        return self.rng.choice(places[self.rng.choice(sorted(places))])

    def round_at(self, n: int) -> str | None:
        """The round that is open at a place; None between rounds."""
        rounds = self.rounds()
        return rounds[n] if n < len(rounds) else None

    def rounds(self) -> list[str | None]:
        """The round that is open at each place."""
        found: list[str | None] = []
        current: str | None = None
        for reading in self.readings:
            if isinstance(reading.payload, e.RoundOpened):
                current = reading.round_id
            found.append(current)
            if isinstance(reading.payload, e.RoundClosed):
                current = None
        return found

    def span(self) -> tuple[str, range]:
        """A round with wagers where there is one, and its places; one further for what follows."""
        staked = {at.round_id for at in self.readings if isinstance(at.payload, e.WagerPlaced)}
        rounds = [name for name in self.day.rounds if name in staked] or list(self.day.rounds)
        name = self.rng.choice(rounds)
        inside = [n for n, at in enumerate(self.readings) if at.round_id == name]
        if not inside:
            return name, range(1, len(self.readings))
        return name, range(inside[0] + 1, min(inside[-1] + 2, len(self.readings)))

    def put(self, n: int, reading: e.Reading) -> e.Reading:
        """A reading at a place, at a time between its neighbours'."""
        before = self.readings[max(0, n - 1)]
        after = self.readings[n] if n < len(self.readings) else before
        assert before.received_at is not None
        assert after.received_at is not None
        received = (before.received_at + after.received_at) // 2
        true = before.occurred_at if before.device_id == reading.device_id else received - 20_000
        placed = replace(reading, received_at=received, occurred_at=max(true, received - 20_000))
        self.readings.insert(n, placed)
        return placed

    def any_place(self) -> int:
        """A place of the day behind the opening of its table, in a round or between two."""
        return self.rng.randrange(1, len(self.readings))

    def device(self, kind: str) -> tuple[str, str, int]:
        """The table's device of a kind: its kind, its id and its error bound."""
        for reading in self.readings:
            if reading.device_kind == kind:
                return kind, reading.device_id, reading.err_ms
        return kind, f"{kind}-{days.TABLE}", 60

    def is_late(self, n: int, round_id: str | None) -> bool:
        """Whether a place comes after the honest day's no more bets in a round."""
        closed = (
            at
            for at in self.day.readings
            if at.round_id == round_id and isinstance(at.payload, e.BettingClosed)
        )
        call = next(closed, None)
        arrived = self.readings[min(n, len(self.readings) - 1)].received_at or 0
        return call is not None and arrived > (call.received_at or 0)

    def note_late(self, n: int, reading: e.Reading) -> None:
        """Take note of a wager touched after the honest day's call."""
        if isinstance(reading.payload, MONEY) and self.is_late(n, reading.round_id):
            early = days.early_bets(self.day.code)
            bet = self.bet_of(reading.payload)
            if bet.partition(":")[0] in early:
                self.late.add(reading.payload.wager_id)

    def bet_of(self, payload: e.WagerPlaced | e.WagerChanged | e.WagerWithdrawn) -> str:
        """The bet that a wager was placed on."""
        if isinstance(payload, e.WagerPlaced):
            return payload.bet
        for reading in self.day.readings:
            placed = reading.payload
            if isinstance(placed, e.WagerPlaced) and placed.wager_id == payload.wager_id:
                return placed.bet
        return ""


Mutate = Callable[[Draft], bool]  # whether there was anything to change


class Mutation(NamedTuple):
    """A named way to change a day."""

    name: str
    mutate: Mutate
    carrier: bool = False  # whether only the way of readings to the gateway changes
    weight: int = 1


def called(reading: e.Reading) -> str:
    return type(reading.payload).__name__


def where(draft: Draft, n: int, reading: e.Reading) -> str:
    """Whether a place comes before or after the honest day's no more bets."""
    name = draft.round_at(n) or reading.round_id
    if draft.round_at(n) is None:
        return " after the close"
    return " after the call" if draft.is_late(n, name) else " before the call"


def moved(reading: e.Reading, to: e.Reading) -> int:
    """The time that a device would have given had it spoken when another did."""
    return reading.occurred_at + (to.received_at or 0) - (reading.received_at or 0)
