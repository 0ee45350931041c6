"""Adds what lies between a table and its picture: light, shadow, glare, lens, motion, codec."""

from functools import cache

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.types import Image


def lit(chance: Generator, picture: Image) -> Image:
    """The scene under some light: uneven, coloured, with hard shadows and glare."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1:1:48j, -1:1:48j].astype(
        np.float32
    )  # light is smooth: a coarse field will do
    slope = chance.uniform(-0.35, 0.35, 2)
    gain = chance.uniform(0.45, 1.2) if chance.random() < 0.5 else chance.uniform(0.8, 1.1)
    field = cv2.resize((1 + slope[0] * x + slope[1] * y) * gain, (width, height))
    if chance.random() < 0.3:
        field *= _hard_shadow(chance, width, height)
    warmth = 1 + chance.normal(0, 0.06, 3) * (2 if chance.random() < 0.3 else 1)
    scene = cv2.multiply(
        picture, cv2.merge([field * float(part) for part in warmth]), dtype=cv2.CV_8U
    )
    if chance.random() < 0.25:
        glare = cv2.resize(_glare(chance, x, y), (width, height)).astype(np.uint8)
        scene = cv2.add(scene, cv2.merge([glare] * 3))
    tones = np.linspace(0, 1, 256) ** chance.uniform(0.75, 1.3) * 255
    if chance.random() < 0.3:  # washed out, or flat
        tones = 128 + (tones - 128) * chance.uniform(0.55, 1.0) + chance.uniform(-15, 35)
    return np.asarray(cv2.LUT(scene, np.clip(tones, 0, 255).astype(np.uint8)), np.uint8)


def filmed(chance: Generator, picture: Image, *, gentle: bool = False) -> Image:
    """Add the effects of sensor and codec: blur, motion, noise, JPEG."""
    weak = 0.4 if gentle else 1.0
    if chance.random() < 0.5:
        picture = _blurred(picture, chance.uniform(0.3, 1.4) * weak)
    if chance.random() < 0.12 * weak:
        picture = _moved(chance, picture)
    if chance.random() < 0.25 * weak:  # a coarser sensor
        factor = chance.uniform(0.45, 0.9)
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(small, picture.shape[1::-1]), np.uint8)
    noise = abs(chance.normal(0, 5 * weak))
    if noise > 1:
        grain = cv2.merge([_grain(chance, picture.shape[:2], noise)] * 3)
        picture = np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)
    if chance.random() < 0.25:  # sharpened, as telephones do
        soft = cv2.GaussianBlur(picture, (0, 0), 1.5)
        picture = np.asarray(cv2.addWeighted(picture, 1.6, soft, -0.6, 0), np.uint8)
    if chance.random() < 0.6:
        picture = _compressed(picture, int(chance.integers(35 if not gentle else 70, 96)))
    return picture


def bent(chance: Generator, picture: Image, strength: float) -> Image:
    """The picture through a lens with a little barrel or cushion; only for scenes without truth."""
    height, width = picture.shape[:2]
    focal = max(height, width)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]], np.float64)
    bend = np.array([chance.uniform(-strength, strength), 0, 0, 0], np.float64)
    return np.asarray(cv2.undistort(picture, camera, bend), np.uint8)


def _hard_shadow(chance: Generator, width: int, height: int) -> NDArray[np.float32]:
    """A dark band or corner with a soft edge."""
    mask = np.ones((height, width), np.float32)
    corners = chance.uniform(-0.3, 1.3, (int(chance.integers(3, 6)), 2)) * (width, height)
    hull = cv2.convexHull(corners.astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, float(chance.uniform(0.3, 0.75)))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), chance.uniform(1, 12)), np.float32)


def _glare(
    chance: Generator, x: NDArray[np.float32], y: NDArray[np.float32]
) -> NDArray[np.float32]:
    """A soft bright spot, as a lamp leaves on coated paper."""
    middle = chance.uniform(-1, 1, 2)
    wide = chance.uniform(0.02, 0.25)
    far = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / wide
    return np.asarray(chance.uniform(40, 170) * np.exp(-far), np.float32)


def _blurred(picture: Image, spread: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread), np.uint8)


def _moved(chance: Generator, picture: Image) -> Image:
    """Motion in one direction."""
    length = int(chance.integers(3, 8))
    line = np.zeros((length, length), np.float32)
    turn = chance.uniform(0, np.pi)
    step = np.array([np.cos(turn), np.sin(turn)]) * length / 2
    middle = np.array([length / 2, length / 2])
    first, last = (middle - step).astype(int), (middle + step).astype(int)
    cv2.line(line, first.tolist(), last.tolist(), 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, line / max(1.0, float(line.sum()))), np.uint8)


def _grain(chance: Generator, shape: tuple[int, ...], strength: float) -> NDArray[np.int16]:
    """Sensor noise, cut at random out of one sheet because drawing it is slow."""
    sheet = _sheet()
    top, left = (
        int(chance.integers(0, max(1, side - want)))
        for side, want in zip(sheet.shape, shape, strict=True)
    )
    part = sheet[top : top + shape[0], left : left + shape[1]]
    if part.shape != shape:
        part = np.resize(sheet, shape)
    return np.asarray(part * strength, np.int16)


@cache
def _sheet() -> NDArray[np.float32]:
    return np.random.default_rng(0).normal(0, 1, (1300, 2200)).astype(np.float32)


def _compressed(picture: Image, quality: int) -> Image:
    done, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
