"""The part of a table's log that a pack holds: the round, the one before it and the one after."""

from collections.abc import Sequence
from typing import NamedTuple

from ingest.log import LogRecord
from replay.rounds import Round

MOST_AFTER = 2_000  # events of the next round that a pack takes in, at most


class EventSpan(NamedTuple):
    """All events of a table from one place to another, none left out, as the log has them."""

    table: str
    start: int
    records: tuple[LogRecord, ...]
    context: tuple[LogRecord, ...] = ()  # earlier events that the round rests on, such as terms

    @property
    def end(self) -> int:
        """The place after the last event."""
        return self.start + len(self.records)


def bounds(rounds: Sequence[Round], round_id: str, offsets: dict[str, int]) -> tuple[int, int]:
    """Where the span of a round starts and ends; `offsets` has each event's place in the log."""
    ids = [round.round_id for round in rounds]
    n = ids.index(round_id)
    own = [offsets[event.event_id] for event in rounds[n].events]
    start, end = min(own), max(own) + 1
    if n > 0:
        start = min(start, *(offsets[event.event_id] for event in rounds[n - 1].events))
    if n + 1 < len(rounds):
        after = [offsets[event.event_id] for event in rounds[n + 1].events]
        end = max([end, *(at + 1 for at in after if at < end + MOST_AFTER)])
    return start, end
