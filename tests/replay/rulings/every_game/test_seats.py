"""Seats stand from round to round until they are left, whatever becomes of the rounds."""

from replay.rounds import fold
from schemas import events as e
from tests.support.houses import DAY, sealed


def test_a_round_knows_who_sat_where_when_it_opened() -> None:
    said: list[tuple[e.Payload, str | None]] = [
        (e.SeatTaken("p3", "3"), None),
        (e.SeatTaken("p1", "1"), None),
        (e.RoundOpened(1), "R1"),
        (e.SeatTaken("p5", "5"), "R1"),
        (e.RoundClosed(), "R1"),
        (e.SeatLeft("p3", "3"), None),
        (e.RoundOpened(2), "R2"),
        (e.SeatTaken("p4", "1"), "R2"),
        (e.RoundClosed(), "R2"),
        (e.RoundOpened(3), "R3"),
    ]

    rounds = fold(DAY, [event for event, _ in sealed("T1", said)])

    assert [round.seats for round in rounds] == [
        (("3", "p3"), ("1", "p1")),
        (("1", "p1"), ("5", "p5")),
        (("5", "p5"), ("1", "p4")),
    ]
