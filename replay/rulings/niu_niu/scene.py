"""What the log tells of a round, in the words of section 7."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from replay.fuse import Sight, sights
from replay.games.niu_niu import NEXT, Packet, read
from replay.rounds import Round
from replay.ruling import Memory
from replay.rulings.niu_niu.boxes import Boxes, boxes
from replay.rulings.section_seven import Evidence, Record, Spoken, rulings, within
from replay.terms import Terms
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
class Scene(Record):
    """A round with everything its rulings look at."""

    memory: Memory  # what the round before left behind
    reports: Mapping[str, Evidence]  # clause to the reports that name it
    boxes: Boxes
    sights: tuple[Sight, ...]
    packets: tuple[Packet, ...]
    handled: Evidence  # players touched cards before a misdeal was noticed


def look(round: Round, terms: Terms, memory: Memory) -> Scene:
    """The round as its rulings see it."""
    in_progress = _in_progress(round)
    noticed = _noticed(in_progress)
    found = sights(_set_aside(in_progress, noticed))
    handled = tuple(
        event.event_id
        for event in in_progress[:noticed]
        if isinstance(event.payload, e.CardHandled)
    )
    return Scene(
        round,
        terms,
        rulings(round.events),
        memory=memory,
        reports=_reports(in_progress, terms),
        boxes=boxes(round.events),
        sights=found,
        packets=read(found),
        handled=handled,
    )


def _in_progress(round: Round) -> tuple[e.Event, ...]:
    """The round until it was closed; what is said of it later changes nothing (NN:7.2).

    A reading that only came in late still counts as seen.
    """
    for n, event in enumerate(round.events):
        if isinstance(event.payload, e.RoundClosed):
            before, late = round.events[:n], round.events[n:]
            return (*before, *(at for at in late if _came_in_late(at.payload, before)))
    return round.events


def _came_in_late(payload: e.Payload, before: tuple[e.Event, ...]) -> bool:
    """Whether a card is one of the round, read late, and not one more drawn after the close."""
    if not isinstance(payload, e.CardDrawn):
        return isinstance(payload, e.CardPlaced | e.CardsObserved)
    drawn = [at.payload.position for at in before if isinstance(at.payload, e.CardDrawn)]
    return not drawn or payload.position < max(drawn)


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
