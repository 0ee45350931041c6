"""Draws the printed felt of a game as its camera sees it, and calibrates that camera."""

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from vision.felt import transform, view_check
from vision.felt.calibration import Calibration
from vision.felt.layout import Layout, Zone
from vision.felt.transform import FeltMark
from vision.synth.scene import Matrix, project
from vision.synth.spots import FeltArea, middle_of, near_zone, reach_of
from vision.types import Image, Point

MARGIN_MM = 45.0  # in view outside the outermost zones
BEYOND_SHARE = 0.08  # cloth is drawn this share beyond the view
TILT_SHARE = 0.012  # how far the corners of the view are off, as a share of the picture
INK = (205, 218, 222)
TONES = ((62, 104, 34), (112, 66, 26), (44, 34, 118), (80, 44, 72), (52, 58, 50))  # BGR


class EmptyView(NamedTuple):
    """The picture of an empty felt, and the camera's projection."""

    picture: Image
    camera: Matrix  # felt mm to pixels
    around: FeltArea

    @property
    def scale(self) -> float:
        """Pixels per millimetre in the middle of the picture."""
        return float(self.picture.shape[1] / (self.around.right - self.around.left))


def ground(layout: Layout, size: tuple[int, int], luck: Generator) -> EmptyView:
    """Draw the printed felt of a game into a picture of this size."""
    around = seen_part(layout, size)
    camera = _camera(around, size, luck)
    wide, high = around.right - around.left, around.low - around.top
    outer = FeltArea(
        around.left - BEYOND_SHARE * wide,
        around.top - BEYOND_SHARE * high,
        around.right + BEYOND_SHARE * wide,
        around.low + BEYOND_SHARE * high,
    )
    scale = size[0] / wide
    cloth = _PrintedCloth(_woven(outer, scale, luck), outer, scale)
    cloth.print(layout)
    spread = np.array([[1 / scale, 0, outer.left], [0, 1 / scale, outer.top], [0, 0, 1]])
    picture = cv2.warpPerspective(cloth.image, camera @ spread, size, flags=cv2.INTER_AREA)
    return EmptyView(np.asarray(picture, np.uint8), camera, around)


def seen_part(layout: Layout, size: tuple[int, int]) -> FeltArea:
    """The part of the felt in the picture: every zone, and below them what the shape leaves."""
    xs, ys = zip(*(at for zone in layout.zones for at in zone.polygon), strict=True)
    left, right = min(xs) - MARGIN_MM, max(xs) + MARGIN_MM
    top, low = min(ys) - MARGIN_MM, max(ys) + MARGIN_MM
    wide, high = right - left, low - top
    if wide * size[1] >= high * size[0]:
        return FeltArea(left, top, right, top + wide * size[1] / size[0])
    more = (high * size[0] / size[1] - wide) / 2
    return FeltArea(left - more, top, right + more, low)


def calibrated(empty: Image, made: EmptyView, luck: Generator) -> Calibration:
    """The camera's calibration, from accurately measured marks."""
    left, top, right, low = made.around
    x, y = (right - left) * 0.03, (low - top) * 0.03
    spots: list[Point] = [(left + x, top + y), (right - x, top + y), (right - x, low - y)]
    spots += [(left + x, low - y), ((left + right) / 2, top + y), ((left + right) / 2, low - y)]
    seen = np.array(project(made.camera, spots)) + luck.uniform(-0.3, 0.3, (6, 2))
    marks = [FeltMark((float(a), float(b)), at) for (a, b), at in zip(seen, spots, strict=True)]
    fitted = transform.fit(marks, (empty.shape[1], empty.shape[0]))
    return Calibration(fitted, view_check.felt_print(empty, fitted))


