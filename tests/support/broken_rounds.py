"""Honest rounds that are broken off, called void or added to: readings, findings, and the dues."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import attacker, days, house

SEED = "7/0"
A_SECOND = 1_000_000
TAIL = (e.TrayCounted, e.TableClosed)

Said = tuple[str, e.Payload]  # the kind of the device that says it, and what
Ends = Callable[[Mapping[str, tuple[int, int]]], list[e.Payload]]  # of the stakes and reserves


class Stage(NamedTuple):
    """A round up to a place, named for its last reading."""

    name: str
    readings: tuple[e.Reading, ...]  # of the whole day
    round_id: str

    @property
    def lying(self) -> dict[str, tuple[int, int]]:
        """The stake and the reserve of each wager that is not settled yet."""
        found: dict[str, tuple[int, int]] = {}
        main: dict[str, str] = {}  # of each box, in games with several bets on one
        for reading in self.readings:
            match reading.payload:
                case e.WagerPlaced() as placed if reading.round_id == self.round_id:
                    found[placed.wager_id] = placed.stake, placed.reserve
                    main.setdefault(placed.box, placed.wager_id)
                case e.DecisionMade(decision="double", box=box, amount=int(more)) if box in main:
                    found[main[box]] = found[main[box]][0] + more, 0
                case e.WagerSettled(wager_id=wager_id):
                    found.pop(wager_id, None)
        return found


BrokenRound = tuple[str, Stage, Sequence[e.Payload | Said]]  # a label, a stage, what follows it


class Outcome(NamedTuple):
    """What became of one such round."""

    label: str
    status: str
    outcomes: frozenset[str]
    flags: frozenset[str]
    findings: tuple[CheckFinding, ...]

    @property
    def accused(self) -> set[str]:
        """The checks of the first severity that are certain."""
        return {at.check_id for at in self.findings if at.severity == "S1" and at.certain}


def stages(code: str) -> list[Stage]:
    """The last round of an honest day, cut after the first and the last reading of each kind."""
    day = days.honest(code, SEED)
    round_id = day.rounds[-1]
    inside = [n for n, at in enumerate(day.readings) if at.round_id == round_id]
    found: dict[str, list[int]] = {}
    for n in range(inside[0], inside[-1] + 1):
        found.setdefault(type(day.readings[n].payload).__name__, []).append(n)
    cuts = sorted({(n, name) for name, places in found.items() for n in (places[0], places[-1])})
    return [Stage(name, day.readings[: n + 1], round_id) for n, name in cuts]


def told(stage: Stage, said: Sequence[e.Payload | Said]) -> tuple[e.Reading, ...]:
    """The day with more said in the round, a second apart, and then closed."""
    readings = list(stage.readings)
    for one in said:
        kind, payload = one if isinstance(one, tuple) else ("console", one)
        device = next(at for at in readings if at.device_kind == kind)
        named = stage.round_id if kind in ("console", "camera", "pit") else None
        readings.append(_later(replace(device, payload=payload, round_id=named), readings))
    day = days.honest(_code(readings), SEED)
    for reading in day.readings:
        if isinstance(reading.payload, TAIL) and reading not in readings:
            readings.append(_later(reading, readings))
    return tuple(attacker.numbered(attacker.balanced(readings)))


def outcomes(rounds: Sequence[BrokenRound]) -> Iterator[Outcome]:
    """What the house says of each of these rounds."""
    derived = {
        f"M{n:07d}": house.derive(told(stage, said)) for n, (_, stage, said) in enumerate(rounds)
    }
    found = house.detect(derived)
    for (label, stage, _), (name, rows) in zip(rounds, derived.items(), strict=True):
        round_id = stage.round_id
        (round,) = (at for at in _of(rows, "rounds") if at["round_id"] == round_id)
        yield Outcome(
            label,
            round["status"],
            frozenset(at["outcome"] for at in _of(rows, "dues") if at["round_id"] == round_id),
            frozenset(at["code"] for at in _of(rows, "flags") if at["round_id"] == round_id),
            tuple(found.get(name, ())),
        )


def refunds(lying: Mapping[str, tuple[int, int]]) -> list[e.Payload]:
    """Every stake and every reserve goes back."""
    return [e.WagerSettled(at, 0, returned=stake + kept) for at, (stake, kept) in lying.items()]


def one_kept(lying: Mapping[str, tuple[int, int]]) -> list[e.Payload]:
    """All but the first go back, which the house keeps."""
    first, *rest = lying
    stake, kept = lying[first]
    taken = e.WagerSettled(first, 0, collected=stake, returned=kept)
    return [taken, *refunds({at: lying[at] for at in rest})]


def wins(lying: Mapping[str, tuple[int, int]]) -> list[e.Payload]:
    """Every wager is paid seven times its stake, which hardly any bet pays."""
    return [
        e.WagerSettled(at, 7 * stake, returned=stake + kept) for at, (stake, kept) in lying.items()
    ]


def _later(reading: e.Reading, before: Sequence[e.Reading]) -> e.Reading:
    received = before[-1].received_at
    assert received is not None
    time = received + A_SECOND
    return replace(reading, received_at=time, occurred_at=time - 20_000, device_seq=0)


def _code(readings: Sequence[e.Reading]) -> str:
    return next(at.payload.game for at in readings if isinstance(at.payload, e.TermsPosted))


def _of(rows: Rows, table: str) -> list[Mapping[str, Any]]:
    return attacker.named(table, rows)
