"""A camera's readings witness the round in whose time they were seen, whenever they come."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from replay import rulebooks
from replay.batch.source import Sealed
from replay.camera_rounds import is_sighting
from replay.live.table_day import ROUND, LiveTable, Settled
from replay.tables.derive import derive
from replay.tables.rows import Rows
from schemas import events as e
from tests.support import houses
from tests.support.live_days import day
from tests.support.tables import cases

WITNESSED = ("cards", "doubts", "shakes", "confusions")
GAMES = ["NN", "TB", "SA-BJ", "SA-SB", "SA-XD"]
PLACE = 3  # column of a shake that is a place in the log


def unnamed(code: str) -> list[Sealed]:
    """A simulated day whose cameras know no rounds, in the order of time."""
    seen = (e.CardsObserved, e.DiceObserved, e.TokensObserved)
    return [
        (replace(event, round_id=None) if isinstance(event.payload, seen) else event, sha256)
        for event, sha256 in day(code, rounds=20, faults=4)
    ]


def in_log(sealed: Sequence[Sealed]) -> list[Sealed]:
    """The same events as a log holds them in this order."""
    return [(replace(event, seq=n), sha256) for n, (event, sha256) in enumerate(sealed)]


def by_end(sealed: list[Sealed]) -> list[Sealed]:
    """The cameras' readings after all others: their gateway was away the whole day."""
    return sorted(sealed, key=lambda at: is_sighting(at[0]))


def some_later(sealed: list[Sealed]) -> list[Sealed]:
    """The cameras' readings some rounds later: their gateway was away for minutes."""
    place = {id(at): n + 200 * is_sighting(at[0]) for n, at in enumerate(sealed)}
    return sorted(sealed, key=lambda at: place[id(at)])


def ahead(sealed: list[Sealed]) -> list[Sealed]:
    """The cameras' readings before those of all other devices, which were away."""
    return [sealed[0], *sorted(sealed[1:], key=lambda at: not is_sighting(at[0]))]


def witnessed(rows: Rows) -> dict[str, list[str]]:
    shakes = [(*row[:PLACE], *row[PLACE + 1 :]) for row in rows.get("shakes", ())]
    found = {name: rows.get(name, []) for name in WITNESSED} | {"shakes": shakes}
    return {name: sorted(map(repr, part)) for name, part in found.items()}


def live(sealed: Sequence[Sealed]) -> tuple[Rows, list[Settled]]:
    """What a live service holds after the last event."""
    table = LiveTable(sealed[0][0].table_id, houses.DAY, rulebooks.in_force)
    found = [settled for event, sha256 in sealed for settled in table.add(event, sha256)]
    found += table.finish()
    whole: Rows = {}
    last = {settled.round_id: settled.rows for settled in found}
    for rows in (table.loose, table.standing(), *last.values()):
        for name, part in rows.items():
            whole.setdefault(name, []).extend(part)
    return whole, found


@pytest.mark.parametrize("code", GAMES)
def test_a_camera_without_rounds_that_comes_in_time_is_one_that_names_them(code: str) -> None:
    named = derive(houses.DAY, day(code, rounds=20, faults=4), rulebooks.in_force)

    found = derive(houses.DAY, unnamed(code), rulebooks.in_force)

    assert found.digest == named.digest


@pytest.mark.parametrize("order", [by_end, some_later, ahead])
@pytest.mark.parametrize("code", GAMES)
def test_what_a_camera_witnesses_does_not_hang_on_when_it_comes(
    code: str, order: Callable[[list[Sealed]], list[Sealed]]
) -> None:
    sealed = unnamed(code)
    expected = derive(houses.DAY, sealed, rulebooks.in_force)
    moved = in_log(order(sealed))

    found = derive(houses.DAY, moved, rulebooks.in_force)

    assert witnessed(found.rows) == witnessed(expected.rows)


