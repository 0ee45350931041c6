"""Draws detections on a copy of a picture: outlines, guesses with probability, zones.

    annotate(image, seen, zones={name: corners in pixels}, caption="") -> image

Colour is never the only signal: a sure reading has a solid outline and a label, a doubtful one a
label with `?` after it, and an unread detection a dashed outline and a single `?`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from schemas.events import Guess
from vision.recognise.detections import CardSeen, Detection, DieSeen, TokenSeen
from vision.types import Image, Point

Colour = tuple[int, int, int]

# Blue-green-red; colour-blind people can tell them apart too (Okabe and Ito).
SURE: Colour = (115, 158, 0)
DOUBTFUL: Colour = (0, 159, 230)
UNKNOWN: Colour = (167, 121, 204)
ZONE: Colour = (233, 180, 86)
INK: Colour = (255, 255, 255)
PAPER: Colour = (24, 24, 24)

SURE_FROM = 0.95
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SIDES = {"R": "red", "W": "white"}
DASH_LINE_WIDTHS = 8.0


class LabelBox(NamedTuple):
    """The rectangle of a label, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: "LabelBox") -> bool:
        """Whether two labels overlap."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


def annotate(
    image: Image,
    seen: Iterable[Detection],
    *,
    zones: Mapping[str, Sequence[Point]] | None = None,
    caption: str = "",
) -> Image:
    """Draw everything on a copy; labels do not overlap and stay inside the picture."""
    things = list(seen)
    canvas = image.copy()
    pen = LabelPen(canvas)
    for name, corners in (zones or {}).items():
        pen.outline(corners, ZONE, whole=True)
        pen.label(name, corners, ZONE)
    for thing in things:
        pen.outline(thing.quad, _colour(thing), whole=bool(thing.guesses))
    for thing in things:
        pen.label(_with_others(thing), thing.quad, _colour(thing))
    if caption:
        pen.caption(caption)
    return canvas


def label(thing: Detection) -> str:
    """The reading and its probability, in a few characters."""
    if not thing.guesses:
        return "?"
    best = thing.guesses[0]
    doubt = "" if best.probability >= SURE_FROM else " ?"
    leans = " leaning" if isinstance(thing, DieSeen) and not thing.flat else ""
    return f"{_word(thing, best)} {percent(best.probability)}{doubt}{leans}"


def percent(probability: float) -> str:
    """A percentage rounded down, so that nothing uncertain shows as 100 %."""
    return f"{math.floor(probability * 1000 + 1e-9) / 10:g} %"


def _with_others(thing: Detection) -> str:
    """The label, followed by the other guesses."""
    others = [f"{_word(thing, guess)} {percent(guess.probability)}" for guess in thing.guesses[1:]]
    return "  ".join([label(thing), *others])


def _word(thing: Detection, guess: Guess) -> str:
    if isinstance(thing, CardSeen) and guess.seen[-1:] in SUITS:
        return guess.seen[:-1] + SUITS[guess.seen[-1]]
    return SIDES.get(guess.seen, guess.seen) if isinstance(thing, TokenSeen) else guess.seen


def _colour(thing: Detection) -> Colour:
    if not thing.guesses:
        return UNKNOWN
    return SURE if thing.guesses[0].probability >= SURE_FROM else DOUBTFUL


class LabelPen:
    """Draws lines and labels in proportion to one picture, and keeps labels apart."""

    def __init__(self, canvas: Image) -> None:
        self._canvas = canvas
        self._height, self._width = canvas.shape[:2]
        side = math.sqrt(self._height * self._width)
        self._line = max(1, round(side / 500))
        self._letters = max(11, round(side / 55))
        self._font = cv2.FontFace("sans")
        self._taken: list[LabelBox] = []

    def outline(self, corners: Sequence[Point], colour: Colour, *, whole: bool) -> None:
        """Draw a closed line with a dark edge, dashed unless `whole`."""
        points = [_pixel(point) for point in corners]
        for start, end in zip(points, [*points[1:], *points[:1]], strict=True):
            for a, b in (
                [(start, end)] if whole else _dashes(start, end, DASH_LINE_WIDTHS * self._line)
            ):
                cv2.line(self._canvas, a, b, PAPER, self._line + 2, cv2.LINE_AA)
                cv2.line(self._canvas, a, b, colour, self._line, cv2.LINE_AA)

    def label(self, text: str, corners: Sequence[Point], colour: Colour) -> None:
        """Draw a label beside an outline, or across it if there is no room."""
        box = self._place(corners, *self._size(text))
        self._taken.append(box)
        cv2.rectangle(self._canvas, box[:2], box[2:], PAPER, -1)
        cv2.rectangle(self._canvas, box[:2], box[2:], colour, self._line)
        self._write(text, box)

    def caption(self, text: str) -> None:
        """Draw a line of text at the lower edge."""
        _, height = self._size(text)
        box = LabelBox(0, self._height - height, self._width, self._height)
        cv2.rectangle(self._canvas, box[:2], box[2:], PAPER, -1)
        self._write(text, box)

    def _write(self, text: str, box: LabelBox) -> None:
        margin = self._letters // 3
        at = (box.left + margin, box.bottom - margin - self._letters // 6)
        cv2.putText(self._canvas, text, at, INK, self._font, self._letters, 500)

    def _size(self, text: str) -> tuple[int, int]:
        *_, width, _ = cv2.getTextSize(
            (1 << 20, 1 << 12), text, (0, 0), self._font, self._letters, 500
        )
        return width + 2 * (self._letters // 3) + 2, self._letters + 2 * (self._letters // 3)

    def _place(self, corners: Sequence[Point], width: int, height: int) -> LabelBox:
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        gap = 2 * self._line
        middle = (min(xs) + max(xs) - width) / 2
        level = (min(ys) + max(ys) - height) / 2
        corner = (
            (middle, min(ys) - height - gap),
            (middle, max(ys) + gap),
            (max(xs) + gap, level),
            (min(xs) - width - gap, level),
            (middle, level),
        )
        boxes = [self._inside(x, y, width, height) for x, y in corner]
        free = [box for box in boxes if not any(box.meets(taken) for taken in self._taken)]
        return free[0] if free else self._lower(boxes[-1], height)

    def _inside(self, x: float, y: float, width: int, height: int) -> LabelBox:
        left = round(min(max(_finite(x), 0), max(0, self._width - width)))
        top = round(min(max(_finite(y), 0), max(0, self._height - height)))
        return LabelBox(left, top, left + width, top + height)

    def _lower(self, box: LabelBox, height: int) -> LabelBox:
        """The first free place below, or the same place if the picture is full."""
        for top in range(box.top, self._height - height, height):
            moved = LabelBox(box.left, top, box.right, top + height)
            if not any(moved.meets(taken) for taken in self._taken):
                return moved
        return box


def _dashes(
    start: tuple[int, int], end: tuple[int, int], length: float
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    count = max(1, min(1000, round(math.dist(start, end) / length / 2)))
    ends = np.linspace(start, end, 2 * count)
    points = [(round(float(x)), round(float(y))) for x, y in ends]
    return list(zip(points[::2], points[1::2], strict=True))


def _pixel(point: Point) -> tuple[int, int]:
    return round(_finite(point[0])), round(_finite(point[1]))


def _finite(value: float) -> float:
    """Bound a coordinate to the range that OpenCV can draw."""
    return min(max(value, -20_000.0), 20_000.0) if math.isfinite(value) else 0.0
