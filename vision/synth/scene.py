"""Draws cards on a ground as a camera sees them, with the truth of every card and index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from schemas.cards import DECK
from vision.synth.decks import HEIGHT, Deck, FaceBox
from vision.types import Image, Point, Quad

Matrix = NDArray[np.float64]

CARD_MM = 88.0  # the height of a card on the felt


class CardLay(NamedTuple):
    """A card on the felt: its middle in mm, its turn in radians; no code if face down."""

    deck: Deck
    code: str | None
    x: float
    y: float
    turn: float


class IndexTruth(NamedTuple):
    """One printed index in the picture: where, how large, which way up, how much of it shows."""

    code: str
    centre: Point
    up: Point  # from the centre to the middle of the upper edge
    right: Point  # from the centre to the middle of the right edge
    to_card: Point  # from the centre to the middle of the card
    visible: float


class CardTruth(NamedTuple):
    """One card in the picture; no code if face down."""

    code: str | None
    quad: Quad
    visible: float
    indices: tuple[IndexTruth, ...]


@dataclass(slots=True)
class CardScene:
    """A picture while it is drawn; later cards lie on top."""

    picture: Image
    camera: Matrix  # felt mm to pixels
    owner: NDArray[np.int16] = field(init=False)  # which card shows at a pixel; 0 none, -1 a cover
    laid: list[CardLay] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.owner = np.zeros(self.picture.shape[:2], np.int16)

    def lay(self, card: CardLay, shade: float = 0.35) -> None:
        """Put a card on top of what is there."""
        self.laid.append(card)
        face = card.deck.back if card.code is None else card.deck.faces[card.code]
        onto = self.camera @ pose(card) @ _to_mm(face)
        self._shadow(card, shade)
        _paste(self.picture, self.owner, face, onto, len(self.laid))

    def cover(self, face: Image, onto: Matrix) -> None:
        """Draw something over the cards, such as a hand or a chip; BGRA."""
        _paste(self.picture, self.owner, face, onto, -1)

    def truth(self) -> tuple[CardTruth, ...]:
        """The truth of every card, with the share of it that is visible."""
        return tuple(self._card(number, card) for number, card in enumerate(self.laid, 1))

    def _card(self, number: int, card: CardLay) -> CardTruth:
        face = card.deck.back if card.code is None else card.deck.faces[card.code]
        onto = self.camera @ pose(card) @ _to_mm(face)
        high, wide = face.shape[:2]
        quad = project(onto, [(0, 0), (wide, 0), (wide, high), (0, high)])
        shown = self._share(number, onto, FaceBox(0, 0, 1, 1), face)
        indices = tuple(self._indices(number, card, onto, face)) if card.code else ()
        return CardTruth(card.code, (quad[0], quad[1], quad[2], quad[3]), shown, indices)

    def _indices(
        self, number: int, card: CardLay, onto: Matrix, face: Image
    ) -> Iterator[IndexTruth]:
        high, wide = face.shape[:2]
        box = card.deck.index
        middle = project(onto, [(wide / 2, high / 2)])[0]
        for corner in corners(box, four=card.deck.four_corners):
            centre, up, right = project(
                onto, [(x * wide, y * high) for x, y in (corner.centre, corner.up, corner.right)]
            )
            yield IndexTruth(
                card.code or "",
                centre,
                _minus(up, centre),
                _minus(right, centre),
                _minus(middle, centre),
                self._share(number, onto, corner.box, face),
            )

    def _share(self, number: int, onto: Matrix, box: FaceBox, face: Image) -> float:
        """The share of a part of a card that shows, by a grid of points."""
        high, wide = face.shape[:2]
        x, y = np.meshgrid(
            np.linspace(box.left, box.right, 9)[1:-1] * wide,
            np.linspace(box.top, box.bottom, 12)[1:-1] * high,
        )
        points = np.rint(project_all(onto, np.stack([x.ravel(), y.ravel()], 1))).astype(int)
        rows, columns = self.owner.shape
        inside = (points >= 0).all(1) & (points[:, 0] < columns) & (points[:, 1] < rows)
        seen = self.owner[points[inside, 1], points[inside, 0]] == number
        return float(seen.sum() / len(points))

    def _shadow(self, card: CardLay, shade: float) -> None:
        if shade <= 0:
            return
        face = card.deck.back
        onto = self.camera @ pose(card._replace(x=card.x + 1.5, y=card.y + 2)) @ _to_mm(face)
        high, wide = face.shape[:2]
        quad = np.array(project(onto, [(0, 0), (wide, 0), (wide, high), (0, high)]))
        reach = 4
        part = _window(quad, self.owner.shape, reach)
        if part is None:
            return
        rows, columns = part
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
        cv2.fillConvexPoly(mask, np.rint(quad - (columns.start, rows.start)).astype(np.int32), 1.0)
        mask = cv2.blur(mask, (reach, reach)) * shade
        under = self.picture[rows, columns]
        self.picture[rows, columns] = (under * (1 - mask[:, :, None])).astype(np.uint8)


class PrintedIndex(NamedTuple):
    """A printed index in shares of its card: its box, middle, and the middles of two edges."""

    box: FaceBox
    centre: Point
    up: Point
    right: Point


def corners(box: FaceBox, *, four: bool) -> Iterator[PrintedIndex]:
    """The printed indices of a card: left upper and right lower, or all four."""
    left, top, right, bottom = box
    over = FaceBox(1 - right, top, 1 - left, bottom)
    for upper in (box, over) if four else (box,):
        x, y = (upper.left + upper.right) / 2, (upper.top + upper.bottom) / 2
        yield PrintedIndex(upper, (x, y), (x, upper.top), (upper.right, y))
        lower = FaceBox(1 - upper.right, 1 - upper.bottom, 1 - upper.left, 1 - upper.top)
        yield PrintedIndex(lower, (1 - x, 1 - y), (1 - x, 1 - upper.top), (1 - upper.right, 1 - y))


def pose(card: CardLay) -> Matrix:
    """From a card's own mm, middle at zero, to the felt."""
    cos, sin = np.cos(card.turn), np.sin(card.turn)
    return np.array([[cos, -sin, card.x], [sin, cos, card.y], [0, 0, 1]], np.float64)


