"""One mutant: an honest day changed in one way or two, made again from its three words."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from replay.simulate.chance import stream
from schemas import events as e
from tests.mutants import attacker, days, house, reuse
from tests.mutants.draft import Draft, Mutation
from tests.mutants.mutations import MUTATIONS

A_DAY = 40  # mutants of one honest day
TWICE = 0.15  # mutants that are changed in two ways
TRIES = 30

# What holds from its place on: terms, people, seats and the cards in play.
STANDING = (
    e.TermsPosted, e.StaffCameOn, e.StaffWentOff, e.SeatTaken, e.SeatLeft, e.ShoeLoaded,
    e.ShoeRemoved, e.CardsShuffled, e.CardsBurned, e.ColourChipsIssued,
)  # fmt: skip
Said = tuple[object, ...]  # a reading's device, round, payload and time

# How far the attacker goes: settlements stay as they were, or fit what the changed record makes
# due; in both cases numbers, clocks and tray counts fit. In a raw one nothing is made to fit.
WAYS, CHANCES = ("kept", "fitted", "raw"), (45, 45, 10)


class Mutant(NamedTuple):
    """A changed day and what was done to it."""

    code: str
    seed: str
    number: int
    mutation: str  # kind of change
    way: str  # kept, fitted or raw; carried where only the way in changed
    did: tuple[str, ...]
    readings: tuple[e.Reading, ...]
    refused: tuple[str, ...]  # why the door did not take a reading
    late: frozenset[str]  # wagers touched after the honest day's no more bets
    innocent: bool = False  # whether any honest device may say the same

    @property
    def name(self) -> str:
        """What makes it again."""
        return f"{self.code} {self.seed} {self.number}"

    @property
    def kind(self) -> str:
        """What it is counted under."""
        return f"{self.mutation}/{self.way}"

    @property
    def table_id(self) -> str:
        """Its table in the house."""
        return f"M{self.number:07d}"

    @property
    def changed(self) -> frozenset[str]:
        """The rounds in which anything was said or stands otherwise; "" is between them."""
        counted, rounds = self.way == "raw", self.honest.rounds
        before, now = _by_round(self.honest.readings, counted), _by_round(self.readings, counted)
        found = {at for at in before.keys() | now.keys() if before.get(at) != now.get(at)}
        for name in sorted(found):
            if _stays(before.get(name, []), now.get(name, [])):
                found.update(rounds[rounds.index(name) if name in rounds else 0 :])
        return frozenset(found)

    def reached(self, changed: frozenset[str]) -> frozenset[str]:
        """The rounds that a change can concern: from the first changed one on."""
        rounds = self.honest.rounds
        if self.way == "carried" or "" in changed or not changed <= set(rounds):
            return frozenset(rounds)
        first = min((rounds.index(at) for at in changed), default=0)
        return frozenset(rounds[first:])

    @property
    def honest(self) -> days.HonestDay:
        """The day it was made of."""
        return self.known.day

    @property
    def known(self) -> reuse.Known:
        """The same, taken apart."""
        return day_of(self.code, self.seed, self.number)


def day_of(code: str, seed: str, number: int) -> reuse.Known:
    """The honest day that a mutant is made of."""
    return known(code, f"{seed}/{number // A_DAY}")


def mutant(code: str, seed: str, number: int) -> Mutant:
    """The mutant of a game, a seed and a number."""
    day = day_of(code, seed, number)
    rng = stream("mutant", code, seed, number)
    for _ in range(TRIES):
        draft = Draft(day.day, rng, list(day.day.readings))
        first = rng.choices(MUTATIONS, [at.weight for at in MUTATIONS])[0]
        if first.carrier:
            if first.mutate(draft):
                return _made(draft, (code, seed, number), (first,), "carried")
            continue
        kinds = [first]
        if rng.random() < TWICE:
            kinds.append(rng.choice([at for at in MUTATIONS if not at.carrier]))
        way = rng.choices(WAYS, CHANCES)[0]
        if all(kind.mutate(draft) for kind in kinds):
            return _made(draft, (code, seed, number), tuple(kinds), way)
    raise AssertionError(f"{code} {seed} {number}: nothing to mutate in {TRIES} tries")


@lru_cache(maxsize=48)  # more than a house is made of
def known(code: str, seed: str) -> reuse.Known:
    """What is known of an honest day and holds for its mutants too."""
    return reuse.known(days.honest(code, seed))


def _made(
    draft: Draft, name: tuple[str, str, int], kinds: tuple[Mutation, ...], way: str
) -> Mutant:
    readings = draft.readings
    known = {(id(reading.payload), reading.device_kind) for reading in draft.day.readings}
    why = {}
    for n, reading in enumerate(readings):
        if (id(reading.payload), reading.device_kind) not in known:
            refused = house.refused(reading)
            if refused:
                why[n] = refused
    readings = [reading for n, reading in enumerate(readings) if n not in why]
    if way == "raw":
        readings = _with_numbers(readings)
    elif way in ("kept", "fitted"):
        readings = attacker.numbered(attacker.balanced(readings))
    if way == "fitted":
        readings = _fitted(day_of(*name), readings)
    mutation = kinds[0].name if len(kinds) == 1 else "two changes"
    return Mutant(
        *name,
        mutation,
        way,
        tuple(draft.did),
        tuple(readings),
        tuple(why.values()),
        frozenset(draft.late),
        draft.innocent and way != "raw",
    )


def _fitted(day: reuse.Known, readings: list[e.Reading]) -> list[e.Reading]:
    """Settled as the replay says; as they are where it breaks, which the verdict tells."""
    try:
        rows = day.derive(readings)
    except Exception:
        return readings
    return attacker.numbered(attacker.balanced(attacker.fitted(readings, rows)))


def _by_round(readings: Sequence[e.Reading], counted: bool) -> dict[str, list[Said]]:
    """What is said in each round or about it, with its time; what the tray holds where asked."""
    found: dict[str, list[Said]] = {}
    current = ""
    for at in readings:
        if isinstance(at.payload, e.RoundOpened):
            current = at.round_id or ""
        tray = isinstance(at.payload, e.TrayCounted) and not counted
        said = (at.device_kind, at.round_id, "tray" if tray else at.payload, at.occurred_at)
        for name in {current, at.round_id or current}:
            found.setdefault(name, []).append(said)
        if isinstance(at.payload, e.RoundClosed):
            current = ""
    return found


def _stays(before: list[Said], now: list[Said]) -> bool:
    """Whether any of the difference holds for later rounds too."""
    other = [at for at in before if at not in now] + [at for at in now if at not in before]
    return any(isinstance(said[2], STANDING) for said in other)


def _with_numbers(readings: list[e.Reading]) -> list[e.Reading]:
    """What was put in gets numbers that its devices have not used."""
    last: dict[str, int] = {}
    for reading in readings:
        last[reading.device_id] = max(last.get(reading.device_id, 0), reading.device_seq)
    found = []
    for reading in readings:
        if reading.device_seq == 0:
            last[reading.device_id] += 1
            reading = replace(reading, device_seq=last[reading.device_id])  # noqa: PLW2901
        found.append(reading)
    return found
