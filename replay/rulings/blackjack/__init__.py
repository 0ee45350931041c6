"""Blackjack of SA Gaming with bet behind: what becomes of a round and of each wager.

Rulebook SA-BJ, report SAB.SAES.1001.01, game 3. The text has no section on irregularities: bets it
does not allow are refused, cards it gives no hand do not count, hands that lack one stay open
(issues unlawful_bets, unlawful_actions and irregular_cards). `rule` goes through the round so:

    record.look   lays the round out: `seats` says who sits where (3.3.1, 3.4.6), `timing` what came
                  too late, and the game's `play` turns cards and decisions into hands
    _unknown      a card that is unread or in dispute: nothing is derived
    bets.told     which bets stand and what decides each (3.3, 3.6, 3.8); `added` adds doubles,
                  second hands and insurance, and who follows behind (3.4.3, 3.5, 3.6.1)
    _void         the round was declared void and nothing stands against it

`results` says what the hands came to and compares the call, `shoe` looks at decks and cut card,
`relied` names the rule issues that the round rests on.

Carried to the next round:

    idle   seats that bet nothing, or decided nothing on a hand that was theirs to play: their
           players must leave (3.4.6)
"""

from collections.abc import Iterable, Iterator, Sequence

from replay.betting_end import End, cards, find
from replay.games import blackjack as game
from replay.games.blackjack import order
from replay.games.blackjack.decisions import DECISIONS
from replay.games.blackjack.hands import Fault, seat_of
from replay.games.blackjack.play import must_play_out
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.blackjack import bets, results, shoe
from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark, known, look, sits
from replay.rulings.blackjack.relied import relied
from replay.rulings.blackjack.results import said
from replay.rulings.shared import dealt_round, shoe_gaps, unruled_words
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps, told_gaps
from schemas import events as e

__all__ = ["betting_end", "may_settle_early", "mispaid", "rule", "said"]

ONE_SEAT, VACATED, READ = "SA-BJ:3.3.1", "SA-BJ:3.4.6", "SA-BJ:3.4.2"
UNRULED = unruled_words.UnruledWords(
    play="SA-BJ:3.4", decks=shoe.DECKS, hands=known, decides=True, burns=False
)
WORDS = (*DECISIONS, "insure", "follow_double", "follow_split", "decline")
COUNTDOWN = True
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = (*DEALT_FROM_SHOE, e.DecisionMade)
PLAY_CLAUSE = "SA-BJ:3.4"
CARRIED: Carried = {"idle": list}
ADDS_WAGERS = True  # a second hand and an insurance are named after the main bet


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card (issue betting_ends)."""
    del terms
    return find(events, cards(known, anywhere=True))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round as the rules see it: hands, seats, bets, and what is still open."""
    record = look(round, terms, memory)
    declared = dealt_round.declared_void(round.events)
    if record.unread and not declared:
        return _unknown(record, record.unread)
    told = bets.told(record)
    remarks = _remarks(record, told)
    still = any(stand.fate == "open" for stand in told.stands)
    settled = record.concluded and not still
    complete = settled and (record.dealer_done or not must_play_out(record.table))
    if declared and (unruled_words.void_stands(round, terms) or record.unread or not complete):
        return _void(round, terms, memory)
    return Ruled(
        status="settled" if settled else "unsettled",
        outcome=results.outcome(record),
        facts=results.facts(record),
        stands=told.stands,
        flags=tuple(remark.flag for remark in remarks),
        steps=(*results.steps(record), *(remark.step for remark in remarks)),
        memory={"idle": _idle(record)},
        clauses=("SA-BJ:3.4.5",),
        result=results.dealers(record) if record.dealer_done else "",
        unseen=any(_where_nobody_sits(record)) or _seats_in_doubt(record, remarks),
        readings=relied(record, remarks),
    )


