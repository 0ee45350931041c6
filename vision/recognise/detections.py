"""Detections in one picture: cards, dice and tokens, each with its guesses.

A detection is in pixels; it has no zone, round or time.
"""

from collections.abc import Callable
from typing import NamedTuple

from schemas.events import Guess
from vision.types import Point, Quad

Near = Callable[[Quad], bool]  # whether an outline lies where the caller looks


class CardSeen(NamedTuple):
    """One card; without guesses if it is there but unreadable."""

    guesses: tuple[Guess, ...]  # three at most, best first: `9H`, `TS`
    quad: Quad  # the estimated outline in pixels, cut at the edges of the picture
    corners: tuple[Point, ...] = ()  # where its printed indices are, the surest first


class DieSeen(NamedTuple):
    """One die; the guesses name its upper face, `1` to `6`."""

    guesses: tuple[Guess, ...]
    quad: Quad
    flat: bool = True  # False if it stands on an edge or leans on something


class TokenSeen(NamedTuple):
    """One Xoc Dia token; the guesses name its upper side, `R` or `W`."""

    guesses: tuple[Guess, ...]
    quad: Quad


def moved(thing: "Detection", right: float, down: float) -> "Detection":
    """The same detection, `right` and `down` pixels further."""
    first, second, third, fourth = ((x + right, y + down) for x, y in thing.quad)
    placed = thing._replace(quad=(first, second, third, fourth))
    if isinstance(placed, CardSeen):
        corners = tuple((x + right, y + down) for x, y in placed.corners)
        return placed._replace(corners=corners)
    return placed


Detection = CardSeen | DieSeen | TokenSeen


def centre(quad: Quad) -> Point:
    """The middle of an outline."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
