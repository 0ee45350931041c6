"""What the log tells of a round, in the words of section 7."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from replay.games.tiger_baccarat import BETS, ReadDeal, next_hand, read
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings.shared import conclusion, shoe_change, stray_cards
from replay.rulings.shared.section_seven import Evidence, RoundRecord, rulings
from replay.rulings.tiger_baccarat.carry import CarriedState, Lying, laid, left
from replay.wagers import Wager, at_close
from replay.witnesses import sights
from schemas import events as e

# What a reported irregularity is called, and the clause that treats it.
KINDS: Mapping[str, str] = {
    "extra_card": "TB:7.1",
    "missing_card": "TB:7.1",
    "foreign_card": "TB:7.1",
    "card_count": "TB:7.1",
    "unshuffled_cards": "TB:7.1",
    "insufficient_cards": "TB:7.2",
    "not_reconstructable": "TB:7.3",
    "face_up_card": "TB:7.4",
    "next_card_seen": "TB:7.5",
    "undue_player_card": "TB:7.6",
    "undue_banker_card": "TB:7.7",
    "wrong_order": "TB:7.9",
    "squeeze_misdelivery": "TB:7.10",
    "no_burn": "TB:7.11",
    "multiple_draw": "TB:7.12",
    "order_unknown": "TB:7.13",
    "squeezer_absent": "TB:7.14",
    "squeeze_not_offered": "TB:7.15",
    "wrong_call": "TB:7.16",
    "below_minimum": "TB:7.17",
    "over_maximum": "TB:7.18",
    "differential_exceeded": "TB:7.19",
}
NOT_COVERED = "TB:7.20"
DEALING = (*shoe_change.DEALT, e.BettingClosed)
AFTERWARDS = "TB:7.1.2"  # a previous round stands, whatever is found in the cards later
DECLARED = {"TB:7.1": "TB:7.1", "TB:7.1.1": "TB:7.1", "TB:7.3": "TB:7.3"}  # by a ruling to void
IN_PROGRESS = ("TB:7.1", "TB:7.3")  # in the course of a round of play, or following a misdeal
TREATED = frozenset(KINDS.values()) | {"TB:7.10.1", "TB:7.10.2", "TB:7.13.1", "TB:7.13.2"}


@dataclass(frozen=True, slots=True)
class TigerBaccaratRecord(RoundRecord):
    """A round with everything its rulings look at."""

    left: CarriedState  # what the rounds before left behind
    reports: Mapping[str, Evidence]  # clause to the reports that name it
    wagers: tuple[Wager, ...]
    lying: Lying  # cards on the table before the first draw
    read: ReadDeal
    free: bool  # a Free Hand (7.8)
    unfounded: (
        Evidence  # it was declared one and nothing on record makes it that (7.5 to 7.7, 7.10.1)
    )
    retaken: Evidence  # draws taken back because the burn was forgotten (7.11.1)
    afterwards: Evidence  # cards found wrong once the round was over (7.1.2)


def look(round: Round, terms: Terms, memory: Memory) -> TigerBaccaratRecord:
    """The round as its rulings see it."""
    known = left(memory, round)
    retaken, events, belated = _retaken(round)
    if belated and terms.readings["belated_burn"] == "later_cards_do_not_count":
        events = events[:belated]
    marked = _marked_free(round)
    lying = known.lying
    if known.free_hand is None and marked:
        lying = laid(_out_of_the_shoe(round, marked[1].cards))
    over = conclusion.over(round.events, lambda at: not next_hand(read(sights(at, lying)).deal))
    reports = _reports(round, over)
    early = bool(first_card_seen(round, lying))
    return TigerBaccaratRecord(
        round,
        terms,
        rulings(round.events),
        over,
        left=known,
        reports={clause: ids for clause, ids in reports.items() if clause != AFTERWARDS},
        wagers=at_close(round.events, round.betting_end, BETS.__contains__),
        lying=lying,
        read=_read(events, lying, stray_cards.after_close(round.events, over)),
        free=known.free_hand is not None or marked is not None or early,
        unfounded=(marked[0],)
        if marked and memory and known.free_hand is None and not early
        else (),
        retaken=retaken,
        afterwards=reports.get(AFTERWARDS, ()),
    )


def _read(events: tuple[e.Event, ...], lying: Lying, stray: tuple[e.Event, ...]) -> ReadDeal:
    """The hand by the order of its draws; what came after the round completes none (7.3)."""
    unread = [at for at in stray if not isinstance(at.payload, e.CardDrawn)]
    places = sights([event for event in events if event not in unread], lying)
    late = {at.event_id for at in stray}
    in_time = read(tuple(place for place in places if not late.intersection(place.evidence)))
    return in_time if next_hand(in_time.deal) else read(places)


def first_card_seen(round: Round, lying: Lying) -> tuple[tuple[str, str | None], ...]:
    """Exposures of this hand's own first card before it was dealt (7.5): event id and card."""
    if lying:
        return ()
    early = [event for event in round.before if isinstance(event.payload, e.CardExposed)]
    for event in round.events:
        if isinstance(event.payload, e.CardDrawn | e.CardPlaced):
            break
        if isinstance(event.payload, e.CardExposed) and event.payload.place == "shoe":
            early.append(event)
    return tuple(
        (at.event_id, at.payload.card)
        for at in early
        if isinstance(at.payload, e.CardExposed) and at.payload.place in ("shoe", "next")
    )


