"""A reading that came late is put back by its device's number, or by clocks that are certain."""

from dataclasses import replace

import pytest

from replay.rounds import Fold
from schemas import events as e
from tests.support.tables import cases

DAY = "2026-03-01"
LATENCY_MS = 10


def folded(text: str) -> Fold:
    """A round told by its readings: device and number, its time in ms, when it came in."""
    fold = Fold(DAY)
    for seq, word in enumerate(text.split(", ")):
        name, time, came = word.split()
        device, number = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz")
        kinds: dict[str, e.Payload] = {"open": e.RoundOpened(1), "end": e.RoundClosed("settled")}
        payload = kinds.get(device, e.WagerWithdrawn(name))
        own = "console" if device in kinds else device
        at, arrived = int(time) * 1_000, int(came) * 1_000
        label = "R1" if own == "console" else None
        who = (own, own, int(number), at, 20, arrived)
        fold.add(e.Event(name, "T1", seq, *who, "", b"", payload, label))
    return fold


@pytest.mark.parametrize(
    ("arrived", "order"),
    cases("""
        open1 0 10, console2 100 110, console3 200 210, console4 300 310                | open1 console2 console3 console4 | in order
        open1 0 10, console3 200 210, console2 100 260, console4 300 310                | open1 console2 console3 console4 | late by its number
        open1 0 10, console3 200 210, shoe1 220 230, console2 100 260                   | open1 console2 console3 shoe1 | before its device's next, whatever came between
        open1 0 10, shoe1 150 160, console3 200 210, console2 100 260                   | open1 console2 shoe1 console3 | and before what happened later for certain
        open1 0 10, shoe1 110 120, console3 200 210, console2 100 260                   | open1 shoe1 console2 console3 | clocks too coarse to tell
        open1 0 10, console3 200 210, console2 900 910                                  | open1 console3 console2 | its clock says the opposite of its number
        open5 0 10, console6 100 110, console1 300 310, console2 400 410                | open5 console6 console1 console2 | a device that counts anew
        open5 9000 9010, console6 9100 9110, console1 300 9310                          | open5 console6 console1 | which lost its clock too
        open1 0 10, console2 100 110, shoe1 300 310, shoe2 400 410, console3 200 900    | open1 console2 console3 shoe1 shoe2 | a device that was held up
        open1 0 10, console2 100 110, shoe1 300 310, console3 280 340                   | open1 console2 shoe1 console3 | a breath longer on its way
        open1 0 900, console2 100 1000, shoe1 1010 1020, console3 200 1100              | open1 console2 shoe1 console3 | a clock that is wrong all the time
    """),  # noqa: E501
)
def test_the_order_of_a_round(arrived: str, order: str) -> None:
    round = folded(arrived).round("R1")

    assert " ".join(at.event_id for at in round.events) == order
    assert [at.seq for at in round.events] == sorted(at.seq for at in round.events)


def test_what_was_put_back_says_where_it_arrived() -> None:
    fold = folded("open1 0 10, console3 200 210, shoe1 220 230, console2 100 260")

    round = fold.round("R1")

    assert [(at.event_id, at.seq) for at in round.events][1:] == [
        ("console2", 1),
        ("console3", 2),
        ("shoe1", 3),
    ]
    assert round.moved == {"console2": 3, "console3": 1, "shoe1": 2}


def test_a_reading_without_a_round_goes_back_to_the_round_of_its_time() -> None:
    fold = folded("open1 0 10, shoe1 100 110, end2 500 510")
    opening = e.RoundOpened(2)
    second = e.Event("open3", "T1", 3, "console", "console", 3, 700_000, 20, 710_000, "", b"",
                     opening, "R2")  # fmt: skip
    late = e.Event("shoe2", "T1", 4, "shoe", "shoe", 2, 200_000, 20, 900_000, "", b"",
                   e.WagerWithdrawn("x"))  # fmt: skip

    owners = [fold.add(second), fold.add(late), fold.add(replace(late, event_id="shoe3", seq=5,
                device_seq=3, occurred_at=890_000))]  # fmt: skip

    assert owners == ["R2", "R1", "R2"]
    assert [at.event_id for at in fold.round("R1").events] == ["open1", "shoe1", "shoe2", "end2"]
    assert [at.event_id for at in fold.round("R2").events] == ["open3", "shoe3"]
