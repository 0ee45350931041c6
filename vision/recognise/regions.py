"""Reads only the zones of a layout, and of those only what changed.

    picture ─▶ zones with a margin ─▶ neighbouring zones joined into one region
                                        │ changed, or read too few times since: read it
                                        └ else: keep its last detections

A region is read at the scale of the whole picture, so that it gives the same detections. It is
skipped only if it did not change and AGREEING_READS readings in a row agree: the tracker votes over
frames and needs separate readings, and a card that one frame misses must get another chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.layout import Layout
from vision.felt.transform import Felt
from vision.recognise.detections import Detection, Near, centre, moved
from vision.types import Image, Point, Quad

Size = tuple[int, int]  # height and width of a picture, pixels

AGREEING_READS = 6  # in a row before a region is skipped; the tracker needs four
CHANGED_GREY = 8.0  # a cell whose mean grey differs by more has changed
CELL_PX = 8  # side of a cell: smaller than an index, large enough to average out noise
GRID_PX = 256  # a multiple of the networks' cells at every scale, for common picture sizes
CARD_MARGIN_MM = 60.0  # a card whose middle lies in a zone reaches this far outside
PIECE_MARGIN_SIDES = 2.0  # the same for a die or token, in sides of it


class PartReader(Protocol):
    """Reads a part of a picture at the scale of the whole."""

    def read(self, image: Image, whole: Size, near: Near, /) -> Sequence[Detection]:
        """Detect in a part of a picture of size `whole`; may skip what is not `near`."""
        ...


class PixelBox(NamedTuple):
    """A rectangle of a picture, in pixels."""

    left: int
    top: int
    right: int
    low: int

    @property
    def area(self) -> int:
        """Its number of pixels."""
        return (self.right - self.left) * (self.low - self.top)

    def joined(self, other: "PixelBox") -> "PixelBox":
        """The smallest box round both."""
        return PixelBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.low, other.low),
        )

    def of(self, image: Image) -> Image:
        """Cut the box out of a picture."""
        return image[self.top : self.low, self.left : self.right]


@dataclass(slots=True)
class _Region:
    """One region, how it looked at its last reading, and its detections."""

    box: PixelBox
    cells: NDArray[np.float32] | None = None
    reads: int = 0  # agreeing readings in a row since the last change
    found: list[Detection] = field(default_factory=list)


class ZoneReader:
    """Reads the zones of a layout, one frame after another."""

    def __init__(self, reader: PartReader, layout: Layout, felt: Felt) -> None:
        self._reader, self._layout, self._felt = reader, layout, felt
        self._size: Size = (0, 0)
        self._regions: list[_Region] = []

    def read(self, image: Image) -> list[Detection]:
        """Detect everything whose middle lies in a zone."""
        if image.shape[:2] != self._size:
            self._size = (image.shape[0], image.shape[1])
            self._regions = [_Region(box) for box in boxes(self._layout, self._felt, self._size)]
        return [thing for region in self._regions for thing in self._looked(region, image)]

    def _looked(self, region: _Region, image: Image) -> list[Detection]:
        part = region.box.of(image)
        now = cells(part)
        if region.cells is None or float(np.abs(now - region.cells).max(initial=0)) > CHANGED_GREY:
            region.reads = 0
        if region.reads < AGREEING_READS:
            near = partial(self._near_a_zone, region.box)
            things = self._reader.read(np.ascontiguousarray(part), self._size, near)
            placed = [moved(thing, region.box.left, region.box.top) for thing in things]
            found = [thing for thing in placed if self._in_a_zone(thing)]
            agreed = _said(found) == _said(region.found)
            region.reads = region.reads + 1 if agreed or not region.reads else 1
            region.cells, region.found = now, found
        return region.found

    def _in_a_zone(self, thing: Detection) -> bool:
        return self._any_in_a_zone([centre(thing.quad)])

    def _near_a_zone(self, box: PixelBox, quad: Quad) -> bool:
        """Whether the middle, a corner or the middle of a side lies in a zone."""
        sides = [centre((a, b, a, b)) for a, b in zip(quad, (*quad[1:], quad[0]), strict=True)]
        points = (centre(quad), *quad, *sides)
        return self._any_in_a_zone([(x + box.left, y + box.top) for x, y in points])

    def _any_in_a_zone(self, points: Sequence[Point]) -> bool:
        scale = self._felt.size[0] / self._size[1]
        on_felt = self._felt.to_felt([(x * scale, y * scale) for x, y in points]).tolist()
        return any(self._layout.zone_of((across, down)) is not None for across, down in on_felt)


def _said(things: Sequence[Detection]) -> list[str]:
    """The best readings, sorted; empty for something unread."""
    return sorted(thing.guesses[0].seen if thing.guesses else "" for thing in things)


def boxes(layout: Layout, felt: Felt, size: Size) -> list[PixelBox]:
    """The regions of a picture: zones with a margin, joined where that saves pixels."""
    high, wide = size
    scale = wide / felt.size[0]
    margin = CARD_MARGIN_MM if layout.reads == "cards" else PIECE_MARGIN_SIDES * layout.piece_mm
    found = []
    for zone in layout.zones:
        points = felt.to_picture(_grown(zone.polygon, margin)) * scale
        # On the networks' grid a part gives the same detections as the whole picture.
        left, top = (np.floor(points.min(axis=0) / GRID_PX) * GRID_PX).astype(int).tolist()
        right, low = (np.ceil(points.max(axis=0) / GRID_PX) * GRID_PX).astype(int).tolist()
        box = PixelBox(max(left, 0), max(top, 0), min(right, wide), min(low, high))
        if box.left < box.right and box.top < box.low:
            found.append(box)
    return _fewest_pixels(found)


def cells(part: Image) -> NDArray[np.float32]:
    """The mean grey of each cell, to find changes."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    high, wide = (max(1, side // CELL_PX) for side in grey.shape[:2])
    return np.asarray(cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def _fewest_pixels(found: list[PixelBox]) -> list[PixelBox]:
    """Join pairs of boxes as long as that saves pixels."""
    while True:
        pairs = [
            (one.joined(other).area - one.area - other.area, n, m)
            for n, one in enumerate(found)
            for m, other in enumerate(found[:n])
        ]
        gain, n, m = min(pairs, default=(1, 0, 0))
        if gain > 0:
            return found
        joined = found[n].joined(found[m])
        found = [box for at, box in enumerate(found) if at not in (n, m)] + [joined]


def _grown(polygon: Sequence[Point], margin: float) -> list[Point]:
    """Corners of the bounding box of an area, `margin` millimetres larger on each side."""
    xs, ys = zip(*polygon, strict=True)
    left, right = min(xs) - margin, max(xs) + margin
    top, low = min(ys) - margin, max(ys) + margin
    return [(left, top), (right, top), (right, low), (left, low)]
