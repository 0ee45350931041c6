"""What is kept of a table-day beyond its rounds, and what is worth a look."""

import pytest

from replay.live.day_rows import Daylong
from schemas import events as e
from tests.support.houses import BEGUN, DAY

SECOND = 1_000_000


def event(seq: int, payload: e.Payload, at_s: int = 0, device: str = "shoe") -> e.Event:
    at = BEGUN + at_s * SECOND
    named = f"T1/{device}/{seq}"
    return e.Event(named, "T1", seq, "shoe", device, seq, at, 50, at, "s", b"", payload, None)


def beat(seq: int, at_s: int, offset_ms: int = 0) -> e.Event:
    return event(seq, e.DeviceBeat(30, offset_ms), at_s)


def told(*events: e.Event, round_id: str | None = None) -> Daylong:
    found = Daylong(DAY)
    for each in events:
        found.add(each, round_id, {})
    return found


@pytest.mark.parametrize(
    ("events", "alarmed"),
    [
        ([event(0, e.TableOpened(DAY)), event(1, e.CardDrawn(1, "8H"))], False),
        ([event(0, e.GapFound("shoe", 3, 5))], True),
        ([beat(0, 0), beat(1, 30), beat(2, 91)], False),
        ([beat(0, 0), beat(1, 62)], True),
        ([beat(0, 0, offset_ms=-1_001)], True),
        ([event(0, e.TrayCounted(100))], True),
    ],
)
def test_what_is_worth_a_look(events: list[e.Event], alarmed: bool) -> None:
    assert told(*events).alarmed is alarmed


def test_a_reading_that_an_alarm_announced_is_worth_a_look_when_it_comes() -> None:
    late = event(3, e.CardDrawn(1, "8H"))
    found = told(event(9, e.LateArrived(late.event_id, 2), device="gateway"))
    found.alarmed = False

    found.add(late, None, {})

    assert found.alarmed
    assert late.event_id in [row[0] for row in found.rows(())["events"]]


def test_a_count_of_the_tray_waits_for_its_round() -> None:
    found = told(event(0, e.TrayCounted(100)), round_id="R1")
    before = found.alarmed, found.rows(())["tray_counts"]

    found.settled("R1")

    assert before == (False, [])
    assert found.alarmed
    assert len(found.rows({"R1"})["tray_counts"]) == 1


@pytest.mark.parametrize(("heard_s", "silent"), [(61, False), (62, True)])
def test_a_device_is_silent_while_others_are_heard(heard_s: int, silent: bool) -> None:
    found = told(beat(0, 0), event(1, e.CardDrawn(1, "8H"), heard_s))

    assert found.silent is silent
    assert not found.alarmed
