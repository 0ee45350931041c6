"""Play and calls of no round are told in every game: after the last one, between two."""

from dataclasses import replace

import pytest

from ingest.seal import chain as event_chain
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.mutants.mutant import known

PLAY = (e.CardDrawn, e.BallReleased, e.BallLanded, e.ShakerStarted, e.ShakerStopped)
BETWEEN = (
    e.RoundVoided("", "misdeal"), e.ResultCalled("nothing", "dealer"), e.DecisionMade("P1", "hit"),
    e.WagerWithdrawn("W1"), e.WagerChanged("W1", stake=5), e.ReshakeOrdered("dropped"),
    e.IrregularityReported("foreign_card"),
)  # fmt: skip
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


@pytest.mark.parametrize("code", days.CODES)
def test_what_comes_between_two_rounds_is_told(code: str) -> None:
    day = known(code, "afterwards").day.readings
    played = {type(at.payload): at for at in day if isinstance(at.payload, PLAY)}
    console = next(at for at in day if at.device_kind == "console")
    said = [replace(console, payload=word) for word in BETWEEN]
    longer = {
        f"D{n}": attacker.numbered(_between(day, at))
        for n, at in enumerate((*played.values(), *said))
    }

    found = house.detect({name: house.derive(readings) for name, readings in longer.items()})

    assert len(longer) > len(BETWEEN)
    for name, readings in longer.items():
        (wrong,) = [at for at in readings if at.received_at == _pause(day)]
        told = [at for at in found.get(name, ()) if event_chain.event_id(wrong) in at.evidence]
        assert "INT-06" in {at.check_id for at in told}, wrong.payload


def _between(day: tuple[e.Reading, ...], model: e.Reading) -> list[e.Reading]:
    """The day with a reading between its first round and the second."""
    at = _pause(day)
    said = replace(model, round_id=None, received_at=at, occurred_at=at - 20_000)
    return sorted([*day, said], key=lambda at: at.received_at or 0)


def _pause(day: tuple[e.Reading, ...]) -> int:
    """A moment between the closing of the first round and the opening of the second."""
    closed, opened = (
        [at.received_at or 0 for at in day if isinstance(at.payload, kind)]
        for kind in (e.RoundClosed, e.RoundOpened)
    )
    assert closed[0] < opened[1]
    return (closed[0] + opened[1]) // 2


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
