"""Texas Hold'em Bonus Poker, section 7: what becomes of a round when things go wrong.

Rulebook TH, no. 01/01.05.2025. Everything that can change a due of this game stands in this
package. `rule` goes through section 7 in this order, and the first part that ends the round wins:

    record.look             reads the round: boxes, cards in the device's order, reports, rulings
    decisions.invalidated   the House voids the round (7.1), a deck does not count 52 (7.7)
    decisions.exposed       two cards were exposed during the deal (7.5, 7.9)
    deal.called_off         the round was called void before any card
    deal.dealt              a missed burn (7.8), a misdeal (7.3), wrong counts (7.4, 7.6); it
                            rebuilds the deal where the rules let it
    decisions.referred      what no rule covers and somebody decided (7.13)
    witnesses               whether every card that decides is dealt and known
    showdown.showdown       the hands are compared, and every wager stands (5.1 to 5.6, 7.11)

`wagers` gives each bet the end of its own betting round, `boxes` says which wagers count, `limits`
what of them is in action (7.10), `withdrawals` what may be taken back (7.6.1). A void round gives
back every bet (7.12).

Carried to the next round:

    new_deck_due   the round was void for its cards, so 7.2 asks for a new deck
    deck           the deck of this round, which must not be dealt again then; empty if not recorded
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from replay.betting_end import End
from replay.games.holdem_bonus import HANDS
from replay.play_events import SEEN_CARDS
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.holdem_bonus import deal, decisions, people, showdown, wagers, witnesses
from replay.rulings.holdem_bonus.record import HoldemRecord, look
from replay.rulings.holdem_bonus.words import said
from replay.rulings.shared import section_seven
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import each_once
from replay.sentence import say
from replay.settle import Due, Gaps, told_mispaid
from replay.witnesses import Rebuilt, rebuilt
from schemas import events as e

__all__ = ["betting_end", "may_settle_early", "mispaid", "rule", "said"]

VOID = "TH:7.12"
COUNTDOWN = False
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = (
    *SEEN_CARDS, e.CardHandled, e.DecisionMade, e.CutCardReached, e.CardsBurned,
)  # fmt: skip
PLAY_CLAUSE = "TH:2.2.19"
RULES_AFTERWARDS = True
CARRIED: Carried = {"new_deck_due": bool, "deck": str}
TELLS_OF_OTHER_ROUNDS = True  # TH:7.2
RULES_ON_JAMS = True  # TH:7.1.2
VOID_AFTER_CALL = True  # TH:7.12
HEEDS = frozenset({"RulingMade"})
CHOICE_CLAUSES = tuple(decisions.SPOKEN)
ruling_words = partial(section_seven.decisions, section="TH:7", spoken=decisions.SPOKEN)


def foreign_hand(hand: str) -> bool:
    """Whether a card was told of a hand that the game does not have."""
    return hand not in HANDS and not hand.isdecimal()


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """TH:4.7 and 4.9. The first card ends betting on the Ante; later bets have their own ends."""
    del terms
    return wagers.first_end(events)


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after section 7 of its rulebook."""
    record = look(round, terms, memory)
    early = decisions.invalidated(record)
    if early.void:
        return _ended(record, "void", early.void, early.remarks, new_deck=early.new_deck)
    shown = decisions.exposed(record)
    told = (*early.remarks, *shown.remarks)
    if shown.void:
        return _ended(record, "void", shown.void, told)
    off = deal.called_off(record)
    if off:
        return _ended(record, "void", off.void, (*told, *off.remarks))
    cards = deal.dealt(record)
    told = (*told, *cards.remarks, *deal.overruled(record, cards))
    told = (
        *told,
        *decisions.referred(record, raised=any(remark.code == "REFER_7.13" for remark in told)),
    )
    void = cards.void or (("TH:7.13",) if decisions.case_word(record) == "void" else ())
    if void:
        return _ended(record, "void", void, told)
    if witnesses.unfinished(record, cards):
        return _ended(record, "unsettled", ("TH:2.2.19",), told)
    doubt = witnesses.unread(record, cards)
    if doubt:
        unknown = _ended(record, "unknown", ("TH:5.1",), told, doubt=doubt)
        # A card that the device never gave: it may have missed others, which nobody turned over.
        missed = bool(record.read.strays)
        return unknown._replace(rebuilt=_rebuilt(record, cards), unseen=missed)
    return _settled(record, cards, told)


def may_settle_early(due: Due) -> bool:
    """What may be settled before the board is complete: a folded hand's wagers are collected."""
    return due.paid == 0


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterable[Flag]:
    """One flag a round of each kind, with the signed differences of the wagers it is about."""
    if gaps:
        note = told_mispaid(gaps)
        yield Flag("SETTLEMENT_MISMATCH", "TH:6.1", note=note)
        if any(VOID in due.clauses for due, _ in gaps):
            yield Flag("VOID_NOT_RETURNED", VOID, note=note)


def _ended(
    record: HoldemRecord,
    status: str,
    clauses: tuple[str, ...],
    told: Iterable[Remark],
    *,
    new_deck: bool = False,
    doubt: Remark | None = None,
) -> Ruled:
    """A round that settles nothing: void, unknown or still open."""
    remarks = (*told, *people.every_round(record), *((doubt,) if doubt else ()))
    fate = "open" if status == "unsettled" else "returned"
    why = clauses if status == "unsettled" else (*clauses, VOID)
    stands = tuple(Stand(wager, Fraction(0), fate, why) for wager in record.wagers)
    return Ruled(
        status=status,
        outcome="",
        facts=frozenset(),
        stands=stands,
        flags=each_once(remarks),
        steps=(*(remark.step for remark in remarks), *_said(status, clauses)),
        memory=_memory(record, new_deck),
        clauses=clauses,
    )


def _settled(record: HoldemRecord, cards: deal.HoldemCards, told: tuple[Remark, ...]) -> Ruled:
    shown = showdown.showdown(record, cards)
    remarks = (*told, *shown.remarks, *people.every_round(record))
    # TH:7.4 and 7.6: what was noticed late stands as settled, and some of it never was.
    waiting = any(stand.fate == "open" for stand in shown.stands)
    return Ruled(
        status="unsettled" if waiting else "settled",
        outcome=shown.outcome,
        facts=frozenset({f"dealer {shown.result}"} if shown.result else ()),
        stands=shown.stands,
        flags=each_once(remarks),
        steps=(*(remark.step for remark in remarks), *shown.steps),
        memory=_memory(record, False),
        clauses=("TH:5.1",),
        result=shown.result,
        readings={**cards.readings, **shown.readings},
        rebuilt=_rebuilt(record, cards),
    )


def _rebuilt(record: HoldemRecord, cards: deal.HoldemCards) -> Rebuilt:
    """Where the cards lie after a reconstruction."""
    return rebuilt(cards.hands, record.read.order) if cards.rebuilt else {}


def _memory(record: HoldemRecord, new_deck: bool) -> Memory:
    """TH:7.2: whether new cards are due, and which deck must not be seen again."""
    return {"new_deck_due": new_deck, "deck": people.deck(record)}


def _said(status: str, clauses: tuple[str, ...]) -> Iterator[Step]:
    if status == "void":
        yield Step(say("TH.void"), (*clauses, VOID))
    elif status == "unsettled":
        yield Step(say("TH.still_played"), clauses)