def may_settle_early(due: Due) -> bool:
    """What may be settled before the dealer's hand is complete.

    A blackjack, a bust and a surrendered hand are decided by the player's cards (SA-BJ:3.7.1,
    3.7.4, 3.7.5), insurance by the dealer's first two (SA-BJ:3.7.6), a pair by its own cards
    (SA-BJ:3.7.7).
    """
    return any(f"SA-BJ:3.7.{line}" in due.clauses for line in (1, 4, 5, 6, 7))


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due, by the line of SA-BJ:3.7 that makes its due."""
    for due, found in gaps:
        paid = [clause for clause in due.clauses if clause.startswith("SA-BJ:3.7")]
        yield Flag("MISPAY", next(iter((*paid, *due.clauses))), due.wager_id, told_gaps(found))


def _remarks(record: BlackjackRecord, told: bets.JudgedWagers) -> tuple[BlackjackRemark, ...]:
    """Everything that is to be said of a round."""
    return _once(
        (
            *_of_play(record),
            *_words(record),
            *_of_seats(record),
            *told.remarks,
            *shoe.remarks(record),
            *results.mismatches(record),
            *_unruled(record),
        )
    )


def _unruled(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """What the record says and the rules do not know."""
    for at in unruled_words.remarks(UNRULED, record.round):
        yield BlackjackRemark(at.code, at.clause, at.subject, at.text, at.evidence, True)


def _void(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """A round that was broken off: every chip goes back, and nobody owes another card."""
    record = look(round, terms, memory, broken_off=True)
    told = bets.told(record)
    remarks = _remarks(record, told)
    if record.unread:
        remarks = (
            BlackjackRemark("RESULT_UNKNOWN", READ, "", record.unread, record.doubt),
            *remarks,
        )
    clauses, evidence = ("SA-BJ:3.4.5",), dealt_round.declared_void(round.events)
    why = Step(dealt_round.ENDS["void"], clauses, evidence)
    return Ruled(
        status="void",
        outcome="",
        facts=frozenset(),
        stands=tuple(_back(stand, clauses) for stand in told.stands),
        flags=tuple(remark.flag for remark in remarks),
        steps=(*results.steps(record), why, *(remark.step for remark in remarks)),
        memory={"idle": []},
        clauses=clauses,
        readings=relied(record, remarks),
    )


def _back(stand: Stand, clauses: tuple[str, ...]) -> Stand:
    """A wager of a void round; what was refused goes back for its own reason."""
    if stand.fate == "refused":
        return stand
    return stand._replace(fate="returned", clauses=clauses, facts=frozenset())


def _unknown(record: BlackjackRecord, unread: Sentence) -> Ruled:
    """Cards that are missing or disagree: nothing is derived."""
    flag = Flag("RESULT_UNKNOWN", READ, note=unread)
    return Ruled(
        status="unknown",
        outcome="",
        facts=frozenset(),
        stands=(),
        flags=(flag,),
        steps=(Step(unread, (READ,), record.doubt),),
        memory={"idle": []},
        clauses=(READ,),
    )


def _once(remarks: Iterable[BlackjackRemark]) -> tuple[BlackjackRemark, ...]:
    """Each code once for what it concerns."""
    first: dict[tuple[str, str], BlackjackRemark] = {}
    for remark in remarks:
        first.setdefault((remark.code, remark.subject), remark)
    return tuple(first.values())


def _of_play(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Cards and decisions against the rules."""
    for fault in (*record.table.faults, *_order(record)):
        evidence = (fault.event_id,) if fault.event_id else ()
        yield BlackjackRemark(fault.code, fault.clause, fault.hand, fault.note, evidence)
    for place in record.late_cards:
        note = say("SA-BJ.card_after_close", card=str(place.card) if place.card else None)
        yield BlackjackRemark("CARD_AFTER_CLOSE", "SA-BJ:3.4.5", place.hand, note, place.evidence)
    late = {name for place in record.late_cards for name in place.evidence}
    gap = shoe_gaps.first_gap(
        [event for event in record.round.events if event.event_id not in late]
    )
    if gap:
        yield BlackjackRemark(shoe_gaps.CODE, READ, "", gap.text, gap.evidence)
    for event in record.round.before:
        if isinstance(event.payload, e.CardDrawn):
            drawn = event.payload
            note = say("SA-BJ.card_between_rounds", card=drawn.card)
            yield BlackjackRemark(
                "CARD_AFTER_CLOSE", "SA-BJ:3.4.5", drawn.hand, note, (event.event_id,)
            )
    for move in record.moves:
        if move.card and not known(move.hand):
            note = say("SA-BJ.card_on_no_hand", card=str(move.card))
            yield BlackjackRemark("DEAL_ORDER", READ, move.hand, note, (move.event_id,))
    yield from _where_nobody_sits(record)
    for name, made in record.decisions:
        if made.decision in DECISIONS and not sits(record.seats, made):
            note = say("SA-BJ.not_seated_there", decision=made.decision)
            clause = "SA-BJ:3.3.3"
            yield BlackjackRemark(
                "NOT_THE_SEATS_DECISION", clause, made.box or made.hand, note, (name,)
            )


