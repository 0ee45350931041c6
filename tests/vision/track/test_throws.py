"""Dice and tokens over frames: a throw is told when everything lies still in sight."""

from collections.abc import Sequence

from tests.support.frame_tables import frame, guesses
from vision.track.throws import PieceSighting, ThrowRead, Throws
from vision.types import Point

PLACES: list[Point] = [(150, 150), (200, 160), (170, 220)]
MOVED: list[Point] = [(190, 250), (240, 180), (130, 190)]


def dice(
    faces: str, places: Sequence[Point] = PLACES, probability: float = 0.98, flat: bool = True
) -> list[PieceSighting]:
    """Three dice; an unread one is a dot."""
    return [
        PieceSighting(at, guesses("" if face == "." else face, probability), flat)
        for face, at in zip(faces, places, strict=True)
    ]


def watched(
    *parts: tuple[Sequence[PieceSighting], int], throws: Throws | None = None
) -> list[ThrowRead]:
    throws = throws or Throws(3, 19.0, 6)
    frames = [seen for seen, count in parts for _ in range(count)]
    said = [throws.step(frame(n), seen) for n, seen in enumerate(frames)]
    return [each for each in said if each]


def names(said: Sequence[ThrowRead]) -> list[tuple[str, bool]]:
    return [(each.guesses[0].seen, each.again) for each in said]


def test_a_throw_is_told_once_in_ascending_order() -> None:
    assert names(watched((dice("521"), 50))) == [("1-2-5", False)]


def test_the_order_in_which_dice_are_found_does_not_matter() -> None:
    turned = [*dice("521")[1:], dice("521")[0]]

    assert names(watched((dice("521"), 1), (turned, 1), (dice("521"), 10))) == [("1-2-5", False)]


def test_dice_in_motion_are_not_told() -> None:
    rolling = [(dice("521", [(x + 9 * n, y) for x, y in PLACES]), 1) for n in range(30)]

    assert watched(*rolling) == []


def test_a_hand_over_the_shaker_does_not_tell_it_again() -> None:
    said = watched((dice("521"), 10), ([], 30), (dice("521"), 10))

    assert names(said) == [("1-2-5", False)]


def test_another_throw_is_told() -> None:
    said = watched((dice("521"), 10), ([], 30), (dice("663", MOVED), 10))

    assert names(said) == [("1-2-5", False), ("3-6-6", False)]


def test_the_same_faces_thrown_again_are_told_again() -> None:
    said = watched((dice("521"), 10), (dice("521", MOVED), 10))

    assert names(said) == [("1-2-5", False)] * 2


def test_fewer_dice_than_there_are_say_nothing() -> None:
    assert watched((dice("521")[:2], 60)) == []


def test_a_die_too_many_says_nothing() -> None:
    assert watched(([*dice("521"), PieceSighting((90, 90), guesses("4"))], 60)) == []


def test_a_leaning_die_is_told() -> None:
    leaning = [*dice("521")[:2], dice("521", flat=False)[2]]

    (thrown,) = watched((leaning, 10))

    assert not thrown.flat
    assert not thrown.overlap


def test_a_die_on_another_is_told() -> None:
    (thrown,) = watched((dice("521", [(150, 150), (158, 155), (170, 220)]), 10))

    assert thrown.overlap


def test_an_unread_die_is_waited_for_and_then_said_to_be_unread() -> None:
    (thrown,) = watched((dice("5.1"), 40))

    assert thrown.guesses == ()
    assert thrown.looks[-1].moment.number >= 19


def test_it_is_told_again_once_it_can_be_read() -> None:
    said = watched((dice("5.1"), 30), (dice("521"), 10))

    assert [each.guesses[0].seen for each in said if each.guesses] == ["1-2-5"]
    assert said[-1].again


def test_unsure_dice_are_told_late_with_what_they_may_be() -> None:
    (thrown,) = watched((dice("521", probability=0.4), 40))

    assert thrown.guesses[0].seen == "1-2-5"
    assert thrown.guesses[0].probability < 0.9


def test_tokens_are_thrown_likewise() -> None:
    places: list[Point] = [(150, 150), (200, 160), (170, 220), (230, 230)]
    tokens = [PieceSighting(at, guesses(side)) for side, at in zip("WRRW", places, strict=True)]

    assert names(watched((tokens, 10), throws=Throws(4, 25.0, 2))) == [("R-R-W-W", False)]


def test_a_throw_is_told_where_frames_come_rarely() -> None:
    throws = Throws(3, 19.0, 6)
    moments = [frame(n)._replace(at_us=frame(0).at_us + n * 500_000) for n in range(3)]

    said = [throws.step(moment, dice("521")) for moment in moments]

    assert [each.guesses[0].seen for each in said if each] == ["1-2-5"]
