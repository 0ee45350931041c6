"""A table's events folded into rounds: who was there, which terms, which shoe, what happened."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from replay.betting_end import End
from replay.camera_rounds import CameraReadings, by_time, is_sighting
from replay.event_order import EventOrder, held_back
from replay.likelihood.witness_errors import Counts, ErrorRecord
from schemas import events as e

Move = tuple[e.Event, str | None, str | None]  # a reading, the round it counted to and the new one


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards in play as they stood when a round was opened."""

    shoe_id: str
    decks: int
    shuffled: bool
    burned: bool = False
    burn: e.CardsBurned | None = None
    drawn: Mapping[str, int] = field(default_factory=dict)  # card to copies seen so far
    cards_out: int = 0  # cards that left the shoe so far, burned ones included
    hands: int = 0  # rounds dealt from it so far
    last_hand_announced: bool = False
    cut_card_out: bool = False
    stated: bool = False  # by a sheet: nothing of it was judged in a round before


@dataclass(frozen=True, slots=True)
class Round:
    """Everything the log says about one round, and what stood when it began."""

    round_id: str
    table_id: str
    gaming_day: str
    number: int
    terms: e.TermsPosted | None
    shoe: Shoe | None
    staff: Mapping[str, str]  # rank to the person on duty
    events: tuple[e.Event, ...]
    last_event_before: str = ""  # id of the table's event before the round
    before: tuple[e.Event, ...] = ()  # the table's events since the round before, in no round
    seats: tuple[tuple[str, str], ...] = ()  # seats and who holds them, in the order taken
    shown: Counts = field(default_factory=dict)  # what its devices took for what in rounds before
    betting_end: End | None = None  # where its game says so; None while betting is open
    # Events that are not where they arrived, and the places of their arrival in the table's log.
    moved: Mapping[str, int] = field(default_factory=dict)
    bounds_doubtful: bool = False  # whether readings of it may count to another round, or of others


def fold(day: str, events: Iterable[e.Event]) -> Iterator[Round]:
    """The rounds of one table-day in the order they were opened."""
    folded = Fold(day)
    for event in events:
        folded.add(event)
    for round_id in folded.opened:
        yield folded.round(round_id)


