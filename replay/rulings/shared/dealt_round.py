"""A round dealt from a shoe: which bets were good, what was called, and how the round ends.

Baccarat, Dragon Tiger and Pok Deng have no clauses for irregularities; a game brings its Book and
its own words, and what the report leaves open is a rule issue of each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from replay.games.shared.laid_cards import LaidCards
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Flag, Ruled, Stand, Step
from replay.rulings.shared import posted_limits, shoe_gaps, stray_cards
from replay.rulings.shared.remark import Remark, not_closed
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps, told_gaps
from replay.wagers import Wager, at_close
from schemas import events as e

# Signs that the cards are not those of the decks: every line that they settle says so.
OF_OTHER_CARDS = ("DUPLICATE_CARD", "EXCESS_COPIES", "FOREIGN_CARD")
ENDED_BY = (e.ResultCalled, e.WagerSettled, e.RoundClosed)
ENDS = {
    "void": say("shared.declared_void"),
    "unsettled": say("shared.cards_incomplete"),
}


class DealtRoundClauses(NamedTuple):
    """The clauses of one rulebook."""

    closed: str  # until when a bet counts
    layout: str  # which bets there are
    dealt: str  # which cards are dealt to whom
    result: str  # how the hands are compared
    paid: str
    limits: str = ""  # what the posted limits are; the clause of betting where empty
    bets: str = ""  # that bets are taken; the clause of until when where empty


class Ending(NamedTuple):
    """How a round ends: settled, or open, void or unknown by some clauses."""

    status: str
    clauses: tuple[str, ...]


def ending(
    book: DealtRoundClauses, round: Round, laid: LaidCards, *, complete: bool, void_stands: bool
) -> Ending:
    """How the round ends: void before settled, open where cards are short.

    Where nobody can say what the cards were there is no result to stand against a declared void.
    """
    declared = bool(declared_void(round.events))
    if laid.unread and not declared:
        return Ending("unknown", (book.dealt,))
    if declared and (void_stands or laid.unread or not complete):
        return Ending("void", (book.result,))
    return Ending("settled", (book.result,)) if complete else Ending("unsettled", (book.dealt,))


def unread(book: DealtRoundClauses, laid: LaidCards, events: Sequence[e.Event]) -> Iterator[Remark]:
    """Why the cards are not known, where they are not; and a card that left the shoe unread."""
    if laid.unread:
        yield Remark("RESULT_UNKNOWN", book.dealt, laid.unread, evidence=laid.evidence)
        return
    late = stray_cards.after_close(events, stray_cards.CLOSED_OR_VOID)
    gap = shoe_gaps.first_gap([event for event in events if event not in late])
    if gap:
        yield Remark(shoe_gaps.CODE, book.dealt, gap.text, evidence=gap.evidence)


def outside(book: DealtRoundClauses, round: Round) -> Iterator[Remark]:
    """Cards that left the shoe before the round or after it, which count for nothing."""
    for card in stray_cards.told(round, stray_cards.CLOSED_OR_VOID):
        yield Remark(stray_cards.CODE, book.dealt, card.text, card.evidence, card.hand)


def declared_void(events: Iterable[e.Event]) -> tuple[str, ...]:
    """The ids of the events that declare the round void."""
    return tuple(
        event.event_id
        for event in events
        if isinstance(event.payload, e.RoundVoided)
        or (isinstance(event.payload, e.RoundClosed) and event.payload.status == "void")
    )


def over(events: Sequence[e.Event]) -> bool:
    """Whether the dealing is over, so that a card that is missing will not come.

    A round that was declared void in the middle of its deal is not short of anything.
    """
    return not declared_void(events) and any(
        isinstance(event.payload, ENDED_BY) for event in events
    )


def no_more_cards(events: Sequence[e.Event]) -> bool:
    """Whether the dealing is over, be it that the round was declared void in its middle."""
    return over(events) or bool(declared_void(events))


def after_close(wagers: Iterable[Wager]) -> bool:
    """Whether anything was done to a bet after betting had ended."""
    return any(wager.late or wager.late_changes or wager.withdrawal for wager in wagers)


def read_as(terms: Terms, needed: Mapping[str, bool]) -> dict[str, str]:
    """The issues with one reading alone that this round needs; the others are found by judging."""
    return {name: terms.readings[name] for name, needs in needed.items() if needs}


def betting(
    book: DealtRoundClauses, round: Round, terms: Terms, legal: Callable[[str], bool]
) -> tuple[tuple[Wager, ...], list[Remark]]:
    """The wagers as they lay when betting ended, by its close or what showed, and what of them."""
    wagers = at_close(round.events, round.betting_end, legal)
    told = [
        *_bets(book, wagers, legal),
        *posted_limits.remarks(book.limits or book.closed, wagers, terms, legal),
        *not_closed(book.closed, round),
    ]
    return wagers, told


def _bets(
    book: DealtRoundClauses, wagers: Iterable[Wager], legal: Callable[[str], bool]
) -> Iterator[Remark]:
    """Bets that came too late or that the layout does not have."""
    for wager in wagers:
        name, own = wager.wager_id, (wager.event_id,)
        if wager.late:
            text = say("shared.bet_late", bet=wager.bet)
            yield Remark("LATE_BET", book.closed, text, own, name, wager=True, refuses=True)
        if not legal(wager.bet):
            text = say("shared.bet_not_offered", bet=wager.bet)
            yield Remark("BET_NOT_OFFERED", book.layout, text, own, name, wager=True, refuses=True)
        if wager.late or not legal(wager.bet):
            continue
        if wager.illegal_moves:
            text = say("shared.moved_off_offer")
            yield Remark("BET_NOT_OFFERED", book.layout, text, wager.illegal_moves, name, True)
        if wager.late_changes:
            text = say("shared.changed_late")
            yield Remark("LATE_BET", book.closed, text, wager.late_changes, name, True)
        if wager.withdrawal:
            text, back = say("shared.withdrawn_late"), wager.withdrawal.event_id
            yield Remark("WITHDRAWAL_REFUSED", book.closed, text, (back,), name, True)


class Called(NamedTuple):
    """The result of a round as calls are compared with it, and as people read it."""

    word: str = ""  # such as `banker 6 to 5`; empty without a result
    text: Sentence | None = None


def calls(
    book: DealtRoundClauses, events: Iterable[e.Event], result: Called, said: Callable[[str], str]
) -> Iterator[Remark]:
    """The last call of each source that differs from the result.

    A call may say less than the result, as the side without the score.
    """
    last: dict[str, e.Event] = {}
    for event in events:
        if isinstance(event.payload, e.ResultCalled) and not event.payload.box:
            last[event.payload.shown_by] = event
    for source, event in last.items():
        assert isinstance(event.payload, e.ResultCalled)
        called = event.payload.result
        if not f"{result.word} ".startswith(f"{said(called)} "):
            text = say("shared.call_without_result", source=source, called=called)
            if result.text:
                text = say("shared.call_differs", source=source, called=called, derived=result.text)
            yield Remark("RESULT_MISMATCH", book.result, text, (event.event_id,), called)


def boxed(
    book: DealtRoundClauses,
    events: Iterable[e.Event],
    derived: Mapping[str, str],
    said: Callable[[str], str],
) -> Iterator[Remark]:
    """The last call of each source for one hand that differs from its cards."""
    last = {
        (event.payload.shown_by, event.payload.box): (event.event_id, event.payload.result)
        for event in events
        if isinstance(event.payload, e.ResultCalled) and event.payload.box
    }
    for (source, name), (event_id, called) in last.items():
        figure = derived.get(name)
        if said(called) != figure:
            text = _hand_call(source, called, name, figure)
            yield Remark("RESULT_MISMATCH", book.result, text, (event_id,), name)


def _hand_call(source: str, called: str, hand: str, figure: str | None) -> Sentence:
    if figure is None:
        return say("shared.hand_call_without_figure", source=source, called=called, hand=hand)
    return say("shared.hand_call_differs", source=source, called=called, hand=hand, derived=figure)


def ruled(
    ended: Ending,
    wagers: Sequence[Wager],
    told: Sequence[Remark],
    steps: Iterable[Step],
    *,
    outcome: str = "",
    result: str = "",
    facts: frozenset[str] = frozenset(),
    readings: Mapping[str, str],
) -> Ruled:
    """The round with every wager as it stands; nothing is carried to the next one."""
    return Ruled(
        status=ended.status,
        outcome=outcome,
        facts=facts,
        stands=tuple(_stand(wager, told, ended) for wager in wagers),
        flags=tuple(remark.flag for remark in told),
        steps=(*steps, *(remark.step for remark in told)),
        clauses=ended.clauses,
        result=result,
        readings=dict(sorted(readings.items())),
    )


def opening(book: DealtRoundClauses, round: Round, wagers: Sequence[Wager]) -> Iterator[Step]:
    """How much was bet."""
    if wagers:
        total = sum(wager.stake for wager in wagers)
        closed = (
            event.event_id for event in round.events if isinstance(event.payload, e.BettingClosed)
        )
        text = say("shared.bets_in_all", n=len(wagers), total=total)
        yield Step(text, (book.bets or book.closed,), tuple(closed))


def closing(ended: Ending, events: Iterable[e.Event]) -> Iterator[Step]:
    """How a round without a result ends."""
    if ended.status in ENDS:
        void = declared_void(events) if ended.status == "void" else ()
        yield Step(ENDS[ended.status], ended.clauses, void)


def mispaid(book: DealtRoundClauses, gaps: Iterable[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due, by the clause that makes its due."""
    for due, found in gaps:
        yield Flag("MISPAY", next(iter(due.clauses), book.paid), due.wager_id, told_gaps(found))


def _stand(wager: Wager, told: Iterable[Remark], ended: Ending) -> Stand:
    own = [remark for remark in told if remark.wager and remark.subject == wager.wager_id]
    codes = tuple(dict.fromkeys(remark.code for remark in own))
    doubts = tuple(dict.fromkeys(remark.code for remark in told if remark.code in OF_OTHER_CARDS))
    refused = next((remark for remark in own if remark.refuses), None)
    if refused:
        return Stand(wager, Fraction(wager.stake), "refused", (refused.clause,), codes)
    fate = {"settled": "", "void": "returned"}.get(ended.status, "open")
    if not fate:
        return Stand(wager, Fraction(wager.stake), flags=(*codes, *doubts))
    return Stand(wager, Fraction(wager.stake), fate, ended.clauses, codes)
