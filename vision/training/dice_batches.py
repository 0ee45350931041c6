"""Batches for the dice networks: pictures cut, turned, recoloured and degraded at random."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognise.pieces import (
    CLASSES,
    CROP_PX,
    KINDS,
    LEANING,
    NOTHING,
    PIPS,
    SIZE_UNIT_PX,
    STRIDE_PX,
    blob,
)
from vision.synth.scenery import ScenePiece
from vision.training.dice_data import Sample
from vision.types import Image, Reals

PieceBox = tuple[float, float, float, float]

WINDOW = 224  # the side of the finder's samples


class Picture(NamedTuple):
    """A decoded sample."""

    image: Image
    things: tuple[ScenePiece, ...]
    real: bool


class Pool:
    """Pictures by their use in training."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        pictures = [Picture(s.image(), s.things, s.real) for s in samples]
        self.photos = [p for p in pictures if p.real and p.things]
        self.empty = [p for p in pictures if p.real and not p.things]
        self.dice = [p for p in pictures if not p.real and all(t.kind == "die" for t in p.things)]
        self.tokens = [
            p for p in pictures if not p.real and any(t.kind == "token" for t in p.things)
        ]
        self.pictures = pictures
        self.false: list[tuple[Picture, PieceBox]] = []
        self.by_name: dict[tuple[bool, str], list[tuple[Picture, ScenePiece]]] = {}
        for picture in pictures:
            for thing in picture.things:
                if thing.asked:
                    key = (picture.real, thing.shows or LEANING)
                    self.by_name.setdefault(key, []).append((picture, thing))

    def found(self, picture: Picture, boxes: Sequence[PieceBox]) -> None:
        """Keep what a finder found in a picture: its boxes of pieces, and its mistakes."""
        for box in boxes:
            shared = [(_overlap(box, thing.box), thing) for thing in picture.things]
            most, thing = max(shared, key=lambda pair: pair[0], default=(0.0, None))
            if most < 0.15:
                self.false.append((picture, box))
            elif thing and thing.asked and most > 0.4:
                key = (picture.real, thing.shows or LEANING)
                self.by_name[key].append((picture, thing._replace(box=box)))


def crops(
    rng: np.random.Generator, pool: Pool, count: int, real: float
) -> tuple[Reals, NDArray[np.int64]]:
    """Crops of single pieces for the reader, and the class of each."""
    names = [name for known, name in pool.by_name if not known]
    views, answers = np.empty((count, CROP_PX, CROP_PX, 3), np.uint8), np.empty(count, np.int64)
    for place in range(count):
        draw = rng.random()
        if draw < 0.15:
            picture, box = _nowhere(rng, pool, real)
            name = NOTHING
        else:
            known = draw < 0.15 + 0.85 * real
            name = str(rng.choice(PIPS if known or rng.random() < 0.4 else names))
            choices = pool.by_name[known, name]
            picture, thing = choices[int(rng.integers(len(choices)))]
            box = thing.box
        view = _turned_crop(rng, picture.image, box, mirrored=name in (*PIPS, *"RW"))
        view = _recoloured(rng, view, free=name in PIPS or name == NOTHING)
        views[place], answers[place] = _spoiled(rng, view), CLASSES.index(name)
    return blob(views), answers


def windows(rng: np.random.Generator, pool: Pool, count: int) -> tuple[Reals, Reals, Reals]:
    """Windows of pictures for the finder, their target maps, and the weights."""
    images = np.empty((count, WINDOW, WINDOW, 3), np.uint8)
    rows = WINDOW // STRIDE_PX
    maps = np.zeros((count, len(KINDS) + 3, rows, rows), np.float32)
    counts = np.ones((count, rows, rows), np.float32)
    for place in range(count):
        draw = rng.random()
        pools = (pool.photos, pool.dice, pool.tokens, pool.empty)
        chosen = pools[int(np.searchsorted([0.38, 0.7, 0.86], draw))] or pool.dice
        picture = chosen[int(rng.integers(len(chosen)))]
        image, boxes = _window(rng, picture)
        image = _recoloured(rng, image, free=chosen is not pool.tokens)
        images[place] = _spoiled(rng, image)
        _mark(maps[place], counts[place], boxes)
    return blob(images), maps, counts