class Fold:
    """The rounds of one table-day, taken in event by event."""

    def __init__(self, day: str) -> None:
        self.opened: dict[str, Round] = {}  # every round as it was opened, without its events
        self.current: str | None = None  # the round that is open
        self.moved: list[Move] = []  # what the last event made count elsewhere
        self.doubted: list[str] = []  # rounds whose bounds it made doubtful
        self.recounted = False  # whether it changed what was counted in rounds before
        self._table, self._record = TableState(day), ErrorRecord()
        self._bodies: dict[str, list[e.Event]] = {}
        self._counted: dict[str, list[e.Event]] = {}  # of each round before the last
        self._aside: dict[str, list[e.Event]] = {}  # readings that did not come in their round
        # Rounds that were named before they were opened: by whom, and where it counts instead.
        self._ahead: dict[str, list[tuple[str, str | None]]] = {}
        # Openings and closings of rounds by the device that told them, each with its round.
        self._bounds: dict[str, list[tuple[e.Event, str]]] = {}
        self._between: list[e.Event] = []
        self._sightings = CameraReadings()
        self._line = EventOrder()
        self._stale = False  # whether the counts must be taken again

    def add(self, event: e.Event) -> str | None:
        """Take in the next event; the round it counts to, or None between rounds."""
        self.moved, self.doubted, self.recounted = [], [], False
        overtaken = self._overtaken(event)
        opens = isinstance(event.payload, e.RoundOpened)
        named = event.round_id
        opens |= named is not None and named not in self.opened and self.current is None
        if opens:
            self._open(named or f"{event.table_id}-{event.seq}", event)
        owner = named if named in self.opened else self.current
        if named is not None and owner not in (named, None):
            self._ahead.setdefault(named, []).append((event.device_id, owner))
        owner = self._see(event, owner) if is_sighting(event) else self._place(event, owner)
        self._table.note(event)
        closes = isinstance(event.payload, e.RoundClosed)
        if closes and owner is not None:
            self._close(owner, event)
        if (opens or closes) and owner is not None:
            self._move(owner)
        self._doubt(overtaken, owner)
        self._doubt_before(event)
        if (opens or closes) and owner is not None:
            self._bounds.setdefault(event.device_id, []).append((event, owner))
        return owner

    @property
    def places(self) -> Mapping[str, int]:
        """The places in the table's order of events that are not where they arrived."""
        return self._line.places

    def round(self, round_id: str) -> Round:
        """A round with the events that count to it so far, in their order."""
        self._count_again()
        events = self._with_sightings(round_id, self._bodies[round_id])
        moved = {at.event_id: at.seq for at in events if at.event_id in self.places}
        if moved:
            events = [self._line.placed(at) for at in events]
        return replace(self.opened[round_id], events=tuple(events), moved=moved)

    def record(self) -> ErrorRecord:
        """What the devices took for what in all rounds, the last one included."""
        self._count_again()
        whole = self._record.copy()
        self._count_last(whole)
        return whole

    def _count_last(self, record: ErrorRecord) -> None:
        """Count the readings of the last round; only a camera's are counted when they come late."""
        if self._bodies:
            last = next(reversed(self._bodies))
            self._take(record, last, self._bodies[last])

    def _count_again(self) -> None:
        """Count all rounds before the last again, where a camera's reading came late to one."""
        if not self._stale:
            return
        self._stale, self._record = False, ErrorRecord()
        for round_id, opening in self.opened.items():
            self.opened[round_id] = replace(opening, shown=dict(self._record.counts))
            if round_id in self._counted:
                self._take(self._record, round_id, self._counted[round_id])

    def _take(self, record: ErrorRecord, round_id: str, events: list[e.Event]) -> None:
        """Count a round's readings, unless one of them may be another round's."""
        if not self.opened[round_id].bounds_doubtful:
            record.take(self._with_sightings(round_id, events))

    def _open(self, round_id: str, event: e.Event) -> None:
        if not self._is_past(event):
            self.current = round_id
        if round_id not in self.opened:
            self._count_again()
            self._count_last(self._record)
            if self._bodies:
                last = next(reversed(self._bodies))
                self._counted[last] = list(self._bodies[last])
            opening = self._table.open(round_id, event)
            shown, between = dict(self._record.counts), tuple(self._between)
            self.opened[round_id] = replace(opening, before=between, shown=shown)
            self._bodies[round_id], self._between = [], []
        elif isinstance(event.payload, e.RoundOpened):  # something named the round before it
            self.opened[round_id] = replace(self.opened[round_id], number=event.payload.number)
        self._sightings.opens(round_id, event)

    def _is_past(self, event: e.Event) -> bool:
        """Whether its device had told of a later opening or closing when an opening came in.

        Which round is open now is what it said last.
        """
        bounds = self._bounds.get(event.device_id, ())
        later = any(bound.device_seq > event.device_seq for bound, _ in bounds)
        return later and self._line.came_late(event)

    def _overtaken(self, event: e.Event) -> set[str | None]:
        """The rounds whose readings overtook an opening, or the closing of the open round.

        Such a reading counts to the round that was open when it came in, if any was.
        """
        opens = isinstance(event.payload, e.RoundOpened)
        closes = isinstance(event.payload, e.RoundClosed) and event.round_id == self.current
        found = self._line.overtaken(event) if opens or closes else set()
        named = self._ahead.pop(event.round_id or "", ()) if opens else ()
        return found | {owner for device, owner in named if device != event.device_id}

    def _doubt(self, overtaken: set[str | None], owner: str | None) -> None:
        """Mark the rounds on either side of an opening or a closing that was overtaken."""
        for round_id in sorted(at for at in overtaken | {owner} if overtaken and at is not None):
            if not self.opened[round_id].bounds_doubtful:
                self.opened[round_id] = replace(self.opened[round_id], bounds_doubtful=True)
                self.doubted.append(round_id)
                if round_id in self._counted:
                    self._stale = self.recounted = True

    def _doubt_before(self, event: e.Event) -> None:
        """Mark the rounds around bounds that a device told late, as its next reading shows."""
        for bound, owner in reversed(self._bounds.get(event.device_id, ())):
            if not held_back(bound, event):
                break
            self._doubt(self._line.overtaken_since(bound), owner)

    def _close(self, round_id: str, event: e.Event) -> None:
        if round_id == self.current:
            self.current = None
        self._sightings.closes(round_id, event)

    def _place(self, event: e.Event, owner: str | None) -> str | None:
        """Put an event where it belongs; the round it counts to."""
        at = self._line.find(event)
        late = at < len(self._line)
        if late and event.round_id not in self.opened:
            owner = self._line.round_before(at)
        body = self._between if owner is None else self._bodies[owner]
        follows = self._line.follows(at, owner) if late else None
        if follows is None:
            body.append(event)
        else:
            behind = (n for n, one in enumerate(body) if one is follows)
            body.insert(next(behind, len(body)), event)
        self._line.add(at, event, owner)
        return owner

    def _see(self, event: e.Event, placed: str | None) -> str | None:
        """The round a camera's reading belongs to, whenever it came."""
        owner = self._sightings.add(event, placed)
        self._line.find(event)
        if owner is not None and owner == placed:
            self._bodies[owner].append(event)
            self._line.add(len(self._line), event, owner)
        elif owner is not None:
            self._lay(owner, event)
        return owner

    def _move(self, round_id: str) -> None:
        """Put readings where they belong by what is known of a round since."""
        for event, left, owner in self._sightings.moved(round_id):
            self.moved.append((event, left, owner))
            if left is not None:
                self._take_away(left, event)
            if owner is not None:
                self._lay(owner, event)

    def _lay(self, round_id: str, event: e.Event) -> None:
        self._aside.setdefault(round_id, []).append(event)
        if round_id in self._counted:
            self._stale = self.recounted = True

    def _take_away(self, round_id: str, event: e.Event) -> None:
        for lists in (self._bodies, self._counted, self._aside):
            if round_id in lists:
                lists[round_id] = [at for at in lists[round_id] if at is not event]
        if round_id in self._counted:
            self._stale = self.recounted = True

    def _with_sightings(self, round_id: str, events: list[e.Event]) -> list[e.Event]:
        """A round's events with the readings that did not come among them, each at its time."""
        found = events
        for seen in sorted(self._aside.get(round_id, ()), key=lambda at: at.occurred_at):
            n = by_time(found, seen)
            found = [*found[:n], seen, *found[n:]]
        return found


