"""A wager's id names one wager: a second placing under it is told and changes nothing."""

from dataclasses import replace

import pytest

from replay.betting_end import find
from replay.judge import judge
from replay.wagers import at_close, repeated
from schemas import events as e
from tests.support.english import english
from tests.support.sheet_pages import CODES, example
from tests.support.tables import judged


def events(*payloads: e.Payload) -> list[e.Event]:
    return [
        e.Event(f"E{n}", "T1", n, "console", "console-1", n, 0, 0, 0, "", bytes(32), payload, "R1")
        for n, payload in enumerate(payloads)
    ]


HIGH = e.WagerPlaced("b1", "p1", "high", 700)
STRAIGHT = e.WagerPlaced("b1", "p2", "straight:30", 100)


@pytest.mark.parametrize("between", [[], [e.BettingClosed()]], ids=["in time", "late"])
def test_the_first_placing_stands(between: list[e.Payload]) -> None:
    said = events(HIGH, *between, STRAIGHT)

    found = at_close(said, find(said))

    assert [(at.bet, at.stake, at.late) for at in found] == [("high", 700, False)]


def test_a_wager_taken_back_in_time_may_be_placed_again() -> None:
    said = events(HIGH, e.WagerWithdrawn("b1"), STRAIGHT)

    assert [at.bet for at in at_close(said, find(said))] == ["straight:30"]
    assert list(repeated(said, find(said))) == []


def test_a_wager_taken_back_too_late_may_not() -> None:
    said = events(HIGH, e.BettingClosed(), e.WagerWithdrawn("b1"), STRAIGHT)

    assert [at.bet for at in at_close(said, find(said))] == ["high"]
    assert [at.event_id for at in repeated(said, find(said))] == ["E3"]


def test_a_change_carries_its_reserve_and_keeps_it_where_none_is_named() -> None:
    even = e.WagerPlaced("b1", "p1", "player_1", 50, reserve=50)
    changes = (e.WagerChanged("b1", stake=100, reserve=100), e.WagerChanged("b1", stake=80))

    said = events(even, *changes, e.BettingClosed(), e.WagerChanged("b1", reserve=9))

    found = at_close(said, find(said))

    assert [(at.stake, at.placed.reserve) for at in found] == [(80, 100)]


@pytest.mark.parametrize("code", CODES)
def test_every_game_keeps_the_first_and_tells_of_the_second(code: str) -> None:
    plain = judged(example(code))
    said = plain.round.events
    n = next(n for n, at in enumerate(said) if isinstance(at.payload, e.WagerPlaced))
    placed = said[n].payload
    assert isinstance(placed, e.WagerPlaced)
    others = (at.payload for at in reversed(said) if isinstance(at.payload, e.WagerPlaced))
    other = replace(placed, player_id="somebody", bet=next(others).bet, stake=777_000)
    second = replace(said[n], event_id="second", payload=other)
    round = replace(plain.round, events=(*said[: n + 1], second, *said[n + 1 :]))
    assert plain.edition is not None

    found = judge(round, plain.edition, plain.memory)

    told = [flag for flag in found.flags if flag.code == "WAGER_ID_REPEATED"]
    paid = {"MISPAY", "SETTLEMENT_MISMATCH"}
    assert found.dues == plain.dues
    assert [flag.subject for flag in told] == [placed.wager_id]
    assert {at for at in plain.flags if at.code not in paid} <= set(found.flags)
    assert set(found.flags) - set(told) <= set(plain.flags)
    assert [step.evidence for step in found.steps if "777,000" in english(step.text)] == [
        ("second",)
    ]
