"""Renders one die by casting rays on a rounded cube under lamps that glare on its faces.

All coordinates are the die's own: the cube reaches from -1 to 1, and +z is the face to read.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.symbols import SIDE, SYMBOLS, colour, ink
from vision.types import Reals

# Where pips lie, as shares of the offset from the middle of a face.
PIPS = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    "5": ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
FACES = tuple(PIPS)
_REACH = 1.8  # half the patch, in half sides of the die: room for a die seen from its corner


class DieMake(NamedTuple):
    """The make of one die: shape, colours and pips."""

    round_off: float  # radius of its edges
    ball: float  # radius of the sphere that cuts its corners
    body: Reals  # BGR
    second: Reals  # the other colour of marbled dice
    marbled: float
    pips: Reals
    red_low: bool  # a red one and four, as on dice of the East
    offset: float
    pip_size: float
    one_size: float
    design: str  # disc, ring, square, star (its one is a star)
    dimple: float
    bulge: float
    shine: float
    symbols: bool


class DiePose(NamedTuple):
    """How a die lies, and the line of sight."""

    face: str  # what its +z face shows
    turn: Reals  # takes its axes to the table's
    view: Reals  # the line of sight, downwards
    side: float  # its edge in pixels


class RenderedDie(NamedTuple):
    """A rendered die: colours, cover (0 to 1) and where the upper face's corners are."""

    image: Reals
    cover: Reals
    corners: NDArray[np.float32]  # of the upper face, in pixels of the patch


class Lamps(NamedTuple):
    """The light of a scene: one main direction, and panels that mirror in polished faces."""

    main: Reals
    ambient: float
    panels: Reals  # directions
    widths: Reals
    strengths: Reals


def make(rng: np.random.Generator, symbols: bool = False) -> DieMake:
    """A random make of die."""
    body, pips = _colours(rng)
    if symbols:
        body = np.clip(rng.normal(235, 12, 3), 200, 255).astype(np.float32)
    sharp = rng.random() < 0.3
    return DieMake(
        round_off=float(rng.uniform(0.02, 0.08) if sharp else rng.uniform(0.08, 0.45)),
        ball=float(rng.uniform(1.32, 1.75)),
        body=body,
        second=np.clip(body + rng.normal(0, 55, 3), 0, 255).astype(np.float32),
        marbled=float(rng.uniform(0.3, 1) if rng.random() < 0.35 else 0),
        pips=pips,
        red_low=bool(rng.random() < 0.15),
        offset=float(rng.uniform(0.42, 0.56)),
        pip_size=float(rng.uniform(0.13, 0.23)),
        one_size=float(rng.uniform(1, 1.9) if rng.random() < 0.3 else 1),
        design=str(rng.choice(["disc", "ring", "square", "star"], p=[0.84, 0.06, 0.05, 0.05])),
        dimple=float(rng.uniform(0, 0.8)),
        bulge=float(rng.uniform(-0.03, 0.3)),
        shine=float(rng.uniform(0, 1) ** 1.5),
        symbols=symbols,
    )


def lamps(rng: np.random.Generator) -> Lamps:
    """The light of a room, mostly from above."""
    count = int(rng.integers(1, 4))
    panels = rng.normal(0, 0.45, (count, 3))
    panels[:, 2] = 1
    main = np.array([rng.normal(0, 0.5), rng.normal(0, 0.5), 1])
    return Lamps(
        main=(main / np.linalg.norm(main)).astype(np.float32),
        ambient=float(rng.uniform(0.35, 0.75)),
        panels=(panels / np.linalg.norm(panels, axis=1, keepdims=True)).astype(np.float32),
        widths=rng.uniform(0.004, 0.06, count).astype(np.float32),
        strengths=rng.uniform(60, 330, count).astype(np.float32),
    )


