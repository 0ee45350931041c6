"""Draws what a picture shows beside cards: hands, a shaker's lid, dice and tokens."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.synth import dice, solid, tokens
from vision.synth.days import PiecesThrown
from vision.synth.scene import CardScene, Matrix, project
from vision.synth.spots import FeltSpot
from vision.synth.symbols import SYMBOLS
from vision.types import Image, Point, Quad

HAND_MM = 420.0  # from the fingertips beyond the edge of the picture
SKINS = ((120, 150, 205), (90, 120, 180), (60, 85, 130), (45, 60, 90), (150, 175, 225))
SLEEVES = ((38, 34, 34), (70, 44, 30), (190, 190, 196))


def hand(luck: Generator) -> Image:
    """A hand and its sleeve, fingers downwards; BGRA, its fingertips in the middle below."""
    wide, high = 260, 900
    face = np.zeros((high, wide, 4), np.uint8)
    skin = np.array(SKINS[int(luck.integers(len(SKINS)))]) * luck.uniform(0.85, 1.1)
    ink = (*np.clip(skin, 0, 255).tolist(), 255)
    shade = (*np.clip(skin * 0.82, 0, 255).tolist(), 255)
    for x, tip in ((70, 840), (112, 890), (152, 885), (190, 850)):
        cv2.line(face, (x, 640), (x, tip - 19), shade, 42, cv2.LINE_AA)
        cv2.line(face, (x, 640), (x, tip - 19), ink, 36, cv2.LINE_AA)
    cv2.line(face, (212, 600), (240, 740), ink, 36, cv2.LINE_AA)
    cv2.ellipse(face, (132, 590), (90, 120), 0, 0, 360, ink, -1, cv2.LINE_AA)
    sleeve = (*SLEEVES[int(luck.integers(len(SLEEVES)))], 255)
    cv2.rectangle(face, (62, 0), (204, 480), sleeve, -1)
    cv2.line(face, (62, 480), (204, 480), (225, 225, 228, 255), 14, cv2.LINE_AA)
    return face


def put_hand(scene: CardScene, face: Image, tip: Point) -> None:
    """Lay a hand over a scene, its fingertips at a point of the felt, its arm towards the top."""
    scale = HAND_MM / face.shape[0]
    left, top = tip[0] - face.shape[1] / 2 * scale, tip[1] - HAND_MM
    spot = np.array([[scale, 0, left], [0, scale, top], [0, 0, 1]], np.float64)
    scene.cover(face, scene.camera @ spot)


def put_flat(scene: CardScene, face: Image, at: Point, mm: float) -> None:
    """Lay something as wide as high on the felt, its middle at a point."""
    scale = mm / face.shape[0]
    x, y = at[0] - mm / 2, at[1] - mm / 2
    spot = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]], np.float64)
    scene.cover(face, scene.camera @ spot)


def lid(luck: Generator) -> Image:
    """The lid of a shaker from above: a plain dome with a knob; BGRA."""
    side = 400
    face = np.zeros((side, side, 4), np.uint8)
    tone = np.array((60, 66, 78)) * luck.uniform(0.8, 1.5)
    for radius in range(side // 2 - 1, 0, -4):
        glow = 1.25 - 0.5 * radius / (side / 2)
        ink = (*np.clip(tone * glow, 0, 255).tolist(), 255)
        cv2.circle(face, (side // 2, side // 2), radius, ink, -1, cv2.LINE_AA)
    cv2.circle(face, (side // 2, side // 2), 26, (*(tone * 0.7).tolist(), 255), -1, cv2.LINE_AA)
    return face


class DrawnPiece(NamedTuple):
    """A die or token as it lies in the picture."""

    shows: str
    face: Image  # BGRA
    left: int
    top: int
    quad: Quad


class PieceSet:
    """The dice or tokens of one table, all of one make."""

    def __init__(self, reads: str, piece_mm: float, faces: Sequence[str], luck: Generator) -> None:
        self._reads, self._mm = reads, piece_mm
        self._die = solid.make(luck, symbols=bool(faces))
        self._lamps = solid.lamps(luck)
        self._token = tokens.make(luck)

    def lie(
        self,
        camera: Matrix,
        scale: float,
        throw: PiecesThrown,
        spots: Sequence[FeltSpot],
        luck: Generator,
    ) -> list[DrawnPiece]:
        """Draw a throw; if it is not flat, one die leans."""
        found = []
        for n, (shows, spot) in enumerate(zip(throw.shows, spots, strict=True)):
            leans = not throw.flat and n == 0
            (x, y), size = project(camera, [spot[:2]])[0], self._mm * scale
            if self._reads == "dice":
                found.append(self._one_die("" if leans else shows, (x, y), spot.turn, size, luck))
            else:
                found.append(self._one_token(shows, (x, y), size, luck))
        return found

    def _one_die(
        self, shows: str, at: Point, turn: float, size: float, luck: Generator
    ) -> DrawnPiece:
        view = np.array([0.02, 0.02, -1], np.float32)
        view /= np.linalg.norm(view)
        cos, sin = np.cos(turn), np.sin(turn)
        flat = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)
        lies = flat if shows else dice.leaning(luck, view)
        names = SYMBOLS if self._die.symbols else solid.FACES
        pose = solid.DiePose(shows or names[0], lies, view, size)
        patch = solid.render(luck, self._die, pose, self._lamps)
        left, top = (round(middle - side / 2) for middle, side in
                     zip(at, patch.cover.shape[::-1], strict=True))  # fmt: skip
        a, b, c, d = ((float(x + left), float(y + top)) for x, y in patch.corners)
        return DrawnPiece(shows, _bgra(patch.image, patch.cover), left, top, (a, b, c, d))

    def _one_token(self, shows: str, at: Point, size: float, luck: Generator) -> DrawnPiece:
        image, cover = tokens.disc(luck, self._token, shows, size / 2)
        left, top = (round(middle - side / 2) for middle, side in
                     zip(at, cover.shape[::-1], strict=True))  # fmt: skip
        x, y, half = at[0], at[1], size / 2
        quad = (
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        )
        return DrawnPiece(shows, _bgra(image, cover), left, top, quad)


def put_piece(scene: CardScene, piece: DrawnPiece) -> None:
    """Lay a die or token into the picture, with its shadow."""
    soft = cv2.GaussianBlur(piece.face[:, :, 3], (0, 0), max(1.0, piece.face.shape[0] / 14))
    shadow = np.zeros_like(piece.face)
    shadow[:, :, 3] = (np.asarray(soft) * 0.4).astype(np.uint8)
    scene.cover(shadow, _shift(piece.left + 3, piece.top + 4))
    scene.cover(piece.face, _shift(piece.left, piece.top))


def _shift(x: float, y: float) -> Matrix:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


def _bgra(image: NDArray[np.float32], cover: NDArray[np.float32]) -> Image:
    alpha = np.clip(cover * 255, 0, 255)[..., None]
    return np.concatenate([np.clip(image, 0, 255), alpha], axis=2).astype(np.uint8)
