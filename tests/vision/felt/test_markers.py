"""Markers that were printed are found again by their numbers, also at a slant."""

import numpy as np
import pytest

from tests.support import felts
from vision.felt import markers, transform
from vision.felt.transform import BadMarks
from vision.types import Image, Point

PLACES: dict[int, Point] = {0: (100, 100), 1: (1100, 100), 2: (1100, 600), 3: (100, 600)}


def laid() -> Image:
    """The felt with four markers upon it, as the camera sees it."""
    image, sheet = felts.cloth(), markers.sheet(4)
    step = markers.SIDE_PX + 2 * markers.EDGE_PX + markers.GAP_PX
    for number, (x, y) in PLACES.items():
        top, left = number // 2 * step, number % 2 * step
        marker = sheet[top : top + 420 : 4, left : left + 420 : 4]
        x0, y0 = round(x) - 52, round(y) - 52
        image[y0 : y0 + marker.shape[0], x0 : x0 + marker.shape[1]] = marker
    return felts.picture(image)


def test_their_middles_tell_where_the_felt_lies() -> None:
    found = transform.fit(markers.marks(laid(), PLACES), felts.SIZE)

    assert found.to_felt([felts.seen((600, 350))])[0] == pytest.approx((600, 350), abs=4)


def test_a_marker_that_is_not_there_is_named() -> None:
    with pytest.raises(BadMarks, match="marker 7 expected in the picture, 0, 1, 2, 3 found"):
        markers.marks(laid(), PLACES | {7: (0, 0)})


def test_a_felt_without_markers_has_none() -> None:
    assert markers.found(np.full((300, 400, 3), 90, np.uint8)) == {}
