"""Wagers taken back after their betting round: only where a hand was removed (TH:7.6.1)."""

from typing import NamedTuple

from replay.rulings.holdem_bonus.boxes import box_of
from replay.rulings.holdem_bonus.deal import HoldemCards
from replay.rulings.holdem_bonus.record import HoldemRecord
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import within
from replay.sentence import Sentence, say
from replay.wagers import Wager
from schemas import events as e
from schemas.ranks import at_least

CLAUSE = "TH:7.6.1"


class HoldemWithdrawals(NamedTuple):
    """The wagers that were taken back lawfully, and what is to be said of the others."""

    good: frozenset[str] = frozenset()
    remarks: tuple[Remark, ...] = ()


def withdrawn(record: HoldemRecord, cards: HoldemCards) -> HoldemWithdrawals:
    """What becomes of every withdrawal; an Ante that goes takes its whole hand along."""
    asked = [wager for wager in record.wagers if wager.withdrawal]
    against = {wager.wager_id: _against(wager, record, cards) for wager in asked}
    refused = [wager for wager in asked if against[wager.wager_id]]
    remarks: tuple[Remark, ...] = ()
    if refused:
        stays = tuple(
            say("TH.stays_live", wager=at.wager_id, why=against[at.wager_id]) for at in refused
        )
        text = say("TH.withdrawals_refused", wagers=stays)
        evidence = tuple(at.withdrawal.event_id for at in refused if at.withdrawal)
        remarks = (Remark("WITHDRAWAL_NOT_ALLOWED", CLAUSE, text, evidence),)
    good = frozenset(at.wager_id for at in asked if not against[at.wager_id])
    return HoldemWithdrawals(good, remarks)


def gone(record: HoldemRecord, cards: HoldemCards) -> frozenset[str]:
    """The boxes whose Ante was taken back lawfully: nobody plays there any more."""
    good = withdrawn(record, cards).good if cards.out else frozenset()
    return frozenset(
        name for name, box in record.boxes.items() if box.wagers["ante"].wager_id in good
    )


def _against(wager: Wager, record: HoldemRecord, cards: HoldemCards) -> Sentence | None:
    """Why a withdrawal does not count; None where it does."""
    assert wager.withdrawal
    if not within(wager.withdrawal.clause, "TH:7.6"):
        return say("TH.no_clause_for_it")
    if not cards.out:
        return say("TH.no_hand_removed")
    if box_of(wager) in cards.out:
        return say("TH.own_hand_removed")
    fold = record.boxes[box_of(wager)].fold if box_of(wager) in record.boxes else ""
    if fold and record.place(fold) < record.place(wager.withdrawal.event_id):
        return say("TH.folded_loses_it")  # TH:4.11.2.i, 4.12.2.i
    over = _over(wager, record)
    if record.place(wager.withdrawal.event_id) > over:
        return say("TH.already_called")
    minimum = record.terms.readings["withdrawal_leave"]
    leave = [wager.withdrawal.leave_rank] + [
        made.rank
        for event_id, made in record.rulings_under(CLAUSE)
        if made.decision == "allow_withdrawal"
        and record.place(event_id) < over
        and made.subject in ("", wager.wager_id, wager.player_id)
    ]
    if not any(at_least(rank, minimum) for rank in leave):
        return say("TH.needs_leave", needed=minimum)
    return None


def _over(wager: Wager, record: HoldemRecord) -> int:
    """The place where its outcome was known or settled; beyond the last event where none is."""
    hand = {at.wager_id for at in record.wagers if box_of(at) == box_of(wager)}
    for n, event in enumerate(record.round.events):
        match event.payload:
            case e.ResultCalled() | e.RoundClosed():
                return n
            case e.WagerSettled(wager_id=wager_id) if wager_id in hand:
                return n
    return len(record.round.events)
