"""Tracks dice and tokens: reports a throw once every piece is in view, still and read.

A closed shaker or bowl shows no pieces. Pieces that moved are a new throw; pieces that reappear
where they lay were only covered by a hand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from schemas.events import Guess
from vision.track.cards import CORRECTION_PROBABILITY, SURE_PROBABILITY, EvidenceFrame, Moment
from vision.track.votes import Votes, joint
from vision.types import Point

STILL_SIDES = 0.25  # a piece that moves less lies still, in sides of it
MOVED_SIDES = 0.5  # a piece that moved more was thrown again
OVERLAP_SIDES = 0.8  # pieces whose middles are nearer overlap
KEPT_LOOKS = 6


class PieceSighting(NamedTuple):
    """A die or token in one frame, placed on the felt."""

    at: Point  # millimetres
    guesses: tuple[Guess, ...] = ()
    flat: bool = True


class ThrowRead(NamedTuple):
    """The reading of a throw: all its pieces together."""

    guesses: tuple[Guess, ...]
    flat: bool
    overlap: bool
    looks: tuple[EvidenceFrame, ...]
    again: bool = False


class ReportedThrow(NamedTuple):
    """A throw that was reported: where its pieces lay, and its best guess."""

    places: tuple[Point, ...]
    best: Guess | None


@dataclass(frozen=True, slots=True)
class ThrowTiming:
    """How long pieces must lie before a throw is reported."""

    frames: int = 4
    still_us: int = 400_000
    few: int = 3  # frames that suffice at a low frame rate, over `long_us`
    long_us: int = 1_000_000
    unsure_us: int = 2_000_000
    missing_us: int = 500_000  # out of view for longer: start again


@dataclass(frozen=True, slots=True)
class _RestingPieces:
    """Pieces that all lie still."""

    since_us: int
    places: tuple[Point, ...]
    votes: tuple[Votes, ...]
    leaning: tuple[int, ...]  # frames in which each piece was not flat
    frames: int = 0
    looks: tuple[EvidenceFrame, ...] = ()


class Throws:
    """Tracks the pieces of one shaker or bowl; `faces` is the number of sides of a piece."""

    def __init__(
        self, pieces: int, piece_mm: float, faces: int, timing: ThrowTiming | None = None
    ) -> None:
        self._pieces, self._piece_mm, self._faces = pieces, piece_mm, faces
        self._timing = timing or ThrowTiming()
        self._resting: _RestingPieces | None = None
        self._seen_us = 0
        self.reported: ReportedThrow | None = None  # the latest throw; restored after a restart

    def step(self, moment: Moment, seen: Sequence[PieceSighting]) -> ThrowRead | None:
        """Take in one frame; return the throw if there is one to report."""
        if len(seen) != self._pieces:
            if moment.at_us - self._seen_us > self._timing.missing_us:
                self._resting = None
            return None
        self._seen_us = moment.at_us
        resting = self._resting
        order = _order(resting.places, seen) if resting else None
        if (
            resting is None
            or order is None
            or self._widest(resting, order) > STILL_SIDES * self._piece_mm
        ):
            order = tuple(seen)
            resting = self._new_resting(order, moment)
        self._resting = _with_frame(resting, order, moment)
        return self._throw_to_report(self._resting, moment)

    def _new_resting(self, seen: Sequence[PieceSighting], moment: Moment) -> _RestingPieces:
        votes = Votes(self._faces).posed(moment.at_us)
        none = (0,) * len(seen)
        return _RestingPieces(moment.at_us, tuple(at.at for at in seen), (votes,) * len(seen), none)

    def _widest(self, resting: _RestingPieces, order: Sequence[PieceSighting]) -> float:
        return max(math.dist(at, now.at) for at, now in zip(resting.places, order, strict=True))

    def _throw_to_report(self, resting: _RestingPieces, moment: Moment) -> ThrowRead | None:
        age = moment.at_us - resting.since_us
        needed = self._timing.few if age >= self._timing.long_us else self._timing.frames
        if resting.frames < needed or age < self._timing.still_us:
            return None
        guesses = joint([votes.guesses() for votes in resting.votes])
        best = guesses[0] if guesses else None
        sure = best is not None and best.probability >= SURE_PROBABILITY
        if not sure and age < self._timing.unsure_us:
            return None
        known = self._same_throw(resting)
        if known is not None and not _is_news(known.best, best):
            return None
        self.reported = ReportedThrow(resting.places, best)
        flat = all(2 * often <= resting.frames for often in resting.leaning)
        return ThrowRead(guesses, flat, self._overlap(resting), resting.looks, known is not None)

    def _same_throw(self, resting: _RestingPieces) -> ReportedThrow | None:
        """The report of this same throw; None if the pieces lie elsewhere."""
        if self.reported is None:
            return None
        order = _order(self.reported.places, [PieceSighting(at) for at in resting.places])
        gaps = (math.dist(at, now.at) for at, now in zip(self.reported.places, order, strict=True))
        return self.reported if max(gaps) <= MOVED_SIDES * self._piece_mm else None

    def _overlap(self, resting: _RestingPieces) -> bool:
        near = OVERLAP_SIDES * self._piece_mm
        return any(
            math.dist(one, two) < near
            for n, one in enumerate(resting.places)
            for two in resting.places[n + 1 :]
        )


def _is_news(reported: Guess | None, now: Guess | None) -> bool:
    if now is None:
        return False
    if reported is None or reported.probability < SURE_PROBABILITY:
        return now.probability >= SURE_PROBABILITY
    return now.seen != reported.seen and now.probability >= CORRECTION_PROBABILITY


def _order(places: Sequence[Point], seen: Sequence[PieceSighting]) -> tuple[PieceSighting, ...]:
    """Order the pieces by the places they are nearest to."""
    left, ordered = list(seen), list[PieceSighting]()
    for place in places:
        nearest = min(left, key=lambda piece: math.dist(piece.at, place))
        left.remove(nearest)
        ordered.append(nearest)
    return tuple(ordered)


def _with_frame(
    resting: _RestingPieces, order: Sequence[PieceSighting], moment: Moment
) -> _RestingPieces:
    sureness = min(piece.guesses[0].probability if piece.guesses else 0.0 for piece in order)
    looks = (*resting.looks, EvidenceFrame(moment, sureness))
    if len(looks) > KEPT_LOOKS:
        worst = min(looks[:-1], key=lambda look: (look.probability, look.moment.number))
        looks = tuple(look for look in looks if look is not worst)
    return replace(
        resting,
        votes=tuple(
            votes.read(piece.guesses, moment.at_us)
            for votes, piece in zip(resting.votes, order, strict=True)
        ),
        leaning=tuple(
            often + (not piece.flat) for often, piece in zip(resting.leaning, order, strict=True)
        ),
        frames=resting.frames + 1,
        looks=looks,
    )
