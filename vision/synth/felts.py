"""What cards lie on: felts with printed lines, wood, cloth, paper, clutter."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.types import Image

DrawGround = Callable[[Generator, int, int], Image]


def ground(chance: Generator, width: int, height: int, photos: Sequence[Image] = ()) -> Image:
    """Draw a random ground; a third of the time part of a photo, if there are any."""
    if photos and chance.random() < 0.35:
        return _photo(chance, width, height, photos[int(chance.integers(len(photos)))])
    made: tuple[DrawGround, ...] = (felt, felt, wood, cloth, plain)
    picture = made[int(chance.integers(len(made)))](chance, width, height)
    if chance.random() < 0.35:
        clutter(chance, picture)
    return picture


def felt(chance: Generator, width: int, height: int) -> Image:
    """Coloured cloth with a fine grain, and often printed lines, arcs and words."""
    colours = [
        (60, 100, 25),
        (120, 60, 20),
        (40, 30, 130),
        (90, 35, 80),
        (45, 45, 45),
        (90, 90, 30),
    ]
    colour = np.array(colours[int(chance.integers(len(colours)))]) * chance.uniform(0.6, 1.5)
    picture = _grain(chance, width, height, colour, chance.uniform(2, 10), 1.0)
    ink = [(230, 230, 230), (60, 200, 230), (180, 220, 240)][int(chance.integers(3))]
    for _ in range(int(chance.integers(0, 5))):
        first, last = chance.integers(0, (width, height), (2, 2))
        cv2.line(
            picture, first.tolist(), last.tolist(), ink, int(chance.integers(1, 5)), cv2.LINE_AA
        )
    for _ in range(int(chance.integers(0, 3))):
        middle = chance.integers(0, (width, height)).tolist()
        size = chance.integers(20, width, 2).tolist()
        turn = int(chance.integers(0, 180))
        cv2.ellipse(
            picture, middle, size, turn, 0, int(chance.integers(60, 360)), ink, 2, cv2.LINE_AA
        )
    for _ in range(int(chance.integers(0, 3))):
        word = ["PLAYER", "BANKER", "TIE", "PAYS 2 TO 1", "INSURANCE", "8 TO 1", "TIGER"]
        _word(chance, picture, str(chance.choice(word)), ink)
    return picture


def wood(chance: Generator, width: int, height: int) -> Image:
    """Long grain in brown."""
    colour = np.array([40, 80, 130]) * chance.uniform(0.4, 1.7)
    rough = chance.normal(0, 1, (max(2, height // 40), width)).astype(np.float32)
    grown = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    grown = cv2.GaussianBlur(grown, (0, 0), chance.uniform(0.5, 3))
    tone = 1 + grown[:, :, None] * chance.uniform(0.1, 0.5)
    picture = np.clip(colour * tone, 0, 255).astype(np.uint8)
    if chance.random() < 0.5:
        picture = np.ascontiguousarray(np.rot90(picture))
        picture = np.asarray(cv2.resize(picture, (width, height)), np.uint8)
    return picture


def cloth(chance: Generator, width: int, height: int) -> Image:
    """Patches of several colours with soft or sharp edges, as on covers and carpets."""
    cells = int(chance.integers(3, 16))
    field = chance.uniform(0, 1, (cells, cells, 3))
    smooth = cv2.INTER_CUBIC if chance.random() < 0.6 else cv2.INTER_NEAREST
    field = np.asarray(cv2.resize(field, (width, height), interpolation=smooth), np.float64)
    if chance.random() < 0.5:
        field = np.round(field * 3) / 3
    base = chance.uniform(20, 200, 3)
    picture = base * 0.5 + field * chance.uniform(40, 200)
    picture += chance.normal(0, chance.uniform(2, 25), (height, width, 1))
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def plain(chance: Generator, width: int, height: int) -> Image:
    """Paper or a table top in one tone, mostly bright, so that cards hardly stand out."""
    tone = np.array([1, 1, 1]) * chance.choice([245, 225, 200, 150, 90, 40])
    return _grain(chance, width, height, tone + chance.normal(0, 8, 3), chance.uniform(0, 4), 2.0)


def clutter(chance: Generator, picture: Image) -> None:
    """Printed sheets, coloured blocks and discs, which must not be read as cards."""
    height, width = picture.shape[:2]
    for _ in range(int(chance.integers(1, 5))):
        middle = chance.uniform((0, 0), (width, height))
        size = chance.uniform(40, 260, 2)
        corners = cv2.boxPoints((middle.tolist(), size.tolist(), float(chance.uniform(0, 180))))
        light = chance.random() < 0.6
        tone = chance.uniform(190, 255, 3) if light else chance.uniform(0, 255, 3)
        cv2.fillConvexPoly(picture, corners.astype(np.int32), tone.tolist(), cv2.LINE_AA)
    for _ in range(int(chance.integers(0, 12))):
        word = "".join(chance.choice(list("0123456789AJQKabcdeXWRst"), int(chance.integers(1, 6))))
        ink = (20, 20, 190) if chance.random() < 0.3 else (20, 20, 20)
        _word(chance, picture, word, ink)
    for _ in range(int(chance.integers(0, 4))):
        middle = chance.integers(0, (width, height)).tolist()
        cv2.circle(
            picture,
            middle,
            int(chance.integers(3, 40)),
            chance.uniform(0, 255, 3).tolist(),
            -1,
            cv2.LINE_AA,
        )


def _word(chance: Generator, picture: Image, word: str, ink: Sequence[int]) -> None:
    """A word at any angle."""
    size = int(chance.integers(12, 48))
    sheet = np.zeros((size * 2, size * (len(word) + 1), 3), np.uint8)
    font = cv2.FontFace(str(chance.choice(["sans", "serif"])))
    cv2.putText(
        sheet,
        word,
        (size // 4, round(size * 1.4)),
        (255, 255, 255),
        font,
        size,
        int(chance.integers(300, 800)),
    )
    side = max(sheet.shape[:2])
    turn = cv2.getRotationMatrix2D(
        (sheet.shape[1] / 2, sheet.shape[0] / 2), float(chance.uniform(0, 360)), 1
    )
    turn[0, 2] += (side - sheet.shape[1]) / 2
    turn[1, 2] += (side - sheet.shape[0]) / 2
    mark = cv2.warpAffine(sheet[:, :, 0], turn, (side, side))
    top, left = (int(chance.integers(-side // 2, end)) for end in picture.shape[:2])
    part = picture[max(0, top) : top + side, max(0, left) : left + side]
    share = mark[max(0, -top) :, max(0, -left) :][
        : part.shape[0], : part.shape[1], None
    ] / np.float32(255)
    part[:] = part * (1 - share) + np.array(ink, np.float32) * share


def _photo(chance: Generator, width: int, height: int, photo: Image) -> Image:
    """A random part of a photo, scaled and perhaps mirrored."""
    high, wide = photo.shape[:2]
    side = int(chance.uniform(0.35, 1.0) * min(high, wide))
    top, left = int(chance.integers(0, high - side + 1)), int(chance.integers(0, wide - side + 1))
    part = photo[top : top + side, left : left + side]
    if chance.random() < 0.5:
        part = part[:, ::-1]
    return np.asarray(cv2.resize(np.ascontiguousarray(part), (width, height)), np.uint8)


def _grain(
    chance: Generator,
    width: int,
    height: int,
    colour: NDArray[np.float64],
    strength: float,
    coarse: float,
) -> Image:
    grain = chance.normal(0, 1, (height // 2, width // 2)).astype(np.float32)
    grain = cv2.resize(cv2.GaussianBlur(grain, (0, 0), coarse), (width, height)) * strength * coarse
    return np.asarray(np.clip(colour.astype(np.float32) + grain[:, :, None], 0, 255), np.uint8)