def _retaken(round: Round) -> tuple[Evidence, tuple[e.Event, ...], int]:
    """Draws taken back for a forgotten burn, the events that show the hand, a belated burn's place.

    7.11.1: unseen cards go back and the hand is dealt anew. 7.11.2: once a card was seen the hand
    goes on to its conclusion, whatever is burned in the middle of it (issue belated_burn).
    """
    burn = next((n for n, at in enumerate(round.events) if _is_burn(at)), None)
    if burn is None or round.shoe is None or round.shoe.burned:
        return (), round.events, 0
    early = [event for event in round.events[:burn] if isinstance(event.payload, e.CardDrawn)]
    if not early:
        return (), round.events, 0
    if any(isinstance(at.payload, e.CardDrawn) and at.payload.exposed for at in early):
        return (), round.events, burn
    return tuple(at.event_id for at in early), round.events[burn:], 0


def _is_burn(event: e.Event) -> bool:
    return isinstance(event.payload, e.CardsBurned)


def _marked_free(round: Round) -> tuple[str, e.FreeHandDeclared] | None:
    """The declaration that this very hand is free: made before its first card."""
    for event in (*round.before, *round.events):
        if isinstance(event.payload, e.CardDrawn | e.CardPlaced):
            return None
        if isinstance(event.payload, e.FreeHandDeclared):
            return event.event_id, event.payload
    return None


def _out_of_the_shoe(round: Round, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Declared cards that lie on the table; one that the shoe gives first was only seen in it."""
    draws = (event.payload for event in round.events if isinstance(event.payload, e.CardDrawn))
    first = next(draws, None)
    return () if first is not None and cards[:1] == (first.card,) else cards


def _reports(round: Round, over: int) -> Mapping[str, Evidence]:
    found: dict[str, Evidence] = {}
    # Cards of two shoes in one hand are an irregularity that no clause names.
    other = ((NOT_COVERED, event_id) for event_id, _ in shoe_change.in_play(round, DEALING))
    for clause, event_id in (*_named(round, over), *other):
        found[clause] = (*found.get(clause, ()), event_id)
    return found


def _named(round: Round, over: int) -> Iterator[tuple[str, str]]:
    afterwards = {event.event_id for event in conclusion.afterwards(round.events, over)}
    called = False
    for event in round.events:
        late = event.event_id in afterwards
        match event.payload:
            case e.ResultCalled(shown_by="dealer"):
                called = True
            case e.IrregularityReported() as report:
                clause = report.clause if report.clause in TREATED else KINDS.get(report.kind)
                if clause == "TB:7.10":  # the outcome is established once it was called
                    clause = "TB:7.10.1" if called else "TB:7.10.2"
                if clause in IN_PROGRESS and late:
                    clause = AFTERWARDS
                yield clause or NOT_COVERED, event.event_id
            case e.RulingMade(decision="void") as made if made.clause in DECLARED:
                clause = DECLARED[made.clause]
                yield AFTERWARDS if late and clause in IN_PROGRESS else clause, event.event_id
