"""Simulated days for tests: readings, the events they become, and what the rules say of them."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from replay import rulebooks
from replay.judge import Judgement, judge_day
from replay.rounds import Round, fold
from replay.simulate import DayRequest, SeededHouse, plan
from replay.simulate.faults.fault import Truth
from schemas import events as e

DAY = "2026-03-01"


class Played(NamedTuple):
    """A day that was played."""

    readings: tuple[e.Reading, ...]
    truth: tuple[Truth, ...]

    def of(self, table_id: str) -> list[e.Reading]:
        """The readings of one table."""
        return [reading for reading in self.readings if reading.table_id == table_id]


@cache
def played(tables: str, rounds: int, faults: str = "", seed: str = "7") -> Played:
    """A day of these tables, with faults such as `PAY-01 BET-01=2`, or all."""
    wanted = plan.fault_counts(faults.split(), "none") if faults != "all" else None
    house = SeededHouse(DayRequest(seed, plan.table_setups(tables), rounds, DAY, wanted))
    return Played(tuple(house.readings()), house.truth)


def events(readings: Iterable[e.Reading]) -> list[e.Event]:
    """The events that readings become where the gateway has nothing to remark."""
    return [
        e.Event(
            f"{at.table_id}/{at.device_id}/{at.device_seq}",
            at.table_id,
            seq,
            at.device_kind,
            at.device_id,
            at.device_seq,
            at.occurred_at,
            at.err_ms,
            at.received_at or 0,
            "",
            bytes(32),
            at.payload,
            at.round_id,
        )
        for seq, at in enumerate(readings)
    ]


def rounds(readings: Sequence[e.Reading]) -> list[Round]:
    """The rounds of one table's day."""
    return list(fold(DAY, events(readings)))


def judged(readings: Sequence[e.Reading]) -> dict[str, Judgement]:
    """What the rules say of each round of one table's day."""
    found = judge_day(rounds(readings), rulebooks.in_force)
    return {at.round.round_id: at for at in found}
