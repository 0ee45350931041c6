"""Wagers taken back after no more bets: good only under a clause and, mostly, with leave."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import Ruling, contradicted, standing, within
from replay.rulings.tiger_baccarat.cards import misplaced
from replay.rulings.tiger_baccarat.record import TigerBaccaratRecord
from replay.sentence import Sentence, say
from replay.wagers import Wager
from schemas import events as e

# The clauses that let a player withdraw, and whose leave they ask for.
LEAVE: Mapping[str, str] = {
    "TB:7.9": "shift_manager",
    "TB:7.10.1": "shift_manager",
    "TB:7.10.2": "shift_manager",
    "TB:7.12": "shift_manager",
    "TB:7.13": "",  # each player's own right
}
ALLOW, REFUSE = "allow_withdrawal", "refuse_withdrawal"


class TigerWithdrawals(NamedTuple):
    """Wagers that were taken back lawfully, with the clause, and those that were not."""

    good: Mapping[str, str]  # wager to clause
    refused: tuple[tuple[Wager, Sentence], ...] = ()  # and why
    overruled: tuple[Remark, ...] = ()  # words on leave that do not stand


def withdrawn(record: TigerBaccaratRecord) -> TigerWithdrawals:
    """What becomes of every withdrawal after no more bets."""
    good, refused, overruled = dict[str, str](), [], list[Remark]()
    for wager in record.wagers:
        if wager.withdrawal:
            clause = _clause(record, wager.withdrawal.clause)
            against = _against(record, wager, clause)
            overruled += _overruled(record, wager, clause)
            if against:
                refused.append((wager, against))
            else:
                good[wager.wager_id] = clause
    return TigerWithdrawals(good, tuple(refused), tuple(overruled))


def remarks(found: TigerWithdrawals) -> Iterator[Remark]:
    """The withdrawals that do not count, their wagers still live, and words that do not stand."""
    yield from found.overruled
    if not found.refused:
        return
    wager, _ = found.refused[0]
    assert wager.withdrawal
    each = (say("TB.stays_live", wager=at.wager_id, why=why) for at, why in found.refused)
    text, clause = say("TB.withdrawals_refused", wagers=tuple(each)), wager.withdrawal.clause
    evidence = tuple(at.withdrawal.event_id for at, _ in found.refused if at.withdrawal)
    anchor = clause if clause in LEAVE else "TB:4.6"
    yield Remark("WITHDRAWAL_NOT_ALLOWED", anchor, text, evidence)


def carried(record: TigerBaccaratRecord) -> frozenset[str]:
    """The clauses of this round that let a player withdraw."""
    found = {clause for clause in LEAVE if any(within(named, clause) for named in record.reports)}
    return frozenset(found | ({"TB:7.9"} if misplaced(record.read) else set()))


def _clause(record: TigerBaccaratRecord, named: str) -> str:
    """The clause of our list that a withdrawal names; 7.10 means whichever part applies."""
    if named == "TB:7.10":
        return next((at for at in ("TB:7.10.1", "TB:7.10.2") if at in record.reports), named)
    return next((clause for clause in LEAVE if within(named, clause)), named)


def _against(record: TigerBaccaratRecord, wager: Wager, clause: str) -> Sentence | None:
    """Why a withdrawal does not count; None where it does."""
    assert wager.withdrawal
    if clause not in LEAVE:
        return say("TB.no_clause_to_withdraw")
    if clause not in carried(record):
        return say("TB.nothing_under_clause", clause=clause)
    if _too_late(record, wager.withdrawal.event_id, clause):
        return say("TB.hand_was_over")
    minimum = LEAVE[clause]
    if not minimum:
        return None
    leave = standing(_leave(record, wager, clause), minimum)
    if leave is None:
        return say("TB.leave_needed", clause=clause, rank=minimum)
    return None if leave.decision == ALLOW else say("TB.leave_refused", rank=leave.rank)


def _overruled(record: TigerBaccaratRecord, wager: Wager, clause: str) -> Iterator[Remark]:
    if LEAVE.get(clause):
        yield from contradicted(_leave(record, wager, clause), LEAVE[clause], clause)


def _leave(record: TigerBaccaratRecord, wager: Wager, clause: str) -> list[Ruling]:
    """What was said on leave for a wager in time, by rulings and with the withdrawal itself."""
    assert wager.withdrawal
    own, rank = wager.withdrawal.event_id, wager.withdrawal.leave_rank
    said = [(own, e.RulingMade(clause, ALLOW, rank))] if rank else []
    for event_id, made in record.rulings_under("TB:7"):
        concerns = made.subject in ("", wager.wager_id, wager.player_id)
        on_leave = made.decision in (ALLOW, REFUSE) and _clause(record, made.clause) == clause
        if on_leave and concerns and not _too_late(record, event_id, clause):
            said.append((event_id, made))
    return sorted(said, key=lambda at: record.place(at[0]))


def _too_late(record: TigerBaccaratRecord, event_id: str, clause: str) -> bool:
    """Whether the hand was over: called, settled on or closed. 7.10.1 begins with the outcome."""
    if clause == "TB:7.10.1":
        return False
    for event in record.round.events:
        if event.event_id == event_id:
            return False
        match event.payload:
            case e.ResultCalled(shown_by="dealer") | e.RoundClosed():
                return True
            case e.WagerSettled() as seen if seen.paid or seen.collected:
                return True
    return False
