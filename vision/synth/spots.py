"""Chooses where cards of a hand lie, where chips stand, and where thrown pieces land.

Places come from the layout; the seed decides what the layout leaves open.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.random import Generator

from vision.felt.layout import Layout, Zone
from vision.types import Point

BESIDE_MM = 66.0  # a card beside the one before
EDGE_MM = 48.0  # from the edge of a zone to the middle of a card
NARROW_MM = 200.0  # in a zone narrower than this, cards lie below each other
DOWN_MM = 34.0  # and show their index
OFF_MM, OFF_TURN = 2.5, 0.03  # how exactly a dealer lays a card
CHIP_MM = 40.0
TRIES = 300


class FeltSpot(NamedTuple):
    """A place on the felt and how a thing is turned there, in millimetres and radians."""

    x: float
    y: float
    turn: float


class FeltArea(NamedTuple):
    """A part of the felt, in millimetres."""

    left: float
    top: float
    right: float
    low: float


def chance(seed: int, *words: object) -> Generator:
    """A random generator for one purpose; the same seed and words give the same numbers."""
    return np.random.default_rng((seed, crc32("/".join(map(str, words)).encode())))


def card_spot(zone: Zone, slot: int, most: int, luck: Generator) -> FeltSpot:
    """Where the card of a slot lies, in a hand that will have at most so many."""
    x, y, turn = _place(zone, slot) if zone.places else _row(zone, slot, most)
    dx, dy, bent = (luck.uniform(-1, 1, 3) * (OFF_MM, OFF_MM, OFF_TURN)).tolist()
    return FeltSpot(x + dx, y + dy, turn + bent)


def chip_spots(layout: Layout, around: FeltArea, count: int, luck: Generator) -> list[Point]:
    """Places for stacks of chips: in view, and outside all zones."""
    found: list[Point] = []
    for _ in range(TRIES):
        if len(found) == count:
            break
        at = _within(around, CHIP_MM, luck)
        clear = all(math.dist(at, other) > 1.4 * CHIP_MM for other in found)
        if clear and not near_zone(layout, at, 0.8 * CHIP_MM):
            found.append(at)
    return found


def throw_spots(zone: Zone, count: int, piece_mm: float, overlap: bool, luck: Generator,
                ) -> list[FeltSpot]:  # fmt: skip
    """Where thrown pieces lie in a shaker; one upon another where they overlap."""
    middle, reach = middle_of(zone), reach_of(zone) * 0.6
    found: list[FeltSpot] = []
    for _ in range(TRIES):
        if len(found) == count:
            break
        far, way = reach * math.sqrt(luck.random()), luck.uniform(0, 2 * math.pi)
        at = (middle[0] + far * math.cos(way), middle[1] + far * math.sin(way))
        if all(math.dist(at, other[:2]) > 1.6 * piece_mm for other in found):
            found.append(FeltSpot(*at, luck.uniform(0, 2 * math.pi)))
    if overlap and len(found) > 1:
        first, second = found[:2]
        found[1] = second._replace(x=first.x + 0.7 * piece_mm, y=first.y)
    return found


def middle_of(zone: Zone) -> Point:
    """The middle of a zone."""
    xs, ys = zip(*zone.polygon, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def reach_of(zone: Zone) -> float:
    """How far a zone reaches at least from its middle."""
    xs, ys = zip(*zone.polygon, strict=True)
    return float(min(max(xs) - min(xs), max(ys) - min(ys))) / 2


def near_zone(layout: Layout, at: Point, reach: float) -> bool:
    """Whether a point lies in a zone or nearer to one than this."""
    ways = [(0.0, 0.0), *((reach * math.cos(way), reach * math.sin(way)) for way in range(7))]
    return any(layout.zone_of((at[0] + dx, at[1] + dy)) for dx, dy in ways)


def _place(zone: Zone, slot: int) -> FeltSpot:
    """The place the layout names; cards beyond the last one are put beside it."""
    place = zone.places[min(slot, len(zone.places)) - 1]
    beyond = max(0, slot - len(zone.places))
    right = max(x for x, _ in zone.polygon) - EDGE_MM / 2
    x = min(place.at[0] + beyond * (BESIDE_MM + 18 * place.sideways), right)
    turn = math.pi / 2 if place.sideways and not beyond else 0.0
    return FeltSpot(x, place.at[1], turn)


def _row(zone: Zone, slot: int, most: int) -> FeltSpot:
    """Side by side from the left, or below each other; closer where there are many."""
    xs, ys = zip(*zone.polygon, strict=True)
    left, right, top, low = min(xs), max(xs), min(ys), max(ys)
    gaps = max(most, 2) - 1
    if right - left < NARROW_MM:
        step = min(DOWN_MM, (low - top - 2 * EDGE_MM) / gaps)
        return FeltSpot((left + right) / 2, top + EDGE_MM + (slot - 1) * step, 0.0)
    step = min(BESIDE_MM, (right - left - 2 * EDGE_MM) / gaps)
    start = (left + right - step * gaps) / 2
    return FeltSpot(start + (slot - 1) * step, (top + low) / 2, 0.0)


def _within(around: FeltArea, edge: float, luck: Generator) -> Point:
    x = float(luck.uniform(around.left + edge, around.right - edge))
    y = float(luck.uniform(around.top + edge, around.low - edge))
    return x, y


def most_slots(slots: Sequence[tuple[str, int]]) -> dict[str, int]:
    """How many cards each zone gets."""
    found: dict[str, int] = {}
    for zone, slot in slots:
        found[zone] = max(found.get(zone, 0), slot)
    return found
