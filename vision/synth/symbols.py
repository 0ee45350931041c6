"""The six symbols of Fish Prawn Crab, drawn by our own code as face textures.

Strokes and colours vary with the generator, as sets of dice do. Two symbols share each colour:
red fish and rooster, green prawn and crab, blue calabash and tiger (rulebook SA-FPC, 5.1).
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

SYMBOLS = ("fish", "prawn", "calabash", "tiger", "crab", "rooster")
SIDE = 96

Ink = NDArray[np.uint8]  # how much of the symbol's colour lies on each point, 0 to 255

_COLOURS = {
    "fish": (30, 30, 200),
    "rooster": (30, 30, 200),
    "prawn": (40, 130, 30),
    "crab": (40, 130, 30),
    "calabash": (180, 70, 20),
    "tiger": (180, 70, 20),
}


def ink(symbol: str, rng: np.random.Generator) -> Ink:
    """One symbol on an empty face."""
    face = np.zeros((SIDE, SIDE), np.uint8)
    _DRAWN[symbol](face, _SymbolPen(rng))
    turn = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), rng.normal(0, 4), rng.uniform(0.85, 1.12))
    return np.asarray(cv2.warpAffine(face, turn, (SIDE, SIDE)), np.uint8)


def colour(symbol: str, rng: np.random.Generator) -> tuple[float, float, float]:
    """Its colour in BGR, now and then that of a set in one colour."""
    base = (
        _COLOURS[symbol] if rng.random() < 0.8 else ((40, 30, 30), (30, 30, 190))[rng.integers(2)]
    )
    b, g, r = (float(np.clip(c + rng.normal(0, 18), 0, 255)) for c in base)
    return b, g, r


class _SymbolPen:
    """Lengths that shake a little, so that no two sets are drawn alike."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.line = int(rng.integers(3, 6))

    def at(self, x: float, y: float) -> tuple[int, int]:
        """A point of the face, whose corners are (0, 0) and (1, 1)."""
        shake = self._rng.normal(0, 0.012, 2)
        return round((x + shake[0]) * SIDE), round((y + shake[1]) * SIDE)

    def long(self, share: float) -> int:
        """A length as a share of the face."""
        return max(1, round(share * SIDE * self._rng.uniform(0.88, 1.12)))


def _fish(face: Ink, pen: _SymbolPen) -> None:
    cv2.ellipse(face, pen.at(0.42, 0.5), (pen.long(0.29), pen.long(0.17)), 0, 0, 360, 255, -1)
    tail = [pen.at(0.62, 0.5), pen.at(0.9, 0.3), pen.at(0.82, 0.5), pen.at(0.9, 0.7)]
    cv2.fillPoly(face, [np.array(tail, np.int32)], 255)
    fin = [pen.at(0.34, 0.36), pen.at(0.5, 0.2), pen.at(0.56, 0.38)]
    cv2.fillPoly(face, [np.array(fin, np.int32)], 255)
    cv2.circle(face, pen.at(0.25, 0.45), pen.long(0.035), 0, -1)
    for x in (0.4, 0.5, 0.58):
        cv2.ellipse(face, pen.at(x, 0.5), (pen.long(0.05), pen.long(0.1)), 0, 100, 260, 0, 2)


def _prawn(face: Ink, pen: _SymbolPen) -> None:
    for step, turn in enumerate(range(150, 391, 30)):
        x, y = 0.5 + 0.25 * np.cos(np.radians(turn)), 0.5 + 0.25 * np.sin(np.radians(turn))
        cv2.circle(face, pen.at(x, y), pen.long(0.13 - 0.009 * step), 255, -1)
        cv2.line(face, pen.at(x, y), pen.at(0.5 + (x - 0.5) * 0.3, 0.5 + (y - 0.5) * 0.3), 255, 2)
        if step % 2:
            out = pen.at(0.5 + (x - 0.5) * 1.6, 0.5 + (y - 0.5) * 1.6)
            cv2.line(face, pen.at(x, y), out, 0, 2)
    tail = [pen.at(0.68, 0.68), pen.at(0.88, 0.72), pen.at(0.68, 0.88)]
    cv2.fillPoly(face, [np.array(tail, np.int32)], 255)
    for end in ((0.1, 0.9), (0.25, 0.95)):
        cv2.line(face, pen.at(0.27, 0.6), pen.at(*end), 255, 2)