def _nowhere(rng: np.random.Generator, pool: Pool, real: float) -> tuple[Picture, PieceBox]:
    """A box without a single piece: a finder's mistake, beside a piece, or across two."""
    if pool.false and rng.random() < 0.4:
        return pool.false[int(rng.integers(len(pool.false)))]
    groups = [pool.photos, pool.empty] if rng.random() < real + 0.2 else [pool.dice, pool.tokens]
    group = groups[int(rng.integers(2))] or pool.dice
    while True:
        picture = group[int(rng.integers(len(group)))]
        height, width = picture.image.shape[:2]
        side = float(np.exp(rng.uniform(np.log(14), np.log(min(height, width) / 2.5))))
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if picture.things and rng.random() < 0.5:
            near = picture.things[int(rng.integers(len(picture.things)))].box
            side = (near[2] - near[0]) * float(rng.uniform(0.5, 2.5))
            x, y = np.add(
                ((near[0] + near[2]) / 2, (near[1] + near[3]) / 2), rng.normal(0, side, 2)
            )
        box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        if all(_overlap(box, thing.box) < 0.2 for thing in picture.things):
            return picture, box


def _overlap(one: PieceBox, other: PieceBox) -> float:
    wide = max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
    high = max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
    first, second = (one[2] - one[0]) ** 2, (other[2] - other[0]) ** 2
    return wide * high / (first + second - wide * high)


def _turned_crop(rng: np.random.Generator, image: Image, box: PieceBox, mirrored: bool) -> Image:
    side = (box[2] - box[0]) * rng.uniform(0.92, 1.1)
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2 + rng.normal(0, 0.035, 2) * side
    scale = CROP_PX / (side * rng.uniform(1.12, 1.48))
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    squeeze = rng.normal(1, 0.05)
    matrix = np.array([[cos * squeeze, -sin], [sin * squeeze, cos]])
    if mirrored and rng.random() < 0.5:
        matrix[:, 0] *= -1
    at = np.column_stack([matrix, CROP_PX / 2 - matrix @ middle])
    if scale < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 / scale), np.uint8)
    view = cv2.warpAffine(
        image, at, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)