def render(rng: np.random.Generator, die: DieMake, pose: DiePose, light: Lamps) -> RenderedDie:
    """A die on an empty ground."""
    turn, view, side = pose.turn, pose.view, pose.side
    fine = 2 if side < 70 else 1
    half = int(np.ceil(side / 2 * _REACH))
    across = np.cross(np.array([0, 1, 0]), -view)
    across /= np.linalg.norm(across)
    down = np.cross(view, across)
    steps = (np.arange(2 * half * fine) + 0.5) / fine - half
    x, y = np.meshgrid(steps, steps)
    scale = 2 / side
    rays = (x[..., None] * across + y[..., None] * down) * scale - 4 * view
    points, hit = _march((rays @ turn).astype(np.float32), (view @ turn).astype(np.float32), die)
    image = np.zeros((*hit.shape, 3), np.float32)
    image[hit] = _shade(rng, die, pose, points[hit], light)
    cover = hit.astype(np.float32)
    if fine > 1:
        image, cover = _halved(image), _halved(cover)
        image = image / np.maximum(cover, 1e-3)[..., None]
    top = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float32) @ turn.T
    corners = np.stack([top @ across, top @ down], axis=1) / scale + half
    return RenderedDie(image, cover, corners.astype(np.float32))


def _halved(fine: Reals) -> Reals:
    height, width = fine.shape[:2]
    small = cv2.resize(fine, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _march(origins: Reals, along: Reals, die: DieMake) -> tuple[Reals, NDArray[np.bool_]]:
    """Where rays meet the solid, and whether they do."""
    inner, round_off = np.float32(1 - die.round_off), np.float32(die.round_off)
    # One row an axis: sums over three columns would take most of the time.
    points = np.ascontiguousarray(origins.reshape(-1, 3).T) + along[:, None] * np.float32(2)
    gap = np.zeros(points.shape[1], np.float32)
    for _ in range(14):
        x, y, z = points
        bx, by, bz = np.abs(points) - inner
        most = np.maximum(np.maximum(bx, by), bz)
        ox, oy, oz = np.maximum(bx, 0), np.maximum(by, 0), np.maximum(bz, 0)
        box = np.sqrt(ox * ox + oy * oy + oz * oz) + np.minimum(most, 0) - round_off
        gap = np.maximum(box, np.sqrt(x * x + y * y + z * z) - np.float32(die.ball))
        points += along[:, None] * gap
    shape = origins.shape[:2]
    return points.T.reshape(*shape, 3), (np.abs(gap) < 0.03).reshape(shape)


def _shade(
    rng: np.random.Generator, die: DieMake, pose: DiePose, points: Reals, light: Lamps
) -> Reals:
    view = pose.view
    normals = _normals(points, die)
    colours, tilt = _paint(rng, die, pose.face, points)
    normals = normals + tilt + points * np.float32(die.bulge)
    normals = (normals / np.linalg.norm(normals, axis=1, keepdims=True)) @ pose.turn.T
    lit = light.ambient + (1 - light.ambient) * np.maximum(normals @ light.main, 0) * 1.25
    mirrored = view - 2 * (normals @ view)[:, None] * normals
    glare = np.zeros(len(points), np.float32)
    for panel, width, strength in zip(light.panels, light.widths, light.strengths, strict=True):
        off = (1 - mirrored @ panel) / width
        glare += strength * die.shine / (1 + np.minimum(off, 50) ** 4)
    graze = (1 - np.abs(normals @ view)) ** 3 * 60 * die.shine
    return np.asarray(colours * lit[:, None] + (glare + graze)[:, None], np.float32)


def _normals(points: Reals, die: DieMake) -> Reals:
    beyond = np.abs(points) - np.float32(1 - die.round_off - 0.01)
    away = np.maximum(beyond, 1e-4) * np.sign(points)
    round_ball = np.linalg.norm(points, axis=1) > die.ball - 0.02
    away[round_ball] = points[round_ball]
    return np.asarray(away / np.linalg.norm(away, axis=1, keepdims=True), np.float32)


def _paint(rng: np.random.Generator, die: DieMake, face: str, points: Reals) -> tuple[Reals, Reals]:
    """The colour of each point, and how a pip's hollow turns its normal."""
    colours = np.tile(die.body, (len(points), 1))
    if die.marbled:
        waves = rng.normal(0, 2.2, (3, 3)).astype(np.float32)
        swirl = np.sin(points @ waves.T + rng.uniform(0, 6, 3)).sum(1) / 3
        share = np.clip(swirl * 1.6 * die.marbled + 0.2, 0, 1)[:, None]
        colours = colours * (1 - share) + die.second * share
    tilt = np.zeros_like(points)
    x, y, z = np.abs(points).T
    axis = np.where(z >= np.maximum(x, y), 2, np.where(y >= x, 1, 0))
    sign = np.take_along_axis(points, axis[:, None], 1)[:, 0] > 0
    for (a, positive), name in _labels(rng, die, face).items():
        on = (axis == a) & (sign == positive)
        if not on.any():
            continue
        u, v = points[on][:, (a + 1) % 3], points[on][:, (a + 2) % 3]
        if die.symbols:
            # A print is not its own mirror image, so it is looked at from outside.
            u = u if positive else -u
        share, push_u, push_v = _mark(rng, die, name, u, v)
        paint = _mark_colour(rng, die, name)
        colours[on] = colours[on] * (1 - share[:, None]) + paint * share[:, None]
        bend = np.zeros((int(on.sum()), 3), np.float32)
        bend[:, (a + 1) % 3], bend[:, (a + 2) % 3] = push_u, push_v
        tilt[on] = bend * np.float32(die.dimple)
    return colours.astype(np.float32), tilt


def _labels(rng: np.random.Generator, die: DieMake, face: str) -> dict[tuple[int, bool], str]:
    """Which face of the cube shows what; opposite pips make seven."""
    if die.symbols:
        rest = [str(s) for s in rng.permutation([s for s in SYMBOLS if s != face])]
        names = [face, *rest]
    else:
        under = str(7 - int(face))
        low = [
            str(n) for n in rng.permutation([n for n in (1, 2, 3) if str(n) not in face + under])
        ]
        names = [face, under, low[0], str(7 - int(low[0])), low[1], str(7 - int(low[1]))]
    places = [(2, True), (2, False), (0, True), (0, False), (1, True), (1, False)]
    return dict(zip(places, names, strict=True))


def _mark(
    rng: np.random.Generator, die: DieMake, name: str, u: Reals, v: Reals
) -> tuple[Reals, Reals, Reals]:
    """How much of the mark's colour lies on points of a face, and the way its hollow leans."""
    none = np.zeros_like(u)
    if die.symbols:
        at = np.clip((np.stack([u, -v]) / 0.92 + 1) / 2 * SIDE, 0, SIDE - 1).astype(np.int32)
        return ink(name, rng)[at[1], at[0]].astype(np.float32) / 255, none, none
    size = die.pip_size * (die.one_size if name == "1" else 1)
    swap = rng.random() < 0.5
    share, push_u, push_v = none, none, none
    for across, along in PIPS[name]:
        a, b = (along, across) if swap else (across, along)
        du, dv = u - a * die.offset, v - b * die.offset
        inside = np.clip((size - _distance(die.design, name, du, dv)) * 25 + 0.5, 0, 1)
        if die.design == "ring":
            inside = inside * np.clip((np.hypot(du, dv) - size * 0.4) * 25 + 0.5, 0, 1)
        share = np.maximum(share, inside)
        push_u, push_v = push_u - inside * du / size, push_v - inside * dv / size
    return share, push_u, push_v


def _distance(design: str, name: str, du: Reals, dv: Reals) -> Reals:
    if design == "square":
        return np.asarray(np.maximum(np.abs(du), np.abs(dv)) * 1.1, np.float32)
    flat = np.hypot(du, dv)
    if design == "star" and name == "1":
        return np.asarray(flat * (0.75 + 0.3 * np.cos(5 * np.arctan2(dv, du))), np.float32)
    return np.asarray(flat, np.float32)


def _mark_colour(rng: np.random.Generator, die: DieMake, name: str) -> Reals:
    if die.symbols:
        return np.array(colour(name, rng), np.float32)
    if die.red_low and name in "14" and die.body.mean() > 120:
        return np.array([35, 30, 190], np.float32)
    return die.pips


def _colours(rng: np.random.Generator) -> tuple[Reals, Reals]:
    """Body and pips in BGR, far enough apart that a person could read them."""
    while True:
        kind = rng.random()
        if kind < 0.25:
            body = np.clip(rng.normal(232, 14, 3), 190, 255)
        elif kind < 0.4:
            body = rng.uniform(12, 50, 3)
        else:
            hsv = [[[rng.integers(180), rng.integers(120, 256), rng.integers(70, 250)]]]
            tone = cv2.cvtColor(np.array(hsv, np.uint8), cv2.COLOR_HSV2BGR)
            body = tone[0, 0].astype(np.float64)
        if rng.random() >= 0.8:
            pips = rng.uniform(10, 250, 3)
        elif body.mean() < 135:
            pips = np.clip(rng.normal(240, 10, 3), 200, 255)
        else:
            pips = rng.uniform(5, 45, 3)
        if np.abs(body - pips).max() > 90:
            return body.astype(np.float32), pips.astype(np.float32)
