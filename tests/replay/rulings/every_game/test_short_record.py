"""A reading of an honest table is missing, in every game: what follows is told, never as certain.

A reading that got lost on its way leaves a gap in its device's numbers. One that a sensor or a
dealer never made leaves none, but the rest of the record may show that something is missing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from audit.checks.run import JUDGES, CheckFinding
from replay import rulebooks
from replay.live.table_day import LiveTable
from replay.tables.derive import derive
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.mutants.draft import SPARED
from tests.mutants.mutant import known

pytestmark = pytest.mark.slow

SEEDS = ("short/0", "short/1")
SENSED = (
    e.BallReleased, e.BallTracked, e.BallLanded, e.ShakerStarted, e.ShakerStopped, e.ShakerOpened,
    e.BowlRemoved, e.TokensRevealed, e.StakeRead, e.CardDrawn,
)  # fmt: skip
Kinds = tuple[type[Any], ...]
Shorter = Iterator[tuple[str, list[e.Reading]]]
Shorten = Callable[[tuple[e.Reading, ...]], Shorter]


@pytest.mark.parametrize("code", days.CODES)
def test_a_reading_that_got_lost_convicts_nobody(code: str) -> None:
    assert _accused(code, _lost) == {}


@pytest.mark.parametrize("code", days.CODES)
def test_what_a_sensor_did_not_see_convicts_nobody(code: str) -> None:
    assert _accused(code, _unsensed) == {}


@pytest.mark.parametrize("code", days.CODES)
def test_a_device_that_is_silent_until_the_end_of_the_day_convicts_nobody(code: str) -> None:
    assert _accused(code, _lost_to_the_end) == {}


def test_a_seat_that_may_have_been_left_in_a_gap_convicts_nobody_in_later_rounds() -> None:
    day = days.honest("SA-BJ", "q3/44").readings  # one who left his seat bets behind another
    kinds = (e.WagerSettled, e.RoundClosed, e.SeatLeft)
    lost = [n for n, at in enumerate(day) if isinstance(at.payload, kinds)][:5]

    rows = house.derive([at for n, at in enumerate(day) if n not in lost])
    found = house.detect({"S": rows})["S"]

    refused = {at["round_id"] for at in attacker.named("flags", rows)}
    assert len(refused) > 1
    assert [at for at in found if _convicts(at)] == []


@pytest.mark.parametrize("code", days.CODES)
def test_a_wager_that_nobody_entered_convicts_nobody_over_another(code: str) -> None:
    accused = _accused(code, _unentered)

    assert {check for told in accused.values() for check in told} <= {
        "REC-10"
    }  # of the wager itself


@pytest.mark.parametrize("code", ["SA-RO", "SA-BJ", "NN"])
def test_a_reading_that_comes_at_last_makes_the_round_whole_again(code: str) -> None:
    day = known(code, SEEDS[0]).day.readings
    placed = [n for n, at in enumerate(day) if isinstance(at.payload, e.WagerPlaced)]
    first = placed[0]
    late = replace(day[first], received_at=day[-1].received_at)

    lost = attacker.named("rounds", house.derive([*day[:first], *day[first + 1 :]]))
    come = attacker.named(
        "rounds", house.derive([*day[:first], *day[first + 1 : -1], late, day[-1]])
    )

    assert lost[0]["record_lacks"] == "reading"
    assert [round["record_lacks"] for round in come] == ["", "", ""]


@pytest.mark.parametrize("code", ["SA-RO", "SA-BJ", "NN", "TB"])
def test_a_table_that_is_watched_says_the_same_of_what_is_missing(code: str) -> None:
    whole = known(code, SEEDS[0]).day.readings
    for _, day in [*list(_lost(whole))[::7], *_never_made(whole, (e.WagerPlaced, e.BallLanded))]:
        sealed = house.sealed(day)
        table = LiveTable(days.TABLE, days.DAY, rulebooks.in_force)
        settled = [at for event, sha256 in sealed for at in table.add(event, sha256)]
        last = {at.round_id: at for at in (*settled, *table.finish())}

        batch = derive(days.DAY, sealed, rulebooks.in_force).rows["rounds"]

        assert [last[row[0]].rows["rounds"][0] for row in batch] == batch


def _accused(code: str, shorter: Shorten) -> Mapping[str, list[str]]:
    """The checks that are certain of something, by the reading that is missing."""
    of_game = _told(shorter)[code]
    assert len(of_game) > 5
    accused = {
        name: sorted({at.check_id for at in told if _convicts(at)})
        for name, told in of_game.items()
    }
    return {name: told for name, told in accused.items() if told}


@cache
def _told(shorter: Shorten) -> Mapping[str, Mapping[str, list[CheckFinding]]]:
    """What is found in the shorter days of every game: the checks run once over all of them."""
    rows = {}
    for code, (number, seed) in product(days.CODES, enumerate(SEEDS)):
        day = known(code, seed)
        for name, readings in shorter(day.day.readings):
            rows[code, f"D{number}{name}"] = day.derive(readings)
    found = house.detect({f"{code}.{name}": each for (code, name), each in rows.items()})
    told: dict[str, dict[str, list[CheckFinding]]] = {}
    for code, name in rows:
        told.setdefault(code, {})[name] = found.get(f"{code}.{name}", [])
    return told


def _convicts(finding: CheckFinding) -> bool:
    return finding.certain and finding.check_id[:-3] in JUDGES


def _lost_to_the_end(day: tuple[e.Reading, ...]) -> Shorter:
    """The day without the last readings of a sensor, which leave no gap."""
    for kind in ("shoe", "wheel", "shaker", "chips"):
        its = [n for n, at in enumerate(day) if at.device_kind == kind]
        sensed = [n for n in its if not isinstance(day[n].payload, e.DeviceBeat | e.TrayCounted)]
        for first in sensed[-8:]:
            gone = [n for n in sensed if n >= first]
            yield f"{kind}{first}", [at for n, at in enumerate(day) if n not in gone]


def _lost(day: tuple[e.Reading, ...]) -> Shorter:
    """The day without one reading; the last of a device leaves no gap, so nobody can know of it."""
    last = {reading.device_id: n for n, reading in enumerate(day)}
    for n, reading in enumerate(day):
        if n != last[reading.device_id] and not isinstance(reading.payload, SPARED):
            yield f"{type(reading.payload).__name__}{n}", [*day[:n], *day[n + 1 :]]


def _unsensed(day: tuple[e.Reading, ...]) -> Shorter:
    return _never_made(day, SENSED)


def _unentered(day: tuple[e.Reading, ...]) -> Shorter:
    return _never_made(day, (e.WagerPlaced,))


def _never_made(day: tuple[e.Reading, ...], kinds: Kinds) -> Shorter:
    """The day without one reading of some kinds, which its device did not count either."""
    for n, reading in enumerate(day):
        if isinstance(reading.payload, kinds):
            shorter = attacker.numbered([*day[:n], *day[n + 1 :]])
            yield f"{type(reading.payload).__name__}{n}", shorter
