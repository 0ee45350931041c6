"""Decks: 52 faces and a back, out of a folder of pictures or drawn by our own code.

A face is BGRA, upright, `HEIGHT` high. Each deck says where its printed index (rank over suit)
stands in the corner, because the index is what a camera reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from schemas.cards import DECK, Card
from vision.synth import threes
from vision.synth.suits import sign
from vision.synth.threes import FlatThree

Face = NDArray[np.uint8]
HEIGHT = 460
RED, BLACK = (40, 30, 205), (25, 22, 22)


class FaceBox(NamedTuple):
    """A part of a face, in shares of its width and height."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Deck:
    """Faces by card code, the back, where the index stands, and whether all corners carry one."""

    name: str
    faces: Mapping[str, Face]
    back: Face
    index: FaceBox
    four_corners: bool = False


def load(folder: Path) -> Deck:
    """A deck out of 52 pictures `9H.png`; the index is found in the corner of its aces."""
    faces = {str(card): _read(folder / f"{card}.png") for card in DECK}
    return Deck(folder.name, faces, back(sum(folder.name.encode())), _index_box(faces))


def in_four_corners(deck: Deck) -> Deck:
    """The same deck with its index in all corners, as many jumbo decks have it."""
    faces = {}
    for code, face in deck.faces.items():
        faces[code] = face.copy()
        _corners(faces[code], deck.index, four=True)
    return replace(deck, name=f"{deck.name}-four", faces=faces, four_corners=True)


@dataclass(frozen=True, slots=True)
class Style:
    """How a drawn deck looks."""

    font: str = "sans"
    weight: int = 500
    width: int = 300
    rank_height: float = 0.10  # of the card's height
    squeeze: float = 0.8  # how narrow the rank is
    suit_size: float = 0.65  # of the rank's height
    gap: float = 0.02
    margin: tuple[float, float] = (0.045, 0.03)
    bulge: int = 0
    red: tuple[int, int, int] = RED
    black: tuple[int, int, int] = BLACK
    paper: tuple[int, int, int] = (250, 250, 250)
    pip: float = 0.13
    four_corners: bool = False
    framed: bool = True
    three: FlatThree | None = None  # in place of the font's


def some_style(chance: Generator, fonts: Sequence[str] = ("sans", "serif")) -> Style:
    """A random style within what printers do."""
    rank_height = float(chance.uniform(0.065, 0.17))
    return Style(
        font=str(chance.choice(fonts)),
        weight=int(chance.integers(300, 800)),
        width=int(chance.choice([290, 300, 325, 330])),
        rank_height=rank_height,
        squeeze=float(chance.uniform(0.6, 1.1)),
        suit_size=float(chance.uniform(0.5, 1.05)),
        gap=float(chance.uniform(0.004, 0.035)),
        margin=(float(chance.uniform(0.025, 0.075)), float(chance.uniform(0.02, 0.055))),
        bulge=int(chance.integers(-2, 3)),
        red=_near(RED, chance, 35),
        black=_near(BLACK, chance, 22),
        paper=_near((246, 247, 248), chance, 8),
        pip=float(chance.uniform(0.10, 0.17)),
        four_corners=bool(chance.random() < 0.4),
        framed=bool(chance.random() < 0.7),
    )


def drawn(style: Style, name: str = "drawn", courts: Deck | None = None) -> Deck:
    """Draw a deck in this style; court figures may come from another deck."""
    faces = {}
    boxes = []
    for card in DECK:
        face, box = _draw(card, style, courts)
        faces[str(card)] = face
        boxes.append(box)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    # The ten is the widest; the index of a deck is as wide as most of its ranks are.
    right = sorted(rights)[len(rights) * 3 // 4]
    index = FaceBox(min(lefts), min(tops), right, max(bottoms))
    return Deck(name, faces, back(len(name) + style.weight), index, style.four_corners)


@cache
def back(number: int) -> Face:
    """The back of a card: a framed pattern in one of a few colours."""
    chance = np.random.default_rng(number)
    colours = [(150, 40, 30), (40, 40, 170), (90, 60, 20), (40, 110, 40), (60, 60, 60)]
    colour = colours[number % len(colours)]
    face = _paper(300, (245, 246, 246))
    y, x = np.mgrid[0:HEIGHT, 0:300].astype(np.float32)
    period = float(chance.uniform(9, 26))
    wave = np.sin(x * 6.283 / period) * np.sin(y * 6.283 / period)
    if number % 2:
        wave = np.sin((x + y) * 6.283 / period) * np.sin((x - y) * 6.283 / period)
    inside = np.zeros((HEIGHT, 300), bool)
    border = int(chance.integers(8, 26))
    inside[border:-border, border:-border] = True
    face[inside & (wave > -0.2), :3] = colour
    cv2.rectangle(face, (border, border), (299 - border, HEIGHT - 1 - border), (*colour, 255), 3)
    cv2.circle(face, (150, HEIGHT // 2), 48, (*colour, 255), 5)
    return face


# Where the pips of a rank stand: shares of width and height, the lower half turned round.
_COLUMNS = (0.3, 0.5, 0.7)
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0.5, 0.5),),
    "2": ((0.5, 0.2), (0.5, 0.8)),
    "3": ((0.5, 0.2), (0.5, 0.5), (0.5, 0.8)),
    "4": ((0.3, 0.2), (0.7, 0.2), (0.3, 0.8), (0.7, 0.8)),
    "5": ((0.3, 0.2), (0.7, 0.2), (0.5, 0.5), (0.3, 0.8), (0.7, 0.8)),
    "6": ((0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)),
}
PIPS["7"] = (*PIPS["6"], (0.5, 0.35))
PIPS["8"] = (*PIPS["7"], (0.5, 0.65))
PIPS["9"] = (
    *((x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)),
    (0.5, 0.5),
)
PIPS["T"] = (*PIPS["9"][:-1], (0.5, 0.3), (0.5, 0.7))


