"""Cards over frames: told once when they lie, and again only when they are something else."""

from collections.abc import Sequence

import pytest

from tests.support.frame_tables import START_US, frame, lies, repeat
from vision.felt import layout as layouts
from vision.track.cards import (
    CardLanded,
    CardMissed,
    CardRead,
    CardSighting,
    Tracker,
    TrackEvent,
    ZoneCleared,
)

LAYOUT = layouts.load("TB")
ONE, TWO, BANKER = (200.0, 200.0), (280.0, 200.0), (780.0, 200.0)
Frames = Sequence[Sequence[CardSighting]]


def watched(
    *parts: Sequence[Sequence[CardSighting]], tracker: Tracker | None = None
) -> list[TrackEvent]:
    """What is said over all frames."""
    tracker = tracker or Tracker(LAYOUT.zone_of)
    frames = [seen for part in parts for seen in part]
    return [said for n, seen in enumerate(frames) for said in tracker.step(frame(n), seen)]


def times(seen: Sequence[CardSighting], count: int) -> Frames:
    return list(repeat(seen, count))


def told(said: Sequence[TrackEvent]) -> list[tuple[str, str, bool]]:
    """Zone, card and whether it was told before."""
    return [(at.zone, at.guesses[0].seen, at.again) for at in said if isinstance(at, CardRead)]


def test_a_card_is_told_once_however_long_it_lies() -> None:
    said = watched(times([lies("9H", ONE)], 100))

    assert told(said) == [("player", "9H", False)]


def test_it_is_told_with_its_guesses_and_the_frames_that_show_it_best() -> None:
    frames = [[lies("9H", ONE, probability=0.90 + n / 100)] for n in range(8)]

    (settled,) = [at for at in watched(frames) if isinstance(at, CardRead)]

    assert settled.guesses[0].probability > 0.95
    best = max(settled.looks, key=lambda look: look.probability)
    assert best.moment == frame(settled.looks[-1].moment.number)
    assert len(settled.looks) <= 6


def test_a_card_in_motion_is_not_told() -> None:
    slide = [[lies("9H", (200 + 12 * n, 200))] for n in range(12)]

    assert watched(slide) == []


def test_a_card_seen_for_a_moment_was_nothing() -> None:
    said = watched(times([lies("9H", ONE)], 3), times([], 50), times([lies("KS", ONE)], 10))

    assert told(said) == [("player", "KS", False)]


def test_beside_every_zone_nothing_is_told_until_it_comes_into_one() -> None:
    beside = times([lies("9H", (600, 600))], 20)

    said = watched(beside, times([lies("9H", (540, 330))], 9))

    assert watched(beside) == []
    assert told(said) == [("player", "9H", False)]


def test_a_hand_over_a_card_does_not_make_it_another() -> None:
    lying = times([lies("9H", ONE), lies("KS", BANKER)], 10)

    said = watched(lying, times([lies("KS", BANKER)], 25), lying)

    assert told(said) == [("player", "9H", False), ("banker", "KS", False)]


def test_a_hand_over_the_only_card_of_a_zone_does_not_either() -> None:
    said = watched(times([lies("9H", ONE)], 10), times([], 25), times([lies("9H", ONE)], 10))

    assert told(said) == [("player", "9H", False)]


def test_a_covered_zone_is_not_cleared() -> None:
    tracker = Tracker(LAYOUT.zone_of)
    said = watched(times([lies("9H", ONE)], 10), tracker=tracker)
    for n in range(10, 80):
        said += tracker.step(frame(n), [], hidden={"player"})
    for n in range(80, 90):
        said += tracker.step(frame(n), [lies("9H", ONE)])

    assert told(said) == [("player", "9H", False)]


def test_a_zone_is_not_kept_for_ever_by_what_lies_over_it() -> None:
    tracker = Tracker(LAYOUT.zone_of)
    watched(times([lies("9H", ONE)], 10), tracker=tracker)

    said = [at for n in range(10, 300) for at in tracker.step(frame(n), [], hidden={"player"})]

    assert said == [ZoneCleared("player")]


