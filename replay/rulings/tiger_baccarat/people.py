"""What people did and decided: squeezes, calls, rulings, late chips (4.6 to 4.8, 7.10 to 7.20)."""

from collections.abc import Iterator

from replay.rulings.shared import stray_cards
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    Ruling,
    Spoken,
    contradicted,
    off_the_record,
    standing,
    unheard,
    within,
    without_cause,
)
from replay.rulings.tiger_baccarat import withdrawals
from replay.rulings.tiger_baccarat.record import NOT_COVERED, TigerBaccaratRecord
from replay.rulings.tiger_baccarat.words import said
from replay.sentence import say
from schemas import events as e
from schemas.ranks import at_least

# Reports that change nothing but should be known: code, clause, what follows.
NOTES = (
    ("SQUEEZE_MISDELIVERY", "TB:7.10.1", say("TB.squeeze_astray_known")),
    ("SQUEEZE_MISDELIVERY", "TB:7.10.2", say("TB.squeeze_astray_unknown")),
    ("MULTIPLE_DRAW", "TB:7.12", say("TB.multiple_draw")),
    ("SQUEEZER_ABSENT", "TB:7.14", say("TB.squeezer_absent")),
    ("SQUEEZE_NOT_OFFERED", "TB:7.15", say("TB.squeeze_not_offered")),
)
# The decisions of the clauses that leave a choice; another word counts as not said.
SPOKEN: Spoken = {
    "TB:4.8": ("squeeze_refused",),
    "TB:7.1": ("void", "continue"),
    "TB:7.2": ("void", "continue"),
    "TB:7.3": ("void", "continue"),
    "TB:7.9": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.10": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.11.2": ("offered",),
    "TB:7.12": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.13": ("order_fixed", "allow_withdrawal"),
    "TB:7.20": ("void", "continue"),
}