def _draw(card: Card, style: Style, courts: Deck | None) -> tuple[Face, FaceBox]:
    face = _paper(style.width, style.paper)
    colour = style.red if card.suit in "HD" else style.black
    if card.rank in PIPS:
        size = round(style.pip * HEIGHT * (1.9 if card.rank == "A" and card.suit == "S" else 1))
        for x, y in PIPS[card.rank]:
            mark = _scaled(sign(card.suit, style.bulge), size)
            _ink(face, mark if y <= 0.5 else mark[::-1], x * style.width, y * HEIGHT, colour)
    else:
        _court(face, card, style, courts, colour)
    box = _index(face, card, style, colour)
    _corners(face, box, four=style.four_corners)
    return face, box


def _index(face: Face, card: Card, style: Style, colour: tuple[int, int, int]) -> FaceBox:
    """Print rank over suit in the upper left corner; return the box it covers."""
    rank = _rank_mark(card.rank, style)
    suit = _scaled(
        sign(card.suit, style.bulge), round(style.rank_height * style.suit_size * HEIGHT)
    )
    column = max(_rank_mark("8", style).shape[1], suit.shape[1])
    left, top = style.margin[0] * style.width, style.margin[1] * HEIGHT
    middle = max(left + column / 2, rank.shape[1] / 2 + 3)
    below = top + rank.shape[0] + style.gap * HEIGHT
    right = max(middle + column / 2, middle + rank.shape[1] / 2)
    _wipe(face, round(right) + 4, round(below + suit.shape[0]) + 4, style.paper)
    _ink(face, rank, middle, top + rank.shape[0] / 2, colour)
    _ink(face, suit, middle, below + suit.shape[0] / 2, colour)
    return FaceBox(
        (middle - column / 2) / style.width,
        top / HEIGHT,
        (middle + column / 2) / style.width,
        (below + suit.shape[0]) / HEIGHT,
    )


