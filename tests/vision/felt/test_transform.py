"""Marks tell where the felt lies; marks that cannot are refused with the reason."""

import numpy as np
import pytest

from vision.felt import transform as f
from vision.felt.transform import BadMarks, Felt, FeltMark
from vision.types import Point

SIZE = (1920, 1080)
# A camera that looks down at a slant on a felt of 1.2 m by 0.7 m.
TRUE = np.array([[1.30, 0.12, 160.0], [-0.05, 1.10, 140.0], [0.00002, 0.00015, 1.0]])
CORNERS: list[Point] = [(0, 0), (1200, 0), (1200, 700), (0, 700)]
MANY: list[Point] = [(x, y) for x in (40, 420, 800, 1160) for y in (30, 350, 670)]


def marks(points: list[Point], bend: float = 0.0, noise: float = 0.0) -> list[FeltMark]:
    """Marks as that camera would show them."""
    at = np.column_stack((np.array(points, float), np.ones(len(points)))) @ TRUE.T
    lens = Felt(SIZE, tuple(np.eye(3).ravel().tolist()), bend)
    seen = lens.to_picture(at[:, :2] / at[:, 2:])
    seen += np.random.default_rng(7).normal(0, noise, seen.shape) if noise else 0
    return [FeltMark((x, y), at) for (x, y), at in zip(seen.tolist(), points, strict=True)]


def test_four_marks_tell_every_point_of_the_felt() -> None:
    found = f.fit(marks(CORNERS), SIZE)

    (elsewhere,) = marks([(300, 420)])
    assert found.to_felt([elsewhere.picture])[0] == pytest.approx((300, 420), abs=0.01)
    assert found.to_picture([(300, 420)])[0] == pytest.approx(elsewhere.picture, abs=0.01)
    assert found.bend == 0


def test_many_marks_share_out_the_errors_of_measuring() -> None:
    found = f.fit(marks(MANY, noise=1.0), SIZE)

    (middle,) = marks([(600, 350)])
    assert found.to_felt([middle.picture])[0] == pytest.approx((600, 350), abs=1.5)
    assert 0 < max(found.errors_mm) < 4


def test_a_bent_lens_is_told_by_eight_marks_and_more() -> None:
    found = f.fit(marks(MANY, bend=0.12), SIZE)

    (elsewhere,) = marks([(1000, 120)], bend=0.12)
    assert found.bend == pytest.approx(0.12, abs=0.006)
    assert found.to_felt([elsewhere.picture])[0] == pytest.approx((1000, 120), abs=1)
    assert found.to_picture([(1000, 120)])[0] == pytest.approx(elsewhere.picture, abs=1)


def test_marks_measured_badly_are_not_taken_for_a_bent_lens() -> None:
    found = f.fit(marks(MANY, noise=1.0), SIZE)

    assert abs(found.bend) < 0.03


def test_a_lens_is_bent_there_and_back() -> None:
    lens = Felt(SIZE, tuple(np.eye(3).ravel().tolist()), -0.2)
    points = np.array([(5.0, 5.0), (960.0, 540.0), (1900.0, 700.0)])

    assert lens.to_picture(lens.to_felt(points)) == pytest.approx(points, abs=1e-6)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        pytest.param(marks(CORNERS[:3]), "four marks or more expected, 3 found", id="three"),
        pytest.param(
            [*marks(CORNERS[:3]), marks(CORNERS)[0]], "marks 1 and 4: two different", id="repeated"
        ),
        pytest.param(
            marks([(0, 0), (300, 0), (900, 0), (600, 500)]), "no three stand in a line", id="a line"
        ),
        pytest.param(
            marks([(0, 0), (400, 400), (800, 800), (1200, 1200)]), "no three", id="all on a line"
        ),
        pytest.param(
            [FeltMark(at.picture, (at.felt[1], at.felt[0])) for at in marks(CORNERS)],
            "as in a mirror",
            id="x and y swapped",
        ),
        pytest.param(
            [
                FeltMark(at.picture, felt)
                for at, felt in zip(
                    marks(CORNERS), [CORNERS[n] for n in (0, 2, 1, 3)], strict=True
                )
            ],
            "crossed",
            id="two marks swapped",
        ),
        pytest.param(
            [FeltMark((float("nan"), 0), (0, 0)), *marks(CORNERS)],
            "numbers expected",
            id="no number",
        ),
    ],
)  # fmt: skip
def test_marks_that_cannot_tell_are_refused(found: list[FeltMark], told: str) -> None:
    with pytest.raises(BadMarks, match=told):
        f.fit(found, SIZE)


def test_the_mark_that_does_not_fit_is_named() -> None:
    found = marks(MANY)
    found[4] = FeltMark(found[4].picture, (found[4].felt[0] + 90, found[4].felt[1]))

    with pytest.raises(BadMarks, match=r"mark 5 is 90 mm off"):
        f.fit(found, SIZE)


def test_marks_of_which_none_fits_are_refused_together() -> None:
    rng = np.random.default_rng(3)
    found = [FeltMark(at.picture, tuple(rng.uniform(0, 900, 2).tolist())) for at in marks(MANY)]

    with pytest.raises(BadMarks, match=r"within 8 mm expected|mm off"):
        f.fit(found, SIZE)