def _camera(around: FeltArea, size: tuple[int, int], luck: Generator) -> Matrix:
    """A camera almost straight above."""
    left, top, right, low = around
    wide, high = size
    onto = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    onto += luck.uniform(-TILT_SHARE, TILT_SHARE, (4, 2)) * wide
    corners = np.array([(left, top), (right, top), (right, low), (left, low)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, onto.astype(np.float32))
    return np.asarray(matrix, np.float64)


def _woven(outer: FeltArea, scale: float, luck: Generator) -> Image:
    """Plain cloth with its grain."""
    high, wide = (round((outer.low - outer.top) * scale), round((outer.right - outer.left) * scale))
    tone = np.array(TONES[int(luck.integers(len(TONES)))]) * luck.uniform(0.85, 1.2)
    grain = cv2.GaussianBlur(luck.normal(0, 9, (high, wide)).astype(np.float32), (0, 0), 0.8)
    return np.asarray(np.clip(tone + np.asarray(grain)[..., None], 0, 255), np.uint8)


class _PrintedCloth:
    """Prints on cloth, in millimetres of the felt."""

    def __init__(self, image: Image, outer: FeltArea, scale: float) -> None:
        self.image, self._outer, self._scale = image, outer, scale

    def print(self, layout: Layout) -> None:
        """Print zones with names and places, betting boxes, and lines between them."""
        for zone in layout.zones:
            if layout.reads == "cards":
                self._hand(zone)
            else:
                self._tray(zone)
        self._boxes(layout)

    def _hand(self, zone: Zone) -> None:
        self._line(zone.polygon, 3.0)
        for place in zone.places:
            wide, high = (88 + 8, 63 + 8) if place.sideways else (63 + 8, 88 + 8)
            x, y = place.at[0] - wide / 2, place.at[1] - high / 2
            box = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
            self._line(box, 1.2, 0.55)
        x, _ = middle_of(zone)
        low = max(y for _, y in zone.polygon)
        self._word(zone.name.replace("_", " ").upper(), (x, low - 14), 22)

    def _tray(self, zone: Zone) -> None:
        """Print the plate for dice or tokens."""
        x, y = self._pixel(middle_of(zone))
        reach = reach_of(zone) * self._scale
        for share, tone in ((1.0, (38, 52, 74)), (0.93, (150, 158, 150)), (0.9, (96, 110, 92))):
            cv2.circle(self.image, (x, y), round(reach * share), tone, -1, cv2.LINE_AA)

    def _boxes(self, layout: Layout) -> None:
        """Print a field of bets where there is room."""
        left, top, right, low = self._outer
        step = 118.0 if layout.reads == "cards" else 74.0
        number = 0
        for row in range(math.ceil((low - top) / step)):
            for column in range(math.ceil((right - left) / step)):
                x, y = left + (column + 0.5) * step, top + (row + 0.5) * step
                if near_zone(layout, (x, y), step * 0.52):
                    continue
                number += 1
                self._bet((x, y), step * 0.44, number)

    def _bet(self, at: Point, half: float, number: int) -> None:
        x, y = at
        box = (
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        )
        self._line(box, 1.6, 0.8)
        kind = number % 3
        if kind == 0:
            cv2.circle(
                self.image, self._pixel(at), round(half * 0.6 * self._scale), INK, 1, cv2.LINE_AA
            )
        elif kind == 1:
            self._line(
                (
                    (x - half * 0.7, y),
                    (x, y - half * 0.7),
                    (x + half * 0.7, y),
                    (x, y + half * 0.7),
                ),
                1.6,
            )
        self._word(f"{number}" if kind else f"{number % 9 + 2}:1", (x, y + half * 0.2), half * 0.55)

    def _line(self, corners: tuple[Point, ...], thick_mm: float, strong: float = 1.0) -> None:
        points = np.array([self._pixel(at) for at in corners], np.int32)
        tone = tuple(round(part * strong) for part in INK)
        thick = max(1, round(thick_mm * self._scale))
        cv2.polylines(self.image, [points], True, tone, thick, cv2.LINE_AA)

    def _word(self, word: str, at: Point, high_mm: float) -> None:
        size = max(8, round(high_mm * self._scale))
        x, y = self._pixel(at)
        wide = 0.6 * size * len(word)
        where = (round(x - wide / 2), round(y))
        cv2.putText(self.image, word, where, INK, cv2.FontFace("sans"), size, 500)

    def _pixel(self, at: Point) -> tuple[int, int]:
        x, y = (at[0] - self._outer.left) * self._scale, (at[1] - self._outer.top) * self._scale
        return round(x), round(y)
