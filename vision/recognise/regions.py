"""Reads only the zones of a layout, and of those only what changed.

    picture ─▶ tiles that a zone touches ─▶ changed within reach, or read too few times since?
                                              │ yes: read it, together with its neighbours
                                              └ no: keep the detections whose middle lies in it

A detection belongs to the tile of its middle, and all of it lies within the tile's reach. So a tile
keeps its detections while nothing changes within its reach. A part of the picture is read at the
scale of the whole and on the networks' grid, so that it gives the same detections.

A tile is left alone only after AGREEING_READS readings in a row agree: the tracker votes over
frames and needs separate readings, and a card that one frame misses must get another chance. A tile
with an unread or doubtful card in it is still read from time to time.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.layout import Layout
from vision.felt.transform import Felt, Points
from vision.recognise.detections import Detection, Near, centre, moved
from vision.types import Image, Point, Quad

Size = tuple[int, int]  # height and width of a picture, pixels

AGREEING_READS = 6  # in a row before a tile is left alone; the tracker needs four
DOUBTFUL_EVERY = 4  # from then on one frame in so many is read if something there is doubtful
SURE_PROBABILITY = 0.9  # below this a reading is doubtful; the tracker uses the same limit
CHANGED_GREY = 8.0  # a cell whose mean grey differs by more has changed
MAX_GAIN = 1.1  # lamps flicker and cameras set their exposure this much between readings
CELL_PX = 8  # side of a cell: smaller than an index, large enough to average out noise
TILES_PER_LONG_SIDE = 15  # the finder's coarsest cell is 32 pixels of a picture 480 wide
CARD_MARGIN_MM = 60.0  # a card reaches this far from its middle
PIECE_MARGIN_SIDES = 2.0  # the same for a die or token, in sides of it
SAME_MIDDLE_SIDES = 0.25  # the middle of one thing moves less between two readings of a picture


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
    def corners(self) -> list[Point]:
        """Its four corners."""
        right, low = self.right, self.low
        return [(self.left, self.top), (right, self.top), (right, low), (self.left, low)]

    def joined(self, other: "PixelBox") -> "PixelBox":
        """The smallest box round both."""
        return PixelBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.low, other.low),
        )

    def meets(self, other: "PixelBox") -> bool:
        """Whether the two share a pixel."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.low and other.top < self.low

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it; of two neighbours only one holds a point between them."""
        return self.left <= point[0] < self.right and self.top <= point[1] < self.low

    def of(self, image: Image) -> Image:
        """Cut the box out of a picture."""
        return image[self.top : self.low, self.left : self.right]


@dataclass(slots=True)
class PictureTile:
    """A square of the picture: the middles of its own detections lie in `box`."""

    box: PixelBox
    reach: PixelBox  # with its margin: whatever has its middle in `box` lies in here
    cells: NDArray[np.float32] | None = None  # how its reach looked when it was last read
    reads: int = 0  # agreeing readings in a row since the last change
    doubtful: bool = False  # whether something in it is unread or hardly read
    said: tuple[str, ...] = ()  # its last readings
    settled: "TileLook | None" = None  # how it looked when enough readings had agreed


class TileLook(NamedTuple):
    """How a tile looked, and what was read there."""

    cells: NDArray[np.float32]
    said: tuple[str, ...]


class ZoneReader:
    """Reads the zones of a layout, one frame after another."""

    def __init__(self, reader: PartReader, layout: Layout, felt: Felt) -> None:
        self._reader, self._layout, self._felt = reader, layout, felt
        self._size: Size = (0, 0)
        self._tiles: list[PictureTile] = []
        self._found: list[Detection] = []
        self._frames = 0

    def read(self, image: Image) -> list[Detection]:
        """Detect everything whose middle lies in a zone."""
        if image.shape[:2] != self._size:
            self._size = (image.shape[0], image.shape[1])
            self._tiles, self._found = tiles(self._layout, self._felt, self._size), []
        now = cells(image)
        self._frames += 1
        again = self._frames % DOUBTFUL_EVERY == 0
        stale = [t for t in self._tiles if _is_stale(t, now) or (again and t.doubtful)]
        for box, together in parts(stale, self._size):
            self._update(together, self._seen(image, box))
        for tile in stale:
            tile.cells = _of_cells(tile.reach, now)
            if tile.reads >= AGREEING_READS:
                tile.settled = TileLook(tile.cells, tile.said)
        return list(self._found)

    def _seen(self, image: Image, box: PixelBox) -> list[Detection]:
        """What lies in a zone, as far as a part of the picture shows it."""
        near = partial(self._near_a_zone, box)
        things = self._reader.read(np.ascontiguousarray(box.of(image)), self._size, near)
        placed = (moved(thing, box.left, box.top) for thing in things)
        return [thing for thing in placed if self._any_in_a_zone([centre(thing.quad)])]

    def _update(self, together: Sequence[PictureTile], seen: Sequence[Detection]) -> None:
        """Replace the detections of tiles that were read together.

        The middle of one thing may fall on the other side of an edge this time, so it is taken over
        from a neighbour or handed to one.
        """
        before = [thing for thing in self._found if _among(together, thing)]
        now = [
            thing
            for thing in seen
            if _among(together, thing) or any(_is_one(thing, other) for other in before)
        ]
        kept = [
            thing
            for thing in self._found
            if not _among(together, thing) and not any(_is_one(thing, other) for other in now)
        ]
        self._found = [*kept, *now]
        for tile in together:
            _note(tile, [thing for thing in now if _among([tile], thing)])

    def _near_a_zone(self, box: PixelBox, quad: Quad) -> bool:
        """Whether the middle, a corner or the middle of a side lies in a zone."""
        sides = [centre((a, b, a, b)) for a, b in zip(quad, (*quad[1:], quad[0]), strict=True)]
        points = (centre(quad), *quad, *sides)
        return self._any_in_a_zone([(x + box.left, y + box.top) for x, y in points])

    def _any_in_a_zone(self, points: Sequence[Point]) -> bool:
        scale = self._felt.size[0] / self._size[1]
        on_felt = self._felt.to_felt([(x * scale, y * scale) for x, y in points]).tolist()
        return any(self._layout.zone_of((across, down)) is not None for across, down in on_felt)


def tiles(layout: Layout, felt: Felt, size: Size) -> list[PictureTile]:
    """The tiles of a picture that a zone touches, each with its reach."""
    scale = size[1] / felt.size[0]
    margin = CARD_MARGIN_MM if layout.reads == "cards" else PIECE_MARGIN_SIDES * layout.piece_mm
    zones = [_box_round(felt.to_picture(zone.polygon) * scale, size) for zone in layout.zones]
    found = []
    for box in _grid(size):
        if any(box.meets(zone) for zone in zones):
            corners = felt.to_felt(np.array(box.corners) / scale)
            reach = _box_round(felt.to_picture(_grown(corners, margin)) * scale, size)
            found.append(PictureTile(box, reach.joined(box)))
    return found


def parts(stale: Sequence[PictureTile], size: Size) -> Iterator[tuple[PixelBox, list[PictureTile]]]:
    """The parts of a picture to read, each with the tiles it is read for.

    Tiles whose reaches meet are read together. A part ends on the networks' grid.
    """
    across, down = _edges(size)
    asked = np.zeros((len(down) - 1, len(across) - 1), np.uint8)
    reaches = [_slices(tile.reach, across, down) for tile in stale]
    for reach in reaches:
        asked[reach] = 1
    count, labels = cv2.connectedComponents(asked, connectivity=4)
    for label in range(1, count):
        together = [
            t for t, reach in zip(stale, reaches, strict=True) if labels[reach][0, 0] == label
        ]
        rows, columns = np.nonzero(labels == label)
        left, right = across[columns.min()], across[columns.max() + 1]
        yield PixelBox(left, down[rows.min()], right, down[rows.max() + 1]), together


def cells(part: Image) -> NDArray[np.float32]:
    """The mean grey of each cell, to find changes."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    high, wide = (max(1, side // CELL_PX) for side in grey.shape[:2])
    return np.asarray(cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def _is_stale(tile: PictureTile, now: NDArray[np.float32]) -> bool:
    """Whether a tile must be read; a change within its reach starts the count anew."""
    seen = _of_cells(tile.reach, now)
    if tile.cells is None or _differs(seen, tile.cells):
        tile.reads = 0
        if tile.settled and not _differs(seen, tile.settled.cells):
            # A hand passed, or one frame was blurred: one more reading that agrees suffices.
            tile.reads, tile.said = AGREEING_READS - 1, tile.settled.said
    return tile.reads < AGREEING_READS


def _differs(now: NDArray[np.float32], before: NDArray[np.float32]) -> bool:
    """Whether more changed than the light, which makes all cells brighter or darker alike."""
    gain = min(max(_median((now + 1) / (before + 1)), 1 / MAX_GAIN), MAX_GAIN)
    return float(np.abs(now - gain * before).max(initial=0)) > CHANGED_GREY


def _median(values: NDArray[np.float32]) -> float:
    """The middle value, the upper of two; np.median takes four times as long for so few."""
    half = values.size // 2
    return float(np.partition(values, half, axis=None)[half])


def _note(tile: PictureTile, things: Sequence[Detection]) -> None:
    """Count a reading of a tile."""
    said = tuple(sorted(_said(thing) for thing in things))
    sure = all(t.guesses and t.guesses[0].probability >= SURE_PROBABILITY for t in things)
    tile.reads = tile.reads + 1 if said == tile.said or not tile.reads else 1
    tile.said, tile.doubtful = said, not sure


def _of_cells(box: PixelBox, now: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cells of a picture that a box touches."""
    left, top = box.left // CELL_PX, box.top // CELL_PX
    return now[top : -(-box.low // CELL_PX), left : -(-box.right // CELL_PX)]


def _among(some: Sequence[PictureTile], thing: Detection) -> bool:
    middle = centre(thing.quad)
    return any(tile.box.holds(middle) for tile in some)


def _is_one(thing: Detection, other: Detection) -> bool:
    """Whether two readings are of one thing: they say the same of the same place."""
    side = max(math.dist(a, b) for a, b in pairwise(thing.quad))
    near = math.dist(centre(thing.quad), centre(other.quad)) <= SAME_MIDDLE_SIDES * side
    return near and _said(thing) == _said(other)


def _said(thing: Detection) -> str:
    """The best reading; empty for something unread."""
    return thing.guesses[0].seen if thing.guesses else ""


def _grid(size: Size) -> list[PixelBox]:
    """All tiles of a picture, row by row."""
    across, down = (list(pairwise(edges)) for edges in _edges(size))
    return [PixelBox(left, top, right, low) for top, low in down for left, right in across]


def _edges(size: Size) -> tuple[list[int], list[int]]:
    """Where tiles begin and end, across and down."""
    side = max(size) / TILES_PER_LONG_SIDE
    down, across = (
        [min(round(n * side), long) for n in range(math.ceil(long / side) + 1)] for long in size
    )
    return across, down


def _slices(box: PixelBox, across: Sequence[int], down: Sequence[int]) -> tuple[slice, slice]:
    """The columns and rows of tiles that a box touches."""
    columns = slice(bisect_right(across, box.left) - 1, bisect_left(across, box.right))
    return slice(bisect_right(down, box.top) - 1, bisect_left(down, box.low)), columns


def _box_round(points: Points, size: Size) -> PixelBox:
    """The box of whole pixels round some points, cut at the edges of the picture."""
    high, wide = size
    left, top = np.floor(points.min(axis=0)).clip(0, (wide, high)).astype(int).tolist()
    right, low = np.ceil(points.max(axis=0)).clip(0, (wide, high)).astype(int).tolist()
    return PixelBox(left, top, right, low)


def _grown(corners: Points, margin: float) -> Points:
    """Corners of the bounding box of an area, `margin` millimetres larger on each side."""
    left, top = (corners.min(axis=0) - margin).tolist()
    right, low = (corners.max(axis=0) + margin).tolist()
    return np.array([(left, top), (right, top), (right, low), (left, low)])
