"""Wagers taken back after their betting round: only where a hand was removed (TH:7.6.1)."""

from typing import NamedTuple

from replay.rulings.holdem_bonus.boxes import box_of
from replay.rulings.holdem_bonus.deal import HoldemCards
from replay.rulings.holdem_bonus.record import HoldemRecord
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import titled, within
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
        text = "; ".join(f"{at.wager_id} stays live: {against[at.wager_id]}" for at in refused)
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


def _against(wager: Wager, record: HoldemRecord, cards: HoldemCards) -> str:
    """Why a withdrawal does not count; empty where it does."""
    assert wager.withdrawal
    if not within(wager.withdrawal.clause, "TH:7.6"):
        return "no clause lets it be withdrawn"
    if not cards.out:
        return "no hand was removed from play"
    if box_of(wager) in cards.out:
        return "its own hand was removed"
    fold = record.boxes[box_of(wager)].fold if box_of(wager) in record.boxes else ""
    if fold and record.place(fold) < record.place(wager.withdrawal.event_id):
        return "its hand was folded, and a fold loses it"  # TH:4.11.2.i, 4.12.2.i
    over = _over(wager, record)
    if record.place(wager.withdrawal.event_id) > over:
        return "the hands had been called or settled"
    minimum = record.terms.readings["withdrawal_leave"]
    leave = [wager.withdrawal.leave_rank] + [
        made.rank
        for event_id, made in record.rulings_under(CLAUSE)
        if made.decision == "allow_withdrawal"
        and record.place(event_id) < over
        and made.subject in ("", wager.wager_id, wager.player_id)
    ]
    if not any(at_least(rank, minimum) for rank in leave):
        return f"it takes the leave of {titled(minimum)} or above"
    return ""


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
