"""A round of Blackjack laid out: seats, cards and decisions in the table's order, and the hands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from replay import witnesses
from replay.games import blackjack as game
from replay.games.blackjack.decisions import BINDING
from replay.games.blackjack.hands import ACTS, HandsInPlay, Move, seat_of
from replay.games.blackjack.play import play
from replay.rounds import Round
from replay.rulebooks.terms import BadTerms, Terms
from replay.ruled import Flag, Memory, Step
from replay.rulings.blackjack import timing
from replay.rulings.blackjack.seats import Seats, seated
from replay.rulings.shared import dealt_round
from replay.sentence import Prose, Sentence, say
from replay.wagers import Wager, at_close
from replay.witnesses import Sight
from schemas import events as e


class BlackjackRemark(NamedTuple):
    """Something to tell: a flag, and a step of the derivation."""

    code: str
    clause: str
    subject: str
    note: Prose
    evidence: tuple[str, ...] = ()
    names_subject: bool = False  # whether the note says what it is about

    @property
    def flag(self) -> Flag:
        """What the auditor reads."""
        return Flag(self.code, self.clause, self.subject, self.note)

    @property
    def step(self) -> Step:
        """What explain prints."""
        text = self.note
        if self.names_subject:
            return Step(text, (self.clause,), self.evidence)
        if known(self.subject):
            text = say("SA-BJ.about_hand", hand=self.subject, note=self.note)
        elif self.subject:
            text = say("SA-BJ.about", subject=self.subject, note=self.note)
        return Step(text, (self.clause,), self.evidence)


class BlackjackRecord(NamedTuple):
    """Everything the rulings look at."""

    round: Round
    terms: Terms
    seats: Seats
    wagers: tuple[Wager, ...]
    moves: tuple[Move, ...]
    decisions: tuple[tuple[str, e.DecisionMade], ...]  # event id and decision
    late_cards: tuple[Sight, ...]  # dealt once the round was closed: they count for nothing
    late_decisions: frozenset[str]  # ids of decisions made once the round was closed
    table: HandsInPlay
    unread: Sentence | None  # what is missing or disagrees; None where the hands are known
    doubt: tuple[str, ...]  # ids of the readings behind that
    concluded: bool  # whether the round is over, as far as the table is concerned

    @property
    def readings(self) -> Mapping[str, str]:
        """How the rule issues are read."""
        return self.terms.readings

    @property
    def dealer_done(self) -> bool:
        """Whether the dealer's hand can be compared."""
        cards = self.table.dealer
        as_dealt = self.concluded and self.readings["irregular_cards"] == "as_dealt"
        return len(cards) >= 2 and (as_dealt or not game.dealer_draws(cards))


def look(
    round: Round, terms: Terms, memory: Memory, *, broken_off: bool = False
) -> BlackjackRecord:
    """The round as its witnesses saw it; one that was broken off lacks nothing."""
    _agree(terms.readings)
    seats = seated(round, memory)
    seen = witnesses.sights(round.events)
    late = timing.dealt_late(seen, round.events)
    places = [place for place in seen if place not in late]
    moves = _moves(round.events, places, seats)
    unread, doubt = _unread(places)
    drawn = sum(1 for move in moves if move.hand == game.DEALER and move.card)
    concluded = not broken_off and (drawn > 1 or dealt_round.no_more_cards(round.events))
    said_late = frozenset(
        at.event_id
        for at in timing.after_close(round.events)
        if isinstance(at.payload, e.DecisionMade)
    )
    in_time = (m for m in moves if known(m.hand) and m.event_id not in said_late)
    table = play(in_time, terms.readings, concluded=concluded)
    for move in moves:
        if move.event_id in said_late and move.decision in BINDING:
            note = say("SA-BJ.decided_after_close", decision=move.decision)
            table.find("ACTION_NOT_OPEN", ACTS, move.hand, note, move.event_id)
    return BlackjackRecord(
        round=round,
        terms=terms,
        seats=seats,
        wagers=at_close(round.events, round.betting_end, game.PLACED.__contains__),
        moves=moves,
        decisions=tuple(
            (event.event_id, event.payload)
            for event in round.events
            if isinstance(event.payload, e.DecisionMade)
        ),
        late_cards=tuple(place for place in seen if place in late),
        late_decisions=said_late,
        table=table,
        unread=unread or table.doubt,
        doubt=doubt,
        concluded=concluded,
    )


def _agree(readings: Mapping[str, str]) -> None:
    """SA-BJ:3.8.3. Where all bets fall to a dealer blackjack none of a busted hand comes back."""
    if readings["busted_additions"] == "refunded" and readings["dealer_blackjack"] == "all":
        raise BadTerms(
            "rulebook SA-BJ: busted_additions refunded goes with dealer_blackjack original_only, "
            "all found: post one of the two"
        )


def known(hand: str) -> bool:
    """Whether a name is that of the dealer's hand, a seat, or a hand of a split seat."""
    seat, dot, number = hand.partition(".")
    if dot and number not in ("1", "2", "3"):
        return False
    return hand == game.DEALER or seat.isdigit()


def _moves(events: Sequence[e.Event], places: Iterable[Sight], seats: Seats) -> tuple[Move, ...]:
    """Cards and decisions in the table's order; the shoe's own order settles that of the cards."""
    drawn = {event.event_id for event in events if isinstance(event.payload, e.CardDrawn)}
    carded = {_anchor(place, drawn): place for place in places if place.readings}
    in_order = iter(sorted(carded.values(), key=lambda at: at.position))
    if not drawn:
        in_order = iter([carded[event.event_id] for event in events if event.event_id in carded])
    moves = []
    for event in events:
        if event.event_id in carded:
            place = next(in_order)
            moves.append(Move(place.hand, _anchor(place, drawn), place.card))
        elif isinstance(event.payload, e.DecisionMade):
            made = event.payload
            hand, own = made.hand or made.box, sits(seats, made)
            moves.append(Move(hand, event.event_id, decision=made.decision, by_seat=own))
    return tuple(moves)


def sits(seats: Seats, made: e.DecisionMade) -> bool:
    """Whether a decision is that of the player who sits there, as far as anybody does."""
    holder = seats.holders.get(made.box or seat_of(made.hand))
    return holder in (None, made.player_id)


def _anchor(place: Sight, drawn: set[str]) -> str:
    """The event that put a card on the table: the shoe's, or else the first that saw it."""
    return next((name for name in place.evidence if name in drawn), place.evidence[0])


def _unread(places: Sequence[Sight]) -> tuple[Sentence | None, tuple[str, ...]]:
    """The first card that is not known, and who said what about it."""
    shoe = any(place.position for place in places)
    for place in places:
        if place.position or (place.readings and not shoe):
            if place.card is None:
                return place.disagreement, place.evidence
        elif place.readings and known(place.hand):
            return place.never_given, place.evidence
    return (None, ()) if shoe else _left_out(places)


def _left_out(places: Sequence[Sight]) -> tuple[Sentence | None, tuple[str, ...]]:
    """The first hand with a card beyond a place of which nobody said anything."""
    slots: dict[str, set[int]] = {}
    for place in places:
        slots.setdefault(place.hand, set()).add(place.slot)
    for place in places:
        held = slots[place.hand]
        if place.slot > len(held):
            slot = min({*range(1, len(held) + 1)} - held)
            hand, beyond = place.hand, place.slot
            why = say("shared.place_left_out", hand=hand, slot=slot, beyond=beyond)
            return why, place.evidence
    return None, ()
