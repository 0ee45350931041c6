"""One table-day from events to rows, for a replay and for a table that is being played.

    add(event)      folds the event into the round it counts to
    judge(round)    judges the round, with what the round before it left, and makes its rows
    day_rows()      makes the rows of the table-day itself

A replay adds every event and then judges each round once (`derive`). A live table judges a round
when it ends, and again when a later event changes it (replay/live/table_day.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.judge import Editions, Judgement, judge_next
from replay.rounds import Fold, Round
from replay.ruled import Memory
from replay.tables import event_rows, round_starts
from replay.tables.round_digest import of_day
from replay.tables.round_rows import of_round
from replay.tables.rows import Row, Rows
from schemas import bounds
from schemas import events as e


class Day(NamedTuple):
    """Everything derived for one table-day."""

    table_id: str
    gaming_day: str
    rows: Rows
    digest: str
    starts: bytes = b""  # what stood before each round (round_starts.py)


class RoundRows(NamedTuple):
    """A judged round with its rows and their digest."""

    judged: Judgement
    rows: Rows
    digest: str
    leaves_other: bool  # whether later rounds find something else than after its last judgement


class DayDerivation:
    """A table-day that takes in its events one by one."""

    def __init__(self, table_id: str, day: str, editions: Editions) -> None:
        self.table_id, self.day = table_id, day
        self.fold = Fold(day)
        self.events = 0
        self.last_hash = ""
        self.opened_at: int | None = None
        self.closed_at: int | None = None
        self._editions = editions
        self._left: dict[str, dict[str, Memory]] = {}  # what each round leaves, by rulebook
        self._digests: dict[str, str] = {}

    def add(self, event: e.Event, sha256: str) -> str | None:
        """Take in the next event; the round it counts to, or None between rounds."""
        self.events += 1
        self.last_hash = sha256
        match event.payload:
            case e.TableOpened() if self.opened_at is None:
                self.opened_at = event.occurred_at
            case e.TableClosed() if self.closed_at is None:
                self.closed_at = event.occurred_at
        return self.fold.add(event)

    def judge(self, round: Round, before: str) -> RoundRows:
        """Judge a round with what the round `before` left; empty where it is the first one."""
        memory = dict(self._left.get(before, {}))
        judged = judge_next(round, self._editions, memory)
        leaves_other = memory != self._left.get(round.round_id, {})
        self._left[round.round_id] = memory
        rows, digest = of_round(judged)
        self._digests[round.round_id] = digest
        return RoundRows(judged, rows, digest, leaves_other)

    def with_memory(self, rounds: Sequence[Round]) -> Iterator[tuple[Round, Mapping[str, Memory]]]:
        """Each round with what the round before it left, by rulebook."""
        before = ""
        for round in rounds:
            yield round, self._left.get(before, {})
            before = round.round_id

    def day_row(self, digest: str = "") -> Row:
        """The row of the table `table_days`."""
        times, counts = (self.opened_at, self.closed_at), (self.events, len(self.fold.opened))
        return (self.table_id, self.day, *times, *counts, digest, None)

    def day_rows(self) -> Rows:
        """The rows of the table-day itself, as it stands now."""
        return {
            "confusions": self.fold.record().rows(self.table_id, self.day),
            "table_days": [self.day_row(self.digest())],
        }

    def digest(self) -> str:
        """The digest of the table-day; a round that is not judged yet counts as empty."""
        digests = [self._digests.get(round_id, "") for round_id in self.fold.opened]
        return of_day(self.table_id, self.day, self.events, self.last_hash, digests)


def derive(day: str, sealed: Sequence[tuple[e.Event, str]], editions: Editions) -> Day:
    """The rows of one table-day and their digest."""
    table_id = sealed[0][0].table_id
    table_day = DayDerivation(table_id, day, editions)
    events = [bounds.bounded(event) for event, _ in sealed]
    for event, (_, sha256) in zip(events, sealed, strict=True):
        table_day.add(event, sha256)
    fold = table_day.fold
    rounds = [fold.round(round_id) for round_id in fold.opened]
    owner = {event.event_id: round.round_id for round in rounds for event in round.events}
    rows = event_rows.rows(day, sealed, owner, fold.places)
    before = ""
    for round in rounds:
        for table, part in table_day.judge(round, before).rows.items():
            rows.setdefault(table, []).extend(part)
        before = round.round_id
    rows |= table_day.day_rows()
    starts = round_starts.encoded(table_day.with_memory(rounds), events)
    return Day(table_id, day, rows, table_day.digest(), starts)
