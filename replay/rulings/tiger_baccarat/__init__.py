"""Hoiana Tiger Baccarat, section 7: what becomes of a round and its wagers when things go wrong.

Rulebook TB, no. 01/01.10.2024. Everything that can change a due of this game stands in this
package. `rule` goes through section 7 in this order, and the first part that ends the hand wins:

    record.look             reads the round: cards by the order they left the shoe, reports, rulings
    withdrawals.withdrawn   which wagers were taken back lawfully (7.9, 7.10, 7.12, 7.13)
    _ending                 the shoe was wrong (7.1), nobody can rebuild the hand (7.3), a card is
                            unread, the shoe ran empty (7.2), the hand stops short (7.3)
    _free                   a Free Hand: every wager goes back (7.8)
    _void_by_people         a decision on what no rule covers (7.20), all players withdrew (7.10.2)
    _settled                `cards` places the cards drawn in error (7.4 to 7.9), `limits` cuts each
                            wager to what is in action (7.17 to 7.19.1), the paytable does the rest

`people` remarks on calls, squeezes and rulings, `shoe` on burn, last hand and shoe changes; `story`
writes the steps of the derivation. `carry` reads and writes what passes to the next round:

    below_min_used        players who used their one settlement below the minimum (7.17)
    below_min_before      those of them who used it with an earlier shoe
    free_hand             the opening cards of the Free Hand that is due; None where none is (7.8)
    lying                 hand and card of each card that is out of the shoe already
    shoe                  the shoe this round was dealt from
    last_hand_announced   only the Free Hand that is due may still be dealt (7.8.1)
    last_hand_dealt       the last hand of the shoe is over (7.8.1)
    shoe_change_due       the shoe that must be replaced (7.10.2)
    play_out              the shoe that must be played to its end (7.11.3)
    burn_noted            the shoe whose missing burn was remarked on already (7.11)
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from replay.betting_end import End, find
from replay.betting_end import cards as first_card
from replay.games import tiger_baccarat as game
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Waits
from replay.rulings.shared import declared_void
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    against_rules,
    called_off,
    decisions,
    each_once,
    within,
)
from replay.rulings.tiger_baccarat import cards, limits, people, shoe, story, withdrawals
from replay.rulings.tiger_baccarat.carry import CarriedState, laid
from replay.rulings.tiger_baccarat.record import NOT_COVERED, TigerBaccaratRecord, look
from replay.rulings.tiger_baccarat.words import said
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps, told_mispaid
from replay.wagers import Wager
from schemas import events as e

__all__ = ["betting_end", "mispaid", "rule", "said"]

COUNTDOWN = False
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = (*DEALT_FROM_SHOE, e.CardHandled, e.FreeHandDeclared)
PLAY_CLAUSE = "TB:2.2.13"
RULES_AFTERWARDS = True
CARRIED: Carried = {
    "below_min_used": list,
    "below_min_before": list,
    "free_hand": list,
    "lying": list,
    "shoe": str,
    "last_hand_announced": bool,
    "last_hand_dealt": bool,
    "shoe_change_due": str,
    "play_out": str,
    "burn_noted": str,
}
TELLS_OF_OTHER_ROUNDS = True  # TB:7.1.2
BURNS_BY_CARD = True  # TB:2.2.2
LIMITS_BY_RULING = True  # TB:7.18
VOID_AFTER_CALL = True  # TB:7.16
HEEDS = frozenset({"RulingMade", "differential"})
CHOICE_CLAUSES = tuple(people.SPOKEN)
ruling_words = partial(decisions, section="TB:7", spoken=people.SPOKEN)
REPLACED, EMPTY = ("TB:7.10.2",), ("TB:7.2",)
MANDATORY = ("TB:7.1", "TB:7.2", "TB:7.3")  # void, whatever anybody decides


class NothingSettled(NamedTuple):
    """Why nothing is settled on the cards."""

    status: str
    clauses: tuple[str, ...]
    remarks: tuple[Remark, ...] = ()


def foreign_hand(hand: str) -> bool:
    """Whether a card was told of a hand that the game does not have."""
    return hand not in game.HANDS


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """TB:4.2 and 4.6. The first card ends betting even where nobody announced it."""
    del terms
    return find(events, first_card(game.Deal._fields.__contains__, anywhere=True))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after section 7 of its rulebook."""
    record = look(round, terms, memory)
    back = withdrawals.withdrawn(record)
    ending = _ending(record, back)
    if ending:
        return _ended(record, ending, back if ending.clauses == REPLACED else None)
    if record.free:
        return _free(record)
    void = _void_by_people(record, back)
    if void:
        return _ended(record, void, back)
    return _settled(record, back)


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterable[Flag]:
    """One flag a round, with the signed differences of all wagers settled otherwise than due."""
    if gaps:
        yield Flag("SETTLEMENT_MISMATCH", "TB:5.1", note=told_mispaid(gaps))