def _window(
    rng: np.random.Generator, picture: Picture
) -> tuple[Image, list[tuple[ScenePiece, PieceBox]]]:
    height, width = picture.image.shape[:2]
    fit = WINDOW / max(height, width)
    scale = float(np.exp(rng.uniform(np.log(0.4), np.log(2.0))))
    if not picture.things:
        scale = max(fit, fit * float(np.exp(rng.uniform(0, 1.2))))
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    if picture.things and rng.random() < 0.85:
        box = picture.things[int(rng.integers(len(picture.things)))].box
        x, y = np.add(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), rng.normal(0, 60 / scale, 2))
    flip = -1 if rng.random() < 0.5 else 1
    quarter = int(rng.integers(4))
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
    matrix = np.array([[cos * flip, -sin], [sin * flip, cos]]) * scale
    at = np.column_stack([matrix, WINDOW / 2 - matrix @ np.array([x, y])])
    # Blur only the visible part: blurring all took most of the time.
    reach = WINDOW / 2 / scale + 4
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    image = picture.image[top : max(top + 1, int(y + reach)), left : max(left + 1, int(x + reach))]
    if not image.size:
        image, left, top = picture.image, 0, 0
    if scale < 0.8:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 / scale), np.uint8)
    border = (cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE)[int(rng.integers(2))]
    moved = np.column_stack([matrix, at[:, 2] + matrix @ np.array([left, top])])
    view = cv2.warpAffine(image, moved, (WINDOW, WINDOW), flags=cv2.INTER_LINEAR, borderMode=border)
    boxes = []
    for thing in picture.things:
        corners = np.array([thing.box[:2], thing.box[2:]]) @ at[:, :2].T + at[:, 2]
        (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
        boxes.append((thing, (float(x0), float(y0), float(x1), float(y1))))
    return np.asarray(view, np.uint8), boxes


def _mark(maps: Reals, counts: Reals, boxes: Sequence[tuple[ScenePiece, PieceBox]]) -> None:
    """Peaks at the middles; pieces that are cut off or too small have no weight."""
    rows = counts.shape[0]
    down, right = np.mgrid[0:rows, 0:rows].astype(np.float32)
    best = np.zeros((rows, rows), np.float32)
    for thing, (x0, y0, x1, y1) in boxes:
        side, x, y = x1 - x0, (x0 + x1) / 2 / STRIDE_PX - 0.5, (y0 + y1) / 2 / STRIDE_PX - 0.5
        wide = max(0.0, min(x1, WINDOW) - max(x0, 0))
        high = max(0.0, min(y1, WINDOW) - max(y0, 0))
        if not wide * high:
            continue
        if wide * high < 0.7 * side * side or side < 13 or side > 150 or not thing.asked:
            cells = [int(np.clip(v / STRIDE_PX, 0, rows)) for v in (x0, y0, x1 + 8, y1 + 8)]
            counts[cells[1] : cells[3], cells[0] : cells[2]] = 0
            continue
        spread = float(np.clip(side * 0.12 / STRIDE_PX, 0.6, 2.2))
        hill = np.exp(-((right - x) ** 2 + (down - y) ** 2) / (2 * spread**2))
        kind = KINDS.index(thing.kind)
        row, column = int(np.clip(round(y), 0, rows - 1)), int(np.clip(round(x), 0, rows - 1))
        hill[row, column] = 1
        maps[kind] = np.maximum(maps[kind], hill)
        own = (hill > best) & (hill > 0.3)
        best = np.maximum(best, hill)
        maps[-3][own], maps[-2][own] = (x - right)[own], (y - down)[own]
        maps[-1][own] = np.log(side / SIZE_UNIT_PX)


def _recoloured(rng: np.random.Generator, image: Image, free: bool) -> Image:
    """Change the light, and the colours where they carry no meaning."""
    if free and rng.random() < 0.4:
        hsv = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2HSV), np.uint8)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(180))) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.3, 1.6), 0, 255).astype(np.uint8)
        image = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    if free and rng.random() < 0.03:
        image = np.asarray(255 - image, np.uint8)
    values = np.arange(256, dtype=np.float32) / 255
    bent = values ** np.exp(rng.normal(0, 0.25)) * rng.uniform(0.6, 1.25) + rng.normal(0, 0.04)
    gains = rng.normal(1, 0.05, 3)
    table = np.clip(bent[:, None] * gains * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table[None]), np.uint8)


def _spoiled(rng: np.random.Generator, image: Image) -> Image:
    """Blur, noise, glare and compression, each at random."""
    side = image.shape[0]
    if rng.random() < 0.25:
        small = int(side * rng.uniform(0.5, 0.9))
        tiny = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(tiny, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.12:
        image = _glared(rng, image)
    if rng.random() < 0.3:
        noise = rng.standard_normal(image.shape, np.float32) * np.float32(rng.uniform(1, 8))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        _, coded = cv2.imencode(
            ".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        )
        image = np.asarray(cv2.imdecode(coded, 1), np.uint8)
    return image


def _glared(rng: np.random.Generator, image: Image) -> Image:
    """Streaks and rings of light, narrow enough to leave the face readable."""
    side = image.shape[0]
    light = np.zeros(image.shape[:2], np.uint8)
    for _ in range(int(rng.integers(1, 3))):
        middle = tuple(int(v) for v in rng.integers(0, side, 2))
        axes = tuple(int(v) for v in rng.integers(3, 18, 2))
        start, line = float(rng.uniform(0, 360)), int(rng.integers(1, 3))
        cv2.ellipse(light, middle, axes, start, 0, float(rng.uniform(60, 300)), 255, line)
    soft = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.5, 1.5)).astype(np.float32)
    share = (soft * rng.uniform(0.4, 0.95) / 255)[..., None]
    return np.asarray(image * (1 - share) + 255 * share, np.uint8)
