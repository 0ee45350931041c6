"""A table-day taken in event by event is the table-day that a replay derives."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.batch.source import Sealed
from replay.live.table_day import LiveTable, Settled
from replay.rounds import Fold, fold
from replay.tables.derive import derive
from replay.tables.rows import Rows
from schemas import events as e
from tests.support import houses
from tests.support.houses import opened, red, spin
from tests.support.live_days import SEATS, day

pytestmark = pytest.mark.slow

SHOWS = (e.BallLanded, e.DollyPlaced)


def live(sealed: Sequence[Sealed]) -> tuple[LiveTable, list[Settled]]:
    table = LiveTable(sealed[0][0].table_id, houses.DAY, rulebooks.in_force)
    found = [settled for event, sha256 in sealed for settled in table.add(event, sha256)]
    return table, found + table.finish()


def rows(table: LiveTable, found: Iterable[Settled]) -> Rows:
    """The rows of the last version of every round, and those of none."""
    whole = {name: list(part) for name, part in table.loose.items()}
    for name, part in table.standing().items():
        whole.setdefault(name, []).extend(part)
    last = {settled.round_id: settled for settled in found}
    for settled in last.values():
        for name, part in settled.rows.items():
            whole.setdefault(name, []).extend(part)
    return whole


def in_order(rows: Rows) -> dict[str, list[str]]:
    return {name: sorted(map(repr, part)) for name, part in rows.items() if part}


@pytest.mark.parametrize("code", sorted(SEATS))
def test_after_the_last_event_the_rows_are_those_of_a_replay(code: str) -> None:
    sealed = day(code)
    expected = derive(houses.DAY, sealed, rulebooks.in_force)

    table, found = live(sealed)

    assert in_order(rows(table, found)) == in_order(expected.rows)
    assert table.standing()["table_days"][0][-2] == expected.digest


@pytest.mark.parametrize("code", ["TB", "RO", "SA-XD"])
def test_events_out_of_their_order_give_the_rows_of_a_replay(code: str) -> None:
    rng = random.Random(code)
    shuffled = list(day(code)[1:1_500])
    for _ in range(150):  # late by up to some rounds, as a device that was away
        shuffled.insert(rng.randrange(900, 1_400), shuffled.pop(rng.randrange(200, 900)))
    arrived = enumerate([day(code)[0], *shuffled])
    sealed = [(replace(event, seq=seq), sha256) for seq, (event, sha256) in arrived]

    table, found = live(sealed)

    expected = derive(houses.DAY, sealed, rulebooks.in_force)
    assert in_order(rows(table, found)) == in_order(expected.rows)
    assert max(settled.version for settled in found) > 1


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_folding_one_by_one_gives_the_same_rounds(data: st.DataObject) -> None:
    events = [event for event, _ in day("TB")[:300]]
    drawn = data.draw(st.lists(st.sampled_from(events), max_size=60, unique_by=lambda at: at.seq))
    chosen = [replace(event, seq=seq) for seq, event in enumerate(drawn)]
    folded = Fold(houses.DAY)

    owners = {event.event_id: folded.add(event) for event in chosen}

    rounds = list(fold(houses.DAY, chosen))
    assert [folded.round(round_id) for round_id in folded.opened] == rounds
    assert {name: owner for name, owner in owners.items() if owner is not None} == {
        event.event_id: round.round_id for round in rounds for event in round.events
    }


def test_a_round_settles_when_it_is_closed() -> None:
    table = LiveTable("T1", houses.DAY, rulebooks.in_force)

    told = [
        (type(event.payload).__name__, settled.round_id, settled.version)
        for event, sha256 in houses.sealed("T1", [*opened(), *spin("R1", 5, red())])
        for settled in table.add(event, sha256)
    ]

    assert told == [("RoundClosed", "R1", 1)]


def test_a_round_that_is_never_closed_settles_when_the_next_one_opens_or_the_table_closes() -> None:
    first, second = spin("R1", 5, red())[:-1], spin("R2", 7, red())[:-1]
    said = [*opened(), *first, *second, (e.TableClosed(), None)]
    table = LiveTable("T1", houses.DAY, rulebooks.in_force)

    told = [
        (type(event.payload).__name__, settled.round_id)
        for event, sha256 in houses.sealed("T1", said)
        for settled in table.add(event, sha256)
    ]

    assert told == [("RoundOpened", "R1"), ("TableClosed", "R2")]


def test_a_late_event_opens_its_round_again_as_a_new_version() -> None:
    late = e.WagerSettled("W1", paid=0, commission=0, collected=100_000, returned=0)
    said = [*opened(), *spin("R1", 5, red()), *spin("R2", 7, red()), (late, "R1")]

    _, found = live(houses.sealed("T1", said))

    assert [(each.round_id, each.version) for each in found] == [("R1", 1), ("R2", 1), ("R1", 2)]
    assert len(found[-1].rows["payments"]) == 1
    assert found[0].digest != found[-1].digest
    assert found[-1].upto == len(said) - 1


def test_a_late_event_that_changes_what_a_round_left_judges_the_next_one_again() -> None:
    said = [*opened(), *spin("R1", 5, red()), *spin("R2", 7, red()), *spin("R3", 9, red())]
    shown = [n for n, (payload, _) in enumerate(said) if isinstance(payload, SHOWS)][:2]
    said += [said.pop(n) for n in reversed(shown)]

    _, found = live(houses.sealed("T1", said))

    told = [(each.round_id, each.version) for each in found]
    assert told[3:5] == [("R1", 2), ("R2", 2)]
    assert ("R3", 2) not in told
    previous = [each.rows["spins"][0][12] for each in found if each.round_id == "R2"]
    assert previous == [None, 5]