def _ending(
    record: TigerBaccaratRecord, back: withdrawals.TigerWithdrawals
) -> NothingSettled | None:
    """The first reason, in the order of the rules, why the hand has no result."""
    wrong = tuple(shoe.integrity(record))
    if wrong:
        return NothingSettled("void", ("TB:7.1", "TB:7.1.1"), wrong)
    declared = record.reports.get("TB:7.3", ())
    if declared:
        text = say("TB.declared_not_reconstructable")
        void = _void("NOT_RECONSTRUCTABLE", "TB:7.3", text, declared)
        return void._replace(remarks=(*void.remarks, *_reconstructable(record, declared)))
    if record.read.unread:
        # 7.8: on a Free Hand every wager goes back, whatever the cards show.
        return NothingSettled(
            *(("free_hand", ("TB:7.8",)) if record.free else ("unknown", ("TB:4.9.1",)))
        )
    empty = shoe.ran_empty(record)
    if empty:
        return _void("SHOE_EXHAUSTED", "TB:7.2", say("TB.shoe_ran_empty"), empty)
    if not game.next_hand(record.read.deal):
        return None
    nobody = _all_withdrew(record, back)
    if nobody:  # the hand is not short: it stopped because there was nobody left to play it
        return nobody
    off = called_off(record.round.events)
    if off and not record.read.used:
        return NothingSettled("void", (NOT_COVERED,), tuple(people.called_off(record, off)))
    ended = record.seen(e.RoundClosed, e.RoundVoided, e.ResultCalled, e.WagerSettled)
    if not record.read.used and not ended:
        return NothingSettled("unsettled", ("TB:2.2.13",))
    short = _void("HAND_INCOMPLETE", "TB:7.3", say("TB.hand_stopped_short"), ended)
    told = (*short.remarks, *cards.wrong_order(record), *cards.unlawful_stop(record))
    return short._replace(remarks=told)


def _reconstructable(record: TigerBaccaratRecord, declared: Evidence) -> Iterator[Remark]:
    """7.3: a hand declared void although the order in which its cards left the shoe makes it."""
    in_doubt = any(within(clause, "TB:7.13") for clause in record.reports)
    if not (in_doubt or record.read.unread or game.next_hand(record.read.deal)):
        text = say("TB.reconstructable", outcome=game.outcome(record.read.deal))
        yield Remark("RECONSTRUCTABLE", "TB:7.3", text, declared)


def _void(code: str, clause: str, text: Sentence, evidence: tuple[str, ...]) -> NothingSettled:
    return NothingSettled("void", (clause,), (Remark(code, clause, text, evidence),))


def _void_by_people(
    record: TigerBaccaratRecord, back: withdrawals.TigerWithdrawals
) -> NothingSettled | None:
    """7.20 and 7.10.2: a hand with a result that is void all the same."""
    if people.void_by_decision(record):
        return NothingSettled("void", ("TB:7.20",))
    return _all_withdrew(record, back)


def _all_withdrew(
    record: TigerBaccaratRecord, back: withdrawals.TigerWithdrawals
) -> NothingSettled | None:
    """7.10.2: with all wagers gone the hand is void and the shoe must go."""
    live = [wager for wager in record.wagers if not wager.late]
    if live and all(back.good.get(at.wager_id) == "TB:7.10.2" for at in live):
        replaced = record.seen(e.ShoeRemoved, e.ShoeLoaded)
        text = say("TB.shoe_replaced")
        told = (Remark("SHOE_REPLACED", "TB:7.10.2", text, replaced),) if replaced else ()
        return NothingSettled("void", REPLACED, told)
    return None


