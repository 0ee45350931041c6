"""Overhead pictures of Xoc Dia tokens with their truth: discs, one side red and one white.

Four lie in a bowl or on a dish, flat or tilted, often one upon another.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.dice import visible
from vision.synth.scenery import PieceScene, ScenePiece, ground, litter, paste, shade, spoiled
from vision.types import Reals

SIDES = ("R", "W")
_FINE = 2


class TokenMake(NamedTuple):
    """How the tokens of one table were made."""

    red: Reals
    white: Reals
    edge: Reals
    thick: float  # as a share of the radius
    ring: float  # where a printed ring runs, 0 for none
    mark: bool  # whether a sign is printed in the middle
    shine: float


def token_scene(
    seed: int,
    width: int = 640,
    height: int = 640,
    *,
    sides: Sequence[str] | None = None,
    radius: float | None = None,
) -> PieceScene:
    """Draw tokens, four by default; `sides` chooses what they show."""
    rng = np.random.default_rng((6, seed))
    canvas = ground(rng, width, height)
    litter(rng, canvas, 2)
    count = int(rng.choice([0, 2, 3, 4, 4, 4, 4, 4, 6, 8]))
    shows = list(sides) if sides is not None else [str(s) for s in rng.choice(SIDES, count)]
    reach = radius or float(np.exp(rng.uniform(np.log(9), np.log(50))))
    made, middle = make(rng), rng.uniform(0.3, 0.7, 2) * (width, height)
    spread = rng.uniform(0.8, 3) * reach
    things, covers = [], []
    spots: list[tuple[float, float]] = []
    for side in shows:
        x, y = _spot(rng, spots, middle, spread, reach)
        spots.append((x, y))
        image, cover = disc(rng, made, side, reach)
        left, top = round(x - cover.shape[1] / 2), round(y - cover.shape[0] / 2)
        shade(canvas, cover, (left + 2, top + 2), rng.uniform(0.1, 0.5), max(1, reach / 6))
        paste(canvas, image, cover, left, top)
        bx, by, bw, bh = cv2.boundingRect((cover > 0.5).astype(np.uint8))
        half, cx, cy = max(bw, bh) / 2 * 1.05, left + bx + bw / 2, top + by + bh / 2
        box = (cx - half, cy - half, cx + half, cy + half)
        quad = ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))
        things.append(ScenePiece("token", side, quad, box, 1.0))
        covers.append((cover, left, top))
    seen = visible(things, covers, width, height)
    return PieceScene(spoiled(rng, canvas), tuple(seen))


def _spot(
    rng: np.random.Generator,
    taken: Sequence[tuple[float, float]],
    middle: NDArray[np.float64],
    spread: float,
    reach: float,
) -> tuple[float, float]:
    """A place near the others; tokens may overlap but stay distinguishable."""
    least = reach * rng.uniform(0.7, 2)
    x, y = rng.normal(middle, spread)
    for _ in range(40):
        if all(np.hypot(x - a, y - b) > least for a, b in taken):
            break
        x, y = rng.normal(middle, spread * 1.3)
    return float(x), float(y)


def make(rng: np.random.Generator) -> TokenMake:
    """A random make of tokens."""
    red = np.array([rng.uniform(20, 70), rng.uniform(15, 60), rng.uniform(140, 235)])
    white = rng.uniform(195, 250) + rng.normal(0, 7, 3)
    edge = red if rng.random() < 0.5 else white * rng.uniform(0.6, 0.95)
    return TokenMake(
        red=red.astype(np.float32),
        white=white.astype(np.float32),
        edge=edge.astype(np.float32),
        thick=float(rng.uniform(0.03, 0.3)),
        ring=float(rng.uniform(0.5, 0.9) if rng.random() < 0.35 else 0),
        mark=bool(rng.random() < 0.2),
        shine=float(rng.uniform(0, 70)),
    )


def disc(rng: np.random.Generator, made: TokenMake, side: str, reach: float) -> tuple[Reals, Reals]:
    """One token with its edge, at some tilt."""
    half = int(reach * 1.35) + 2
    size = 2 * half * _FINE
    tilt = rng.uniform(0, 0.3) if rng.random() < 0.75 else rng.uniform(0.3, 0.9)
    turn = float(rng.uniform(0, 360))
    long, short = reach * _FINE, reach * _FINE * float(np.cos(tilt))
    down = made.thick * reach * _FINE * float(np.sin(tilt) + 0.08)
    way = np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))]) * down
    middle = np.array([size / 2, size / 2])
    face = made.red if side == "R" else made.white
    image = np.tile(made.edge * 0.8, (size, size, 1)).astype(np.float32)
    cover = np.zeros((size, size), np.float32)
    for step in np.linspace(1, 0, 8):
        _ellipse(cover, middle + way * step, (long, short, turn), 1.0)
    _ellipse(image, middle, (long, short, turn), face.tolist())
    if made.ring:
        other = (face * 0.8 if side == "R" else made.red).tolist()
        _ellipse(image, middle, (long * made.ring, short * made.ring, turn), other, 3)
    if made.mark:
        other = (made.white if side == "R" else made.red).tolist()
        _ellipse(image, middle, (long * 0.25, short * 0.25, turn), other)
    glow = np.linspace(-1, 1, size, dtype=np.float32)
    image += (glow[:, None] * rng.normal() + glow[None, :] * rng.normal())[..., None] * 12
    x, y = rng.uniform(0.3, 0.7, 2) * size
    away = np.hypot(*np.meshgrid(np.arange(size) - x, np.arange(size) - y)) / long
    image += (made.shine * np.exp(-((away / 0.35) ** 2)))[..., None].astype(np.float32)
    small = (2 * half, 2 * half)
    return (
        np.asarray(cv2.resize(image, small, interpolation=cv2.INTER_AREA), np.float32),
        np.asarray(cv2.resize(cover, small, interpolation=cv2.INTER_AREA), np.float32),
    )


def _ellipse(
    canvas: Reals,
    middle: Reals,
    shape: tuple[float, float, float],
    tone: float | list[float],
    line: int = -1,
) -> None:
    at = (round(float(middle[0])), round(float(middle[1])))
    axes = (max(1, round(shape[0])), max(1, round(shape[1])))
    cv2.ellipse(canvas, at, axes, shape[2], 0, 360, tone, line)
