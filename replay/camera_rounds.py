"""Finds the round of a camera's reading: a camera names no round, it only tells the time.

A reading counts to the round that was open when it arrived, if the clocks allow it. One that came
late, or before its round opened, goes by its time; where two rounds are possible it joins neither.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass

from schemas import events as e

READINGS = (e.CardsObserved, e.DiceObserved, e.TokensObserved, e.CameraDisturbed)


def is_sighting(event: e.Event) -> bool:
    """Whether the event is a camera's reading that names no round."""
    return event.round_id is None and isinstance(event.payload, READINGS)


@dataclass(slots=True)
class CameraReading:
    """A camera's reading, the round open when it arrived, and the round it belongs to."""

    event: e.Event
    placed: str | None
    owner: str | None = None


@dataclass(slots=True)
class Span:
    """From when to when a round lasted, by the clocks of the devices that sent its bounds."""

    opened: e.Event
    ended: e.Event | None = None  # its closing, or the next opening where it was never closed

    def holds(self, event: e.Event, *, exactly: bool = False) -> bool:
        """Whether an event may have happened in the round; `exactly` ignores the error bounds."""
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
        """Note that a round opens, or opens again; a round still open ends with it."""
        last = next(reversed(self._spans.values()), None)
        if last is not None and last.ended is None:
            last.ended = event
        known = self._spans.setdefault(round_id, Span(event))
        known.ended = None
        self._most_ms = max(self._most_ms, event.err_ms)

    def closes(self, round_id: str, event: e.Event) -> None:
        """Note that a round closes; a second closing changes nothing."""
        span = self._spans[round_id]
        if span.ended is None or not isinstance(span.ended.payload, e.RoundClosed):
            span.ended = event
        self._most_ms = max(self._most_ms, event.err_ms)

    def add(self, event: e.Event, placed: str | None) -> str | None:
        """Take in a reading and the round open when it came, if any; the round it belongs to."""
        reading = CameraReading(event, placed, self._owner(event, placed))
        self._most_ms = max(self._most_ms, event.err_ms)
        insort(self._all, reading, key=_seen_at)
        return reading.owner

    def moved(self, round_id: str) -> Iterator[tuple[e.Event, str | None, str | None]]:
        """The readings that change rounds now that a round's times are known: from, and to.

        A round's times matter only to readings made after it began.
        """
        begun = self._spans[round_id].opened.occurred_at - 2 * self._most_ms * 1_000
        for reading in self._all[bisect_left(self._all, begun, key=_seen_at) :]:
            owner = self._owner(reading.event, reading.placed)
            if owner != reading.owner:
                yield reading.event, reading.owner, owner
                reading.owner = owner

    def _owner(self, event: e.Event, placed: str | None) -> str | None:
        if placed is not None and self._spans[placed].holds(event):
            return placed
        possible = [round_id for round_id, span in self._spans.items() if span.holds(event)]
        if len(possible) != 1 or not self._spans[possible[0]].holds(event, exactly=True):
            return None
        return possible[0]


def by_time(events: list[e.Event], seen: e.Event) -> int:
    """The place of a reading among a round's events, by its time; never before the first."""
    later = (n for n, event in enumerate(events) if n and event.occurred_at > seen.occurred_at)
    return next(later, len(events))


def _before(first: e.Event, second: e.Event, *, exactly: bool) -> bool:
    """Whether the first event happened before the second; `exactly` ignores the error bounds."""
    apart_us = second.occurred_at - first.occurred_at
    return apart_us > (0 if exactly else (first.err_ms + second.err_ms) * 1_000)


def _seen_at(reading: CameraReading) -> int:
    return reading.event.occurred_at