def every_round(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What is looked for in every round, settled or not."""
    behind = [wager for wager in record.wagers if wager.late or wager.late_changes]
    if behind:
        evidence = tuple(id for at in behind for id in (at.event_id, *at.late_changes))
        text = say("TB.late_chips", wagers=tuple(at.wager_id for at in behind))
        yield Remark("LATE_BET", "TB:4.6", text, evidence)
    yield from off_the_record(record, "TB:2.2.13")
    yield from _outside(record)
    yield from _squeezers(record)
    yield from _unheard(record)
    for event_id, made in record.rulings_under("TB:4.8"):
        if not at_least(made.rank, "pit_manager"):
            text = say("TB.squeeze_refused", rank=made.rank)
            yield Remark("RANK_TOO_LOW", "TB:4.8", text, (event_id,))


def notes(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What was reported and treated by section 7 without changing the hand."""
    for code, clause, text in NOTES:
        if clause in record.reports:
            yield Remark(code, clause, text, record.reports[clause])
    yield from _order_ruled(record)


def wrong_calls(record: TigerBaccaratRecord, result: str) -> Iterator[Remark]:
    """Calls of the dealer that the cards contradict: the cards stand (7.16)."""
    for event in record.round.events:
        match event.payload:
            case e.ResultCalled(result=called, shown_by="dealer") if said(called) != result:
                text = say("TB.wrong_call", called=called, result=result)
                yield Remark("WRONG_CALL", "TB:7.16", text, (event.event_id,))


def referred(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What the rules do not cover, and whether somebody of the right rank decided it (7.20)."""
    reported = record.reports.get(NOT_COVERED, ())
    rulings = record.rulings_under(NOT_COVERED)
    if not reported and not rulings:
        return
    text = say("TB.not_covered")
    yield Remark("REFER_7.20", NOT_COVERED, text, reported)
    for event_id, made in () if reported else _on_the_case(record):
        yield without_cause(event_id, made, say("shared.nothing_uncovered_reported"))
    low = [(id, made) for id, made in rulings if not at_least(made.rank, "assistant_director")]
    for event_id, made in low:
        text = say("TB.decided_below_rank", rank=made.rank)
        yield Remark("RANK_TOO_LOW", NOT_COVERED, text, (event_id,))
    if len(low) == len(rulings):
        text = say("TB.no_decision_on_file")
        yield Remark("DECISION_MISSING", NOT_COVERED, text, reported)
    yield from contradicted(_on_the_case(record), "assistant_director", NOT_COVERED)


def called_off(record: TigerBaccaratRecord, evidence: Evidence) -> Iterator[Remark]:
    """A hand that the table called void before a card of it, which no clause but 7.20 covers."""
    told = tuple(referred(record))
    yield from told
    if not told and record.wagers:
        text = say("TB.called_off")
        yield Remark("REFER_7.20", NOT_COVERED, text, evidence)
        text = say("TB.no_decision_on_file")
        yield Remark("DECISION_MISSING", NOT_COVERED, text, evidence)


def void_by_decision(record: TigerBaccaratRecord) -> bool:
    """Whether the decision that stands under 7.20 is that the hand is void."""
    stands = standing(_on_the_case(record), "assistant_director")
    return stands is not None and stands.decision == "void"


def _on_the_case(record: TigerBaccaratRecord) -> list[Ruling]:
    """The rulings under 7.20 with a word that decides."""
    made = record.rulings_under(NOT_COVERED)
    return [(at, ruling) for at, ruling in made if ruling.decision in ("continue", "void")]


def _order_ruled(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """7.13: the order of cards drawn together is a pit manager's to fix."""
    reported = tuple(
        id for at in ("TB:7.13", "TB:7.13.1", "TB:7.13.2") for id in record.reports.get(at, ())
    )
    rulings = [
        (id, made) for id, made in record.rulings_under("TB:7.13") if made.decision == "order_fixed"
    ]
    if not reported and not rulings:
        return
    if not rulings:
        text = say("TB.order_not_fixed")
        yield Remark("DECISION_MISSING", "TB:7.13", text, reported)
        return
    text = say("TB.order_ruled")
    yield Remark("ORDER_RULED", "TB:7.13", text, (*reported, *(id for id, _ in rulings)))
    if not any(at_least(made.rank, "pit_manager") for _, made in rulings):
        event_id, made = rulings[0]
        text = say("TB.order_below_rank", rank=made.rank)
        yield Remark("RANK_TOO_LOW", "TB:7.13", text, (event_id,))


def _outside(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Cards before the round, and after it where they are not the next hand's (2.2.13)."""
    used = {event_id for at in (*record.read.used, *record.read.spare) for event_id in at.evidence}
    for card in stray_cards.told(record.round, record.over):
        if not used.intersection(card.evidence):
            yield Remark(stray_cards.CODE, "TB:2.2.13", card.text, card.evidence)


def _squeezers(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """4.7: only the seated player with the highest bet may squeeze."""
    if record.free or {"TB:7.10.1", "TB:7.10.2"} & set(record.reports):
        return
    live = [wager for wager in record.wagers if not wager.late]
    highest = max((at.stake for at in live), default=0)
    for event in record.round.events:
        match event.payload:
            case e.CardHandled(purpose="squeeze", player_id=player):
                own = max((at.stake for at in live if at.player_id == player), default=0)
                if own < highest:
                    text = say("TB.squeeze_not_highest", player=player, own=own, highest=highest)
                    yield Remark("SQUEEZE_NOT_HIGHEST", "TB:4.7", text, (event.event_id,))


def _unheard(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Rulings in a word that is no decision, and leave for somebody who is not there."""
    yield from unheard(record, "TB:7", SPOKEN)
    asked = any(wager.withdrawal for wager in record.wagers)
    there = {name for wager in record.wagers for name in (wager.wager_id, wager.player_id)}
    for clause, words in SPOKEN.items():
        for event_id, made in record.rulings_under(clause):
            leave = made.decision in words and made.decision.endswith("_withdrawal")
            if leave and made.subject not in ("", *there):
                text = say("TB.leave_for_nobody", subject=made.subject)
                yield Remark("RULING_WITHOUT_CAUSE", clause, text, (event_id,))
            elif leave and not asked and not _gave_leave(record, clause):
                yield without_cause(event_id, made, say("TB.nothing_to_withdraw_for"))


def _gave_leave(record: TigerBaccaratRecord, clause: str) -> bool:
    """Whether something happened for which a clause lets players withdraw."""
    return any(within(at, clause) for at in withdrawals.carried(record))