def test_a_camera_that_paused_is_no_cleared_zone() -> None:
    tracker = Tracker(LAYOUT.zone_of)
    said = watched(times([lies("9H", ONE)], 10), tracker=tracker)
    for n in range(200, 210):
        said += tracker.step(frame(n), [lies("9H", ONE)])

    assert told(said) == [("player", "9H", False)]


def test_a_zone_seen_empty_on_both_sides_of_a_pause_was_cleared() -> None:
    tracker = Tracker(LAYOUT.zone_of)
    said = watched(times([lies("9H", ONE)], 10), times([], 1), tracker=tracker)
    for n in range(200, 210):
        said += tracker.step(frame(n), [lies("9H", ONE)])

    assert told(said) == [("player", "9H", False)] * 2


def test_a_cleared_zone_tells_the_same_card_anew() -> None:
    lying = times([lies("9H", ONE)], 10)

    said = watched(lying, times([], 40), lying)

    assert told(said) == [("player", "9H", False)] * 2
    assert [at for at in said if isinstance(at, ZoneCleared)] == [ZoneCleared("player")]


def test_a_card_pushed_within_its_zone_stays_the_same() -> None:
    slide = [[lies("9H", (200 + 30 * n, 200))] for n in range(6)]

    said = watched(times([lies("9H", ONE)], 10), slide, times([lies("9H", (350, 200))], 20))

    assert told(said) == [("player", "9H", False)]


def test_a_card_moved_under_a_hand_stays_the_same() -> None:
    lying = times([lies("9H", ONE)], 10)

    said = watched(lying, times([], 10), times([lies("9H", (420, 240))], 20))

    assert told(said) == [("player", "9H", False)]


def test_a_card_turned_face_up_is_told_when_it_can_be_read() -> None:
    said = watched(times([lies("", ONE)], 30), times([lies("9H", ONE)], 10))

    assert told(said) == [("player", "9H", False)]
    assert len([at for at in said if isinstance(at, CardLanded)]) == 1


def test_a_squeezed_card_comes_back_to_its_place() -> None:
    bent = [[lies("", (200 + 3 * (n % 2), 205), turn=90 + 12 * (n % 3))] for n in range(30)]

    said = watched(
        times([lies("", ONE), lies("KD", TWO)], 10),
        [[*seen, lies("KD", TWO)] for seen in bent],
        times([lies("9H", ONE), lies("KD", TWO)], 12),
    )

    assert told(said) == [("player", "KD", False), ("player", "9H", False)]
    assert len([at for at in said if isinstance(at, CardLanded)]) == 2


def test_two_of_the_same_card_are_two_cards() -> None:
    said = watched(times([lies("AD", ONE)], 10), times([lies("AD", ONE), lies("AD", TWO)], 10))

    assert told(said) == [("player", "AD", False)] * 2


