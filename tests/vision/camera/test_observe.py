"""Readings of a camera: numbers without a gap, slots by zone, times that never run back."""

from collections.abc import Sequence

import pytest

from schemas import events as e
from schemas.events import Guess
from tests.support.frame_tables import START_US, STEP_US, frame, guesses, lies
from vision.camera.observe import BEAT_S, Observer
from vision.felt import layout as layouts
from vision.felt.view_check import ViewChange
from vision.track.cards import CardRead, CardSighting, EvidenceFrame, Moment, Tracker, TrackEvent
from vision.track.throws import ThrowRead
from vision.types import Point

TB = layouts.load("TB")
BJ = layouts.load("SA-BJ")


def observer(layout: layouts.Layout = TB, seq: int = 0) -> Observer:
    return Observer("T01", "camera-T01", layout, seq=seq)


def watched(
    frames: Sequence[Sequence[CardSighting]],
    layout: layouts.Layout = TB,
    eye: Observer | None = None,
) -> list[e.Reading]:
    """The readings of all frames."""
    eye, tracker = eye or observer(layout), Tracker(layout.zone_of)
    found: list[e.Reading] = []
    for n, seen in enumerate(frames):
        found += eye.cards_seen(tracker.step(frame(n), seen), frame(n))
    return found


def cards(readings: Sequence[e.Reading]) -> list[tuple[str, int, str]]:
    return [
        (at.payload.zone, at.payload.slot, at.payload.guesses[0].seen)
        for at in readings
        if isinstance(at.payload, e.CardsObserved)
    ]


def lie(*seen: CardSighting, times: int = 8) -> list[list[CardSighting]]:
    return [list(seen)] * times


def test_a_card_becomes_a_reading_with_its_frame() -> None:
    (reading,) = watched(lie(lies("9H", (200, 200))))

    assert (reading.table_id, reading.device_kind, reading.device_id) == (
        "T01", "camera", "camera-T01",
    )  # fmt: skip
    assert reading.device_seq == 1
    assert reading.round_id is None
    assert reading.err_ms == 40
    seen = reading.payload
    assert isinstance(seen, e.CardsObserved)
    assert seen.guesses[0].seen == "9H"
    assert reading.occurred_at == START_US + seen.frame * STEP_US
    assert seen.frame_hash == f"{seen.frame:064x}"


def test_a_deal_of_baccarat_is_numbered_by_its_places() -> None:
    one, two, third = lies("9H", (203, 196)), lies("2C", (276, 204)), lies("KS", (395, 200), turn=2)
    bank = lies("4D", (780, 200))

    found = watched(
        [
            *lie(one),
            *lie(one, bank),
            *lie(one, bank, two),
            *lie(one, bank, two, third),
        ]
    )

    assert cards(found) == [
        ("player", 1, "9H"), ("banker", 1, "4D"), ("player", 2, "2C"), ("player", 3, "KS"),
    ]  # fmt: skip


def test_a_place_is_right_in_whatever_order_cards_are_turned() -> None:
    one, two = (200.0, 200.0), (280.0, 200.0)

    found = watched(
        [*lie(lies("", one), lies("", two)), *lie(lies("", one), lies("2C", two)),
         *lie(lies("9H", one), lies("2C", two))]
    )  # fmt: skip

    assert cards(found) == [("player", 2, "2C"), ("player", 1, "9H")]


def test_a_fourth_card_has_a_number_of_its_own() -> None:
    row: list[Point] = [(200, 200), (280, 200), (400, 200), (480, 200)]

    found = watched(lie(*(lies(f"{n + 2}H", at) for n, at in enumerate(row))))

    assert sorted(slot for _, slot, _ in cards(found)) == [1, 2, 3, 4]


def test_without_places_cards_are_numbered_as_they_arrive() -> None:
    first, second, third = (
        lies("8S", (150, 500)), lies("2C", (168, 520)), lies("TD", (132, 540)),
    )  # fmt: skip

    found = watched([*lie(first), *lie(first, second), *lie(first, second, third)], BJ)

    assert cards(found) == [("1", 1, "8S"), ("1", 2, "2C"), ("1", 3, "TD")]


def test_cards_that_arrive_face_down_keep_the_numbers_of_their_arrival() -> None:
    down = [lies("", (100, 500)), lies("", (200, 500))]

    found = watched(
        [*lie(down[0]), *lie(*down), *lie(down[0], lies("2C", (200, 500))),
         *lie(lies("8S", (100, 500)), lies("2C", (200, 500)))],
        BJ,
    )  # fmt: skip

    assert cards(found) == [("1", 2, "2C"), ("1", 1, "8S")]


