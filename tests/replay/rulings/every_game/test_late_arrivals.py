"""Each reading of an honest round comes late, in every game: nobody is convicted for that.

Only the order of arrival changes. The device's own number, or clocks that are certain, prove that
the reading is early: status, outcome and dues are those of the undisturbed day.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.replay.rulings.every_game.test_bets_at_every_place import day_round, with_bets
from tests.support.days_of_games import NamedDay, judged

pytestmark = pytest.mark.slow

AFTER_MS = 50  # so long after the device's next reading the late one comes in
BY_MS = 20_000  # or so long after its own time
OF_DUES = ("wager_id", "bet", "stake", "outcome", "paid", "collected", "returned", "reserve_taken")


@pytest.mark.parametrize("code", days.CODES)
def test_a_reading_that_comes_late_changes_nothing_and_convicts_nobody(code: str) -> None:
    late = judged(_late_readings)[code]
    honest = _judgement(house.derive(with_bets(code)))
    accused = {
        name: [(at.check_id, at.subject) for at in day.found if _convicts(at)]
        for name, day in late.items()
    }

    assert len(late) > 20
    assert [name for name, day in late.items() if _judgement(day.rows) != honest] == []
    assert {name: told for name, told in accused.items() if told} == {}


def _late_readings(code: str) -> Iterator[NamedDay]:
    return _late(with_bets(code))


def _convicts(finding: CheckFinding) -> bool:
    return finding.severity == "S1" and finding.certain


def _late(day: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    """The day with each reading of its second round late, by name: what it is and where it was."""
    name = day_round(day)
    inside = [n for n, at in enumerate(day) if at.round_id == name]
    for n in range(inside[0] + 1, inside[-1] + 1):
        reading = day[n]
        own = [at for at in day[n + 1 :] if at.device_id == reading.device_id]
        called = f"{type(reading.payload).__name__}{n:04d}"
        if own:
            yield f"{called}N", _arriving(day, n, (own[0].received_at or 0) + AFTER_MS * 1_000)
        yield f"{called}C", _arriving(day, n, (reading.received_at or 0) + BY_MS * 1_000)


def _arriving(day: Sequence[e.Reading], n: int, received_at: int) -> list[e.Reading]:
    late = [*day[:n], replace(day[n], received_at=received_at), *day[n + 1 :]]
    return sorted(late, key=lambda at: at.received_at or 0)


def _judgement(rows: Rows) -> Any:
    """Status, outcome and dues of every round."""
    rounds = [
        (at["round_id"], at["status"], at["outcome"]) for at in attacker.named("rounds", rows)
    ]
    dues = [tuple(at[name] for name in OF_DUES) for at in attacker.named("dues", rows)]
    return sorted(rounds), sorted(dues)