def _rank_mark(rank: str, style: Style) -> NDArray[np.uint8]:
    if rank == "3" and style.three is not None:
        mark = threes.drawn(style.three)
        high = max(4, round(style.rank_height * HEIGHT))
        wide = max(3, round(mark.shape[1] * high / mark.shape[0] * style.squeeze))
        return np.asarray(cv2.resize(mark, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return _written(
        "10" if rank == "T" else rank, style.font, style.weight, style.rank_height, style.squeeze
    )


@cache
def _written(text: str, font: str, weight: int, height: float, squeeze: float) -> NDArray[np.uint8]:
    """A word as ink on an empty ground, exactly this high."""
    sheet = np.zeros((200, 400, 3), np.uint8)
    cv2.putText(sheet, text, (60, 150), (255, 255, 255), _font(font), 110, weight)
    ink = sheet[:, :, 0]
    found = np.argwhere(ink > 100)
    (top, left), (bottom, right) = found.min(0), found.max(0)
    ink = ink[top : bottom + 1, left : right + 1]
    high = max(4, round(height * HEIGHT))
    tight = squeeze * (0.8 if text == "10" else 1)
    wide = max(3, round(ink.shape[1] * high / ink.shape[0] * tight))
    return np.asarray(cv2.resize(ink, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _font(name: str) -> cv2.FontFace:
    return cv2.FontFace(name)


def _court(
    face: Face, card: Card, style: Style, courts: Deck | None, colour: tuple[int, int, int]
) -> None:
    """The figure of a court card: from another deck, or a patterned block."""
    left, top = round(0.18 * style.width), round(0.09 * HEIGHT)
    inner = face[top : HEIGHT - top, left : style.width - left]
    if courts is not None:
        lent = courts.faces[str(card)]
        high, wide = lent.shape[:2]
        part = lent[
            round(0.09 * high) : round(0.91 * high), round(0.18 * wide) : round(0.82 * wide)
        ]
        size = (inner.shape[1], inner.shape[0])
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        solid = part[:, :, 3:].astype(np.float32) / 255
        inner[:, :, :3] = (part[:, :, :3] * solid + inner[:, :, :3] * (1 - solid)).astype(np.uint8)
    else:
        y, x = np.mgrid[0 : inner.shape[0], 0 : inner.shape[1]]
        step = 11 + "JQK".index(card.rank) * 6
        bands = (x + abs(y - inner.shape[0] // 2)) // step % 4
        for band, paint in enumerate(((60, 200, 235), colour, style.paper, (150, 70, 40))):
            inner[bands == band, :3] = paint
        mark = _scaled(sign(card.suit, style.bulge), round(0.12 * HEIGHT))
        _ink(inner, mark, inner.shape[1] * 0.22, inner.shape[0] * 0.12, colour)
        _ink(inner, mark[::-1], inner.shape[1] * 0.78, inner.shape[0] * 0.88, colour)
    if style.framed:
        far = (style.width - left, HEIGHT - top)
        cv2.rectangle(face, (left, top), far, (150, 60, 40, 255), 2, cv2.LINE_AA)


def _corners(face: Face, box: FaceBox, *, four: bool) -> None:
    """Print the index of the left upper corner into the others; the lower ones are turned round."""
    high, wide = face.shape[:2]
    right, bottom = round(box.right * wide) + 14, round(box.bottom * high) + 3
    if four:
        face[3:bottom, wide - right : wide - 3] = face[3:bottom, 3:right]
    turned = face[::-1, ::-1].copy()
    face[high - bottom :, wide - right :] = turned[high - bottom :, wide - right :]
    if four:
        face[high - bottom :, :right] = turned[high - bottom :, :right]


def _paper(width: int, colour: tuple[int, int, int]) -> Face:
    """An empty card with round corners and a thin edge."""
    face = np.zeros((HEIGHT, width, 4), np.uint8)
    face[:, :, :3] = colour
    radius = 20
    mask = np.zeros((HEIGHT, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, HEIGHT - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, HEIGHT - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, HEIGHT - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    face[:, :, 3] = mask
    return face


def _wipe(face: Face, right: int, bottom: int, paper: tuple[int, int, int]) -> None:
    face[2:bottom, 2:right, :3] = paper


def _ink(
    face: Face, mark: NDArray[np.uint8], x: float, y: float, colour: tuple[int, int, int]
) -> None:
    """Print a mark with its middle at x, y."""
    high, wide = mark.shape
    top, left = round(y - high / 2), round(x - wide / 2)
    rows = slice(max(0, top), min(face.shape[0], top + high))
    columns = slice(max(0, left), min(face.shape[1], left + wide))
    part = mark[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    share = part[:, :, None].astype(np.float32) / 255
    under = face[rows, columns, :3].astype(np.float32)
    face[rows, columns, :3] = (under * (1 - share) + np.array(colour) * share).astype(np.uint8)


def _scaled(mark: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    wide = max(3, round(mark.shape[1] * height / mark.shape[0]))
    return np.asarray(
        cv2.resize(mark, (wide, max(3, height)), interpolation=cv2.INTER_AREA), np.uint8
    )


def _near(colour: tuple[int, int, int], chance: Generator, spread: int) -> tuple[int, int, int]:
    blue, green, red = (
        int(np.clip(part + chance.integers(-spread, spread + 1), 0, 255)) for part in colour
    )
    return blue, green, red


def _read(file: Path) -> Face:
    found = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if found is None:
        raise FileNotFoundError(f"{file}: a picture of a card was expected; a deck has all 52")
    if found.shape[0] != HEIGHT:
        wide = round(found.shape[1] * HEIGHT / found.shape[0])
        found = cv2.resize(found, (wide, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(found, np.uint8)


def _index_box(faces: Mapping[str, Face]) -> FaceBox:
    """The corner's ink of the aces, and of sixes where they reach lower."""
    found = [_corner_ink(faces[f"{rank}{suit}"]) for rank in "A7K" for suit in "SHCD"]
    lefts, tops, rights, bottoms = (sorted(side) for side in zip(*found, strict=True))
    middle = len(found) // 2
    return FaceBox(lefts[middle], tops[middle], rights[middle], bottoms[middle])


def _corner_ink(face: Face) -> FaceBox:
    high, wide = face.shape[:2]
    part = face[: round(high * 0.5), : round(wide * 0.36)]
    paper = np.median(face[:, :, :3].reshape(-1, 3), axis=0)
    ink = (np.abs(part[:, :, :3].astype(int) - paper).max(2) > 70) & (part[:, :, 3] > 200)
    edge = round(0.02 * wide)  # the card's own outline is no ink
    ink[:edge], ink[:, :edge] = False, False
    count, _, stats, middles = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    boxes = []
    for n in range(1, count):
        x, y, w, h, area = stats[n]
        inside = x + w < part.shape[1] - 1 and y + h < part.shape[0] - 1
        if (
            inside
            and area > max(30, w * h * 0.15)
            and middles[n][0] < wide * 0.2
            and y < high * 0.3
        ):
            boxes.append((x, y, x + w, y + h))
    lefts, tops, rights, bottoms = zip(*boxes, strict=True) if boxes else ((9,), (9,), (60,), (90,))
    return FaceBox(min(lefts) / wide, min(tops) / high, max(rights) / wide, max(bottoms) / high)
