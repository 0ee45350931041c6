"""A table in frames: what lies where, told frame by frame without a picture."""

from collections.abc import Iterable, Sequence

from schemas.events import Guess
from vision.track.cards import CardSighting, Moment
from vision.types import Point

STEP_US = 100_000  # ten frames a second
START_US = 1_772_395_200_000_000


def frame(n: int) -> Moment:
    """The n-th frame."""
    return Moment(n, START_US + n * STEP_US, 40, f"{n:064x}")


def guesses(seen: str, probability: float = 0.97) -> tuple[Guess, ...]:
    """A reading; none for an empty word."""
    return (Guess(seen, probability),) if seen else ()


def lies(seen: str, at: Point, turn: float = 90.0, probability: float = 0.97) -> CardSighting:
    """A card; face down, or unread, where nothing is said of it."""
    return CardSighting(at, turn, guesses(seen, probability))


def repeat(seen: Sequence[CardSighting], times: int) -> Iterable[Sequence[CardSighting]]:
    """The same for some frames."""
    return [seen] * times
