"""Draws what lies under and beside dice and tokens, and the effects of the camera.

Grounds are felt, board, dish and tray; distractors are chips, cards, coins, fingers and print.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.types import Image, Quad, Reals

_SHOWN = {"die": 0.6, "token": 0.35}


class ScenePiece(NamedTuple):
    """One die or token in the picture, and what it shows."""

    kind: str  # die, token
    shows: str  # the upper face; empty if it leans too far
    quad: Quad  # the upper face if it lies flat, else the square round it
    box: tuple[float, float, float, float]  # the square round all of it: x0, y0, x1, y1
    visible: float  # the uncovered share

    @property
    def flat(self) -> bool:
        """Whether one face is clearly the upper one."""
        return bool(self.shows)

    @property
    def asked(self) -> bool:
        """Whether enough of it can be seen that a reader must find it."""
        return self.visible >= _SHOWN[self.kind]


class PieceScene(NamedTuple):
    """A picture and its truth."""

    image: Image
    things: tuple[ScenePiece, ...]


def ground(rng: np.random.Generator, width: int, height: int) -> Reals:
    """An empty table top, often with a dish or a tray on it."""
    canvas = np.tile(_tone(rng), (height, width, 1)).astype(np.float32)
    canvas += _cloud(rng, width, height, 6) * rng.uniform(0, 25)
    grain = cv2.resize(
        rng.normal(0, 1, (height // 2, width // 2)).astype(np.float32), (width, height)
    )
    canvas += grain[..., None] * rng.uniform(0, 9)
    kind = rng.random()
    if kind < 0.35:
        _dish(rng, canvas)
    elif kind < 0.55:
        _tray(rng, canvas)
    elif kind < 0.65:
        canvas += np.sin(np.arange(width) * rng.uniform(0.02, 0.4))[None, :, None] * rng.uniform(
            3, 18
        )
    return canvas


def litter(rng: np.random.Generator, canvas: Reals, most: int = 5) -> None:
    """Draw distractors, some of them round or spotted."""
    height, width = canvas.shape[:2]
    for _ in range(int(rng.integers(0, most + 1))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        reach = float(np.exp(rng.uniform(np.log(10), np.log(90))))
        kinds = (_chip, _card, _coin, _finger, _print, _block, _spots)
        kinds[int(rng.integers(len(kinds)))](rng, canvas, (x, y), reach)


def spoiled(rng: np.random.Generator, canvas: Reals) -> Image:
    """The picture as a camera gives it: light, blur, noise, compression."""
    height, width = canvas.shape[:2]
    light = 1 + _cloud(rng, width, height, 2) * rng.uniform(0, 0.3)
    lit = canvas * light * rng.uniform(0.6, 1.15) * rng.normal(1, 0.06, 3)
    picture: Reals = np.clip(lit, 0, 255).astype(np.float32)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.3))
        picture = np.asarray(soft, np.float32)
    if rng.random() < 0.12:
        picture = _moved(rng, picture)
    picture += rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(0, 7))
    done = np.clip(picture, 0, 255).astype(np.uint8)
    quality = int(rng.integers(35, 97))
    _, coded = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def paste(canvas: Reals, image: Reals, cover: Reals, left: int, top: int) -> None:
    """Lay a patch over the canvas; what leaves the canvas is cut."""
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + cover.shape[1], canvas.shape[1])
    y1 = min(top + cover.shape[0], canvas.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    share = cover[part][..., None]
    canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - share) + image[part] * share


def shade(canvas: Reals, cover: Reals, at: tuple[int, int], depth: float, soft: float) -> None:
    """The shadow a thing throws, darkest where it stands."""
    margin = int(soft * 3)
    wide = cv2.copyMakeBorder(cover, margin, margin, margin, margin, cv2.BORDER_CONSTANT)
    dark = np.asarray(cv2.GaussianBlur(wide, (0, 0), soft), np.float32) * depth
    paste(canvas, np.zeros((*dark.shape, 3), np.float32), dark, at[0] - margin, at[1] - margin)


def _tone(rng: np.random.Generator) -> Reals:
    if rng.random() < 0.4:
        return (rng.uniform(15, 250) + rng.normal(0, 8, 3)).astype(np.float32)
    hsv = [[[rng.integers(180), rng.integers(30, 256), rng.integers(30, 230)]]]
    tone = cv2.cvtColor(np.array(hsv, np.uint8), cv2.COLOR_HSV2BGR)
    return np.asarray(tone[0, 0], np.float32)


def _cloud(rng: np.random.Generator, width: int, height: int, cells: int) -> Reals:
    coarse = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    smooth = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)[..., None]


def _dish(rng: np.random.Generator, canvas: Reals) -> None:
    height, width = canvas.shape[:2]
    middle = (int(width * rng.uniform(0.4, 0.6)), int(height * rng.uniform(0.4, 0.6)))
    reach = int(min(width, height) * rng.uniform(0.35, 0.6))
    tone, rim = _tone(rng), _tone(rng)
    cv2.circle(canvas, middle, reach, rim.tolist(), -1, cv2.LINE_AA)
    cv2.circle(canvas, middle, int(reach * rng.uniform(0.85, 0.97)), tone.tolist(), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        ring = int(reach * rng.uniform(0.3, 0.95))
        cv2.circle(canvas, middle, ring, (tone * rng.uniform(0.8, 1.2)).tolist(), 2, cv2.LINE_AA)


def _tray(rng: np.random.Generator, canvas: Reals) -> None:
    height, width = canvas.shape[:2]
    box = (width * rng.uniform(0.4, 0.9), height * rng.uniform(0.4, 0.9))
    middle = (width * rng.uniform(0.4, 0.6), height * rng.uniform(0.4, 0.6))
    corners = cv2.boxPoints((middle, box, rng.uniform(-20, 20))).astype(np.int32)
    cv2.fillPoly(canvas, [corners], _tone(rng).tolist(), cv2.LINE_AA)
    cv2.polylines(
        canvas, [corners], True, _tone(rng).tolist(), int(rng.integers(3, 25)), cv2.LINE_AA
    )


def _chip(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    middle, tone, other = (int(at[0]), int(at[1])), _tone(rng), _tone(rng)
    cv2.circle(canvas, middle, int(reach), tone.tolist(), -1, cv2.LINE_AA)
    for turn in range(0, 360, int(rng.choice([45, 60, 90]))):
        axes = (int(reach * 0.85), int(reach * 0.85))
        cv2.ellipse(canvas, middle, axes, turn, 0, 18, other.tolist(), max(2, int(reach * 0.28)))
    cv2.circle(canvas, middle, int(reach * 0.55), other.tolist(), 2, cv2.LINE_AA)
    where = (int(at[0] - reach * 0.3), int(at[1] + reach * 0.15))
    _write(
        canvas,
        str(rng.choice(["5", "25", "100"])),
        where,
        (0, reach / 50),
        np.full(3, 20, np.float32),
    )


def _card(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    """A playing card: its pips stand in rows like those of a die."""
    side = (reach * 1.4, reach * 2)
    turn = float(rng.uniform(0, 360))
    corners = cv2.boxPoints((at, side, turn)).astype(np.int32)
    cv2.fillPoly(canvas, [corners], (235, 238, 240), cv2.LINE_AA)
    tone = [(30, 30, 190), (20, 20, 20)][int(rng.integers(2))]
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    for x in (-0.3, 0.3):
        for y in np.linspace(-0.65, 0.65, int(rng.integers(2, 5))):
            px, py = at[0] + (x * cos - y * sin) * reach, at[1] + (x * sin + y * cos) * reach
            lobe = max(2, int(reach * 0.1))
            cv2.circle(canvas, (int(px - lobe / 2), int(py)), lobe, tone, -1, cv2.LINE_AA)
            cv2.circle(canvas, (int(px + lobe / 2), int(py)), lobe, tone, -1, cv2.LINE_AA)


def _coin(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    middle, tone = (int(at[0]), int(at[1])), rng.uniform(90, 170) + np.array([-30, 5, 15])
    cv2.circle(canvas, middle, int(reach * 0.6), tone.tolist(), -1, cv2.LINE_AA)
    cv2.circle(canvas, middle, int(reach * 0.5), (tone * 0.8).tolist(), 2, cv2.LINE_AA)
    cv2.circle(canvas, middle, int(reach * 0.2), (tone * 1.2).tolist(), 2, cv2.LINE_AA)


def _finger(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    tone = np.array([110, 140, 195]) * rng.uniform(0.4, 1.15)
    middle, turn = (int(at[0]), int(at[1])), float(rng.uniform(0, 360))
    cv2.ellipse(canvas, middle, (int(reach * 2), int(reach * 0.5)), turn, 0, 360, tone.tolist(), -1)


def _print(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    text = "".join(chr(c) for c in rng.integers(48, 91, 6))
    where = (int(at[0] - reach), int(at[1]))
    _write(canvas, text, where, (int(rng.integers(0, 5)), reach / 40), _tone(rng))


def _block(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    """A plain patch with nothing on it."""
    side = (reach * rng.uniform(0.5, 2), reach * rng.uniform(0.5, 2))
    corners = cv2.boxPoints((at, side, float(rng.uniform(0, 360)))).astype(np.int32)
    cv2.fillPoly(canvas, [corners], _tone(rng).tolist(), cv2.LINE_AA)


def _spots(rng: np.random.Generator, canvas: Reals, at: tuple[float, float], reach: float) -> None:
    """Screws, holes and stains without a die around them."""
    tone = _tone(rng).tolist()
    for _ in range(int(rng.integers(1, 7))):
        x, y = np.asarray(at) + rng.normal(0, reach / 2, 2)
        cv2.circle(canvas, (int(x), int(y)), max(2, int(reach * 0.12)), tone, -1, cv2.LINE_AA)


def _write(
    canvas: Reals, text: str, where: tuple[int, int], style: tuple[int, float], tone: Reals
) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, where, *style, 255, 2)
    canvas[mask > 127] = tone


def _moved(rng: np.random.Generator, picture: Reals) -> Reals:
    length = int(rng.integers(3, 6))
    kernel = np.zeros((length, length), np.float32)
    turn = rng.uniform(0, np.pi)
    for step in np.linspace(-1, 1, length * 2):
        x, y = (1 + step * np.array([np.cos(turn), np.sin(turn)])) * (length - 1) / 2
        kernel[round(float(y)), round(float(x))] = 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
