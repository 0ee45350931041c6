"""Fits a camera to its felt: marks tie points of the picture to millimetres of the table.

Felt coordinates are millimetres, x to the right and y downwards as seen from above, so a picture
and the felt turn the same way round. `view_check.py` watches that the camera has not moved since.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Point

Points = NDArray[np.float64]  # one row a point
Matrix = NDArray[np.float64]  # three by three

WORST_MM = 8.0  # a mark further off than this was measured or clicked wrongly
APART_PX, APART_MM = 3.0, 2.0  # marks nearer than this are the same mark
FLAT_SHARE = 0.01  # a triangle of marks smaller than this share of the area is a line
BEND_MIN_MARKS = 8  # fewer marks cannot separate a bent lens from bad measurements
BENDS_TRIED = np.linspace(-0.25, 0.5, 151)  # radial distortions to try
BEND_ERROR_SHARE = 0.75  # accept a bend that leaves at most this share of the error


class BadMarks(ValueError):
    """The marks do not determine where the felt lies; the message says why."""


class FeltMark(NamedTuple):
    """One point, located in the picture and measured on the felt."""

    picture: Point  # pixels
    felt: Point  # millimetres


@dataclass(frozen=True, slots=True)
class Felt:
    """Where the felt lies in the picture of one camera."""

    size: tuple[int, int]  # width and height of the picture, pixels
    homography: tuple[float, ...]  # nine numbers: straightened pixels to millimetres
    bend: float = 0.0  # radial distortion of the lens; 0 if the marks show none
    marks: tuple[FeltMark, ...] = ()

    @property
    def errors_mm(self) -> tuple[float, ...]:
        """How far the fitted felt puts each mark from where it was measured."""
        return tuple(_errors(self._matrix, self.bend, self.size, self.marks).tolist())

    def to_felt(self, points: Sequence[Point] | Points) -> Points:
        """Convert points of the picture to millimetres."""
        return _through(self._matrix, _straight(_rows(points), self.bend, self.size))

    def to_picture(self, points: Sequence[Point] | Points) -> Points:
        """Convert points of the felt to pixels."""
        inverse = np.asarray(np.linalg.inv(self._matrix), np.float64)
        straight = _through(inverse, _rows(points))
        return _bent(straight, self.bend, self.size)

    def outline(self) -> Points:
        """The outline of the marks in the picture: inside it everything is felt."""
        hull = cv2.convexHull(_rows([mark.picture for mark in self.marks]).astype(np.float32))
        return hull.reshape(-1, 2).astype(np.float64)

    @property
    def _matrix(self) -> Matrix:
        return np.array(self.homography, np.float64).reshape(3, 3)


def fit(marks: Sequence[FeltMark], size: tuple[int, int], worst_mm: float = WORST_MM) -> Felt:
    """Fit the felt to four or more marks; BadMarks if they do not fit."""
    _require_spread_marks(marks)
    bend = _bend(marks, size) if len(marks) >= BEND_MIN_MARKS else 0.0
    matrix = _matrix(marks, bend, size)
    errors = _errors(matrix, bend, size, marks)
    if not np.all(errors <= worst_mm):
        raise BadMarks(_misfit_message(marks, errors, size, worst_mm))
    _require_view_from_above(matrix, bend, marks, size)
    return Felt(size, tuple(matrix.ravel().tolist()), bend, tuple(marks))


def _require_spread_marks(marks: Sequence[FeltMark]) -> None:
    if len(marks) < 4:
        raise BadMarks(f"four marks or more expected, {len(marks)} found")
    numbers = np.array([(*mark.picture, *mark.felt) for mark in marks])
    if not np.all(np.isfinite(numbers)):
        raise BadMarks("numbers expected for every mark, something else found")
    for (n, one), (m, two) in combinations(enumerate(marks, 1), 2):
        if _gap(one.picture, two.picture) < APART_PX or _gap(one.felt, two.felt) < APART_MM:
            raise BadMarks(f"marks {n} and {m}: two different points expected, the same one found")
    for where in ("picture", "felt"):
        if not _spread([getattr(mark, where) for mark in marks]):
            expected = f"in the {where}: four marks expected of which no three stand in a line"
            raise BadMarks(f"{expected}, fewer found")


def _require_view_from_above(
    matrix: Matrix, bend: float, marks: Sequence[FeltMark], size: tuple[int, int]
) -> None:
    """Refuse marks that a camera above the felt cannot see: crossed or mirrored ones."""
    straight = _straight(_rows([mark.picture for mark in marks]), bend, size)
    depth = np.column_stack((straight, np.ones(len(straight)))) @ matrix[2]
    if np.min(depth) * np.max(depth) <= 0:
        raise BadMarks("marks in the order they lie on the felt expected, crossed ones found")
    if np.linalg.det(matrix) * np.sign(depth[0]) <= 0:
        expected = "x to the right and y downwards as seen from above expected on the felt"
        raise BadMarks(f"{expected}, marks as in a mirror found")


def _spread(points: Sequence[Point]) -> bool:
    """Whether four of the points span an area, no three of them on one line."""
    chosen = _far_apart(_rows(points), 10)
    whole = float(np.prod(np.maximum(np.ptp(chosen, axis=0), 1e-9)))
    return any(
        all(_triangle(*three) > FLAT_SHARE * whole for three in combinations(four, 3))
        for four in combinations(chosen, 4)
    )


def _far_apart(points: Points, count: int) -> Points:
    """Choose `count` points, each as far from the others as possible."""
    chosen = [0]
    while len(chosen) < min(count, len(points)):
        gaps = np.linalg.norm(points[:, None] - points[None, chosen], axis=2).min(axis=1)
        chosen.append(int(np.argmax(gaps)))
    return points[chosen]


def _bend(marks: Sequence[FeltMark], size: tuple[int, int]) -> float:
    """The bend of the lens, if it predicts left-out marks better than no bend."""
    felt = _rows([mark.felt for mark in marks])
    picture = _rows([mark.picture for mark in marks])

    def error(bend: float) -> float:
        straight = _straight(picture, bend, size)
        return float(np.sum(_errors_of(_fitted(straight, felt), straight, felt) ** 2))

    best = float(min(BENDS_TRIED, key=lambda bend: error(float(bend))))
    without, with_it = (_left_out(marks, bend, size) for bend in (0.0, best))
    return best if with_it < BEND_ERROR_SHARE * without else 0.0


def _left_out(marks: Sequence[FeltMark], bend: float, size: tuple[int, int]) -> float:
    """The error of each mark predicted by all others; root mean square in mm."""
    found = []
    for n, mark in enumerate(marks):
        others = [*marks[:n], *marks[n + 1 :]]
        matrix = _matrix(others, bend, size)
        found.append(float(_errors(matrix, bend, size, [mark])[0]))
    return float(np.sqrt(np.mean(np.square(found))))


def _misfit_message(
    marks: Sequence[FeltMark], errors: Points, size: tuple[int, int], worst_mm: float
) -> str:
    """Name the marks that disagree with the majority; else the largest error."""
    picture = _straight(_rows([mark.picture for mark in marks]), 0.0, size)
    felt = _rows([mark.felt for mark in marks])
    cv2.setRNGSeed(1)
    matrix, agree = cv2.findHomography(picture, felt, cv2.RANSAC, worst_mm)
    kept = np.zeros(len(marks), bool) if matrix is None else agree.ravel().astype(bool)
    if 5 <= int(kept.sum()) < len(marks):
        off = _errors_of(np.asarray(matrix, np.float64), picture, felt)
        off_mm = (f"mark {n + 1} is {off[n]:.0f} mm off" for n in np.flatnonzero(~kept))
        return f"at most {worst_mm:g} mm from where the others put it expected; {', '.join(off_mm)}"
    return f"marks that fit within {worst_mm:g} mm expected, {np.max(errors):.0f} mm found"


def _matrix(marks: Sequence[FeltMark], bend: float, size: tuple[int, int]) -> Matrix:
    picture = _straight(_rows([mark.picture for mark in marks]), bend, size)
    return _fitted(picture, _rows([mark.felt for mark in marks]))


def _fitted(picture: Points, felt: Points) -> Matrix:
    matrix, _ = cv2.findHomography(picture, felt, 0)
    if matrix is None or not np.all(np.isfinite(matrix)) or abs(np.linalg.det(matrix)) < 1e-12:
        raise BadMarks("marks of one plane expected, none that fits them found")
    return np.asarray(matrix, np.float64)


def _errors(
    matrix: Matrix, bend: float, size: tuple[int, int], marks: Sequence[FeltMark]
) -> Points:
    picture = _straight(_rows([mark.picture for mark in marks]), bend, size)
    return _errors_of(matrix, picture, _rows([mark.felt for mark in marks]))


def _errors_of(matrix: Matrix, picture: Points, felt: Points) -> Points:
    return np.asarray(np.linalg.norm(_through(matrix, picture) - felt, axis=1), np.float64)


def _through(matrix: Matrix, points: Points) -> Points:
    moved = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:], np.float64)


def _straight(points: Points, bend: float, size: tuple[int, int]) -> Points:
    """Pixels as a lens without distortion has them."""
    middle, reach = _lens(size)
    out = points - middle
    far = np.sum(out**2, axis=1, keepdims=True) / reach**2
    return np.asarray(middle + out * (1 + bend * far), np.float64)


def _bent(points: Points, bend: float, size: tuple[int, int]) -> Points:
    """The inverse of `_straight`: pixels as this lens has them, by Newton's method."""
    middle, reach = _lens(size)
    out = points - middle
    want = np.linalg.norm(out, axis=1, keepdims=True) / reach
    far = want.copy()
    for _ in range(12):
        slope = np.maximum(1 + 3 * bend * far**2, 0.1)
        far -= (far * (1 + bend * far**2) - want) / slope
    return np.asarray(middle + out * (far / np.maximum(want, 1e-12)), np.float64)


def _lens(size: tuple[int, int]) -> tuple[Points, float]:
    """The middle of a picture, and the distance to its corners."""
    return np.array(size, np.float64) / 2, float(np.hypot(*size)) / 2


def _rows(points: Sequence[Point] | Points) -> Points:
    return np.asarray(points, np.float64).reshape(-1, 2)


def _triangle(a: Points, b: Points, c: Points) -> float:
    return float(abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))) / 2


def _gap(one: Point, two: Point) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))