@pytest.mark.parametrize("order", [by_end, some_later, ahead])
@pytest.mark.parametrize("code", ["TB", "SA-XD"])
def test_a_live_service_comes_to_the_same(
    code: str, order: Callable[[list[Sealed]], list[Sealed]]
) -> None:
    sealed = in_log(order(unnamed(code)))
    expected = derive(houses.DAY, sealed, rulebooks.in_force)

    rows, _ = live(sealed)

    assert {name: sorted(map(repr, part)) for name, part in rows.items() if part} == {
        name: sorted(map(repr, part)) for name, part in expected.rows.items() if part
    }


def at(second: float, payload: e.Payload, round_id: str | None = None, err_ms: int = 50) -> Sealed:
    """An event that was seen so many seconds after the table opened."""
    ((event, sha256),) = houses.sealed("T1", [(payload, round_id)])
    when = houses.BEGUN + round(second * 1_000_000)
    name = f"T1/{type(payload).__name__}/{second}"
    return replace(event, event_id=name, occurred_at=when, err_ms=err_ms), sha256


def two_rounds() -> list[Sealed]:
    """R1 lasts from 10 s to 20 s, R2 from 22 s to 30 s."""
    return [
        at(0, e.TableOpened(houses.DAY)),
        at(10, e.RoundOpened(), "R1"),
        at(20, e.RoundClosed("settled"), "R1"),
        at(22, e.RoundOpened(), "R2"),
        at(30, e.RoundClosed("settled"), "R2"),
    ]


@pytest.mark.parametrize(
    ("second", "err_ms", "place", "owner"),
    cases("""
        15   | 50   | 2 | R1 | it came in its round
        15   | 50   | 3 | R1 | it came after the closing
        15   | 50   | 4 | R1 | it came while another round was open
        15   | 50   | 5 | R1 | it came after the day
        15   | 50   | 1 | R1 | it came before the opening
        25   | 50   | 2 | R2 | it came while the round before was open
        20.5 | 900  | 2 | R1 | its place decides within what the clocks allow
        20.5 | 900  | 3 |    | between two rounds, by time and place
        20.5 | 900  | 5 |    | too late for the place to decide, and seen after the closing
        21   | 2000 | 4 | R2 | either round may be meant, and its place says which
        21   | 2000 | 5 |    | either round may be meant
        19   | 4000 | 5 |    | either may be meant, though its clock names one
        5    | 50   | 2 |    | seen before any round, though one was open when it came
        40   | 50   | 5 |    | seen after the last round
    """),
)
def test_the_round_a_reading_belongs_to(second: str, err_ms: str, place: str, owner: str) -> None:
    seen = at(float(second), e.CardsObserved("player", 1, ()), err_ms=int(err_ms))
    sealed = two_rounds()
    sealed.insert(int(place), seen)

    found = derive(houses.DAY, in_log(sealed), rulebooks.in_force)

    rounds = {row[0]: row[9] for row in found.rows["events"]}
    assert rounds[seen[0].event_id] == (owner or None)


def test_a_late_reading_of_a_camera_opens_its_round_again_as_a_new_version() -> None:
    seen = at(15, e.CardsObserved("player", 1, (e.Guess("9H", 0.99),)))

    _, found = live(in_log([*two_rounds(), seen]))

    told = [(each.round_id, each.version, len(each.rows["cards"])) for each in found]
    assert told == [("R1", 1, 0), ("R2", 1, 0), ("R1", 2, 1)]
    late = found[-1].rows["rounds"][0]
    assert late[ROUND["late_events"]] == 1


def test_a_reading_that_was_ahead_of_its_round_leaves_the_one_it_came_in() -> None:
    seen = at(25, e.CardsObserved("player", 1, (e.Guess("9H", 0.99),)))
    sealed = two_rounds()
    sealed.insert(2, seen)

    _, found = live(in_log(sealed))

    assert [(each.round_id, len(each.rows["cards"])) for each in found] == [("R1", 0), ("R2", 1)]
