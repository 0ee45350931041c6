"""What the log tells of a round, in the words of section 7."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from replay.games.niu_niu import DEALER, FULL, NEXT, CardPacket, read
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings.niu_niu.boxes import Boxes, boxes
from replay.rulings.shared import conclusion, stray_cards
from replay.rulings.shared.section_seven import Evidence, RoundRecord, Spoken, rulings, within
from replay.witnesses import Sight, sights
from schemas import events as e
from schemas.ranks import at_least

# What a reported irregularity is called, and the clause that treats it.
KINDS: Mapping[str, str] = {
    "foreign_card": "NN:7.1.1",
    "different_colour": "NN:7.1.1",
    "shuffler_jam": "NN:7.1.2",
    "extra_card": "NN:7.1.3",
    "missing_card": "NN:7.1.3",
    "duplicate_card": "NN:7.1.3",
    "card_count": "NN:7.1.3",
    "disruption": "NN:7.1.4",
    "card_exposed": "NN:7.3",
    "hand_card_count": "NN:7.4",
    "dealer_card_count": "NN:7.5",
    "cards_to_empty_box": "NN:7.6",
    "no_cards_to_box": "NN:7.7",
    "hand_set_wrong": "NN:7.8",
    "card_damaged": "NN:7.9",
    "cards_off_layout": "NN:4.10",
    "below_minimum": "NN:7.11",
    "over_maximum": "NN:7.11",
    "side_bet": "NN:7.12",
}
NOT_COVERED = "NN:8.1"  # no catch-all: what section 7 does not name is treated as a dispute
DECLARED = ("NN:7.1.1", "NN:7.1.2", "NN:7.1.3", "NN:7.1.4")  # also by a ruling or by voiding
# What a ruling may say under the clauses that leave a choice; another word counts as not said.
SPOKEN: Spoken = {
    "NN:4.6.2": ("restrict", "refuse"),
    "NN:7.1": ("continue", "void", "reopen"),
    "NN:7.4": ("continue", "void"),
    "NN:7.5": ("continue", "void"),
    "NN:7.6": ("continue", "reconstruct", "void"),
    "NN:7.7": ("continue", "reconstruct", "void"),
    "NN:7.9": ("continue", "restrict"),
}
DECIDES = ("continue", "void")  # the words of the House under 7.1; another round is reopened
MISDEALT = ("NN:7.4", "NN:7.5", "NN:7.6", "NN:7.7")


@dataclass(frozen=True, slots=True)
class NiuNiuRecord(RoundRecord):
    """A round with everything its rulings look at."""

    memory: Memory  # what the round before left behind
    reports: Mapping[str, Evidence]  # clause to the reports that name it
    boxes: Boxes
    sights: tuple[Sight, ...]
    packets: tuple[CardPacket, ...]
    handled: Evidence  # players touched cards before a misdeal was noticed


def look(round: Round, terms: Terms, memory: Memory) -> NiuNiuRecord:
    """The round as its rulings see it."""
    over = conclusion.over(round.events, _compared)
    in_progress = _in_progress(round, over)
    noticed = _noticed(in_progress)
    found = sights(_set_aside(in_progress, noticed))
    handled = tuple(
        event.event_id
        for event in in_progress[:noticed]
        if isinstance(event.payload, e.CardHandled)
    )
    return NiuNiuRecord(
        round,
        terms,
        rulings(round.events),
        over,
        memory=memory,
        reports=_reports(in_progress, terms),
        boxes=boxes(round),
        sights=found,
        packets=read(found),
        handled=handled,
    )


def _in_progress(round: Round, over: int) -> tuple[e.Event, ...]:
    """The round until it was over; what is said of it later changes nothing (NN:2.2.5, 7.2).

    A reading that only came in late still counts as seen.
    """
    stray = {event.event_id for event in stray_cards.after_close(round.events, over)}
    later = (
        event for event in round.events[over:] if isinstance(event.payload, stray_cards.OF_CARDS)
    )
    return (*round.events[:over], *(at for at in later if at.event_id not in stray))


def _compared(events: Sequence[e.Event]) -> bool:
    """Whether the Dealer, who comes last, had all cards."""
    return sum(at.hand == DEALER for at in sights(events)) >= FULL


def _noticed(events: tuple[e.Event, ...]) -> int:
    """Where a misdeal was noticed: the first report, ruling or voiding; else the end."""
    for n, event in enumerate(events):
        match event.payload:
            case e.IrregularityReported() as report if _clause(report).startswith(MISDEALT):
                return n
            case e.RulingMade(clause=clause) if clause.startswith(MISDEALT):
                return n
            case e.RoundVoided():
                return n
    return len(events)


def _set_aside(events: tuple[e.Event, ...], noticed: int) -> Iterator[e.Event]:
    """Cards drawn once a misdeal was noticed serve its reconstruction, wherever they lie."""
    for n, event in enumerate(events):
        if n > noticed and isinstance(event.payload, e.CardDrawn):
            yield replace(event, payload=replace(event.payload, hand=NEXT))
        else:
            yield event


def _reports(events: tuple[e.Event, ...], terms: Terms) -> Mapping[str, Evidence]:
    """What was reported, by whoever noticed it or by the House that ruled on it."""
    house = terms.readings["house_authority"]
    found: dict[str, Evidence] = {}
    settled = False
    for event in events:
        match event.payload:
            case e.IrregularityReported() as report:
                clause = _clause(report)
            case e.RulingMade(clause=clause, decision=word, rank=rank) if clause in DECLARED:
                if word not in DECIDES or not at_least(rank, house):
                    continue
            case e.RoundVoided(clause=clause) if clause in DECLARED:
                pass
            case payload:
                settled = settled or isinstance(payload, e.WagerSettled)
                continue
        if settled and clause == "NN:7.1.2":  # a device that fails then stops no card
            continue
        found[clause] = (*found.get(clause, ()), event.event_id)
    return found


def _clause(report: e.IrregularityReported) -> str:
    """The clause that treats a report: the one it names, else the one of its kind."""
    named = next((at for at in KINDS.values() if within(report.clause, at)), "")
    return named or KINDS.get(report.kind, NOT_COVERED)
