"""Faults of money: wrong in one wager alone, and by the sign that was meant."""

import pytest

from replay.payments import differences
from schemas import events as e
from tests.support.faulty_days import at, entries, said
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("code", "fault", "field", "sign"),
    cases("""
        TB    | PAY-01        | paid       | +1 | too much, baccarat
        RO    | PAY-01        | paid       | +1 | too much, roulette
        SA-SB | PAY-01        | paid       | +1 | too much, dice
        TB    | PAY-02        | paid       | -1 | too little, baccarat
        RO    | PAY-02        | paid       | -1 | too little, roulette
        SA-SB | PAY-02        | paid       | -1 | too little, dice
        TB    | PAY-03        | collected  | -1 | a loser spared
        RO    | PAY-03/winner | collected  | +1 | a winner's stake taken
        TB    | PAY-04        | commission | -1 | commission forgotten
        TB    | PAY-07        | collected  | +1 | a stand-off taken
        TB    | PAY-07/paid   | paid       | +1 | a stand-off paid
        TB    | PAY-08        | collected  | +1 | a void stake taken, baccarat
        RO    | PAY-08        | collected  | +1 | a void stake taken, roulette
        TB    | PAY-11        | paid       | +1 | a free hand paid
        SA-XD | PAY-07        | collected  | +1 | a push taken
        SA-XD | PAY-07/paid   | paid       | +1 | a push paid
        SA-XD | PAY-08        | collected  | +1 | a void stake taken, tokens
        SA-BC | PAY-01/six    | paid       | +1 | a six paid in full
        SA-BC | PAY-04        | commission | -1 | commission forgotten, both modes
        SA-BC | PAY-04/mode   | commission | +1 | commission in the other mode
        SA-BC | PAY-07        | collected  | +1 | a push taken, both modes
        SA-BC | PAY-08        | collected  | +1 | a void stake taken, both modes
        SA-DT | PAY-07        | collected  | -1 | half a loss given back
        SA-DT | PAY-07/whole  | collected  | +1 | half a loss taken whole
        SA-PD | PAY-01/note_5 | paid       | +1 | note 5 forgotten
        SA-PD | PAY-02/note_6 | paid       | -1 | note 5 against note 6
        SA-PD | PAY-06        | reserve_taken | +1 | a withheld amount kept
        SA-PD | PAY-07        | paid       | +1 | a tied hand paid
        SA-RO | PAY-02/section | paid      | -1 | one of two chips overlooked
        SA-AB | PAY-01/first_card | paid   | +1 | a first card at even money
        SA-AB | PAY-04        | commission | +1 | a commission that is none
        SA-AB | PAY-08        | collected  | +1 | a void stake taken, one deck
        SA-TP | PAY-02/pair_plus | paid    | -1 | a pair that lost
        SA-TP | PAY-02/six_cards | paid    | -1 | the bonus of three cards
        SA-TP | PAY-07        | collected  | +1 | a tie not refunded
        SA-BJ | PAY-01/split  | paid       | +1 | a split 21 paid like a blackjack
        SA-BJ | PAY-01/insurance | paid    | +1 | insurance paid without a blackjack
        SA-BJ | PAY-03/plain_21 | collected | -1 | a plain 21 pushed with a blackjack
        SA-BJ | PAY-07        | collected  | +1 | a push taken, seats
        RO    | PAY-16        | paid       | +1 | foreign chips paid as our own
        TB    | BET-07        | collected  | +1 | below the minimum again
    """),
)
def test_the_money_is_wrong_in_that_wager_alone(
    code: str, fault: str, field: str, sign: str
) -> None:
    found, entry = at(code, fault), entries(code, fault)[0]
    seen = {
        paid.wager_id: paid
        for paid in said(found, e.WagerSettled)
        if isinstance(paid, e.WagerSettled)
    }

    wrong = {
        due.wager_id: gaps for due in found.dues if (gaps := differences(due, seen[due.wager_id]))
    }

    assert list(wrong) == [entry.subject]
    assert wrong[entry.subject][field] * int(sign) > 0


@pytest.mark.parametrize("fault", ["PAY-09", "PAY-10"])
def test_a_limited_wager_is_settled_whole(fault: str) -> None:
    found, entry = at("TB", fault), entries("TB", fault)[0]
    due = next(due for due in found.dues if due.wager_id == entry.subject)

    settled = [p for p in said(found, e.WagerSettled) if isinstance(p, e.WagerSettled)]
    paid = next(p for p in settled if p.wager_id == due.wager_id)

    assert due.action < due.stake
    assert due.stake in (paid.paid, paid.collected)


@pytest.mark.parametrize(
    ("fault", "flag"),
    cases("""
        BET-05 | BELOW_MIN        | below the minimum
        BET-06 | OVER_MAX         | above the maximum
        BET-07 | BELOW_MIN_REPEAT | below the minimum again
        PAY-10 | PRO_RATA         | pro rata
    """),
)
def test_the_wager_is_outside_the_limits(fault: str, flag: str) -> None:
    entry = entries("TB", fault)[0]

    due = next(due for due in at("TB", fault).dues if due.wager_id == entry.subject)

    assert flag in due.flags
