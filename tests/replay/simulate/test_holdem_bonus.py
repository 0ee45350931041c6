"""The seeded hold'em table: an honest day says nothing, every fault shows what it should."""

from functools import cache

import pytest

from replay.judge import Judgement
from replay.payments import differences
from replay.simulate.faults.fault import Truth, of_game
from schemas import events as e
from tests.support.simulated_days import Played, judged, played
from tests.support.tables import cases

# What an honest table may show: the rules treat it, and no check speaks of it.
NOTES = {
    "ONE_CARD_EXPOSED",
    "IRREGULARITY_7.1.1",
    "IRREGULARITY_7.1.2",
    "IRREGULARITY_7.1.4",
    "NEW_DECK_REQUIRED",
}


# A table that deals from a card shoe, and one with an automated device (TH:4.10).
TABLES = {"card_shoe": "T01", "automated_device": "T04"}


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> str:
    return TABLES[request.param]


def day(table: str) -> Played:
    return played(f"{table}:TH", 220, "all")


@cache
def of_rounds(table: str) -> dict[str, Judgement]:
    return judged(day(table).readings)


@cache
def honest(table: str) -> dict[str, Judgement]:
    return judged(played(f"{table}:TH", 400).readings)


def entry(table: str, name: str) -> Truth:
    return next(one for one in day(table).truth if one.fault == name)


def at(table: str, name: str) -> Judgement:
    round_id = entry(table, name).round_id
    assert round_id is not None
    return of_rounds(table)[round_id]


def paid(found: Judgement) -> dict[str, e.WagerSettled]:
    return {
        one.payload.wager_id: one.payload
        for one in found.round.events
        if isinstance(one.payload, e.WagerSettled)
    }


def test_an_honest_day_is_settled_as_due(table: str) -> None:
    found = honest(table)

    for round_id, one in found.items():
        seen = paid(one)
        assert {flag.code for flag in one.flags} <= NOTES, round_id
        assert not any(due.flags for due in one.dues), round_id
        assert [differences(due, seen[due.wager_id]) for due in one.dues] == [{}] * len(one.dues)
    outcomes = {(due.bet, due.outcome) for one in found.values() for due in one.dues}
    won = {(bet, "win") for bet in ("ante", "bonus", "flop", "turn", "river")}
    assert outcomes >= won | {(bet, "lose") for bet, _ in won}


@pytest.mark.parametrize("dealing", TABLES)
def test_a_table_posts_what_it_deals_from(dealing: str) -> None:
    assert honest(TABLES[dealing])
    for found in honest(TABLES[dealing]).values():
        assert found.terms is not None
        drawn = [at.payload for at in found.round.events if isinstance(at.payload, e.CardDrawn)]
        assert found.terms.readings["dealing"] == dealing
        assert drawn[0].hand == ("burn" if dealing == "card_shoe" else "community")


def test_every_fault_of_the_game_happens(table: str) -> None:
    assert set(of_game("TH", "holdem_bonus")) == {one.fault for one in day(table).truth}


def test_rounds_without_a_fault_stay_honest(table: str) -> None:
    disturbed = {one.round_id for one in day(table).truth}

    assert of_rounds(table)
    for round_id, found in of_rounds(table).items():
        if round_id not in disturbed:
            assert {flag.code for flag in found.flags} <= NOTES, round_id


