"""Judges a table-day while it is played: each round when it ends, and again when that changes.

The steps are those of a replay (replay/tables/derive.py), so the rows after the last event are a
replay's rows. The version of a round depends on the table's events alone, not on when they are
read.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.camera_rounds import is_sighting
from replay.judge import Editions, Judgement
from replay.live.day_rows import Daylong
from replay.tables import dictionary, event_rows
from replay.tables.derive import DayDerivation
from replay.tables.rows import Row, Rows
from schemas import bounds
from schemas import events as e

Sealed = tuple[e.Event, str]  # an event and the SHA-256 of its bytes, hex

ROUND = {column.name: n for n, column in enumerate(dictionary.dictionary()["rounds"].stored)}


class Settled(NamedTuple):
    """One version of a round: its rows, and rows of others that its checks read."""

    table_id: str
    gaming_day: str
    round_id: str
    version: int
    upto: int  # sequence of the last event of the table that it takes into account
    status: str
    outcome: str
    digest: str
    rows: Rows
    around: Rows  # the terms, the table-day, new shoes and the next round


class LiveTable:
    """A table-day that judges its rounds as the events come."""

    def __init__(self, table_id: str, day: str, editions: Editions) -> None:
        self.table_id, self.day = table_id, day
        self.loose: Rows = {}  # rows of events in no round; the caller takes them and empties it
        self.daylong = Daylong(day)
        self._table_day = DayDerivation(table_id, day, editions)
        self._fold = self._table_day.fold
        self._upto = -1
        self._rounds: dict[str, _LiveRound] = {}
        self._order: list[_LiveRound] = []  # as the rounds were opened
        self._strays: dict[int, Sealed] = {}  # camera readings that belong to no round so far
        self._shoe_events: list[e.Event] = []
        self._terms: list[tuple[int, Rows]] = []
        self._first_played: dict[int, int] = {}  # sequence of a shoe's loading to a round's number

    @property
    def closed_at(self) -> int | None:
        """When the table was closed; None while it is open."""
        return self._table_day.closed_at

    def add(self, event: e.Event, sha256: str) -> list[Settled]:
        """Take in the next event; the rounds that end with it, and those it changes."""
        recorded, event = event, bounds.bounded(event)
        self._note(event)
        before = self._fold.current
        owner = self._table_day.add(event, sha256)
        self._keep(owner, recorded, sha256)
        self.daylong.add(event, owner, self._fold.places)
        changed = dict.fromkeys([owner, *self._moved(), *self._fold.doubted])
        known = [self._rounds[name] for name in changed if name is not None]
        due = [live_round for live_round in known if live_round.version]  # an event came late
        ended = self._fold.current if isinstance(event.payload, e.TableClosed) else None
        if before not in (self._fold.current, None):
            ended = before
        if ended is not None and not self._rounds[ended].version:
            due.append(self._rounds[ended])
        return list(self._judge_all(due))

    def finish(self) -> list[Settled]:
        """Judge the rounds that are still open: the table-day is over."""
        unjudged = [live_round for live_round in self._order if not live_round.version]
        return list(self._judge_all(unjudged))

    def standing(self) -> Rows:
        """The rows of the table-day itself so far."""
        strays = self._copied(list(self._strays.values()), {})
        return {**strays, **self._table_day.day_rows(), "shoes": self._shoes()}

    def beyond(self) -> Rows:
        """The rows so far that checks of the whole table-day read."""
        rounds = {known.round_id: known.row for known in self._order if known.row is not None}
        own: Rows = {"table_days": [self._table_day.day_row()], "rounds": list(rounds.values())}
        return self.daylong.rows(rounds) | own

    def _shoes(self) -> list[Row]:
        return event_rows.shoes(self.day, self._shoe_events)

    def _note(self, event: e.Event) -> None:
        self._upto = event.seq
        if isinstance(event.payload, event_rows.OF_SHOES):
            self._shoe_events.append(event)

    def _keep(self, owner: str | None, event: e.Event, sha256: str) -> None:
        if owner is not None and owner not in self._rounds:
            self._rounds[owner] = _LiveRound(owner, len(self._order))
            self._order.append(self._rounds[owner])
        if owner is not None:
            self._rounds[owner].sealed.append((event, sha256))
        elif is_sighting(event):
            self._strays[event.seq] = event, sha256
        else:
            for table, part in self._copied([(event, sha256)], {}).items():
                self.loose.setdefault(table, []).extend(part)
        if isinstance(event.payload, e.TermsPosted):
            of = {event.event_id: owner} if owner is not None else {}
            posted = self._copied([(event, sha256)], of)
            del posted["events"]
            self._terms.append((event.seq, posted))

    def _copied(self, sealed: list[Sealed], owner: Mapping[str, str]) -> Rows:
        return event_rows.copied(self.day, sealed, owner, self._fold.places)

    def _moved(self) -> Iterator[str]:
        """Move camera readings to the rounds they count to now; the rounds that change by it."""
        for event, left, owner in self._fold.moved:
            if left is None:
                sealed = self._strays.pop(event.seq)
            else:
                sealed = self._rounds[left].part_with(event)
                yield left
            if owner is None:
                self._strays[event.seq] = sealed
            else:
                self._rounds[owner].sealed.append(sealed)
                yield owner

    def _judge_all(self, due: "list[_LiveRound]") -> Iterator[Settled]:
        """Judge rounds, and later rounds that depend on them.

        A later round depends on what the one before leaves. Where a camera's reading came late,
        the errors counted for its device change too; these matter only to rounds with a doubt.
        """
        for first in sorted(due, key=lambda live_round: live_round.number):
            yield from self._judge(first)
            leaves = True
            for live_round in self._order[first.number + 1 :]:
                leaves &= (
                    bool(live_round.version) and self._order[live_round.number - 1].left_changed
                )
                if leaves or (self._fold.recounted and live_round.doubted):
                    yield from self._judge(live_round, only_if_new=True)
                elif not self._fold.recounted:
                    break

    def _judge(self, live_round: "_LiveRound", *, only_if_new: bool = False) -> Iterator[Settled]:
        before = self._order[live_round.number - 1].round_id if live_round.number else ""
        derived = self._table_day.judge(self._fold.round(live_round.round_id), before)
        live_round.left_changed = derived.leaves_other
        if only_if_new and derived.digest == live_round.digest:
            return
        live_round.version, live_round.digest = live_round.version + 1, derived.digest
        live_round.row, live_round.doubted = derived.rows["rounds"][0], bool(derived.rows["doubts"])
        self.daylong.settled(live_round.round_id)
        yield self._settled(live_round, derived.judged, derived.rows)

    def _settled(self, live_round: "_LiveRound", judged: Judgement, derived: Rows) -> Settled:
        owner = {event.event_id: live_round.round_id for event, _ in live_round.sealed}
        ruled = judged.ruled
        return Settled(
            self.table_id,
            self.day,
            live_round.round_id,
            live_round.version,
            self._upto,
            ruled.status,
            ruled.outcome,
            live_round.digest,
            self._copied(live_round.sealed, owner) | derived,
            self._around(live_round, derived["rounds"][0]),
        )

    def _around(self, live_round: "_LiveRound", row: Row) -> Rows:
        """The terms in force, the table-day, a new shoe, and a next round that opened too early."""
        opened = live_round.sealed[0][0].seq
        posted = next((rows for seq, rows in reversed(self._terms) if seq <= opened), {})
        around: Rows = {**posted, "table_days": [self._table_day.day_row()]}
        around["shoes"] = self._new_shoes(live_round, row, self._shoes())
        later = self._order[live_round.number + 1 :][:1]
        if later and row[ROUND["ended_seq"]] is None:
            around["rounds"] = [self._stub(later[0])]
        return around

    def _new_shoes(self, live_round: "_LiveRound", row: Row, shoes: list[Row]) -> list[Row]:
        """The shoes of which this is the first round played."""
        if row[ROUND["first_play_seq"]] is None:
            return []
        found = []
        for shoe_id, *rest in shoes:
            loaded = rest[2]
            if shoe_id == row[ROUND["shoe_id"]] and loaded < row[ROUND["opened_seq"]]:
                first = self._first_played.setdefault(loaded, live_round.number)
                if live_round.number <= first:
                    self._first_played[loaded] = live_round.number
                    found.append((shoe_id, *rest))
        return found

    def _stub(self, live_round: "_LiveRound") -> Row:
        """The row of a round with its opening alone."""
        known = {
            "round_id": live_round.round_id,
            "table_id": self.table_id,
            "gaming_day": self.day,
            "opened_seq": live_round.sealed[0][0].seq,
        }
        return tuple(known.get(name) for name in ROUND)


class _LiveRound:
    """What the table keeps of a round, since a late event may change it."""

    def __init__(self, round_id: str, number: int) -> None:
        self.round_id, self.number = round_id, number
        self.sealed: list[Sealed] = []
        self.version = 0
        self.digest = ""
        self.row: Row | None = None  # of the table `rounds`
        self.left_changed = False  # whether its last judgement left something else than before
        self.doubted = False  # whether a card of it is in doubt

    def part_with(self, event: e.Event) -> Sealed:
        """Remove an event that counts to another round from now on."""
        places = (n for n, (kept, _) in enumerate(self.sealed) if kept.seq == event.seq)
        return self.sealed.pop(next(places))
