"""What the log tells of a round, in the words of section 7."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from replay.games import holdem_bonus as game
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings.holdem_bonus import boxes, wagers
from replay.rulings.shared import conclusion, shoe_change, stray_cards
from replay.rulings.shared.section_seven import Evidence, RoundRecord, rulings
from replay.sentence import Sentence, say
from replay.wagers import Wager
from replay.witnesses import distinct, sights
from schemas import events as e

# What a reported irregularity is called, and the clause that treats it.
KINDS: Mapping[str, str] = {
    "foreign_card": "TH:7.1.1",
    "back_colour": "TH:7.1.1",
    "device_jam": "TH:7.1.2",
    "duplicate_card": "TH:7.1.3",
    "deck_count": "TH:7.1.3",
    "disruption": "TH:7.1.4",
    "misdealt": "TH:7.3",
    "community_count": "TH:7.4",
    "dealer_count": "TH:7.4",
    "card_exposed": "TH:7.5",
    "cards_exposed": "TH:7.5",
    "box_count": "TH:7.6",
    "count_doubt": "TH:7.7",
    "burn_missed": "TH:7.8",
    "face_up_card": "TH:7.9",
    "below_minimum": "TH:7.10",
    "over_maximum": "TH:7.10",
    "over_ante_multiple": "TH:7.10.1.i",
    "under_ante_multiple": "TH:7.10.1.ii",
    "player_absent": "TH:7.11",
}
NOT_COVERED = "TH:7.13"
TREATED = frozenset(KINDS.values()) | {"TH:7.11.1", "TH:7.6.1"}
BEYOND_REPAIR = "not_reconstructable"
VOIDED = "voided"  # the kind of a report that the table made by voiding the round
# TH:7.1. What lets the House invalidate a game in progress; voiding under it declares it as well.
INVALIDATING: Mapping[str, Sentence] = {
    "TH:7.1.1": say("TH.foreign_card"),
    "TH:7.1.2": say("TH.device_jammed"),
    "TH:7.1.3": say("TH.card_count_wrong"),
    "TH:7.1.4": say("TH.disrupted"),
}


# Clauses that speak of a game in progress, of the deal or of the round of play alone.
IN_PROGRESS = frozenset({*INVALIDATING, "TH:7.3", "TH:7.5", "TH:7.8", "TH:7.9"})


class ReportedIrregularity(NamedTuple):
    """An irregularity as somebody reported it."""

    n: int  # place in the round
    kind: str
    clause: str
    subject: str
    event_id: str


@dataclass(frozen=True, slots=True)
class HoldemRecord(RoundRecord):
    """A round with everything its rulings look at."""

    memory: Memory
    dealing: str  # card shoe, automated device, or empty where nothing tells
    read: game.ReadDeal
    wagers: tuple[Wager, ...]
    seated: boxes.Seated
    reports: tuple[ReportedIrregularity, ...]
    spare: frozenset[str]  # draws to the community that were too many, and noticed

    @property
    def boxes(self) -> Mapping[str, boxes.HoldemBox]:
        """The boxes with a valid Ante, from the Dealer's left on."""
        return self.seated.boxes

    def reported(self, *clauses: str) -> Evidence:
        """The ids of reports under these clauses."""
        return tuple(report.event_id for report in self.reports if report.clause in clauses)

    @property
    def ended(self) -> bool:
        """Whether the table has finished the round, settled or not."""
        return bool(self.seen(e.RoundClosed, e.RoundVoided, e.ResultCalled, e.WagerSettled))

    def in_time(self, *clauses: str) -> bool:
        """Whether something was noticed before the round was over; an open round still can be."""
        closed = self.closed
        said = any(report.n < closed for report in self.reports if report.clause in clauses)
        acted = any(
            isinstance(event.payload, e.RulingMade | e.RoundVoided)
            and event.payload.clause in clauses
            for event in self.round.events[:closed]
        )
        return said or acted or closed == len(self.round.events)

    def noticed_at(self, clause: str) -> int:
        """The place of the first report under a clause; beyond the last event where none is."""
        return next(
            (report.n for report in self.reports if report.clause == clause), len(self.round.events)
        )

    def handled(self, clause: str) -> frozenset[str]:
        """The hands that players touched or viewed before the clause was reported (TH:7.3, 7.8)."""
        assumed = self.boxes if self.terms.readings["handled"] == "assumed" else ()
        return frozenset((*self.touched(clause), *assumed))

    def touched(self, clause: str) -> frozenset[str]:
        """Those of them that somebody recorded."""
        return frozenset(
            event.payload.hand
            for event in self.round.events[: self.noticed_at(clause)]
            if isinstance(event.payload, e.CardHandled)
        )


