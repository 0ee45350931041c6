"""A card, a ball or a shake after the last round of the day was closed is told, in every game."""

from dataclasses import replace

import pytest

from schemas import events as e
from tests.mutants import days, house
from tests.mutants.mutant import known

PLAY = (e.CardDrawn, e.BallReleased, e.BallLanded, e.ShakerStarted, e.ShakerStopped)
LATER_US = 500_000


@pytest.mark.parametrize("code", days.CODES)
def test_play_after_the_last_round_is_told(code: str) -> None:
    day = known(code, "afterwards").day.readings
    played = {type(at.payload): at for at in day if isinstance(at.payload, PLAY)}
    longer = {f"D{n}": _with(day, at) for n, at in enumerate(played.values())}

    found = house.detect({name: house.derive(readings) for name, readings in longer.items()})

    assert longer
    for name in longer:
        assert [(at.check_id, at.certain) for at in found.get(name, ())] == [("INT-06", True)]


def _with(day: tuple[e.Reading, ...], model: e.Reading) -> list[e.Reading]:
    """The day with a reading once more, half a second after its last round was closed."""
    closed = max(at.received_at or 0 for at in day if isinstance(at.payload, e.RoundClosed))
    number = max(at.device_seq for at in day if at.device_id == model.device_id) + 1
    later = replace(
        model,
        round_id=None,
        device_seq=number,
        received_at=closed + LATER_US,
        occurred_at=closed + LATER_US - 20_000,
    )
    return sorted([*day, later], key=lambda at: at.received_at or 0)
