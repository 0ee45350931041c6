"""What a camera saw in one picture: cards, dice and tokens, each with its guesses.

These are the words of this room. They know pixels and nothing of zones, rounds or time.
"""

from collections.abc import Callable
from typing import NamedTuple

from vision.types import Point, Quad

Near = Callable[[Quad], bool]  # whether an outline lies where somebody asks for things


class Guess(NamedTuple):
    """One thing it may be, with the calibrated probability that it is."""

    seen: str
    probability: float


class CardSeen(NamedTuple):
    """One physical card; no guesses where a card lies there and nothing of it could be read."""

    guesses: tuple[Guess, ...]  # three at most, best first: `9H`, `TS`
    quad: Quad  # the outline in pixels, as far as it can be told and lies in the picture
    corners: tuple[Point, ...] = ()  # where its printed indices were read, the surest first


class DieSeen(NamedTuple):
    """One die; the guesses name its upper face, `1` to `6`."""

    guesses: tuple[Guess, ...]
    quad: Quad
    flat: bool = True  # False where it stands on an edge or leans on something


class TokenSeen(NamedTuple):
    """One Xoc Dia token; the guesses name its upper side, `R` or `W`."""

    guesses: tuple[Guess, ...]
    quad: Quad


def moved(thing: "Detection", right: float, down: float) -> "Detection":
    """The same thing so many pixels further right and down."""
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