def project_all(onto: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points through a homography."""
    flat = np.column_stack([points, np.ones(len(points))]) @ onto.T
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def project(onto: Matrix, points: Sequence[Point]) -> list[Point]:
    """A few points through a homography."""
    return [(float(x), float(y)) for x, y in project_all(onto, np.array(points, np.float64))]


def overhead(width: int, height: int, mm_wide: float) -> Matrix:
    """A camera straight above: felt mm, zero in the middle, to pixels."""
    scale = width / mm_wide
    return np.array([[scale, 0, width / 2], [0, scale, height / 2], [0, 0, 1]], np.float64)


def tilted(chance: Generator, width: int, height: int, mm_wide: float, most: float) -> Matrix:
    """A camera that looks at the felt at some angle, up to `most` degrees from straight down."""
    pitch, spin = np.radians(chance.uniform(0, most)), chance.uniform(0, 2 * np.pi)
    away = 2.2 * mm_wide
    focal = width / mm_wide * away
    cos, sin = np.cos(spin), np.sin(spin)
    around = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    lean = np.array(
        [[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]]
    )
    turn = lean @ around
    view = np.column_stack([turn[:, 0], turn[:, 1], np.array([0, 0, away])])
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]], np.float64)
    return np.asarray(lens @ view, np.float64)


def some_codes(chance: Generator, count: int) -> list[str]:
    """Cards out of one deck, or now and then out of several."""
    if chance.random() < 0.8:
        return [str(DECK[n]) for n in chance.permutation(52)[:count]]
    return [str(DECK[n]) for n in chance.integers(0, 52, count)]


def _to_mm(face: Image) -> Matrix:
    """From a face's pixels to mm round its middle."""
    scale = CARD_MM / HEIGHT
    high, wide = face.shape[:2]
    return np.array(
        [[scale, 0, -wide * scale / 2], [0, scale, -high * scale / 2], [0, 0, 1]], np.float64
    )


def _paste(
    picture: Image, owner: NDArray[np.int16], face: Image, onto: Matrix, number: int
) -> None:
    """Draw a face through a homography, with its clear parts left clear."""
    high, wide = face.shape[:2]
    quad = project_all(onto, np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64))
    part = _window(quad, owner.shape, 1)
    if part is None:
        return
    rows, columns = part
    size = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[0] - quad[1]) * high / wide)
    shrink = min(1.0, float(size) * 1.15 / high)
    if shrink < 0.8:  # so that fine print does not flicker
        small = (max(8, round(wide * shrink)), max(8, round(high * shrink)))
        grow = np.diag([wide / small[0], high / small[1], 1.0])
        face = np.asarray(cv2.resize(face, small, interpolation=cv2.INTER_AREA), np.uint8)
        onto = onto @ grow
    shift = np.array([[1, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]], np.float64)
    target = (columns.stop - columns.start, rows.stop - rows.start)
    drawn = cv2.warpPerspective(face, shift @ onto, target, flags=cv2.INTER_LINEAR)
    share = drawn[:, :, 3:].astype(np.float32) / 255
    under = picture[rows, columns]
    picture[rows, columns] = (under * (1 - share) + drawn[:, :, :3] * share).astype(np.uint8)
    owner[rows, columns][drawn[:, :, 3] > 127] = number


def _window(
    quad: NDArray[np.float64], shape: tuple[int, ...], reach: int
) -> tuple[slice, slice] | None:
    """The rows and columns that a quad touches; None if it is outside the picture."""
    left, top = np.floor(quad.min(0)).astype(int) - reach
    right, bottom = np.ceil(quad.max(0)).astype(int) + reach + 1
    rows = slice(max(0, int(top)), min(shape[0], int(bottom)))
    columns = slice(max(0, int(left)), min(shape[1], int(right)))
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None


def _minus(point: Point, other: Point) -> Point:
    return point[0] - other[0], point[1] - other[1]