def _ended(
    record: TigerBaccaratRecord,
    ending: NothingSettled,
    back: withdrawals.TigerWithdrawals | None = None,
) -> Ruled:
    """A round that settles nothing: void, unknown or still open."""
    told = [*ending.remarks]
    if ending.clauses[0] in MANDATORY:
        told += against_rules(record, ending.clauses[0])
    if back:  # the hand had a result, so what happened on the way is told as well
        told += [*_on_the_way(record), *people.referred(record), *withdrawals.remarks(back)]
    opening = _after_void(record, ending, back)
    if opening.free and not back:
        told += cards.undue(record)
    told += [*_on_a_free_hand(record), *_always(record, concluded=False)]
    fate = "open" if ending.status == "unsettled" else "returned"
    stands = tuple(Stand(wager, Fraction(0), fate, ending.clauses) for wager in record.wagers)
    left = record.left if fate == "open" else _left(record, opening)
    if ending.clauses == REPLACED and record.round.shoe and not ending.remarks:
        left = left._replace(shoe_change_due=record.round.shoe.shoe_id)
    return Ruled(
        status=ending.status,
        outcome="",
        facts=frozenset(),
        stands=() if ending.status == "unknown" else stands,
        flags=(*each_once(told), *_unknown(record, ending)),
        steps=(
            *story.story(record),
            *(remark.step for remark in told),
            *story.end(record, ending.status, ending.clauses),
        ),
        memory=left.memory,
        clauses=ending.clauses,
        rebuilt=cards.places(record.read),
    )


def _unknown(record: TigerBaccaratRecord, ending: NothingSettled) -> Iterator[Flag]:
    """What is missing or disagrees among the cards of a hand without a result."""
    if ending.status in ("unknown", "free_hand"):
        yield Flag("RESULT_UNKNOWN", "TB:4.9.1", note=record.read.unread or "")


def _free(record: TigerBaccaratRecord) -> Ruled:
    """7.8: the result is recorded, every wager goes back."""
    told = [*_on_the_way(record), *people.referred(record), *_on_a_free_hand(record)]
    stands = tuple(Stand(wager, Fraction(0), "returned", ("TB:7.8",)) for wager in record.wagers)
    return _played(record, "free_hand", stands, told, cards.opening(record))


def _on_a_free_hand(record: TigerBaccaratRecord) -> Iterator[Remark]:
    if record.free and record.wagers:
        names = tuple(wager.wager_id for wager in record.wagers)
        text = say("TB.wager_on_free_hand", wagers=names)
        evidence = tuple(wager.event_id for wager in record.wagers)
        yield Remark("WAGER_ON_FREE_HAND", "TB:7.8", text, evidence)
    if record.unfounded:
        text = say("TB.free_hand_unfounded")
        yield Remark("FREE_HAND_UNFOUNDED", "TB:7.8", text, record.unfounded)


def _settled(record: TigerBaccaratRecord, back: withdrawals.TigerWithdrawals) -> Ruled:
    gone = {wager.wager_id: _returned(wager, back) for wager in record.wagers}
    live = [wager for wager in record.wagers if gone[wager.wager_id] is None]
    limited = limits.in_action(live, record.terms, record.left.used(record.terms))
    settled = {stand.wager.wager_id: stand for stand in limited.stands}
    stands = tuple(gone[wager.wager_id] or settled[wager.wager_id] for wager in record.wagers)
    told = [*_on_the_way(record), *people.referred(record), *withdrawals.remarks(back)]
    told += [*limited.remarks, *_unknown_bets(record)]
    ruled = _played(record, "settled", stands, told, _next_hand(record, back))
    steps = (*ruled.steps, *story.limits(limited.stands))
    return ruled._replace(steps=steps, readings={**ruled.readings, **limited.readings})


def _played(
    record: TigerBaccaratRecord,
    status: str,
    stands: tuple[Stand, ...],
    told: list[Remark],
    next_: cards.Opening,
) -> Ruled:
    """A round that was played to its result."""
    deal, terms = record.read.deal, record.terms
    result = game.winner(deal)
    told += people.wrong_calls(record, result)
    told += _unjustified_void(record, told)
    told += _always(record, concluded=True)
    spent = limits.used_up(stands, result == "tie", terms)
    readings = dict[str, str]()
    if len(deal.player) == 3 and game.points(deal.banker[:2]) <= 2:
        readings["table_two_row_0_1_2"] = terms.readings["table_two_row_0_1_2"]
    clauses = ("TB:7.8",) if status == "free_hand" else ("TB:6.1",)
    left = _left(record, next_)
    left = left._replace(
        below_min_used=tuple(sorted({*left.below_min_used, *spent})),
        below_min_before=tuple(at for at in left.below_min_before if at not in spent),
        play_out=shoe.to_play_out(record),
    )
    return Ruled(
        status=status,
        outcome=game.outcome(deal),
        facts=game.facts(deal),
        stands=stands,
        flags=each_once(told),
        steps=(
            *story.story(record),
            *(remark.step for remark in told),
            *story.end(record, status, clauses),
        ),
        memory=left.memory,
        clauses=clauses,
        result=result,
        readings=readings,
        rebuilt=cards.places(record.read),
    )


