"""Threes with a flat top: a bar, a slant to the middle, a round bowl below.

Many printers use this form and most fonts do not, so a network trained on fonts alone reads it as a
five or not at all.
"""

from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
HIGH = 256  # drawn this high and then scaled
EDGE = 40  # blank round it, for thick strokes


class FlatThree(NamedTuple):
    """How a flat three is cut, in shares of its height."""

    stroke: float = 0.12
    bar: float = 0.85  # how thick the bar is, in strokes
    width: float = 0.62
    waist: float = 0.4  # how far down the slant meets the bowl
    foot: float = 100.0  # degrees before three o'clock at which the bowl begins
    tail: float = 160.0  # degrees past three o'clock at which it ends
    serif: float = 0.0  # how far the bar's left end reaches down
    ball: bool = False  # whether the tail ends in a ball


def some_flat_three(chance: Generator) -> FlatThree:
    """A random flat three within what printers do."""
    return FlatThree(
        stroke=float(chance.uniform(0.05, 0.16)),
        bar=float(chance.uniform(0.6, 1.1)),
        width=float(chance.uniform(0.5, 0.95)),
        waist=float(chance.uniform(0.34, 0.47)),
        foot=float(chance.uniform(80, 125)),
        tail=float(chance.uniform(125, 175)),
        serif=float(chance.uniform(0.1, 0.25)) if chance.random() < 0.6 else 0.0,
        ball=bool(chance.random() < 0.1),
    )


@cache
def drawn(three: FlatThree) -> Mask:
    """The figure as ink on an empty ground, cropped."""
    stroke = max(2, round(three.stroke * HIGH))
    bar = max(2, round(three.stroke * three.bar * HIGH))
    wide = round(three.width * HIGH)
    sheet = np.zeros((HIGH + 2 * EDGE, wide + 2 * EDGE), np.uint8)
    bowl = _bowl(three, wide, stroke)
    top, right = bar / 2, wide - stroke / 2
    # A slant thicker than the bar begins lower, so that nothing stands out above it.
    _line(sheet, np.array([(right, max(top, stroke / 2)), bowl[0]]), stroke)
    _line(sheet, bowl, stroke)
    _line(sheet, np.array([(stroke / 2, top), (right, top)]), bar)
    if three.serif:
        _line(sheet, np.array([(stroke / 2, top), (stroke / 2, three.serif * HIGH)]), bar)
    if three.ball:
        cv2.circle(sheet, _pixel(bowl[-1]), round(stroke * 0.8), 255, -1, cv2.LINE_AA)
    inked = np.argwhere(sheet > 127)
    (high, left), (low, far) = inked.min(0), inked.max(0)
    return sheet[high : low + 1, left : far + 1]


def _bowl(three: FlatThree, wide: int, stroke: int) -> NDArray[np.float64]:
    """Points of the round part, from the slant's foot to the tail."""
    upper, lower = three.waist * HIGH, HIGH - stroke / 2
    reach = np.array([wide / 2 - stroke / 2, (lower - upper) / 2])
    turn = np.radians(np.linspace(-three.foot, three.tail, 60))
    middle = np.array([wide / 2, (upper + lower) / 2])
    return np.asarray(middle + reach * np.stack([np.cos(turn), np.sin(turn)], axis=1), np.float64)


def _line(sheet: Mask, points: NDArray[np.float64], thick: int) -> None:
    spots = np.array([_pixel(point) for point in points], np.int32)
    cv2.polylines(sheet, [spots], False, 255, thick, cv2.LINE_AA)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])) + EDGE, round(float(point[1])) + EDGE
