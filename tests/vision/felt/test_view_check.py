"""A camera that was moved or covered is told of; cards, chips and hands are not."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support import felts
from tests.support.felts import card, cloth, hand, moved, picture
from vision.felt import view_check
from vision.felt.view_check import FeltView, PlainFelt, ViewCheck
from vision.types import Image

FELT = felts.calibrated()
EMPTY = picture(cloth())
SIGNATURE = view_check.felt_print(EMPTY, FELT)
S = 1_000_000


@pytest.fixture
def lookout() -> ViewCheck:
    """A lookout that knows the drawn felt."""
    return ViewCheck(FELT, SIGNATURE)


def busy() -> Image:
    """A felt in the middle of a round."""
    image = cloth()
    for n in range(6):
        card(image, (150 + 75 * n, 180 + 20 * (n % 2)), 3.0 * n)
        card(image, (720 + 70 * n, 200), 90.0 if n == 5 else 0.0)
        cv2.circle(image, (105 + 162 * n, 590), 22, (40, 40, 200), -1)
    return image


def test_a_still_camera_sees_its_felt(lookout: ViewCheck) -> None:
    found = lookout.look(EMPTY, 0)

    assert found.kind == "clear"
    assert found.visible_share > 0.97
    assert found.shift_mm < 0.5


@pytest.mark.parametrize("light", [0.5, 0.75, 1.3])
def test_other_light_is_no_disturbance(lookout: ViewCheck, light: float) -> None:
    assert lookout.look(picture(cloth(), light=light), 0).kind == "clear"


def test_cards_chips_and_a_hand_are_no_disturbance(lookout: ViewCheck) -> None:
    image = busy()
    hand(image, (420, 500))

    found = lookout.look(picture(image), 0)

    assert found.kind == "clear"
    assert 0.4 < found.visible_share < 1
    assert found.shift_mm < 2


@pytest.mark.parametrize(
    ("shake", "least", "most"),
    [
        pytest.param(moved(12, 0), 9, 20, id="a nudge"),
        pytest.param(moved(0, 0, turn=2.0), 6, 40, id="a turn"),
        pytest.param(moved(150, 60), 120, 260, id="a push beyond the first search"),
        pytest.param(moved(-60, 30, turn=-6), 50, 200, id="pushed and turned"),
    ],
)
def test_a_moved_camera_is_told_with_how_much(
    lookout: ViewCheck, shake: NDArray[np.float64], least: float, most: float
) -> None:
    found = lookout.look(picture(busy(), shake), 0)

    assert found.kind == "moved"
    assert least < found.shift_mm < most


def test_the_way_back_puts_points_where_they_were(lookout: ViewCheck) -> None:
    shake = moved(40, -25, turn=1.5)

    found = lookout.look(picture(busy(), shake), 0)

    x, y = felts.seen((600, 350), shake)
    back = np.array(found.back).reshape(2, 3) @ np.array([x, y, 1.0])
    assert FELT.to_felt([tuple(back)])[0] == pytest.approx((600, 350), abs=6)


def test_a_camera_that_stays_moved_is_followed_in_every_picture(lookout: ViewCheck) -> None:
    away = picture(busy(), moved(150, 60))

    found = [lookout.look(away, n * S // 5) for n in range(6)]

    assert {each.kind for each in found} == {"moved"}
    assert lookout.look(EMPTY, 2 * S).kind == "clear"


@pytest.mark.parametrize("shift", [2.0, 3.0])
def test_a_tremble_is_no_move(lookout: ViewCheck, shift: float) -> None:
    assert lookout.look(picture(cloth(), moved(shift, 0)), 0).kind == "clear"


def test_a_covered_lens_is_told_with_what_is_left(lookout: ViewCheck) -> None:
    image = EMPTY.copy()
    image[:, :1000] = (90, 80, 70)

    found = lookout.look(image, 0)

    assert found.kind == "covered"
    assert 0.0 < found.visible_share < 0.4


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.zeros_like(EMPTY), id="the light is out"),
        pytest.param(np.full_like(EMPTY, 128), id="something before the lens"),
        pytest.param(cv2.GaussianBlur(EMPTY, (0, 0), 25), id="out of focus"),
        pytest.param(
            np.random.default_rng(1).integers(0, 255, EMPTY.shape, np.uint8), id="nothing but noise"
        ),
    ],
)
def test_a_view_without_the_felt_is_covered(lookout: ViewCheck, image: Image) -> None:
    found = lookout.look(image, 0)

    assert found.kind == "covered"
    assert found.visible_share < 0.3


def test_a_picture_of_half_the_size_shows_the_same_felt(lookout: ViewCheck) -> None:
    half = cv2.resize(EMPTY, (640, 360), interpolation=cv2.INTER_AREA)

    assert lookout.look(np.asarray(half, np.uint8), 0).kind == "clear"


def test_a_picture_of_another_shape_tells_nothing(lookout: ViewCheck) -> None:
    found = lookout.look(EMPTY[:, :900], 0)

    assert (found.kind, found.visible_share) == ("reshaped", 0.0)
    assert lookout.news(found, 0) == view_check.ViewChange("reshaped", 0.0, 0.0)


@pytest.mark.parametrize("shift", range(-160, 161, 40))
def test_print_that_repeats_itself_is_no_sure_view(lookout: ViewCheck, shift: int) -> None:
    """Boxes stand 150 pixels apart: one that lies on its neighbour's place tells nothing."""
    found = lookout.look(picture(cloth(), moved(shift, 40)), 0)

    back = np.array(found.back or (1, 0, 0, 0, 1, 0)).reshape(2, 3)
    x, y = back @ np.array([*felts.seen((600, 350), moved(shift, 40)), 1.0])
    right = FELT.to_felt([(x, y)])[0] == pytest.approx((600, 350), abs=10)
    assert right or not found.sure


