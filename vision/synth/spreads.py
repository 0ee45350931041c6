"""How cards come to lie: scattered, in rows, fanned, stacked; and what may cover them."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.random import Generator

from vision.synth import felts, light
from vision.synth.decks import Deck
from vision.synth.scene import CardLay, CardScene, CardTruth, some_codes, tilted
from vision.types import Image


def some_scene(
    chance: Generator,
    decks: Sequence[Deck],
    size: int,
    photos: Sequence[Image] = (),
    ranks: str = "",
) -> tuple[Image, tuple[CardTruth, ...]]:
    """A finished picture, size by size, of cards somebody laid somewhere.

    Where `ranks` are given a card has one of them; a rank that is written twice comes twice as
    often.
    """
    ground = felts.ground(chance, size, size, photos)
    mm_wide = float(np.exp(chance.uniform(np.log(130), np.log(750))))
    steep = 60 if chance.random() < 0.3 else 30
    scene = CardScene(ground, tilted(chance, size, size, mm_wide, steep))
    deck = decks[int(chance.integers(len(decks)))]
    shade = float(chance.choice([0.0, 0.15, 0.35, 0.5]))
    if chance.random() > 0.04:  # now and then nobody is playing
        for card in some_lays(chance, deck, mm_wide):
            scene.lay(_of_ranks(chance, card, ranks), shade)
    _cover(chance, scene, mm_wide)
    return light.filmed(chance, light.lit(chance, scene.picture)), scene.truth()


def _of_ranks(chance: Generator, card: CardLay, ranks: str) -> CardLay:
    if not ranks or card.code is None:
        return card
    return card._replace(code=ranks[int(chance.integers(len(ranks)))] + card.code[1])


def some_lays(chance: Generator, deck: Deck, mm_wide: float) -> Iterator[CardLay]:
    """Cards on a felt of this width, in one of the ways people lay them."""
    reach = mm_wide * 0.42
    way = chance.random()
    if way < 0.35:
        count = int(chance.integers(1, max(3, min(14, round(mm_wide / 40)))))
        for code in some_codes(chance, count):
            x, y = chance.uniform(-reach, reach, 2)
            yield _lay(chance, deck, code, x, y, chance.uniform(0, 2 * np.pi))
    elif way < 0.6:
        yield from _rows(chance, deck, reach)
    elif way < 0.9:
        for _ in range(int(chance.integers(1, max(2, round(mm_wide / 180) + 1)))):
            yield from _fan(chance, deck, *chance.uniform(-reach * 0.6, reach * 0.6, 2))
    else:
        x, y = chance.uniform(-reach * 0.4, reach * 0.4, 2)
        turn = chance.uniform(0, 2 * np.pi)
        for code in some_codes(chance, int(chance.integers(2, 6))):
            step = chance.normal(0, 9, 2)
            yield _lay(chance, deck, code, x + step[0], y + step[1], turn + chance.normal(0, 0.12))


def _rows(chance: Generator, deck: Deck, reach: float) -> Iterator[CardLay]:
    """Hands side by side, a little crooked, as dealers lay them; some overlap."""
    turn = chance.uniform(0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]])
    step = chance.uniform(16, 90)
    for row in range(int(chance.integers(1, 4))):
        start = chance.uniform(-reach, 0)
        for n, code in enumerate(some_codes(chance, int(chance.integers(2, 7)))):
            x, y = along * (start + n * step) + across * (row - 1) * chance.uniform(90, 120)
            if abs(x) > reach * 1.3 or abs(y) > reach * 1.3:
                break
            yield _lay(chance, deck, code, x, y, turn + chance.normal(0, 0.06))


def _fan(chance: Generator, deck: Deck, x: float, y: float) -> Iterator[CardLay]:
    """Cards round a pivot, so that the left corner of each shows."""
    count = int(chance.integers(3, 14))
    radius = chance.uniform(60, 200)
    step = chance.uniform(11, 24) / (radius + 40)
    base = chance.uniform(0, 2 * np.pi)
    for n, code in enumerate(some_codes(chance, count)):
        turn = base + (n - count / 2) * step + chance.normal(0, 0.012)
        out = np.array([np.sin(turn), -np.cos(turn)]) * (radius + chance.normal(0, 2))
        root = np.array([np.sin(base), -np.cos(base)]) * radius
        yield _lay(chance, deck, code, x + out[0] - root[0], y + out[1] - root[1], turn)


def _lay(chance: Generator, deck: Deck, code: str, x: float, y: float, turn: float) -> CardLay:
    return CardLay(deck, None if chance.random() < 0.07 else code, float(x), float(y), float(turn))


def _cover(chance: Generator, scene: CardScene, mm_wide: float) -> None:
    """Chips and fingers over some of it."""
    reach = mm_wide * 0.5
    for _ in range(int(chance.integers(0, 7)) if chance.random() < 0.35 else 0):
        x, y = chance.uniform(-reach, reach, 2)
        _put(scene, chip(chance), float(x), float(y), 40, 0.0)
    if chance.random() < 0.25:
        for _ in range(int(chance.integers(1, 4))):
            x, y = chance.uniform(-reach, reach, 2)
            _put(scene, finger(chance), float(x), float(y), 150, float(chance.uniform(0, 6.28)))


def chip(chance: Generator) -> Image:
    """A chip from above: a disc with spots on its rim; BGRA."""
    side = 120
    face = np.zeros((side, side, 4), np.uint8)
    body = (*chance.uniform(0, 255, 3).tolist(), 255)
    spot = (*chance.uniform(180, 255, 3).tolist(), 255)
    middle = (side // 2, side // 2)
    cv2.circle(face, middle, side // 2 - 1, body, -1, cv2.LINE_AA)
    for turn in range(0, 360, 60):
        cv2.ellipse(face, middle, (side // 2 - 8, side // 2 - 8), turn, 0, 20, spot, 13)
    cv2.circle(face, middle, side // 4, spot, 2, cv2.LINE_AA)
    cv2.putText(
        face,
        str(chance.choice(["5", "25", "100", "10"])),
        (40, 70),
        body,
        cv2.FontFace("sans"),
        28,
        600,
    )
    return face


def finger(chance: Generator) -> Image:
    """A finger or a bare arm from above; BGRA."""
    high, wide = 300, int(chance.integers(46, 130))
    face = np.zeros((high, wide, 4), np.uint8)
    skins = [(120, 150, 205), (90, 120, 180), (60, 85, 130), (45, 60, 90), (150, 175, 225)]
    skin = np.array(skins[int(chance.integers(len(skins)))]) * chance.uniform(0.8, 1.1)
    cv2.ellipse(
        face,
        (wide // 2, wide // 2),
        (wide // 2 - 2, wide // 2 - 2),
        0,
        0,
        360,
        (*skin.tolist(), 255),
        -1,
        cv2.LINE_AA,
    )
    cv2.rectangle(face, (2, wide // 2), (wide - 3, high), (*skin.tolist(), 255), -1)
    across = np.cos(np.linspace(-1.2, 1.2, wide))[None, :, None]
    face[:, :, :3] = np.clip(face[:, :, :3] * (0.55 + 0.45 * across), 0, 255).astype(np.uint8)
    return face


def _put(scene: CardScene, face: Image, x: float, y: float, mm_high: float, turn: float) -> None:
    scale = mm_high / face.shape[0]
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    spot = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]], np.float64)
    scene.cover(face, scene.camera @ spot)