def _where_nobody_sits(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Cards of a hand whose seat nobody took; that somebody did may have got lost."""
    for move in record.moves:
        seat = seat_of(move.hand)
        if move.card and known(move.hand) and seat not in (game.DEALER, *record.seats.holders):
            note = say("SA-BJ.card_on_empty_seat", card=str(move.card))
            yield BlackjackRemark("DEAL_ORDER", READ, seat, note, (move.event_id,))


def _seats_in_doubt(record: BlackjackRecord, remarks: Iterable[BlackjackRemark]) -> bool:
    """Whether a bet is refused by who sits where, and a reading that told it may be missing."""
    return record.round.reading_lost and any(at.code in bets.BY_SEAT for at in remarks)


def _order(record: BlackjackRecord) -> Iterator[Fault]:
    return order.faults(record.moves, record.table.too_late | record.late_decisions)


def _words(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Decisions in words that mean nothing here, which nobody can act on."""
    strange = [(name, made) for name, made in record.decisions if made.decision not in WORDS]
    if strange:
        words = tuple(dict.fromkeys(made.decision for _, made in strange))
        note = say("SA-BJ.strange_words", expected=WORDS, found=words)
        yield BlackjackRemark(
            "WORD_UNKNOWN", "SA-BJ:3.4.4", "", note, tuple(name for name, _ in strange)
        )


def _of_seats(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Seats taken or kept against the rules, whether or not anything was bet there."""
    for seat, player in record.seats.second.items():
        note = say("SA-BJ.holds_another_seat", player=player)
        yield BlackjackRemark("TWO_SEATS", ONE_SEAT, seat, note)
    for seat, event_id in record.seats.taken_in_play.items():
        note = say("SA-BJ.seat_taken_in_play")
        yield BlackjackRemark("SEAT_TAKEN_IN_PLAY", ONE_SEAT, seat, note, (event_id,))
    for seat, event_id in record.seats.taken_over.items():
        note = say("SA-BJ.seat_taken_over")
        yield BlackjackRemark("SEAT_TAKEN_TWICE", ONE_SEAT, seat, note, (event_id,))
    for seat in record.seats.kept_idle:
        note = say("SA-BJ.idle_seat_kept")
        yield BlackjackRemark("IDLE_SEAT_KEPT", VACATED, seat, note)


def _idle(record: BlackjackRecord) -> list[str]:
    """SA-BJ:3.4.6. Seats that bet nothing, or decided nothing on a hand that was theirs to play."""
    if not record.concluded:
        return []
    mains = {
        (wager.box, wager.player_id)
        for wager in record.wagers
        if wager.bet == "main" and not wager.late
    }
    idle = []
    for seat, player in sorted(record.seats.kept.items()):
        in_time = [made for id, made in record.decisions if id not in record.late_decisions]
        acts = [made for made in in_time if made.player_id == player]
        chose = any(made.decision not in ("timeout", "decline") for made in acts)
        waited = (
            any(held.auto or held.left for held in record.table.of(seat))
            or (seat, player) not in mains
        )
        if waited and not chose:
            idle.append(seat)
    return idle
