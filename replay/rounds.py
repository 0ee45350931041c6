"""A table's events folded into rounds: who was there, which terms, which shoe, what happened."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from replay.confusion import Counts, Record
from schemas import events as e


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
        self._table, self._record = Table(day), Record()
        self._bodies: dict[str, list[e.Event]] = {}
        self._between: list[e.Event] = []

    def add(self, event: e.Event) -> str | None:
        """Take in the next event; the round it counts to, or None between rounds."""
        opens = isinstance(event.payload, e.RoundOpened)
        named = event.round_id
        if opens or (named is not None and named not in self.opened and self.current is None):
            self._open(named or f"{event.table_id}-{event.seq}", event)
        owner = named if named in self.opened else self.current
        (self._between if owner is None else self._bodies[owner]).append(event)
        self._table.note(event)
        if isinstance(event.payload, e.RoundClosed) and owner == self.current:
            self.current = None
        return owner

    def round(self, round_id: str) -> Round:
        """A round with the events that count to it so far."""
        return replace(self.opened[round_id], events=tuple(self._bodies[round_id]))

    def record(self) -> Record:
        """What the devices took for what in all rounds, the last one included."""
        whole = self._record.copy()
        self._count_last(whole)
        return whole

    def _count_last(self, record: Record) -> None:
        """Count the readings of the last round; what comes to it later changes no count."""
        if self._bodies:
            record.take(self._bodies[next(reversed(self._bodies))])

    def _open(self, round_id: str, event: e.Event) -> None:
        self.current = round_id
        if round_id not in self.opened:
            self._count_last(self._record)
            opening = self._table.open(round_id, event)
            shown, between = dict(self._record.counts), tuple(self._between)
            self.opened[round_id] = replace(opening, before=between, shown=shown)
            self._bodies[round_id], self._between = [], []


class Table:
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