def test_a_pushed_camera_is_not_taken_for_a_clear_view(lookout: ViewCheck) -> None:
    """By one box's width the boxes match again, and only they do."""
    pitch = felts.seen((262, 580))[0] - felts.seen((100, 580))[0]

    found = lookout.look(picture(busy(), moved(pitch, 0)), 0)

    assert found.kind == "moved"
    assert found.shift_mm > 100


def test_a_felt_without_print_is_known_by_its_shape_alone() -> None:
    plain = ViewCheck(FELT, None)

    assert plain.look(np.zeros_like(EMPTY), 0).kind == "clear"
    assert plain.look(EMPTY[:, :900], 0).kind == "reshaped"


def test_only_what_lasts_is_told_and_once(lookout: ViewCheck) -> None:
    covered = FeltView("covered", 0.2)

    told = [lookout.news(covered, at * S // 2) for at in range(12)]

    assert [at for at, change in enumerate(told) if change] == [4]
    assert lookout.state == "covered"


def test_a_hand_before_the_lens_for_a_moment_is_not_told(lookout: ViewCheck) -> None:
    views = [FeltView("covered", 0.1), FeltView("clear", 1.0)] * 10

    assert not any(lookout.news(each, n * S) for n, each in enumerate(views))


def test_a_view_that_is_good_again_is_told(lookout: ViewCheck) -> None:
    for n in range(4):
        lookout.news(FeltView("moved", 1.0, 30.0), n * S)
    told = [lookout.news(FeltView("clear", 1.0), n * S) for n in range(4, 8)]

    assert [change.kind for change in told if change] == ["clear"]


def test_a_plain_felt_cannot_be_known_again() -> None:
    plain = picture(np.full((700, 1200, 3), (60, 110, 40), np.uint8), noise=0)

    with pytest.raises(PlainFelt, match="corners of print on the felt expected"):
        view_check.felt_print(plain, FELT)
