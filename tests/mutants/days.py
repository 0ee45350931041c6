"""Honest table-days to mutate, and payloads of every kind that a game's tables can say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from replay import rulebooks
from replay.simulate import plan
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from schemas import events as e

DAY = "2026-03-01"
TABLE = "MUTANT"  # every honest day's table; a mutant gets a name of its own in the house
ROUNDS = 3  # of an honest day: one before, the mutated one, one after
CODES = tuple(sorted(edition.code for edition in rulebooks.editions()))
PAYTABLES = {"TB": ("", "non_commission"), "SA-SB": ("", "conventional")}


class HonestDay(NamedTuple):
    """A table-day without a fault, in order of arrival."""

    code: str
    readings: tuple[e.Reading, ...]
    rounds: tuple[str, ...]


class Sample(NamedTuple):
    """A payload that some device of the game's tables said, and that device."""

    kind: str
    payload: e.Payload


@lru_cache(maxsize=64)
def honest(code: str, seed: str) -> HonestDay:
    """An honest day of a game."""
    signs = PAYTABLES.get(code, ("",))
    setup = TableSetup(TABLE, code, signs[sum(seed.encode()) % len(signs)])
    readings = tuple(SeededHouse(DayRequest(seed, (setup,), ROUNDS, DAY)).readings())
    rounds = dict.fromkeys(at.round_id for at in readings if at.round_id is not None)
    return HonestDay(code, readings, tuple(rounds))


@cache
def samples(code: str) -> Mapping[str, Sequence[Sample]]:
    """What tables of a game say in honest days and in days with every fault, by payload type."""
    found: dict[str, dict[str, Sample]] = {}
    for reading in _spoken(code):
        name = type(reading.payload).__name__
        sample = Sample(reading.device_kind, reading.payload)
        found.setdefault(name, {}).setdefault(repr(sample), sample)
    return {name: tuple(each.values()) for name, each in sorted(found.items())}


@cache
def values(code: str) -> Mapping[tuple[str, str], Sequence[Any]]:
    """Every value that a field of a payload type takes in those days."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, each in samples(code).items():
        for sample in each:
            for field in fields(sample.payload):
                value = getattr(sample.payload, field.name)
                found.setdefault((name, field.name), {}).setdefault(repr(value), value)
    return {key: tuple(each.values()) for key, each in found.items()}


@cache
def early_bets(code: str) -> frozenset[str]:
    """Kinds of bets that honest tables take before no more bets and never after."""
    early, late = set[str](), set[str]()
    for n in range(8):
        closed = set[str | None]()
        for reading in honest(code, f"bets/{n}").readings:
            match reading.payload:
                case e.BettingClosed():
                    closed.add(reading.round_id)
                case e.WagerPlaced(bet=bet):
                    (late if reading.round_id in closed else early).add(bet.partition(":")[0])
    return frozenset(early - late)


def renamed(value: Any, old: str, new: str) -> Any:
    """A value with one name in place of another, in every text that holds it."""
    if isinstance(value, str):
        return value.replace(old, new) if old in value else value
    if isinstance(value, tuple):
        return tuple(renamed(part, old, new) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for name in _names(type(value)):
            before = getattr(value, name)
            if not isinstance(before, int | float | None):
                after = renamed(before, old, new)
                if after is not before:
                    changed[name] = after
        return replace(value, **changed) if changed else value
    return value


def _spoken(code: str) -> Iterator[e.Reading]:
    for n in range(4):
        yield from honest(code, f"samples/{n}").readings
    house = SeededHouse(DayRequest("samples", plan.table_setups(f"{TABLE}:{code}"), 260, DAY, None))
    yield from house.readings()


@cache
def _names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))