@pytest.mark.parametrize(
    ("fault", "status", "flags"),
    cases("""
        REC-07          | settled | MISDEALT RECONSTRUCTED                     | hands crossed and put right
        REC-07/handled  | void    | MISDEALT REFER_7.13                        | hands crossed and looked at
        DEAL-02         | settled | CARD_COUNT_BOX                             | a hand removed
        DEAL-02/board   | void    | CARD_COUNT_COMMON                          | six community cards
        DEAL-02/flop    | settled | CARD_COUNT_COMMON RECONSTRUCTED            | four flop cards put right
        DEAL-02/late    | settled | CARD_COUNT_BOX LATE_NOTICE                 | nobody noticed
        DEAL-02/settled | void    | CARD_COUNT_COMMON SETTLEMENT_MISMATCH VOID_NOT_RETURNED        | noticed and settled
        DEAL-04         | void    | BURN_MISSED                                | a burn forgotten
        DEAL-04/rebuilt | settled | BURN_MISSED RECONSTRUCTED                  | a burn put right
        SHOE-01         | void    | DECK_INTEGRITY NEW_DECK_REQUIRED SETTLEMENT_MISMATCH VOID_NOT_RETURNED | a card twice
        IRR-04/exposed  | void    | CARDS_EXPOSED SETTLEMENT_MISMATCH VOID_NOT_RETURNED            | two cards faced
        IRR-04/count    | void    | COUNT_NOT_52 SETTLEMENT_MISMATCH VOID_NOT_RETURNED             | a card short
        BET-01/placed   | settled | LATE_BET                                   | an Ante too late
        BET-03/changed  | settled | LATE_BET                                   | an Ante raised
        BET-12          | settled | BOX_SHARED                                 | a box shared
        BET-17/late_fold | settled | FOLD_TOO_LATE                             | a late fold
        BET-20          | settled | ILLEGAL_POSITION                           | no such bet
        IRR-01          | void    | IRREGULARITY_7.1.4 DECISION_MISSING        | nobody decides
        IRR-01/referred | settled | REFER_7.13 DECISION_MISSING                | nobody decides what is new
        IRR-01/count    | settled | COUNT_NOT_TAKEN                            | nobody counts
        IRR-01/deck     | settled | DECK_NOT_REPLACED                          | the old deck again
        IRR-02          | settled | WITHDRAWAL_NOT_ALLOWED                     | an Ante taken back
        IRR-03          | void    | IRREGULARITY_7.1.4 DECISION_NOT_AUTHORISED | a supervisor voids
        IRR-03/overruled | settled | IRREGULARITY_7.1.4 DECISION_NOT_AUTHORISED | a supervisor voids after all
        IRR-03/referred | settled | REFER_7.13 DECISION_NOT_AUTHORISED         | a shift manager decides
        IRR-03/boxes    | settled | DECISION_NOT_AUTHORISED                    | a supervisor restricts
        IRR-18          | settled | MULTI_VIEW                                 | two hands looked at
    """),  # noqa: E501 (a row is a fault)
)
def test_the_rules_remark_on_the_fault(table: str, fault: str, status: str, flags: str) -> None:
    found = at(table, fault)

    assert found.ruled.status == status
    assert [flag.code for flag in found.flags] == flags.split()


@pytest.mark.parametrize(
    ("fault", "flag"),
    cases("""
        BET-05         | BELOW_MIN           | below the minimum
        BET-06         | OVER_MAX            | above the maximum
        BET-10         | OVER_ANTE_MULTIPLE  | a Flop too high
        BET-10/under   | UNDER_ANTE_MULTIPLE | a Flop too low
        BET-10/missing | FLOP_MISSING        | no Flop
        BET-11         | ANTE_MISSING        | no Ante
        BET-17         | BET_AFTER_FOLD      | a bet after a fold
        BET-17/absent  | BET_WHILE_ABSENT    | a bet while absent
    """),
)
def test_the_wager_of_the_fault_carries_its_flag(table: str, fault: str, flag: str) -> None:
    subject = entry(table, fault).subject
    due = next(due for due in at(table, fault).dues if due.wager_id == subject)

    assert flag in due.flags


@pytest.mark.parametrize(
    ("fault", "field", "sign"),
    cases("""
        PAY-01/fold     | paid      | +1 | a folded Bonus paid
        PAY-02/qualify  | paid      | -1 | a Straight's Ante not paid
        PAY-07          | collected | +1 | a stand-off taken
        PAY-07/paid     | paid      | +1 | an Ante paid below a Straight
        PAY-08          | collected | +1 | a void stake taken
    """),
)
def test_the_money_is_wrong_in_that_wager_alone(
    table: str, fault: str, field: str, sign: str
) -> None:
    found = at(table, fault)
    seen = paid(found)

    wrong = {
        due.wager_id: gaps for due in found.dues if (gaps := differences(due, seen[due.wager_id]))
    }

    assert list(wrong) == [entry(table, fault).subject]
    assert wrong[entry(table, fault).subject][field] * int(sign) > 0
