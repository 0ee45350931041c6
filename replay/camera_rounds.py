"""Which round a camera's reading belongs to: a camera knows no rounds, it knows the time.

The place in the log decides where the clocks allow it. A reading that came late, or ahead of its
round, goes by its time; where two rounds are possible it is not guessed and belongs to neither.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass

from schemas import events as e

READINGS = (e.CardsObserved, e.DiceObserved, e.TokensObserved, e.CameraDisturbed)


def is_sighting(event: e.Event) -> bool:
    """Whether a camera told of something and named no round."""
    return event.round_id is None and isinstance(event.payload, READINGS)


@dataclass(slots=True)
class CameraReading:
    """A camera's reading, the round that its place in the log names, and the one it belongs to."""

    event: e.Event
    placed: str | None
    owner: str | None = None


@dataclass(slots=True)
class Span:
    """From when to when a round lasted, by the clocks of whoever told of it."""

    opened: e.Event
    ended: e.Event | None = None  # its closing, or the next opening where it was never closed

    def holds(self, event: e.Event, *, exactly: bool = False) -> bool:
        """Whether something happened in the round, for all that the clocks say or to the letter."""
        if _before(event, self.opened, exactly=exactly):
            return False
        return self.ended is None or not _before(self.ended, event, exactly=exactly)


class CameraReadings:
    """The camera's readings of a table-day and the rounds they may belong to."""

    def __init__(self) -> None:
        self._spans: dict[str, Span] = {}
        self._all: list[CameraReading] = []  # as they were seen
        self._most_ms = 0  # the widest error bound so far

    def opens(self, round_id: str, event: e.Event) -> None:
        """A round begins, or begins again; one that was left open ends with it."""
        last = next(reversed(self._spans.values()), None)
        if last is not None and last.ended is None:
            last.ended = event
        known = self._spans.setdefault(round_id, Span(event))
        known.ended = None
        self._most_ms = max(self._most_ms, event.err_ms)

    def closes(self, round_id: str, event: e.Event) -> None:
        """A round is closed; what closes it again changes nothing."""
        span = self._spans[round_id]
        if span.ended is None or not isinstance(span.ended.payload, e.RoundClosed):
            span.ended = event
        self._most_ms = max(self._most_ms, event.err_ms)

    def add(self, event: e.Event, placed: str | None) -> str | None:
        """Take in a reading that came while a round was open, or none; the round it belongs to."""
        found = CameraReading(event, placed, self._owner(event, placed))
        self._most_ms = max(self._most_ms, event.err_ms)
        insort(self._all, found, key=_seen_at)
        return found.owner

    def moved(self, round_id: str) -> Iterator[tuple[e.Event, str | None, str | None]]:
        """The readings that belong elsewhere since a round's times are known, from where to where.

        None that was seen before the round began is touched by that.
        """
        begun = self._spans[round_id].opened.occurred_at - 2 * self._most_ms * 1_000
        for sighting in self._all[bisect_left(self._all, begun, key=_seen_at) :]:
            owner = self._owner(sighting.event, sighting.placed)
            if owner != sighting.owner:
                yield sighting.event, sighting.owner, owner
                sighting.owner = owner

    def _owner(self, event: e.Event, placed: str | None) -> str | None:
        if placed is not None and self._spans[placed].holds(event):
            return placed
        possible = [round_id for round_id, span in self._spans.items() if span.holds(event)]
        if len(possible) != 1 or not self._spans[possible[0]].holds(event, exactly=True):
            return None
        return possible[0]


def by_time(events: list[e.Event], seen: e.Event) -> int:
    """The place of a reading among a round's events, by its time; never before the first."""
    later = (n for n, at in enumerate(events) if n and at.occurred_at > seen.occurred_at)
    return next(later, len(events))


def _before(one: e.Event, other: e.Event, *, exactly: bool) -> bool:
    """Whether one thing happened before another, for certain or by the clocks' own word."""
    apart = other.occurred_at - one.occurred_at
    return apart > (0 if exactly else (one.err_ms + other.err_ms) * 1_000)


def _seen_at(sighting: CameraReading) -> int:
    return sighting.event.occurred_at