class TableState:
    """What stands at a table between rounds; a round opened here sees it as it was."""

    def __init__(self, day: str) -> None:
        self.day = day
        self.terms: e.TermsPosted | None = None
        self.shoe: Shoe | None = None
        self.drawn: Counter[str] = Counter()
        self.out = 0  # cards that left the shoe so far
        self.read: set[int] = set()  # places in the shoe that this round drew from
        self.staff: dict[str, str] = {}
        self.seats: dict[str, str] = {}
        self.last = ""

    def open(self, round_id: str, event: e.Event) -> Round:
        """The round an event opens, without its events."""
        number = event.payload.number if isinstance(event.payload, e.RoundOpened) else 0
        shoe = self.shoe and replace(self.shoe, drawn=dict(self.drawn), cards_out=self.out)
        staff = dict(sorted(self.staff.items()))
        self.read = set()
        if self.shoe:
            self.shoe = replace(self.shoe, hands=self.shoe.hands + 1)
        return Round(
            round_id,
            event.table_id,
            self.day,
            number,
            self.terms,
            shoe,
            staff,
            events=(),
            last_event_before=self.last,
            seats=tuple(self.seats.items()),
        )

    def note(self, event: e.Event) -> None:
        """Take in what an event changes at the table."""
        self.last = event.event_id
        match event.payload:
            case e.TermsPosted() as terms:
                self.terms = terms
            case e.StaffCameOn() as person:
                self.staff[person.rank] = person.person_id
            case e.StaffWentOff() as person:
                if self.staff.get(person.rank) == person.person_id:
                    del self.staff[person.rank]
            case e.SeatTaken(player_id=player, box=seat):
                self.seats.pop(seat, None)
                self.seats[seat] = player
            case e.SeatLeft(box=seat):
                self.seats.pop(seat, None)
            case e.ShoeLoaded() as load:
                self.shoe = Shoe(load.shoe_id, load.decks, load.shuffled)
                self.drawn, self.out = Counter(), 0
            case e.ShoeRemoved():
                self.shoe = None
            case payload if self.shoe:
                self._note_shoe(self.shoe, payload)

    def _note_shoe(self, shoe: Shoe, payload: e.Payload) -> None:
        match payload:
            case e.CardsBurned() as burn:
                self._leaves(burn.first_card)
                self.out += burn.count + (burn.first_card is not None)
                self.shoe = replace(shoe, burned=True, burn=burn)
            case e.CardDrawn() as drawn if drawn.position not in self.read:
                self.read.add(drawn.position)
                self._leaves(drawn.card)
                self.out += 1
            case e.LastHandAnnounced():
                self.shoe = replace(shoe, last_hand_announced=True)
            case e.CutCardReached():
                self.shoe = replace(shoe, cut_card_out=True)

    def _leaves(self, card: str | None) -> None:
        if card:
            self.drawn[card] += 1
