"""Folds a table's events into rounds: who was there, which terms, which shoe, what happened.

An event counts to the round it names, else to the round that is open. Late events go where
`event_order` puts them; a camera names no round, so `camera_rounds` finds one by the time. Either
may change rounds that were closed long ago, and the fold says which (`moved`, `doubted`,
`recounted`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from replay.betting_end import End
from replay.camera_rounds import CameraReadings, by_time, is_sighting
from replay.event_order import EventOrder, held_back
from replay.likelihood.witness_errors import Counts, ErrorRecord
from replay.sequence_gaps import SequenceGaps
from schemas import events as e

# What changes the cards in play. Cards that come after it in their device's order stay behind it.
OF_THE_SHOE = (e.ShoeLoaded, e.ShoeRemoved, e.CardsShuffled)
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
    """One round: its events, and the terms, shoe and staff when it began."""

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
    shown: Counts = field(default_factory=dict)  # what its devices misread in rounds before
    betting_end: End | None = None  # None while betting is open
    # Events that were moved, each with the place at which it arrived in the table's log.
    moved: Mapping[str, int] = field(default_factory=dict)
    bounds_doubtful: bool = False  # readings near its opening or closing may be another round's
    reading_missing: bool = False  # a gap in a device's numbers lies in it, or just before it
    reading_lost: bool = False  # such a gap lies in it or anywhere before it


def fold(day: str, events: Iterable[e.Event]) -> Iterator[Round]:
    """The rounds of one table-day in the order they were opened."""
    folded = Fold(day)
    for event in events:
        folded.add(event)
    for round_id in folded.opened:
        yield folded.round(round_id)


class Fold:
    """The rounds of one table-day; it takes in event by event."""

    def __init__(self, day: str) -> None:
        self.opened: dict[str, Round] = {}  # every round as it was opened, without its events
        self.current: str | None = None  # the round that is open
        self.moved: list[Move] = []  # readings that the last event moved to another round
        # Rounds whose bounds the last event made doubtful, or that may lack a reading by it.
        self.doubted: list[str] = []
        self.recounted = False  # whether it changed the misreadings counted in earlier rounds
        self._table, self._record = TableState(day), ErrorRecord()
        self._bodies: dict[str, list[e.Event]] = {}
        self._counted: dict[str, list[e.Event]] = {}  # of each round before the last
        self._aside: dict[str, list[e.Event]] = {}  # camera readings that came outside their round
        # Rounds named before they opened: the device, and the round its reading counts to instead.
        self._ahead: dict[str, list[tuple[str, str | None]]] = {}
        # Openings and closings of rounds by the device that sent them, each with its round.
        self._bounds: dict[str, list[tuple[e.Event, str]]] = {}
        self._between: list[e.Event] = []
        self._sightings = CameraReadings()
        self._order = EventOrder()
        self._gaps = SequenceGaps()
        self._numbers: dict[str, int] = {}  # of the rounds as they opened, from 0
        self._stale = False  # whether the misreadings must be counted again

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
        self._note_gaps(event)
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
        """The events that were moved, each with its place in the table's order."""
        return self._order.places

    def round(self, round_id: str) -> Round:
        """A round with the events that count to it so far, in their order."""
        self._count_again()
        events = self._with_sightings(round_id, self._bodies[round_id])
        moved = {event.event_id: event.seq for event in events if event.event_id in self.places}
        if moved:
            events = [self._order.placed(event) for event in events]
        number = self._numbers[round_id]
        return replace(
            self.opened[round_id],
            events=tuple(events),
            moved=moved,
            reading_missing=self._gaps.over(number),
            reading_lost=self._gaps.before(number),
        )

    def record(self) -> ErrorRecord:
        """What the devices misread in all rounds, the last one included."""
        self._count_again()
        record = self._record.copy()
        self._count_last(record)
        return record

    def _count_last(self, record: ErrorRecord) -> None:
        """Count the readings of the last round; of late ones only a camera's count."""
        if self._bodies:
            last = next(reversed(self._bodies))
            self._take(record, last, self._bodies[last])

    def _count_again(self) -> None:
        """Count all rounds before the last again, if a late camera reading changed one."""
        if not self._stale:
            return
        self._stale, self._record = False, ErrorRecord()
        for round_id, opening in self.opened.items():
            self.opened[round_id] = replace(opening, shown=dict(self._record.counts))
            if round_id in self._counted:
                self._take(self._record, round_id, self._counted[round_id])

    def _take(self, record: ErrorRecord, round_id: str, events: list[e.Event]) -> None:
        """Count a round's readings, unless some may be another round's."""
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
            self._numbers[round_id] = len(self._numbers)
            self.opened[round_id] = replace(opening, before=between, shown=shown)
            self._bodies[round_id], self._between = [], []
        elif isinstance(event.payload, e.RoundOpened):  # something named the round before it
            self.opened[round_id] = replace(self.opened[round_id], number=event.payload.number)
        self._sightings.opens(round_id, event)

    def _is_past(self, event: e.Event) -> bool:
        """Whether an opening arrived after a later opening or closing of the same device.

        The device's latest bound says which round is open now.
        """
        bounds = self._bounds.get(event.device_id, ())
        later = any(bound.device_seq > event.device_seq for bound, _ in bounds)
        return later and self._order.came_late(event)

    def _overtaken(self, event: e.Event) -> set[str | None]:
        """The rounds whose readings overtook an opening, the closing of the open round or a shoe.

        Such a reading counts to the round that was open when it came in, if any was. Cards of a
        shoe that came late count where its loading came in.
        """
        opens = isinstance(event.payload, e.RoundOpened)
        closes = isinstance(event.payload, e.RoundClosed) and event.round_id == self.current
        loads = isinstance(event.payload, OF_THE_SHOE)
        rounds = self._order.overtaken(event) if opens or closes or loads else set()
        named = self._ahead.pop(event.round_id or "", ()) if opens else ()
        return rounds | {owner for device, owner in named if device != event.device_id}

    def _doubt(self, overtaken: set[str | None], owner: str | None) -> None:
        """Mark the rounds on either side of an opening or a closing that was overtaken."""
        rounds = overtaken | {owner} if overtaken else set()
        for round_id in sorted(name for name in rounds if name is not None):
            if not self.opened[round_id].bounds_doubtful:
                self.opened[round_id] = replace(self.opened[round_id], bounds_doubtful=True)
                self.doubted.append(round_id)
                if round_id in self._counted:
                    self._stale = self.recounted = True

    def _doubt_before(self, event: e.Event) -> None:
        """Mark the rounds around readings that were delayed, as a later one of the device shows."""
        held = None if is_sighting(event) else self._order.held_before(event)
        if held is not None:
            self._doubt(self._order.overtaken_since(held), self._order.owner(held))
        for bound, owner in reversed(self._bounds.get(event.device_id, ())):
            if not held_back(bound, event):
                break
            self._doubt(self._order.overtaken_since(bound), owner)

    def _note_gaps(self, event: e.Event) -> None:
        """Note which rounds may lack a reading, or lack none any more."""
        number = self._numbers.get(self.current or "", len(self._numbers))
        changed = self._gaps.add(event, number)
        if changed:
            self.doubted += list(self.opened)[changed.start : changed.stop]

    def _close(self, round_id: str, event: e.Event) -> None:
        if round_id == self.current:
            self.current = None
        self._sightings.closes(round_id, event)

    def _place(self, event: e.Event, owner: str | None) -> str | None:
        """Put an event where it belongs; the round it counts to."""
        index = self._order.find(event)
        late = index < len(self._order)
        if late and event.round_id not in self.opened:
            owner = self._order.round_before(index)
        body = self._between if owner is None else self._bodies[owner]
        follows = self._order.follows(index, owner) if late else None
        if follows is None:
            body.append(event)
        else:
            places = (n for n, other in enumerate(body) if other is follows)
            body.insert(next(places, len(body)), event)
        self._order.add(index, event, owner)
        return owner

    def _see(self, event: e.Event, placed: str | None) -> str | None:
        """Put a camera's reading into its round, however late it came; that round."""
        owner = self._sightings.add(event, placed)
        self._order.find(event)
        if owner is not None and owner == placed:
            self._bodies[owner].append(event)
            self._order.add(len(self._order), event, owner)
        elif owner is not None:
            self._lay(owner, event)
        return owner

    def _move(self, round_id: str) -> None:
        """Move camera readings now that a round's opening or closing is known."""
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
                lists[round_id] = [other for other in lists[round_id] if other is not event]
        if round_id in self._counted:
            self._stale = self.recounted = True

    def _with_sightings(self, round_id: str, events: list[e.Event]) -> list[e.Event]:
        """A round's events with the camera readings from outside it, each at its time."""
        whole = events
        aside = self._aside.get(round_id, ())
        for reading in sorted(aside, key=lambda event: event.occurred_at):
            n = by_time(whole, reading)
            whole = [*whole[:n], reading, *whole[n:]]
        return whole


class TableState:
    """Terms, shoe, staff and seats of a table; a round that opens gets a copy."""

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
        """Note what an event changes at the table."""
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
