"""One table-day while it is played: each round judged when it settles, and again when it must be.

The same steps as a replay takes, so the rows after the last event are a replay's rows. Which
version a round has depends on the table's events alone, not on when they were looked at.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.camera_rounds import is_sighting
from replay.judge import Editions, Judgement
from replay.live.day_rows import Daylong
from replay.tables import dictionary, event_rows
from replay.tables.derive import DayDerivation
from replay.tables.round_rows import Row, Rows
from schemas import bounds
from schemas import events as e

Sealed = tuple[e.Event, str]  # an event and the SHA-256 of its bytes, hex

OF_SHOES = (e.ShoeLoaded, e.CardsBurned, e.ShoeRemoved)
ROUND = {column.name: n for n, column in enumerate(dictionary.dictionary()["rounds"].columns)}


class Settled(NamedTuple):
    """One version of a round: everything recorded and derived, and what stood around it."""

    table_id: str
    gaming_day: str
    round_id: str
    version: int
    upto: int  # sequence of the table's last event that it takes in
    status: str
    outcome: str
    digest: str
    rows: Rows
    around: Rows  # rows of others that the checks of a round look at


class LiveTable:
    """A table-day, event by event."""

    def __init__(self, table_id: str, day: str, editions: Editions) -> None:
        self.table_id, self.day = table_id, day
        self.loose: Rows = {}  # rows of events in no round; whoever takes them empties it
        self.daylong = Daylong(day)
        self._table_day = DayDerivation(table_id, day, editions)
        self._fold = self._table_day.fold
        self._upto = -1
        self._held: dict[str, _Held] = {}
        self._order: list[_Held] = []  # as the rounds were opened
        self._strays: dict[int, Sealed] = {}  # a camera's readings that no round has, so far
        self._shoe_events: list[e.Event] = []
        self._terms: list[tuple[int, Rows]] = []
        self._first_played: dict[int, int] = {}  # place of a shoe's loading to a round's number

    @property
    def closed_at(self) -> int | None:
        """When the table was closed; None while it is open."""
        return self._table_day.closed_at

    def add(self, event: e.Event, sha256: str) -> list[Settled]:
        """Take in the next event; the rounds that it settles, or settles anew."""
        recorded, event = event, bounds.bounded(event)
        self._note(event)
        before = self._fold.current
        owner = self._table_day.add(event, sha256)
        self._keep(owner, recorded, sha256)
        self.daylong.add(event, owner, sha256, self._fold.places)
        changed = dict.fromkeys([owner, *self._moved(), *self._fold.doubted])
        known = [self._held[name] for name in changed if name is not None]
        due = [held for held in known if held.version]  # something came late
        ended = self._fold.current if isinstance(event.payload, e.TableClosed) else None
        if before not in (self._fold.current, None):
            ended = before
        if ended is not None and not self._held[ended].version:
            due.append(self._held[ended])
        return list(self._judged(due))

    def finish(self) -> list[Settled]:
        """Judge what nothing settled: the table's day is over."""
        return list(self._judged([held for held in self._order if not held.version]))

    def standing(self) -> Rows:
        """The rows of the table-day itself, as it stands now."""
        strays = self._copied(list(self._strays.values()), {})
        return {**strays, **self._table_day.day_rows(), "shoes": self._shoes()}

    def beyond(self) -> Rows:
        """The rows that matter beyond their rounds, as the table stands now."""
        rounds = {held.round_id: held.row for held in self._order if held.row is not None}
        own: Rows = {"table_days": [self._table_day.day_row()], "rounds": list(rounds.values())}
        return self.daylong.rows(rounds) | own

    def _shoes(self) -> list[Row]:
        return event_rows.shoes(self.day, self._shoe_events)

    def _note(self, event: e.Event) -> None:
        self._upto = event.seq
        if isinstance(event.payload, OF_SHOES):
            self._shoe_events.append(event)

    def _keep(self, owner: str | None, event: e.Event, sha256: str) -> None:
        if owner is not None and owner not in self._held:
            self._held[owner] = _Held(owner, len(self._order))
            self._order.append(self._held[owner])
        if owner is not None:
            self._held[owner].sealed.append((event, sha256))
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
        """Take a camera's readings over to the rounds they count to now; every round that it is."""
        for event, left, owner in self._fold.moved:
            if left is None:
                sealed = self._strays.pop(event.seq)
            else:
                sealed = self._held[left].part_with(event)
                yield left
            if owner is None:
                self._strays[event.seq] = sealed
            else:
                self._held[owner].sealed.append(sealed)
                yield owner

    def _judged(self, due: "list[_Held]") -> Iterator[Settled]:
        """The rounds that are due, and later ones for which they change something.

        That is what they leave behind and, where a camera's reading came late, what its device
        takes for what: only a card in doubt is weighed by it.
        """
        for first in sorted(due, key=lambda held: held.number):
            yield from self._judge(first)
            leaves = True
            for held in self._order[first.number + 1 :]:
                leaves &= bool(held.version) and self._order[held.number - 1].left_changed
                if leaves or (self._fold.recounted and held.doubted):
                    yield from self._judge(held, only_if_new=True)
                elif not self._fold.recounted:
                    break

    def _judge(self, held: "_Held", *, only_if_new: bool = False) -> Iterator[Settled]:
        before = self._order[held.number - 1].round_id if held.number else ""
        derived = self._table_day.judge(self._fold.round(held.round_id), before)
        held.left_changed = derived.leaves_other
        if only_if_new and derived.digest == held.digest:
            return
        held.version, held.digest = held.version + 1, derived.digest
        held.row, held.doubted = derived.rows["rounds"][0], bool(derived.rows["doubts"])
        self.daylong.settled(held.round_id)
        yield self._settled(held, derived.judged, derived.rows)

    def _settled(self, held: "_Held", judged: Judgement, derived: Rows) -> Settled:
        owner = {event.event_id: held.round_id for event, _ in held.sealed}
        ruled = judged.ruled
        return Settled(
            self.table_id,
            self.day,
            held.round_id,
            held.version,
            self._upto,
            ruled.status,
            ruled.outcome,
            held.digest,
            self._copied(held.sealed, owner) | derived,
            self._around(held, derived["rounds"][0]),
        )

    def _around(self, held: "_Held", row: Row) -> Rows:
        """The terms in force, the day, a shoe that was new, and a round that came too early."""
        opened = held.sealed[0][0].seq
        posted = next((rows for seq, rows in reversed(self._terms) if seq <= opened), {})
        around: Rows = {**posted, "table_days": [self._table_day.day_row()]}
        around["shoes"] = self._new_shoes(held, row, self._shoes())
        later = self._order[held.number + 1 :][:1]
        if later and row[ROUND["ended_seq"]] is None:
            around["rounds"] = [self._stub(later[0])]
        return around

    def _new_shoes(self, held: "_Held", row: Row, shoes: list[Row]) -> list[Row]:
        """The loadings of which this was the first round that was played."""
        if row[ROUND["first_play_seq"]] is None:
            return []
        found = []
        for shoe_id, *rest in shoes:
            loaded = rest[2]
            if shoe_id == row[ROUND["shoe_id"]] and loaded < row[ROUND["opened_seq"]]:
                first = self._first_played.setdefault(loaded, held.number)
                if held.number <= first:
                    self._first_played[loaded] = held.number
                    found.append((shoe_id, *rest))
        return found

    def _stub(self, held: "_Held") -> Row:
        """A round of which only the opening counts."""
        known = {
            "round_id": held.round_id,
            "table_id": self.table_id,
            "gaming_day": self.day,
            "opened_seq": held.sealed[0][0].seq,
        }
        return tuple(known.get(name) for name in ROUND)


class _Held:
    """A round that is remembered, since a late event may open it again."""

    def __init__(self, round_id: str, number: int) -> None:
        self.round_id, self.number = round_id, number
        self.sealed: list[Sealed] = []
        self.version = 0
        self.digest = ""
        self.row: Row | None = None  # of the table `rounds`
        self.left_changed = False  # whether its last judgement left something else than before
        self.doubted = False  # whether a card of it is in doubt

    def part_with(self, event: e.Event) -> Sealed:
        """An event that counts elsewhere from now on."""
        at = next(n for n, (kept, _) in enumerate(self.sealed) if kept.seq == event.seq)
        return self.sealed.pop(at)
