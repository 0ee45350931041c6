"""Overhead pictures of dice with their truth: thrown, in dishes and trays, leaning, half covered.

The same seed gives the same picture. A die whose upper face stands more than about thirty degrees
off the line of sight counts as leaning; below that, one picture cannot separate a leaning die from
a flat one near the edge of the view.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.synth import solid
from vision.synth.scenery import PieceScene, ScenePiece, ground, litter, paste, shade, spoiled
from vision.synth.symbols import SYMBOLS
from vision.types import Reals

Cover = tuple[Reals, int, int]  # the coverage of a patch, and the position of its corner

LEANING_SHARE = 0.1  # of dice whose faces the caller does not choose


class _DiceScene(NamedTuple):
    canvas: Reals
    light: solid.Lamps
    camera: Reals


def dice_scene(
    seed: int,
    width: int = 640,
    height: int = 640,
    *,
    faces: Sequence[str] | None = None,
    symbols: bool | None = None,
    side: float | None = None,
) -> PieceScene:
    """Draw dice on a random table; `faces` chooses what they show, "" for a leaning die."""
    rng = np.random.default_rng((5, seed))
    with_symbols = bool(rng.random() < 0.25) if symbols is None else symbols
    canvas = ground(rng, width, height)
    litter(rng, canvas)
    edge = side or float(np.exp(rng.uniform(np.log(15), np.log(95))))
    room = int(width * height / (edge * 2.2) ** 2) + 1
    shows = list(faces) if faces is not None else _thrown(rng, with_symbols, room)
    places = _places(rng, len(shows), edge, width, height)
    stage = _DiceScene(canvas, solid.lamps(rng), _camera(rng, width, height))
    common = solid.make(rng, with_symbols) if rng.random() < 0.5 else None
    things, covers = [], []
    for face, (x, y) in zip(shows, places, strict=True):
        die = common or solid.make(rng, with_symbols)
        size = edge * (1 if common else rng.uniform(0.8, 1.2))
        thing, cover = _put(rng, stage, die, face, (x, y, size))
        things.append(thing)
        covers.append(cover)
    seen = visible(things, covers, width, height)
    return PieceScene(spoiled(rng, canvas), tuple(seen))


def _thrown(rng: np.random.Generator, symbols: bool, room: int) -> list[str]:
    names = SYMBOLS if symbols else solid.FACES
    count = min(room, int(rng.choice([0, 1, 2, 3, 3, 3, 4, 5, 6, 8, 12, 16])))
    return ["" if rng.random() < LEANING_SHARE else str(rng.choice(names)) for _ in range(count)]


def _places(
    rng: np.random.Generator, count: int, edge: float, width: int, height: int
) -> list[tuple[float, float]]:
    """Choose spots that hardly overlap; thrown dice often touch."""
    spread = rng.uniform(1.5, 8) * edge
    middle = rng.uniform(0.25, 0.75, 2) * (width, height)
    spots: list[tuple[float, float]] = []
    for _ in range(count):
        for _ in range(40):
            x, y = rng.normal(middle, spread)
            inside = edge < x < width - edge and edge < y < height - edge
            if inside and all(np.hypot(x - a, y - b) > edge * 1.1 for a, b in spots):
                break
        else:
            x = rng.uniform(min(edge, width / 3), max(width - edge, width / 2))
            y = rng.uniform(min(edge, height / 3), max(height - edge, height / 2))
        spots.append((float(x), float(y)))
    return spots


def _camera(rng: np.random.Generator, width: int, height: int) -> Reals:
    """The position of the camera over the picture, in pixels."""
    high = max(width, height) * rng.uniform(1.2, 3)
    x, y = rng.normal(0, 0.22, 2) * (width, height) + (width / 2, height / 2)
    return np.array([x, y, high], np.float32)


def _put(
    rng: np.random.Generator,
    stage: _DiceScene,
    die: solid.DieMake,
    face: str,
    at: tuple[float, float, float],
) -> tuple[ScenePiece, Cover]:
    """Lay one die down; `at` is its place and its edge in pixels."""
    canvas, light, camera = stage
    size = at[2]
    # The picture's y runs down, the table's up.
    view = np.array([at[0] - camera[0], camera[1] - at[1], -camera[2]])
    view = (view / np.linalg.norm(view)).astype(np.float32)
    view = _steepened(view)
    names = SYMBOLS if die.symbols else solid.FACES
    shown = face or str(rng.choice(names))
    turn = _lying(rng) if face else leaning(rng, view)
    patch = solid.render(rng, die, solid.DiePose(shown, turn, view, size), light)
    left, top = round(at[0] - patch.cover.shape[1] / 2), round(at[1] - patch.cover.shape[0] / 2)
    x, y = -light.main[:2] * size * 0.35
    depth = rng.uniform(0.1, 0.5)
    shade(canvas, patch.cover, (round(left + x), round(top - y)), depth, max(1, size / 9))
    paste(canvas, patch.image, patch.cover, left, top)
    box = _box(patch.cover, left, top)
    square = ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))
    a, b, c, d = [(float(x + left), float(y + top)) for x, y in patch.corners]
    return ScenePiece("die", face, (a, b, c, d) if face else square, box, 1.0), (
        patch.cover,
        left,
        top,
    )


def _steepened(view: Reals) -> Reals:
    """The line of sight; an overhead camera sees a die at least thirty degrees from the side."""
    slant = float(np.hypot(view[0], view[1]))
    most = 0.47
    if slant <= most:
        return view
    flat = view[:2] * most / slant
    return np.array([flat[0], flat[1], -np.sqrt(1 - most**2)], np.float32)


def _lying(rng: np.random.Generator) -> Reals:
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)


def leaning(rng: np.random.Generator, view: Reals) -> Reals:
    """A rotation after which no face points within 36 degrees of the camera."""
    while True:
        q, _ = np.linalg.qr(rng.normal(0, 1, (3, 3)))
        turn = q if np.linalg.det(q) > 0 else -q
        if float(np.abs(view @ turn).max()) < np.cos(np.radians(36)):
            return np.asarray(turn, np.float32)


def _box(cover: Reals, left: int, top: int) -> tuple[float, float, float, float]:
    """The square round a patch's cover."""
    x, y, w, h = cv2.boundingRect((cover > 0.5).astype(np.uint8))
    half = max(w, h) / 2 * 1.06
    cx, cy = left + x + w / 2, top + y + h / 2
    return cx - half, cy - half, cx + half, cy + half


def visible(
    things: Sequence[ScenePiece], covers: Sequence[Cover], width: int, height: int
) -> list[ScenePiece]:
    """The visible share of each, below those laid later and inside the picture."""
    owner = np.zeros((height, width, 1), np.float32)
    for number, (cover, left, top) in enumerate(covers, start=1):
        solid_cover = (cover > 0.5).astype(np.float32)
        paste(owner, np.full((*cover.shape, 1), number, np.float32), solid_cover, left, top)
    kept = [int((owner == number).sum()) for number in range(1, len(things) + 1)]
    whole = [max(1, int((cover > 0.5).sum())) for cover, _, _ in covers]
    return [t._replace(visible=k / w) for t, k, w in zip(things, kept, whole, strict=True)]