def _calabash(face: Ink, pen: _SymbolPen) -> None:
    cv2.circle(face, pen.at(0.5, 0.65), pen.long(0.25), 255, -1)
    cv2.circle(face, pen.at(0.5, 0.33), pen.long(0.155), 255, -1)
    cv2.line(face, pen.at(0.5, 0.2), pen.at(0.58, 0.07), 255, pen.line)
    cv2.line(face, pen.at(0.34, 0.46), pen.at(0.66, 0.46), 0, pen.line)
    cv2.ellipse(face, pen.at(0.42, 0.62), (pen.long(0.07), pen.long(0.1)), 20, 120, 260, 0, 2)


def _tiger(face: Ink, pen: _SymbolPen) -> None:
    for x in (0.26, 0.74):
        cv2.circle(face, pen.at(x, 0.25), pen.long(0.12), 255, -1)
        cv2.circle(face, pen.at(x, 0.25), pen.long(0.05), 0, -1)
    cv2.ellipse(face, pen.at(0.5, 0.53), (pen.long(0.34), pen.long(0.32)), 0, 0, 360, 255, -1)
    for x in (0.36, 0.64):
        cv2.circle(face, pen.at(x, 0.48), pen.long(0.05), 0, -1)
        for y in (0.5, 0.6, 0.7):
            side = 0.14 if x < 0.5 else 0.86
            cv2.line(face, pen.at(side, y), pen.at(0.5 + (side - 0.5) * 0.6, y), 0, 3)
    for x in (0.42, 0.5, 0.58):
        cv2.line(face, pen.at(x, 0.22), pen.at(x, 0.36), 0, 3)
    nose = [pen.at(0.44, 0.6), pen.at(0.56, 0.6), pen.at(0.5, 0.67)]
    cv2.fillPoly(face, [np.array(nose, np.int32)], 0)
    cv2.ellipse(face, pen.at(0.5, 0.7), (pen.long(0.1), pen.long(0.06)), 0, 0, 180, 0, 3)


def _crab(face: Ink, pen: _SymbolPen) -> None:
    cv2.ellipse(face, pen.at(0.5, 0.58), (pen.long(0.26), pen.long(0.17)), 0, 0, 360, 255, -1)
    for left in (True, False):

        def at(x: float, y: float, left: bool = left) -> tuple[int, int]:
            return pen.at(x if left else 1 - x, y)

        for y, end in ((0.52, 0.42), (0.6, 0.62), (0.68, 0.8), (0.73, 0.9)):
            cv2.line(face, at(0.33, y), at(0.1 + (end - 0.4) * 0.3, end), 255, pen.line)
        cv2.line(face, at(0.34, 0.47), at(0.2, 0.3), 255, pen.line + 2)
        cv2.circle(face, at(0.23, 0.22), pen.long(0.12), 255, -1)
        cv2.fillPoly(face, [np.array([at(0.23, 0.24), at(0.2, 0.06), at(0.33, 0.1)], np.int32)], 0)
        cv2.line(face, at(0.43, 0.45), at(0.42, 0.36), 255, 3)
        cv2.circle(face, at(0.42, 0.36), pen.long(0.035), 255, -1)


def _rooster(face: Ink, pen: _SymbolPen) -> None:
    body = [(0.3, 0.35), (0.45, 0.55), (0.7, 0.5), (0.72, 0.68), (0.55, 0.8), (0.38, 0.72)]
    cv2.fillPoly(face, [np.array([pen.at(x, y) for x, y in body], np.int32)], 255)
    cv2.circle(face, pen.at(0.3, 0.28), pen.long(0.1), 255, -1)
    for x, y in ((0.22, 0.15), (0.3, 0.12), (0.38, 0.16)):
        cv2.circle(face, pen.at(x, y), pen.long(0.045), 255, -1)
    beak = [pen.at(0.22, 0.26), pen.at(0.08, 0.32), pen.at(0.22, 0.35)]
    cv2.fillPoly(face, [np.array(beak, np.int32)], 255)
    for turn in (200, 225, 250):
        axes = (pen.long(0.26), pen.long(0.22))
        cv2.ellipse(face, pen.at(0.92, 0.48), axes, 0, turn - 70, turn, 255, pen.line + 2)
    for x in (0.48, 0.58):
        cv2.line(face, pen.at(x, 0.78), pen.at(x, 0.94), 255, pen.line)
        cv2.line(face, pen.at(x - 0.08, 0.94), pen.at(x + 0.05, 0.94), 255, pen.line)
    cv2.circle(face, pen.at(0.29, 0.26), pen.long(0.025), 0, -1)


_DRAWN: dict[str, Callable[[Ink, _SymbolPen], None]] = {
    "fish": _fish,
    "prawn": _prawn,
    "calabash": _calabash,
    "tiger": _tiger,
    "crab": _crab,
    "rooster": _rooster,
}