def look(round: Round, terms: Terms, memory: Memory) -> HoldemRecord:
    """The round as its rulings see it."""
    over = conclusion.over(round.events, _compared)
    late = {event.event_id for event in stray_cards.after_close(round.events, over)}
    places = sights(_in_draw_order(round.events))
    read = game.read(tuple(place for place in places if not late.intersection(place.evidence)))
    reports = tuple(_reports(round, over))
    dealing = _dealing(read, reports, terms)
    events = tuple(distinct(round.events))
    placed = wagers.placed(events, dealing)
    seated = boxes.seated(round.events, placed, terms.readings)
    spare = _spare(round, read, dealing, reports, tuple(seated.boxes))
    if spare:
        placed = wagers.placed(events, dealing, spare)
        seated = boxes.seated(round.events, placed, terms.readings)
    return HoldemRecord(
        round,
        terms,
        rulings(round.events),
        over,
        memory=memory,
        dealing=dealing,
        read=read,
        wagers=placed,
        seated=seated,
        reports=reports,
        spare=spare,
    )


def _compared(events: Sequence[e.Event]) -> bool:
    """Whether the Dealer, who comes last, had the cards that the hands are compared with."""
    held = game.read(sights(_in_draw_order(events))).hands
    return len(held.get(game.DEALER, ())) >= game.SIZES[game.DEALER]


def _reports(round: Round, over: int) -> Iterator[ReportedIrregularity]:
    """What was reported while it could change the round (TH:2.2.19)."""
    late = {event.event_id for event in conclusion.afterwards(round.events, over)}
    for report in _told(round):
        if report.event_id not in late or report.clause not in IN_PROGRESS:
            yield report


def _told(round: Round) -> Iterator[ReportedIrregularity]:
    other_deck = {event_id for event_id, _ in shoe_change.in_play(round, shoe_change.DEALT)}
    for n, event in enumerate(round.events):
        match event.payload:
            case e.RoundVoided(clause=clause) if clause in INVALIDATING:
                yield ReportedIrregularity(n, VOIDED, clause, "", event.event_id)
            case e.IrregularityReported(kind=kind, clause=named, subject=subject):
                clause = named if named in TREATED else KINDS.get(kind, NOT_COVERED)
                if kind != BEYOND_REPAIR or clause != NOT_COVERED:
                    yield ReportedIrregularity(n, kind, clause, subject, event.event_id)
            case e.DeviceJammed():
                yield ReportedIrregularity(n, "device_jam", "TH:7.1.2", "", event.event_id)
            case e.ShoeLoaded(shoe_id=deck) if event.event_id in other_deck:
                yield ReportedIrregularity(n, "foreign_card", "TH:7.1.1", deck, event.event_id)


def _dealing(read: game.ReadDeal, reports: Sequence[ReportedIrregularity], terms: Terms) -> str:
    """How the table deals: as posted, else as the deal itself shows (TH:4.10)."""
    posted = terms.readings["dealing"]
    if posted != "as_the_deal_shows":
        return posted
    areas = [sight.hand for sight in read.order]
    if game.BURN in areas or any(report.clause == "TH:7.8" for report in reports):
        return game.SHOE
    return game.DEVICE if areas[:1] == [game.COMMUNITY] else ""


def _spare(
    round: Round,
    read: game.ReadDeal,
    dealing: str,
    reports: Sequence[ReportedIrregularity],
    names: tuple[str, ...],
) -> frozenset[str]:
    """Draws to the community that were too many and noticed at once: they open no card (TH:7.4)."""
    board = (
        report.n
        for report in reports
        if report.clause == "TH:7.4" and report.kind != "dealer_count"
    )
    noticed = next(board, 0)
    before = {event.event_id for event in round.events[:noticed]}
    lawful = game.order(dealing, names) if dealing == game.SHOE else ()
    return frozenset(
        event_id
        for sight, area in zip(read.order, lawful, strict=False)
        if sight.hand == game.COMMUNITY != area
        for event_id in before.intersection(sight.evidence)
    )


def _in_draw_order(events: Sequence[e.Event]) -> list[e.Event]:
    """The events with every card that left the device numbered by its place, burns included."""
    draws = [event for event in events if isinstance(event.payload, e.CardDrawn | e.CardsBurned)]
    if not any(isinstance(at.payload, e.CardsBurned) for at in draws):
        # A reading that came in late still has its place in the deck.
        draws.sort(key=lambda at: isinstance(at.payload, e.CardDrawn) and at.payload.position)
    numbered: list[e.Event] = []
    first: dict[int, int] = {}  # what is read twice at one position keeps one number
    for event in draws:
        for drawn in _cards(event.payload):
            number = first.get(drawn.position, len(numbered) + 1)
            if drawn.position:
                first[drawn.position] = number
            numbered.append(replace(event, payload=replace(drawn, position=number)))
    rest = [event for event in events if not isinstance(event.payload, e.CardDrawn | e.CardsBurned)]
    return numbered + rest


def _cards(payload: e.Payload) -> list[e.CardDrawn]:
    """The cards that one event saw leave the device."""
    match payload:
        case e.CardDrawn():
            return [payload]
        case e.CardsBurned(count=count, first_card=first):
            shown = [e.CardDrawn(0, game.BURN, first)] if first else []
            return [*shown, *(e.CardDrawn(0, game.BURN, None) for _ in range(count))]
    return []
