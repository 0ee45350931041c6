"""What is entered is held against the chips that a sensor read, in every game and on every bet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from schemas import events as e
from tests.mutants import attacker, days, house
from tests.mutants.mutant import known

SEED = "entered"


@pytest.mark.parametrize("code", days.CODES)
def test_a_wager_entered_for_other_chips_than_were_read_is_told(code: str) -> None:
    day = known(code, SEED)
    made = dict(_misentered(day.day.readings))
    rows = {
        name: day.derive(attacker.fitted(readings, day.derive(readings)))
        for name, readings in made.items()
    }

    told = house.detect({f"D{n}": at for n, at in enumerate(rows.values())})

    about = {
        name: [at.subject for at in told.get(f"D{n}", ()) if at.check_id == "REC-10"]
        for n, name in enumerate(made)
    }
    assert len(made) > 5
    assert about == {name: [name.split()[-1]] for name in made}


def _misentered(readings: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    """The day with one wager entered for twice the chips, for half of them, or not at all."""
    read = {at.payload.wager_id for at in readings if isinstance(at.payload, e.StakeRead)}
    for n, at in enumerate(readings):
        placed = at.payload
        if not isinstance(placed, e.WagerPlaced) or placed.wager_id not in read:
            continue
        for name, other in _other_chips(placed):
            entered = replace(at, payload=other)
            yield f"{name} {placed.wager_id}", [*readings[:n], entered, *readings[n + 1 :]]
        yield f"never {placed.wager_id}", attacker.numbered([*readings[:n], *readings[n + 1 :]])


def _other_chips(placed: e.WagerPlaced) -> Iterator[tuple[str, e.WagerPlaced]]:
    """The wager entered otherwise; colour chips and what they are worth go together (RO:4.7)."""
    chips = placed.chips
    twice = replace(chips, count=2 * chips.count) if chips else None
    yield "twice", replace(placed, stake=2 * placed.stake, chips=twice)
    if chips is None:
        yield "half", replace(placed, stake=placed.stake // 2)