def test_the_cards_of_a_split_seat_keep_their_names_and_the_next_begin_anew() -> None:
    pair = [lies("8S", (100, 500)), lies("8C", (200, 500))]
    away = [[lies("8S", (100, 500 + 40 * n)), lies("8C", (200, 500 + 40 * n))] for n in range(8)]
    apart = [lies("8S", (100, 780)), lies("8C", (200, 780))]

    found = watched(
        [*lie(*pair), *away, *lie(*apart), *lie(*apart, lies("KD", (100, 900))),
         *lie(*apart, lies("KD", (100, 900)), lies("3H", (200, 900)))],
        BJ,
    )  # fmt: skip

    assert cards(found) == [("1", 1, "8S"), ("1", 2, "8C"), ("1.1", 1, "KD"), ("1.2", 1, "3H")]


def test_a_cleared_zone_begins_at_one_again() -> None:
    found = watched(
        [*lie(lies("8S", (150, 500))), *lie(times=40), *lie(lies("3H", (170, 480)))], BJ
    )

    assert cards(found) == [("1", 1, "8S"), ("1", 1, "3H")]


def test_a_switched_card_keeps_its_number() -> None:
    found = watched(
        [*lie(lies("8S", (150, 500)), times=20), *lie(lies("3H", (151, 500)), times=30)], BJ
    )

    assert cards(found) == [("1", 1, "8S"), ("1", 1, "3H")]


def test_numbers_have_no_gap_and_times_never_run_back() -> None:
    eye = observer(seq=41)
    late, early = EvidenceFrame(frame(9), 0.95), EvidenceFrame(frame(3), 0.99)
    first = CardRead(1, "player", (200, 200), 90, guesses("9H"), (early, late))
    second = CardRead(
        2, "player", (280, 200), 90, guesses("2C"), (early, EvidenceFrame(frame(5), 0.9))
    )
    said: list[TrackEvent] = [first._replace(looks=(late,)), second]

    found = eye.cards_seen(said, frame(10))

    assert [at.device_seq for at in found] == [42, 43]
    assert [at.occurred_at for at in found] == [frame(9).at_us, frame(10).at_us]


def test_the_frame_that_shows_it_best_is_named() -> None:
    looks = (
        EvidenceFrame(frame(3), 0.9),
        EvidenceFrame(frame(4), 0.99),
        EvidenceFrame(frame(5), 0.95),
    )

    (found,) = observer().cards_seen(
        [CardRead(1, "player", (200, 200), 90, guesses("9H"), looks)], frame(6)
    )

    assert isinstance(found.payload, e.CardsObserved)
    assert found.payload.frame == 4
    assert found.occurred_at == frame(4).at_us


def test_dice_and_tokens_become_readings_of_their_own() -> None:
    thrown = ThrowRead((Guess("1-1-2", 0.97),), True, False, (EvidenceFrame(frame(2), 0.9),))

    dice = observer().dice_seen(thrown, frame(5)).payload
    tokens = observer().tokens_seen(thrown, frame(5)).payload

    assert dice == e.DiceObserved((e.Guess("1-1-2", 0.97),), True, False, 2, f"{2:064x}")
    assert tokens == e.TokensObserved((e.Guess("1-1-2", 0.97),), 2, f"{2:064x}")


def test_it_says_that_it_is_alive_at_once_and_then_each_minute() -> None:
    eye = observer()
    moments = [Moment(n, START_US + n * 1_000_000) for n in range(130)]

    found = [at for moment in moments for at in eye.beats(moment)]

    assert [at.occurred_at - START_US for at in found] == [0, 60_000_000, 120_000_000]
    assert found[0].payload == e.DeviceBeat(BEAT_S)


def test_a_disturbed_view_is_an_event_and_its_end_a_beat() -> None:
    eye = observer()

    disturbed = eye.view_changed(ViewChange("covered", 0.2, 0.0), frame(1))
    (meanwhile,) = eye.beats(frame(2))
    clear = eye.view_changed(ViewChange("clear", 1.0, 0.0), frame(3))

    assert disturbed.payload == e.CameraDisturbed("covered", 0.2)
    assert meanwhile.payload == e.DeviceBeat(BEAT_S, state="covered")
    assert clear.payload == e.DeviceBeat(BEAT_S, state="ok")


@pytest.mark.parametrize("share", [-0.1, 1.4])
def test_a_share_stays_within_what_the_word_allows(share: float) -> None:
    told = observer().view_changed(ViewChange("moved", share, 9.0), frame(1)).payload

    assert isinstance(told, e.CameraDisturbed)
    assert 0 <= told.visible_share <= 1
