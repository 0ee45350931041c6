"""Finds dice and tokens in a picture, and guesses what each shows.

Two small networks: the finder marks the middle and size of every die and token, the reader
classifies each of them. vision/training/dice.py trains both.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.events import Guess
from vision.recognise.detections import Near, centre
from vision.recognise.network import MODELS, Network
from vision.types import Image, Quad, Reals

PIPS = ("1", "2", "3", "4", "5", "6")
SYMBOLS = ("fish", "prawn", "calabash", "tiger", "crab", "rooster")
SIDES = ("R", "W")
LEANING, NOTHING = "leaning", "nothing"
CLASSES = (*PIPS, *SYMBOLS, *SIDES, LEANING, NOTHING)
KINDS = ("die", "token")

STRIDE_PX = 8  # pixels of the picture for one cell of the heat map
SIZE_UNIT_PX = 32.0  # the finder gives sizes as logarithms of multiples of this
CROP_PX = 48  # side of the reader's input
MARGINS = (1.2, 1.4)  # the reader sees this many times the box; its answers are averaged
_FINE_PASS_PX = 560_000  # the finer pass runs on at most this many pixels
_MIN_HEAT = 0.3  # colder peaks are ignored
_SAME_OVERLAP = 0.55  # two boxes that overlap more are one piece
_APART_SIDES = 0.5  # no two dice have their middles nearer than this, in sides of a die
_NOTHING_PROBABILITY = 0.5  # from here on a candidate is nothing
_READ_PROBABILITY = 0.8  # a face below this is reported as unread
_MIN_PROBABILITY = 0.01  # less likely alternatives are left out
_MAX_PIECES = 60  # in one picture


class PieceCandidate(NamedTuple):
    """A possible die or token: the square round it, and the probability of each class."""

    kind: str
    box: tuple[float, float, float, float]
    found: float
    shares: Reals  # the probability of each of CLASSES

    def share(self, name: str) -> float:
        """The probability of one class."""
        return float(self.shares[CLASSES.index(name)])

    def guesses(self, names: Sequence[str]) -> tuple[Guess, ...]:
        """The three likeliest of `names`; none if the best is below the limit."""
        ranked = sorted(
            (Guess(n, round(self.share(n), 4)) for n in names), key=lambda g: -g.probability
        )
        if ranked[0].probability < _READ_PROBABILITY:
            return ()
        return tuple(guess for guess in ranked[:3] if guess.probability >= _MIN_PROBABILITY)

    def side(self) -> float:
        """The side of its square, in pixels."""
        return self.box[2] - self.box[0]

    def quad(self) -> Quad:
        """The square as an outline."""
        x0, y0, x1, y1 = self.box
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


class PieceReader:
    """Finds and reads dice and tokens; loads both networks once."""

    def __init__(self, models: Path = MODELS) -> None:
        self._finder = Network("pieces_found", models)
        self._reader = Network("pieces_read", models)

    def read(
        self, image: Image, kind: str, pixels: int = 0, near: Near | None = None
    ) -> list[PieceCandidate]:
        """Read every die, or every token, from left to right.

        `pixels` is the size of the picture around `image`. Candidates that are not `near` are
        skipped: print beside the shaker looks like dice more often than there are dice.
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
        """The reader's scores: pieces, looks, classes."""
        views = np.concatenate([looks(image, piece.box) for piece in found])
        (said,) = self._reader.run(blob(views))
        return said.reshape(len(found), -1, len(CLASSES))


def spots(finder: Network, image: Image, pixels: int = 0) -> list[PieceCandidate]:
    """Find candidates: small ones at a fine scale, large ones at a coarse scale."""
    height, width = image.shape[:2]
    fine = min(1.0, float(np.sqrt(_FINE_PASS_PX / (pixels or height * width))))
    found: list[PieceCandidate] = []
    for scale in (fine, fine / 3):
        small, ratio = _shrunk(image, scale)
        (said,) = finder.run(blob(small[None]))
        found += middles(said[0], ratio)
    return _apart(found)


def alone(pieces: Sequence[PieceCandidate]) -> list[PieceCandidate]:
    """Keep the likeliest die at each place: two flat dice cannot share a middle."""
    kept: list[PieceCandidate] = []
    for piece in sorted(pieces, key=lambda piece: -piece.found * (1 - piece.share(NOTHING))):
        if all(_distance(piece, other) > _APART_SIDES * other.side() for other in kept):
            kept.append(piece)
    return kept


def blob(images: NDArray[np.uint8]) -> Reals:
    """Convert pictures (N, height, width, BGR) to network input."""
    return np.ascontiguousarray(images.transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def softmax(scores: Reals) -> Reals:
    """Convert scores to probabilities."""
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float32)


def middles(said: Reals, ratio: float) -> Iterator[PieceCandidate]:
    """Yield the peaks of a heat map; `ratio` is its scale against the original picture."""
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
    """The reader's four views of one box: two margins, each upright and rotated."""
    seen = [cut(image, box, margin) for margin in MARGINS]
    return np.stack([seen[0], np.rot90(seen[0]), seen[1], np.rot90(seen[1], 3)])


def cut(image: Image, box: tuple[float, float, float, float], margin: float) -> Image:
    """Cut a square round a box, scaled to the reader's input."""
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0, 4) * margin
    left, top = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
    shrink = side / CROP_PX
    if shrink > 1.5:
        # Average the pixels: sampling too few of them loses pips.
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
    """Shrink the picture, and pad its sides to whole cells of the network."""
    height, width = (max(1, round(n * scale)) for n in image.shape[:2])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    right, down = -width % (2 * STRIDE_PX), -height % (2 * STRIDE_PX)
    filled = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
    return np.asarray(filled, np.uint8), width / image.shape[1]


def _apart(found: Sequence[PieceCandidate]) -> list[PieceCandidate]:
    """Keep the surest of overlapping candidates."""
    kept: list[PieceCandidate] = []
    for piece in sorted(found, key=lambda piece: -piece.found)[: 3 * _MAX_PIECES]:
        if all(_shared(piece.box, other.box) < _SAME_OVERLAP for other in kept):
            kept.append(piece)
    return kept[:_MAX_PIECES]


def _shared(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> float:
    """How much two boxes overlap: of their union, or of the smaller one if that is clearly more."""
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
    """The distance of two middles, in pixels."""
    (x0, y0), (x1, y1) = centre(one.quad()), centre(other.quad())
    return float(np.hypot(x0 - x1, y0 - y1))
