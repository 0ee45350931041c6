"""Corner indices in a picture: where they are, which way up they stand, what they read.

Two small networks: the finder scans the whole picture and locates each index, its direction and its
size; the reader gets each index upright and gives rank and suit, or "no index".
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.cards import RANKS, SUITS
from vision.recognise.network import MODELS, Network
from vision.types import Image, Reals

# Long sides at which the finder runs: the small one estimates the arrow to the card better, the
# large one finds small print.
FINDER_SIDES_PX = (480, 960)
STRIDE_PX, LENGTH_UNIT_PX, ARROW_UNIT_PX = 4, 16.0, 64.0  # units of the finder's output
CROP_WIDTH_PX, CROP_HEIGHT_PX = 32, 48  # the reader's input
CROP_REACH = 1.4  # how far the crop goes beyond the index
MIN_HEAT = 0.25  # colder places are not read
TURNED_MIN_HEAT = 0.6  # colder places are read one way up only: turned, none gave a card
MAX_INDICES = 200  # of one picture


class CornerIndex(NamedTuple):
    """One printed index: pixels, and the probability of each of the 52 cards, by rank and suit."""

    centre: Reals
    up: Reals  # from the centre to the middle of its upper edge
    right: Reals
    arrow: Reals  # from the centre to the middle of its card
    heat: float  # how sure the finder is that it is an index
    chances: Reals  # 13 by 4; what is missing to one is "no index"

    @property
    def sure(self) -> float:
        """The probability of the likeliest card."""
        return float(self.chances.max())

    @property
    def code(self) -> str:
        """The likeliest card."""
        rank, suit = divmod(int(self.chances.argmax()), len(SUITS))
        return RANKS[rank] + SUITS[suit]


class IndexReader:
    """Finds and reads the indices of a picture."""

    def __init__(self, sizes: Sequence[int] = FINDER_SIDES_PX, models: Path = MODELS) -> None:
        self._sizes = sizes  # long sides at which the finder looks
        self._finder = Network("index_finder", models)
        self._reader = Network("index_reader", models)

    def read(self, image: Image, long_side: int = 0) -> list[CornerIndex]:
        """Read every index, the surest first; `long_side` is that of the picture around `image`."""
        places = self.places(image, long_side)
        if not len(places):
            return []
        chances = self.said(image, places)
        marks = [
            CornerIndex(row[1:3], row[3:5], row[5:7], row[7:9], float(row[0]), chance)
            for row, chance in zip(places, chances, strict=True)
        ]
        return sorted(marks, key=lambda mark: -mark.sure)

    def places(self, image: Image, long_side: int = 0) -> Reals:
        """Rows of possible indices, warmest first: heat, centre, up, right and arrow, in pixels."""
        whole = long_side or max(image.shape[:2])
        parts = [self._places(image, size / whole) for size in self._sizes]
        found = np.concatenate(parts)
        coarse = np.repeat(self._sizes, [len(part) for part in parts])
        order = np.argsort(-found[:, 0], kind="stable")
        return _apart(found[order], coarse[order])[:MAX_INDICES]

    def _places(self, image: Image, scale: float) -> Reals:
        """The finder's rows at one scale of the picture."""
        smooth = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        wide, high = (max(32, round(side * scale)) for side in image.shape[1::-1])
        small = cv2.resize(image, (wide, high), interpolation=smooth)
        small = cv2.copyMakeBorder(small, 0, -high % 32, 0, -wide % 32, cv2.BORDER_REPLICATE)
        said = self._finder.run(_blob([small]))[0][0]
        heat = said[0]
        peak = (heat >= MIN_HEAT) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
        y, x = np.nonzero(peak)
        found = said[:, y, x].T
        centre = (np.stack([x, y], 1) + 0.5 + found[:, 1:3]) * STRIDE_PX
        rows = np.hstack([centre, found[:, 3:7] * LENGTH_UNIT_PX, found[:, 7:9] * ARROW_UNIT_PX])
        ratio = np.tile(np.array(image.shape[1::-1]) / (wide, high), 4)
        return np.hstack([found[:, :1], rows * ratio]).astype(np.float32)

    def said(self, image: Image, places: Reals) -> Reals:
        """The chances of each place, 13 by 4; turns a warm place that stands upside down."""
        levels = _levels(image)
        upright = np.stack([_upright(levels, row) for row in places])
        scores = self._reader.run(_blob(list(upright)))[0]
        chances = _chances(scores)
        # Where the finder is sure of an index and the reader sees none, it may be upside down.
        doubtful = np.flatnonzero((chances.sum((1, 2)) < 0.5) & (places[:, 0] >= TURNED_MIN_HEAT))
        if len(doubtful):
            crops = [np.ascontiguousarray(upright[n, ::-1, ::-1]) for n in doubtful]
            again = _chances(self._reader.run(_blob(crops))[0])
            better = again.sum((1, 2)) > 0.5
            chances[doubtful[better]] = again[better]
            places[doubtful[better], 3:7] *= -1
        return chances


