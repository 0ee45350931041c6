"""Faults of devices and records: readings lost, doubled, late, wrong or never made."""

from collections import Counter

import pytest

from schemas import events as e
from tests.support.faulty_days import GAMES, at, day, said
from tests.support.tables import cases


@pytest.mark.parametrize("code", GAMES)
def test_readings_are_lost_doubled_and_late_on_their_way(code: str) -> None:
    numbers: dict[str, list[int]] = {}
    stepped = 0
    clock: dict[str, int] = {}
    for reading in day(code).readings:
        numbers.setdefault(reading.device_id, []).append(reading.device_seq)
        stepped += reading.occurred_at < clock.get(reading.device_id, 0)
        clock[reading.device_id] = reading.occurred_at
    counts = Counter(n for device in numbers for n in Counter(numbers[device]).values())
    missing = {device: set(range(1, max(n))) - set(n) for device, n in numbers.items()}

    assert counts[2] == 1  # INT-02: one number came twice
    assert {device: len(n) for device, n in missing.items() if n} == {"chips-T01": 1}  # INT-01
    assert stepped == 1  # INT-04/step


@pytest.mark.parametrize("code", ["TB", "RO", "SA-RO"])
def test_a_reading_comes_in_after_its_round_and_changes_it(code: str) -> None:
    found = at(code, "INT-07")
    moved = found.round.moved
    arrived = sorted(found.round.events, key=lambda one: moved.get(one.event_id, one.seq))
    kinds = [type(event.payload) for event in arrived]

    late = kinds[kinds.index(e.RoundClosed) + 1 :]

    assert late == [e.CardsObserved if code == "TB" else e.BallLanded]
    assert type(found.round.events[-1].payload) is e.RoundClosed  # its number puts it back
    assert found.ruled.status == "settled"


@pytest.mark.parametrize("code", GAMES)
def test_what_nobody_read_leaves_the_round_unknown(code: str) -> None:
    assert at(code, "INT-06/unread").ruled.status == "unknown"


@pytest.mark.parametrize("code", GAMES)
def test_a_wager_or_a_round_is_left_without_its_end(code: str) -> None:
    left, never = at(code, "INT-06"), at(code, "INT-06/open")

    assert len(said(left, e.WagerSettled)) == len(left.dues) - 1
    assert said(never, e.RoundClosed) == []


@pytest.mark.parametrize("code", GAMES)
def test_a_correction_names_what_it_corrects(code: str) -> None:
    for name in ("INT-11", "INT-11/backdated"):
        found = at(code, name)
        ids = {event.event_id for event in found.round.events}

        (correction,) = said(found, e.CorrectionMade)

        assert isinstance(correction, e.CorrectionMade)
        assert correction.event_id in ids


@pytest.mark.parametrize("code", ["TB", "SA-SB"])
def test_the_camera_is_sure_of_something_else(code: str) -> None:
    assert at(code, "REC-01").ruled.status == "unknown"


def test_the_first_card_is_out_before_no_more_bets() -> None:
    kinds = [type(event.payload) for event in at("TB", "DEAL-05").round.events]

    assert kinds.index(e.CardDrawn) < kinds.index(e.BettingClosed)


def test_one_card_is_unseen_and_another_is_a_stranger() -> None:
    unseen, stranger = at("TB", "REC-06"), at("TB", "REC-05")

    assert len(said(unseen, e.CardsObserved)) == len(said(unseen, e.CardDrawn)) - 1
    assert len(said(stranger, e.CardsObserved)) == len(said(stranger, e.CardDrawn)) + 1


@pytest.mark.parametrize(
    ("fault", "changes"),
    cases("""
        BET-01          | 1 | chips added
        BET-01/possible | 1 | chips added at the call
        BET-02          | 1 | chips taken off
        BET-03          | 2 | chips moved
    """),
)
def test_the_sensor_sees_chips_change_after_the_call(fault: str, changes: str) -> None:
    for code in ("TB", "RO"):
        events = at(code, fault).round.events
        closed = next(n for n, x in enumerate(events) if isinstance(x.payload, e.BettingClosed))

        seen = [x.payload for x in events[closed:] if isinstance(x.payload, e.StakeRead)]

        assert len([reading for reading in seen if reading.change]) == int(changes)
