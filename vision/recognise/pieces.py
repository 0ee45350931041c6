"""Finds the small things of a table in a picture, dice and tokens, and says what each may be.

Two small networks: one marks the middle of every die and token with its size, the other looks at
each of them closely. Both were taught by vision/training/dice.py.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognise.detections import Guess, Near, centre
from vision.recognise.network import MODELS, Network
from vision.types import Image, Quad, Reals

PIPS = ("1", "2", "3", "4", "5", "6")
SYMBOLS = ("fish", "prawn", "calabash", "tiger", "crab", "rooster")
SIDES = ("R", "W")
LEANING, NOTHING = "leaning", "nothing"
CLASSES = (*PIPS, *SYMBOLS, *SIDES, LEANING, NOTHING)
KINDS = ("die", "token")

STRIDE_PX = 8  # pixels of the picture for a point of the map of middles
SIZE_UNIT_PX = 32.0  # sizes are told as the logarithm of shares of this many pixels
CROP_PX = 48  # what the second network looks at, in pixels
MARGINS = (1.2, 1.4)  # how much more than the box it sees; the answers are averaged
_FINE_PASS_PX = 560_000  # the larger of both passes works on a picture of at most this size
_MIN_HEAT = 0.3  # a middle less certain than this is none
_SAME_OVERLAP = 0.55  # two boxes that share more than this are one thing
_APART_SIDES = 0.5  # nothing else has its middle nearer to a thing's middle, in sides of it
_NOTHING_PROBABILITY = 0.5  # from here on it is said to be nothing
_READ_PROBABILITY = 0.8  # a face less likely than this is there and unread
_MIN_PROBABILITY = 0.01  # alternatives less likely than this are left out
_MAX_PIECES = 60  # things in one picture; more is no table


class PieceCandidate(NamedTuple):
    """One thing that was found: the square round it, and how likely it is what."""

    kind: str
    box: tuple[float, float, float, float]
    found: float
    shares: Reals  # one for each of CLASSES, summing to one

    def share(self, name: str) -> float:
        """How likely it is this."""
        return float(self.shares[CLASSES.index(name)])

    def guesses(self, names: Sequence[str]) -> tuple[Guess, ...]:
        """The likeliest of these names, three at most; none where nothing is certain enough."""
        ranked = sorted((Guess(n, round(self.share(n), 4)) for n in names), key=lambda g: -g[1])
        if ranked[0].probability < _READ_PROBABILITY:
            return ()
        return tuple(guess for guess in ranked[:3] if guess.probability >= _MIN_PROBABILITY)

    def side(self) -> float:
        """How long a side of its square is."""
        return self.box[2] - self.box[0]

    def quad(self) -> Quad:
        """The square as an outline."""
        x0, y0, x1, y1 = self.box
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


class PieceReader:
    """Both networks, loaded once."""

    def __init__(self, models: Path = MODELS) -> None:
        self._finder = Network("pieces_found", models)
        self._reader = Network("pieces_read", models)

    def read(
        self, image: Image, kind: str, pixels: int = 0, near: Near | None = None
    ) -> list[PieceCandidate]:
        """Every die, or every token, from left to right.

        `pixels` is how many the picture has that this is a part of. What is not `near` is not
        looked at: print beside the shaker is taken for dice more often than there are dice.
        """
        found = [spot for spot in self.spots(image, pixels) if spot.kind == kind]
        if near is not None:
            found = [spot for spot in found if near(spot.quad())]
        if not found:
            return []
        shares = softmax(self.scores(image, found)).mean(axis=1)
        pieces = [spot._replace(shares=share) for spot, share in zip(found, shares, strict=True)]
        kept = [piece for piece in pieces if piece.share(NOTHING) < _NOTHING_PROBABILITY]
        lying = alone(kept) if kind == "die" else kept  # tokens lie on each other
        return sorted(lying, key=lambda piece: (piece.box[0], piece.box[1]))

    def spots(self, image: Image, pixels: int = 0) -> list[PieceCandidate]:
        """Where dice and tokens lie."""
        return spots(self._finder, image, pixels)

    def scores(self, image: Image, found: Sequence[PieceCandidate]) -> Reals:
        """What the second network says of each: pieces, looks, classes."""
        views = np.concatenate([looks(image, piece.box) for piece in found])
        (said,) = self._reader.run(blob(views))
        return said.reshape(len(found), -1, len(CLASSES))


def spots(finder: Network, image: Image, pixels: int = 0) -> list[PieceCandidate]:
    """Where things lie: small ones in a large picture, large ones in a small picture."""
    height, width = image.shape[:2]
    fine = min(1.0, float(np.sqrt(_FINE_PASS_PX / (pixels or height * width))))
    found: list[PieceCandidate] = []
    for scale in (fine, fine / 3):
        small, ratio = _shrunk(image, scale)
        (said,) = finder.run(blob(small[None]))
        found += middles(said[0], ratio)
    return _apart(found)


def alone(pieces: Sequence[PieceCandidate]) -> list[PieceCandidate]:
    """The likeliest piece of each place: what lies flat on a table keeps others off its middle."""
    kept: list[PieceCandidate] = []
    for piece in sorted(pieces, key=lambda piece: -piece.found * (1 - piece.share(NOTHING))):
        if all(_distance(piece, other) > _APART_SIDES * other.side() for other in kept):
            kept.append(piece)
    return kept


def blob(images: NDArray[np.uint8]) -> Reals:
    """Pictures (N, height, width, BGR) as a network takes them."""
    return np.ascontiguousarray(images.transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def softmax(scores: Reals) -> Reals:
    """Scores as shares of one."""
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float32)


def middles(said: Reals, ratio: float) -> Iterator[PieceCandidate]:
    """The peaks of a map; `ratio` is its picture's pixels for one of the original's."""
    heat = 1 / (1 + np.exp(-said[: len(KINDS)]))
    none = np.zeros(len(CLASSES), np.float32)
    for number, kind in enumerate(KINDS):
        peak = heat[number] >= cv2.dilate(heat[number], np.ones((3, 3), np.uint8))
        for row, column in zip(*np.nonzero(peak & (heat[number] > _MIN_HEAT)), strict=True):
            right, down, size = (float(v) for v in said[len(KINDS) :, row, column])
            half = SIZE_UNIT_PX * float(np.exp(np.clip(size, -2, 3))) / 2 / ratio
            x = (float(column) + 0.5 + right) * STRIDE_PX / ratio
            y = (float(row) + 0.5 + down) * STRIDE_PX / ratio
            box = (x - half, y - half, x + half, y + half)
            yield PieceCandidate(kind, box, float(heat[number, row, column]), none)


def looks(image: Image, box: tuple[float, float, float, float]) -> Image:
    """What the second network sees of one box: two margins, each upright and turned."""
    seen = [cut(image, box, margin) for margin in MARGINS]
    return np.stack([seen[0], np.rot90(seen[0]), seen[1], np.rot90(seen[1], 3)])


def cut(image: Image, box: tuple[float, float, float, float], margin: float) -> Image:
    """A square round a box, as large as the second network wants it."""
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0, 4) * margin
    left, top = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
    shrink = side / CROP_PX
    if shrink > 1.5:
        # Averaged, for a picture sampled too thinly loses its pips.
        image, left, top, shrink = _averaged(image, left, top, side)
    at = np.array([[1 / shrink, 0, -left / shrink], [0, 1 / shrink, -top / shrink]], np.float32)
    view = cv2.warpAffine(
        image, at, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)


def _averaged(
    image: Image, left: float, top: float, side: float
) -> tuple[Image, float, float, float]:
    x0, y0 = max(0, int(left)), max(0, int(top))
    part = image[y0 : max(y0 + 1, int(top + side) + 2), x0 : max(x0 + 1, int(left + side) + 2)]
    if not part.size:
        return image, left, top, side / CROP_PX
    factor = CROP_PX / side
    width, height = (max(1, round(n * factor)) for n in (part.shape[1], part.shape[0]))
    small = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (left - x0) * factor, (top - y0) * factor, 1.0


def _shrunk(image: Image, scale: float) -> tuple[Image, float]:
    """The picture at a scale, its sides filled up to whole points of the deepest map."""
    height, width = (max(1, round(n * scale)) for n in image.shape[:2])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    right, down = -width % (2 * STRIDE_PX), -height % (2 * STRIDE_PX)
    filled = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
    return np.asarray(filled, np.uint8), width / image.shape[1]


def _apart(found: Sequence[PieceCandidate]) -> list[PieceCandidate]:
    """One piece for each thing, the most certain."""
    kept: list[PieceCandidate] = []
    for piece in sorted(found, key=lambda piece: -piece.found)[: 3 * _MAX_PIECES]:
        if all(_shared(piece.box, other.box) < _SAME_OVERLAP for other in kept):
            kept.append(piece)
    return kept[:_MAX_PIECES]


def _shared(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> float:
    """What two boxes share, of the smaller of both or of their union, whichever tells more."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    first = (one[2] - one[0]) * (one[3] - one[1])
    second = (other[2] - other[0]) * (other[3] - other[1])
    union = wide * high / (first + second - wide * high)
    inside = wide * high / min(first, second)
    return max(union, inside - 0.35)


def _distance(one: PieceCandidate, other: PieceCandidate) -> float:
    """From middle to middle."""
    (x0, y0), (x1, y1) = centre(one.quad()), centre(other.quad())
    return float(np.hypot(x0 - x1, y0 - y1))