def _blob(images: Sequence[NDArray[Any]]) -> Reals:
    return np.asarray(cv2.dnn.blobFromImages(list(images), 1 / 255), np.float32)


def _chances(scores: Reals) -> Reals:
    rank = _softmax(scores[:, : len(RANKS) + 1])[:, : len(RANKS)]
    suit = _softmax(scores[:, len(RANKS) + 1 :])
    return np.asarray(rank[:, :, None] * suit[:, None, :], np.float32)


def _softmax(scores: Reals) -> Reals:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)


def _levels(image: Image) -> list[Image]:
    """The picture at full, half, quarter size and so on: shrinking in small steps keeps detail."""
    levels = [image]
    while len(levels) < 5 and min(levels[-1].shape[:2]) > 64:
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return levels


def _upright(levels: Sequence[Image], row: Reals) -> Image:
    """Cut out the index of a row, upright."""
    middle, up, right = row[1:3], row[3:5] * CROP_REACH, row[5:7] * CROP_REACH
    size = 2 * float(np.hypot(*up)) / CROP_HEIGHT_PX
    level = int(np.clip(np.floor(np.log2(max(size, 1e-3)) + 0.3), 0, len(levels) - 1))
    share = levels[level].shape[1] / levels[0].shape[1]
    source = np.stack([middle + up - right, middle + up + right, middle - up - right]) * share
    target = np.array([[0, 0], [CROP_WIDTH_PX, 0], [0, CROP_HEIGHT_PX]], np.float32)
    onto = cv2.getAffineTransform(source.astype(np.float32), target)
    cut = cv2.warpAffine(
        levels[level],
        onto,
        (CROP_WIDTH_PX, CROP_HEIGHT_PX),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cut, np.uint8)


def _apart(places: Reals, sizes: NDArray[np.int64]) -> Reals:
    """Drop places that repeat a warmer one.

    An index found at several sizes keeps the arrow of the smallest, where the finder sees most of
    the card.
    """
    kept: list[Reals] = []
    coarse: list[int] = []
    for row, size in zip(places, sizes.tolist(), strict=True):
        half = float(np.hypot(*row[3:5]))
        if half < 2 or float(np.hypot(*row[5:7])) < 1:
            continue
        same = next((n for n, other in enumerate(kept) if _one_place(row, other)), None)
        if same is None:
            kept.append(row)
            coarse.append(size)
        elif size < coarse[same]:
            kept[same][7:9] = row[7:9]
            coarse[same] = size
    return np.stack(kept) if kept else places[:0]


def _one_place(row: Reals, other: Reals) -> bool:
    near = 0.5 * min(float(np.hypot(*row[3:5])), float(np.hypot(*other[3:5])))
    return float(np.hypot(*(row[1:3] - other[1:3]))) <= near
