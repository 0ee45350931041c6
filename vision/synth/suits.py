"""The four suit signs as shapes, for decks that are drawn by our own code."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

SIDE = 256  # a sign is drawn this large and then scaled


@cache
def sign(suit: str, bulge: int = 0) -> Mask:
    """A suit sign filling a square, 255 where there is ink; `bulge` varies its form (-2 to 2)."""
    drawn = np.zeros((SIDE, SIDE), np.uint8)
    match suit:
        case "D":
            _fill(drawn, _diamond(0.92 + 0.06 * bulge))
        case "H":
            _fill(drawn, _heart(1.0 + 0.05 * bulge))
        case "S":
            points = _heart(1.0 + 0.05 * bulge) * (1, -1) * (1, 0.82) + (0, -0.12)
            _fill(drawn, points)
            _fill(drawn, _stem(0.25 + 0.03 * bulge))
        case "C":
            lobe = 0.40 + 0.02 * bulge
            for x, y in ((0, -0.52), (-0.5, 0.14), (0.5, 0.14)):
                cv2.circle(drawn, _pixel(x, y), round(lobe * SIDE / 2), 255, -1, cv2.LINE_AA)
            _fill(drawn, _stem(0.2 + 0.03 * bulge))
        case _:
            raise ValueError(f"{suit!r} is no suit: one of S, H, C, D")
    return _tight(drawn)


def _diamond(width: float) -> NDArray[np.float64]:
    """Four corners, the sides drawn in a little."""
    corners = np.array([(0, -1), (width * 0.8, 0), (0, 1), (-width * 0.8, 0)])
    sides = []
    for n in range(4):
        here, there = corners[n], corners[(n + 1) % 4]
        along = np.linspace(0, 1, 12)[:, None]
        line = here * (1 - along) + there * along
        sides.append(line * (1 - 0.08 * np.sin(np.pi * along)))
    return np.vstack(sides)


def _heart(width: float) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 120)
    x = 16 * np.sin(turn) ** 3 / 16 * width
    y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 15
    return np.stack([x * 0.95, y], axis=1)


def _stem(width: float) -> NDArray[np.float64]:
    return np.array(
        [(-0.06, 0), (0.06, 0), (0.1, 0.55), (width + 0.12, 1), (-width - 0.12, 1), (-0.1, 0.55)]
    )


def _fill(drawn: Mask, points: NDArray[np.float64]) -> None:
    spots = np.array([_pixel(float(x), float(y)) for x, y in points], np.int32)
    cv2.fillPoly(drawn, [spots], 255, cv2.LINE_AA)


def _pixel(x: float, y: float) -> tuple[int, int]:
    half = SIDE / 2
    return round(half + x * half * 0.9), round(half + y * half * 0.9)


def _tight(drawn: Mask) -> Mask:
    """The sign without the blank round it."""
    inked = np.argwhere(drawn > 127)
    (top, left), (bottom, right) = inked.min(0), inked.max(0)
    return drawn[top : bottom + 1, left : right + 1]