def test_a_card_whose_corners_were_read_apart_is_one() -> None:
    """The reader may take two corners of a card for two cards; they mean almost one middle."""
    parts = [lies("2H", ONE), lies("", (209, 205))], [lies("2H", (211, 206)), lies("2H", ONE)]

    said = watched([parts[n // 3 % 2] for n in range(30)])

    assert told(said) == [("player", "2H", False)]
    assert len([at for at in said if isinstance(at, CardLanded)]) == 1


def test_corners_that_read_differently_are_one_card_too() -> None:
    said = watched(times([lies("6C", ONE), lies("QC", (209, 205), probability=0.7)], 30))

    assert told(said) == [("player", "6C", False)]


def test_cards_that_overlap_are_told_each() -> None:
    row = [lies(card, (700 + 18 * n, 200)) for n, card in enumerate(("2C", "8S", "TD", "JH"))]

    said = watched(*[times(row[: n + 1], 8) for n in range(4)])

    assert [card for _, card, _ in told(said)] == ["2C", "8S", "TD", "JH"]


def test_a_card_laid_on_another_leaves_the_one_below_as_it_was() -> None:
    said = watched(
        times([lies("2C", (700, 200))], 10),
        times([lies("8S", (718, 200))], 10),
        times([lies("TD", (736, 200))], 10),
    )

    assert [card for _, card, _ in told(said)] == ["2C", "8S", "TD"]


def test_a_switched_card_is_told_again() -> None:
    said = watched(times([lies("9H", ONE)], 20), times([lies("KS", (203, 198))], 30))

    assert told(said) == [("player", "9H", False), ("player", "KS", True)]
    assert len({at.track for at in said if isinstance(at, CardRead)}) == 1


def test_a_glare_of_half_a_second_is_no_switch() -> None:
    said = watched(
        times([lies("9H", ONE)], 20), times([lies("8H", ONE)], 6), times([lies("9H", ONE)], 20)
    )

    assert told(said) == [("player", "9H", False)]


def test_unsure_doubts_are_no_switch() -> None:
    said = watched(times([lies("9H", ONE)], 20), times([lies("8H", ONE, probability=0.5)], 8))

    assert told(said) == [("player", "9H", False)]


def test_a_card_that_cannot_be_read_well_is_told_late_and_as_unsure() -> None:
    poor = times([lies("9H", ONE, probability=0.12)], 60)

    (settled,) = [at for at in watched(poor) if isinstance(at, CardRead)]

    assert settled.guesses[0].probability < 0.9
    assert settled.looks[-1].moment.number >= 30


def test_it_is_told_again_once_it_can_be_read_well() -> None:
    poor = times([lies("9H", ONE, probability=0.12)], 60)

    said = watched(poor, times([lies("9H", (225, 215))], 10))

    assert told(said) == [("player", "9H", False), ("player", "9H", True)]


def test_readings_that_flicker_are_not_told_as_sure() -> None:
    flicker = [[lies("9H" if n % 2 else "6H", ONE, probability=0.8)] for n in range(28)]

    assert told(watched(flicker)) == []


def test_a_card_never_read_lands_and_is_not_told() -> None:
    said = watched(times([lies("", ONE)], 60))

    assert said == [CardLanded(1, "player", ONE, 90.0)]


def test_what_was_told_before_a_restart_is_followed_on() -> None:
    before = Tracker(LAYOUT.zone_of)
    watched(times([lies("9H", ONE)], 10), tracker=before)
    after = Tracker(LAYOUT.zone_of)
    after.resume(before.tracks)

    said = watched(times([lies("9H", ONE), lies("KD", TWO)], 10), tracker=after)

    assert told(said) == [("player", "KD", False)]


def test_the_same_frames_say_the_same() -> None:
    frames = times([lies("9H", ONE), lies("KS", BANKER), lies("", TWO)], 12)

    assert watched(frames) == watched(frames)


def rarely(gap_us: int, *parts: Frames) -> list[TrackEvent]:
    """What is said where frames come so far apart."""
    tracker, frames = Tracker(LAYOUT.zone_of), [seen for part in parts for seen in part]
    moments = (frame(n)._replace(at_us=START_US + n * gap_us) for n in range(len(frames)))
    return [
        said
        for moment, seen in zip(moments, frames, strict=True)
        for said in tracker.step(moment, seen)
    ]


@pytest.mark.parametrize("gap_us", [250_000, 500_000, 1_000_000, 2_000_000])
def test_a_card_that_lies_is_told_however_rarely_frames_come(gap_us: int) -> None:
    said = rarely(gap_us, times([], 5), times([lies("9H", ONE)], 6))

    assert told(said) == [("player", "9H", False)]


def test_a_card_that_was_gone_between_few_frames_is_not_lost_in_silence() -> None:
    said = rarely(1_000_000, times([], 5), times([lies("9H", ONE)], 2), times([], 6))

    assert told(said) == []
    assert [at for at in said if isinstance(at, CardMissed)] == [CardMissed("player", "9H", 2, 1.0)]


def test_what_came_by_for_a_moment_is_not_missed_where_frames_are_many() -> None:
    said = watched(times([lies("9H", ONE)], 3), times([], 50))

    assert said == [ZoneCleared("player")]


def test_a_card_that_lies_untold_when_the_frames_end_is_missed_too() -> None:
    tracker = Tracker(LAYOUT.zone_of)
    for n in range(6):
        moment = frame(n)._replace(at_us=START_US + n * 4_000_000)
        tracker.step(moment, [lies("9H", ONE)] if n > 3 else [])

    assert tracker.unfinished() == [CardMissed("player", "9H", 1, 0.25)]
