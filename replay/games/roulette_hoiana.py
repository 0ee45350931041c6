"""Hoiana Roulette: the wheel, the layout with its 157 positions, and the spin as it was seen.

Rulebook RO, no. 01/13.06.2020, sections 4 to 6; section 7 is replay/rulings/roulette_hoiana.
The wheel (RO:4.1, rule issue wheel_order) and every position of its layout (RO:3.1, RO:6.1,
RO:6.2) are the common ones of roulette_layout; no other wager is permissible (RO:4.8).
"""

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar, cast

from replay.games.shared.roulette_layout import (
    COLOUR,
    COVERS,
    OUTSIDE,
    POCKETS,
    WHEEL,
    covers,
    facts,
    kind,
    legal,
    shown,
    told,
)
from replay.play_events import BALL_AND_WHEEL
from schemas import events as e

PLAYED_WITH = BALL_AND_WHEEL

__all__ = [
    "COLOUR",
    "COVERS",
    "OUTSIDE",
    "POCKETS",
    "WHEEL",
    "Spin",
    "SpinWord",
    "Word",
    "covers",
    "facts",
    "kind",
    "legal",
    "read",
    "shown",
    "told",
]

Word_co = TypeVar("Word_co", bound=e.Payload, covariant=True)
Word = TypeVar("Word", bound=e.Payload)


class SpinWord(NamedTuple, Generic[Word_co]):
    """One word of the log with its place in the table's order."""

    seq: int
    event_id: str
    word: Word_co
    occurred_at: int = 0

    def after(self, other: "SpinWord[Any]") -> bool:
        """Whether it came after another word, and its own clock does not say otherwise."""
        return self.seq > other.seq and self.occurred_at >= other.occurred_at


class Spin(NamedTuple):
    """What was seen and said of one spin, each kind in the table's order."""

    closed: tuple[SpinWord[e.BettingClosed], ...]
    released: tuple[SpinWord[e.BallReleased], ...]
    tracked: tuple[SpinWord[e.BallTracked], ...]
    disturbed: tuple[SpinWord[e.SpinDisturbed], ...]
    landed: tuple[SpinWord[e.BallLanded], ...]
    marked: tuple[SpinWord[e.DollyPlaced], ...]
    called: tuple[SpinWord[e.ResultCalled], ...]
    no_spins: tuple[SpinWord[e.NoSpinCalled], ...]
    examined: tuple[SpinWord[e.BallExamined], ...]
    returned: tuple[SpinWord[e.BallReturned], ...]
    voided: tuple[SpinWord[e.RoundVoided], ...]
    ended: tuple[SpinWord[e.RoundClosed], ...]

    @property
    def begun(self) -> bool:
        """Whether anybody saw the ball at work (RO:2.2)."""
        return bool(self.released or self.tracked or self.disturbed or self.landed)

    @property
    def pockets(self) -> tuple[int, ...]:
        """The pockets of this wheel in which the sensor saw the ball rest, each once."""
        read = (at.word.pocket for at in self.landed)
        return tuple(dict.fromkeys(pocket for pocket in read if pocket in COLOUR))

    @property
    def foreign_pockets(self) -> tuple[int, ...]:
        """Readings of the sensor that no pocket of this wheel can give (RO:4.1)."""
        read = (at.word.pocket for at in self.landed if at.word.pocket is not None)
        return tuple(dict.fromkeys(pocket for pocket in read if pocket not in COLOUR))


def read(events: Iterable[e.Event]) -> Spin:
    """The spin of a round, picked out of its events in one pass."""
    by_type: dict[type, list[e.Event]] = {}
    for event in events:
        by_type.setdefault(type(event.payload), []).append(event)

    def seen(kind: type[Word]) -> tuple[SpinWord[Word], ...]:
        found = by_type.get(kind, ())
        return tuple(
            SpinWord(at.seq, at.event_id, cast("Word", at.payload), at.occurred_at) for at in found
        )

    return Spin(
        closed=seen(e.BettingClosed),
        released=seen(e.BallReleased),
        tracked=seen(e.BallTracked),
        disturbed=seen(e.SpinDisturbed),
        landed=seen(e.BallLanded),
        marked=seen(e.DollyPlaced),
        called=seen(e.ResultCalled),
        no_spins=seen(e.NoSpinCalled),
        examined=seen(e.BallExamined),
        returned=seen(e.BallReturned),
        voided=seen(e.RoundVoided),
        ended=seen(e.RoundClosed),
    )