def _returned(wager: Wager, back: withdrawals.TigerWithdrawals) -> Stand | None:
    """The fate of a wager that goes back whatever the cards say; None where it is live."""
    if wager.bet not in game.BETS:
        return Stand(wager, Fraction(0), "returned", ("TB:4.5",))
    if wager.late:
        return Stand(wager, Fraction(0), "returned", ("TB:4.6",))
    if wager.wager_id in back.good:
        clauses = (back.good[wager.wager_id],)
        return Stand(wager, Fraction(0), "returned", clauses, ("WITHDRAWN",))
    return None


def _next_hand(record: TigerBaccaratRecord, back: withdrawals.TigerWithdrawals) -> cards.Opening:
    """How the next hand begins: by the cards, by an offer (7.10.1), or because it was declared."""
    opening = cards.opening(record)
    offered = "TB:7.10.1" in back.good.values()
    reading = record.terms.readings["free_hand_offered"]
    declared = [
        event.payload
        for event in record.round.events
        if isinstance(event.payload, e.FreeHandDeclared)
    ]
    if opening.free or not (declared or (offered and reading == "whenever_anyone_withdrew")):
        return opening
    lying = opening.lying or laid(declared[-1].cards if declared else ())
    return opening._replace(free=True, cards=tuple(card for _, card in lying), lying=lying)


def _after_void(
    record: TigerBaccaratRecord, ending: NothingSettled, back: withdrawals.TigerWithdrawals | None
) -> cards.Opening:
    """How the next hand begins after a void: a card that was seen stays seen (7.5, 7.7).

    An empty shoe has no next card, and of a hand that nobody could read none is known.
    """
    known = ending.status == "void" and ending.clauses != EMPTY and not record.read.unread
    if not known or record.terms.readings["free_hand_after_void"] != "kept":
        return cards.Opening()
    if record.free:
        return cards.opening(record)
    return _next_hand(record, back or withdrawals.TigerWithdrawals({}))


def _left(record: TigerBaccaratRecord, opening: cards.Opening) -> CarriedState:
    """What the next round finds."""
    known, current = record.left, record.round.shoe
    # 7.8.1: after the announced last hand only a Free Hand may follow, and then nothing.
    last = shoe.last_hand(record)
    final = last and (record.free or not opening.free)
    unburned = current is not None and not current.burned
    return CarriedState(
        below_min_used=tuple(sorted(known.below_min_used)),
        below_min_before=tuple(sorted(known.below_min_before)),
        free_hand=opening.cards if opening.free and not final else None,
        lying=() if final else opening.lying,
        shoe=current.shoe_id if current else known.shoe,
        last_hand_announced=last and not final and not shoe.changed(record),
        last_hand_dealt=(known.last_hand_dealt or final) and not shoe.changed(record),
        burn_noted=current.shoe_id if current and unburned else "",
    )


def _on_the_way(record: TigerBaccaratRecord) -> Iterator[Remark]:
    yield from cards.placement(record)
    yield from cards.seen_cards(record)
    yield from people.notes(record)


def _always(record: TigerBaccaratRecord, *, concluded: bool) -> Iterator[Remark]:
    yield from people.every_round(record)
    yield from shoe.reopened(record)
    yield from shoe.burn(record, concluded=concluded)
    yield from shoe.succession(record)


def _unknown_bets(record: TigerBaccaratRecord) -> Iterator[Remark]:
    strange = [wager for wager in record.wagers if wager.bet not in game.BETS]
    moved = [wager for wager in record.wagers if wager.illegal_moves]  # they stay where they were
    if strange or moved:
        wagers = (
            *(say("TB.wager_on", wager=at.wager_id, bet=at.bet) for at in strange),
            *(say("TB.wager_moved_off", wager=at.wager_id, bet=at.bet) for at in moved),
        )
        evidence = tuple(wager.event_id for wager in strange)
        evidence += tuple(id for at in moved for id in at.illegal_moves)
        yield Remark("REFER_7.20", "TB:4.5", say("TB.no_such_bet", wagers=wagers), evidence)


def _unjustified_void(record: TigerBaccaratRecord, told: Iterable[Remark]) -> Iterator[Remark]:
    """A round that the table voided though the rules let it stand."""
    voided = declared_void.ids(record.round.events)
    if voided:
        clause = next(
            (remark.clause for remark in told if remark.clause.startswith("TB:7.")), "TB:2.2.20"
        )
        text = say("TB.unjustified_void")
        yield Remark("UNJUSTIFIED_VOID", clause, text, voided)
