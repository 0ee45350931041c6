"""Which parts of a picture are read: the layout's zones, and of those what changed.

    picture ─▶ zones with a margin ─▶ zones that lie close together as one region
                                        │ changed, or read too seldom since it changed: read it
                                        └ else what was read there last still holds

A region is read at the scale of the whole picture, so that its answers are those of the whole. A
region is left alone only when it did not change and READS readings in a row said the same: the
tracker votes over frames, votes must come from readings of their own, and a card that one frame
shows and the next does not must not stay away because it was looked for at the wrong moment.
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

AGREEING_READS = (
    6  # readings in a row that agree before a region is left alone; the tracker asks for four
)
CHANGED_GREY = 8.0  # grey values by which the mean of a cell differs where something is new
CELL_PX = 8  # side of a cell: an index is larger, the noise of a camera is averaged in it
GRID_PX = 256  # whole cells of the networks at each of their scales, for common sizes of pictures
CARD_MARGIN_MM = 60.0  # a card whose middle lies in a zone reaches so far beyond it
PIECE_MARGIN_SIDES = 2.0  # a die or token, in sides of it


class PartReader(Protocol):
    """Reads a part of a picture at the scale of the whole."""

    def read(self, image: Image, whole: Size, near: Near, /) -> Sequence[Detection]:
        """What lies in a part of a picture of that size; what is not `near` may be left out."""
        ...


class PixelBox(NamedTuple):
    """A part of a picture, pixels."""

    left: int
    top: int
    right: int
    low: int

    @property
    def area(self) -> int:
        """How many pixels it has."""
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
        """The pixels of a picture that lie in it."""
        return image[self.top : self.low, self.left : self.right]


@dataclass(slots=True)
class _Region:
    """One region, how it looked when it was last read, and what was read."""

    box: PixelBox
    cells: NDArray[np.float32] | None = None
    reads: int = 0  # in a row that said the same, since it last changed
    found: list[Detection] = field(default_factory=list)


class ZoneReader:
    """Reads the zones of a layout, one frame after another."""

    def __init__(self, reader: PartReader, layout: Layout, felt: Felt) -> None:
        self._reader, self._layout, self._felt = reader, layout, felt
        self._size: Size = (0, 0)
        self._regions: list[_Region] = []

    def read(self, image: Image) -> list[Detection]:
        """Everything whose middle lies in a zone."""
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
        """Whether any of a thing's middle, corners and sides lies in a zone."""
        sides = [centre((a, b, a, b)) for a, b in zip(quad, (*quad[1:], quad[0]), strict=True)]
        points = (centre(quad), *quad, *sides)
        return self._any_in_a_zone([(x + box.left, y + box.top) for x, y in points])

    def _any_in_a_zone(self, points: Sequence[Point]) -> bool:
        scale = self._felt.size[0] / self._size[1]
        on_felt = self._felt.to_felt([(x * scale, y * scale) for x, y in points]).tolist()
        return any(self._layout.zone_of((across, down)) is not None for across, down in on_felt)


def _said(things: Sequence[Detection]) -> list[str]:
    """What was read, in any order; something unread is said too."""
    return sorted(thing.guesses[0].seen if thing.guesses else "" for thing in things)


def boxes(layout: Layout, felt: Felt, size: Size) -> list[PixelBox]:
    """The regions of a picture: each zone with its margin, joined where that reads fewer pixels."""
    high, wide = size
    scale = wide / felt.size[0]
    margin = CARD_MARGIN_MM if layout.reads == "cards" else PIECE_MARGIN_SIDES * layout.piece_mm
    found = []
    for zone in layout.zones:
        points = felt.to_picture(_grown(zone.polygon, margin)) * scale
        # On the grid of the networks' cells a part is read as it is in the whole picture.
        left, top = (np.floor(points.min(axis=0) / GRID_PX) * GRID_PX).astype(int).tolist()
        right, low = (np.ceil(points.max(axis=0) / GRID_PX) * GRID_PX).astype(int).tolist()
        box = PixelBox(max(left, 0), max(top, 0), min(right, wide), min(low, high))
        if box.left < box.right and box.top < box.low:
            found.append(box)
    return _fewest_pixels(found)


def cells(part: Image) -> NDArray[np.float32]:
    """The mean grey of each small cell: what a change is told by."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    high, wide = (max(1, side // CELL_PX) for side in grey.shape[:2])
    return np.asarray(cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def _fewest_pixels(found: list[PixelBox]) -> list[PixelBox]:
    """The boxes, two of them joined as long as both together hold fewer pixels so."""
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
    """Corners of the upright box round an area, so many millimetres larger on each side."""
    xs, ys = zip(*polygon, strict=True)
    left, right = min(xs) - margin, max(xs) + margin
    top, low = min(ys) - margin, max(ys) + margin
    return [(left, top), (right, top), (right, low), (left, low)]
