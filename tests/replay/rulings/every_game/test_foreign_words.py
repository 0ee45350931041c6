"""What a wager says of itself in the words of another game is told, in every game."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.mutants.mutant import known

SEED = "words"
SPECIAL: dict[str, Any] = {
    "reserve": 1_000_000,
    "chips": e.Chips(days.TABLE, "red", 3, 100_000),
    "placed_in_time": False,
    "chips_presented": False,
}
# Where the rules themselves speak of it, other flags tell of what they break.
READ = {
    "NN": {"reserve"},
    "SA-PD": {"reserve"},
    "RO": {"chips", "placed_in_time", "chips_presented"},
}


@pytest.mark.parametrize("code", days.CODES)
def test_what_no_rule_of_the_game_reads_of_a_wager_is_told(code: str) -> None:
    rows = {field: known(code, SEED).derive(day) for field, day in _special(code)}
    told = house.detect({f"D{n}": made for n, made in enumerate(rows.values())})

    assert rows
    assert {field: _words(made) for field, made in rows.items()} == {
        field: {f"{field} {_wager(code).wager_id}"} for field in rows
    }
    assert [{at.check_id for at in told[f"D{n}"]} for n in range(len(rows))] == [
        {"INT-06"} for _ in rows
    ]


@pytest.mark.parametrize("code", sorted({*days.CODES} - {"NN", "SA-PD"}))
def test_a_reserve_that_comes_later_is_told_too(code: str) -> None:
    day = known(code, SEED).day.readings
    n = _place(code)
    later = replace(day[n], payload=e.WagerChanged(_wager(code).wager_id, reserve=1_000_000))

    rows = house.derive(attacker.numbered([*day[: n + 1], later, *day[n + 1 :]]))

    assert _words(rows) == {f"reserve {_wager(code).wager_id}"}


def _special(code: str) -> Iterator[tuple[str, list[e.Reading]]]:
    """A day of the game for each field that its rules do not read, settled as due."""
    day, n = known(code, SEED).day.readings, _place(code)
    for field, value in SPECIAL.items():
        if field not in READ.get(code, ()):
            said = replace(day[n], payload=replace(_wager(code), **{field: value}))
            changed = [*day[:n], said, *day[n + 1 :]]
            fitted = attacker.fitted(changed, known(code, SEED).derive(changed))
            yield field, attacker.numbered(attacker.balanced(fitted))


def _place(code: str) -> int:
    """Where the first wager of the day is placed."""
    day = known(code, SEED).day.readings
    return next(n for n, at in enumerate(day) if isinstance(at.payload, e.WagerPlaced))


def _wager(code: str) -> e.WagerPlaced:
    wager = known(code, SEED).day.readings[_place(code)].payload
    assert isinstance(wager, e.WagerPlaced)
    return wager


def _words(rows: Rows) -> set[str]:
    flags = attacker.named("flags", rows)
    return {str(at["subject"]) for at in flags if at["code"] == "WORD_UNKNOWN"}
