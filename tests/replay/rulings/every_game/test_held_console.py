"""The console of an honest table is held up over an opening, in every game: nobody is convicted.

Its opening of a round then comes after cards, throws or spins of that round, which name no round
and count to the one before, or to none. What follows from that is told, but never as certain. The
same holds for a shoe that is held up over its loading: what it drew then counts to the wrong round.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from audit.checks.run import CheckFinding
from replay import rulebooks
from replay.live.table_day import LiveTable
from replay.tables.derive import derive
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.replay.rulings.every_game.test_bets_at_every_place import with_bets
from tests.support.days_of_games import JudgedDay, NamedDay, judged

pytestmark = pytest.mark.slow

STEP = 5  # it comes back after every fifth reading of another device, later on every tenth


@pytest.mark.parametrize("code", days.CODES)
def test_a_console_that_is_held_over_an_opening_convicts_nobody(code: str) -> None:
    held = judged(_held_consoles)[code]

    assert len(held) > 10
    assert _accused(held) == {}


@pytest.mark.parametrize("code", days.CODES)
def test_an_opening_that_comes_late_by_itself_convicts_nobody(code: str) -> None:
    late = judged(_openings_alone)[code]

    assert len(late) > 10
    assert _accused(late) == {}


LOADED_BETWEEN_ROUNDS = ("NN", "TH")  # a deck is put into the shoe between rounds


@pytest.mark.parametrize("code", LOADED_BETWEEN_ROUNDS)
def test_a_shoe_that_is_held_over_its_loading_convicts_nobody(code: str) -> None:
    held = judged(_shoes_alone, LOADED_BETWEEN_ROUNDS)[code]

    assert len(held) > 10
    assert _accused(held) == {}


@pytest.mark.parametrize("code", days.CODES)
def test_a_device_that_is_held_from_its_first_reading_on_convicts_nobody(code: str) -> None:
    held = judged(_held_from_the_first)[code]

    assert len(held) > 10
    assert _accused(held) == {}


def _held_consoles(code: str) -> Iterator[NamedDay]:
    return _held(with_bets(code))


def _openings_alone(code: str) -> Iterator[NamedDay]:
    return _late_openings(with_bets(code))


def _shoes_alone(code: str) -> Iterator[NamedDay]:
    return _held_shoes(with_bets(code))


def _held_from_the_first(code: str) -> Iterator[NamedDay]:
    """The day with a device held from its first reading on, by which and until when."""
    day = with_bets(code)
    for kind in ("shoe", "wheel", "shaker", "chips"):
        its = [n for n, at in enumerate(day) if at.device_kind == kind]
        for last in range(its[0] + 1, len(day), STEP) if its else ():
            release = (day[last].received_at or 0) + 1
            yield f"{kind}{last:04d}", _released(day, day[its[0]].device_id, 0, release)


def _accused(held: Mapping[str, JudgedDay]) -> dict[str, list[str]]:
    """The days in which a check that judges is certain, with those checks."""
    certain = {
        name: sorted({at.check_id for at in day.found if at.certain and _judges(at)})
        for name, day in held.items()
    }
    return {name: told for name, told in certain.items() if told}


@pytest.mark.parametrize("code", ["TB", "SA-RO", "SA-XD", "NN"])
def test_a_table_that_is_watched_says_the_same_of_it(code: str) -> None:
    day_with_bets = with_bets(code)
    for _, day in [*list(_held(day_with_bets))[::3], *list(_held_shoes(day_with_bets))[::6]]:
        sealed = house.sealed(day)
        table = LiveTable(days.TABLE, days.DAY, rulebooks.in_force)
        settled = [at for event, sha256 in sealed for at in table.add(event, sha256)]
        last = {at.round_id: at for at in (*settled, *table.finish())}

        batch = derive(days.DAY, sealed, rulebooks.in_force).rows["rounds"]

        assert [last[row[0]].rows["rounds"][0] for row in batch] == batch


@pytest.mark.parametrize("code", days.CODES)
def test_a_console_whose_clock_is_put_right_makes_no_round_of_long_ago_doubtful(code: str) -> None:
    day = with_bets(code)
    openings = [n for n, at in enumerate(day) if isinstance(at.payload, e.RoundOpened)]
    console = day[openings[0]].device_id
    slow = [
        replace(at, occurred_at=at.occurred_at - 20_000_000)
        if n < openings[-1] and at.device_id == console
        else at
        for n, at in enumerate(day)
    ]

    rounds = attacker.named("rounds", house.derive(slow))

    assert rounds[0]["bounds_doubtful"] is False
    assert rounds[-1]["bounds_doubtful"] is False


def _judges(finding: CheckFinding) -> bool:
    return not finding.check_id.startswith("INT-")


def _held(day: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    """The day with its console held from before an opening on, by which and until when."""
    openings = [n for n, at in enumerate(day) if isinstance(at.payload, e.RoundOpened)]
    for number, first in enumerate(openings, 1):
        console = day[first].device_id
        closings = [n for n in range(first) if isinstance(day[n].payload, e.RoundClosed)]
        until = [*openings[number + 1 :], len(day)][0]
        others = [n for n in range(first, until) if day[n].device_id != console][::STEP]
        others += [n for n in range(until, len(day)) if day[n].device_id != console][:: 2 * STEP]
        for begun, letter in ((first, "O"), *((n, "C") for n in closings[-1:])):
            for last in others:
                release = (day[last].received_at or 0) + 1
                yield f"{letter}{number}U{last:04d}", _released(day, console, begun, release)


def _late_openings(day: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    """The day with one opening on its way for long, by which and until when."""
    openings = [n for n, at in enumerate(day) if isinstance(at.payload, e.RoundOpened)]
    for number, first in enumerate(openings, 1):
        for last in range(first + 1, len(day), STEP):
            release = (day[last].received_at or 0) + 1
            late = [
                replace(at, received_at=release) if n == first else at for n, at in enumerate(day)
            ]
            yield f"O{number}U{last:04d}", sorted(late, key=lambda at: at.received_at or 0)


def _held_shoes(day: Sequence[e.Reading]) -> Iterator[tuple[str, list[e.Reading]]]:
    """The day with its shoe held from before a loading on, by which and until when."""
    loadings = [n for n, at in enumerate(day) if isinstance(at.payload, e.ShoeLoaded)]
    for number, first in enumerate(loadings, 1):
        shoe = day[first].device_id
        for last in range(first + 1, len(day), 2 * STEP):
            release = (day[last].received_at or 0) + 1
            yield f"L{number}U{last:04d}", _released(day, shoe, first, release)


def _released(day: Sequence[e.Reading], console: str, begun: int, release: int) -> list[e.Reading]:
    late = [
        replace(at, received_at=max(at.received_at or 0, release))
        if n >= begun and at.device_id == console
        else at
        for n, at in enumerate(day)
    ]
    return sorted(late, key=lambda at: at.received_at or 0)
