"""Tiger Baccarat and its people: withdrawals with their leave, squeezes, late chips."""

import pytest

from replay.sheets.sheet import answer
from tests.support.tables import cases, judged
from tests.support.tiger_baccarat_sheets import (
    BETS,
    NATURAL,
    PLAYED,
    Json,
    at_table,
    codes,
    drawn,
    event,
    ruling,
    sheet,
    wagers,
)

ALL_BACK = (
    "report squeeze_misdelivery, withdraw W1 TB:7.10.2 shift_manager, "
    "withdraw W2 TB:7.10.2 shift_manager"
)


@pytest.mark.parametrize(
    ("cards", "text", "flags", "outcomes"),
    cases("""
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9 shift_manager  | WRONG_ORDER                       | returned win | 7.9 with leave
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9 director       | WRONG_ORDER                       | returned win | 7.9 with leave from above
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9 pit_manager    | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win    | 7.9 one rank too low
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9                | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win    | 7.9 without leave
        9S>P KS>P KH>B 4H>B | rule TB:7.9 allow_withdrawal shift_manager, withdraw W1 TB:7.9 | WRONG_ORDER | returned win | 7.9 leave by a ruling
        9S>P KS>P KH>B 4H>B | rule TB:7.9 allow_withdrawal pit_manager, withdraw W1 TB:7.9 | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 a ruling too low
        9S>P KS>P KH>B 4H>B | rule TB:7.12 allow_withdrawal director, withdraw W1 TB:7.9 | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 leave under another clause
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.12 director      | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win    | a clause the round does not carry
        9S>P KS>P KH>B 4H>B | call player, withdraw W1 TB:7.9 director | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 after the call
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9, call player, rule TB:7.9 allow_withdrawal shift_manager | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 leave after the call
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9, close settled, rule TB:7.9 allow_withdrawal director | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 leave after the close
        9S>P KS>P KH>B 4H>B | settle W2 1000 0 0 1000, settle W1 0 0 1000 0, withdraw W1 TB:7.9 shift_manager | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED | lose win | 7.9 after the settlement
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9, rule TB:7.9 allow_withdrawal shift_manager, call player | WRONG_ORDER | returned win | 7.9 leave after the fact, before the call
        9S>P KS>P KH>B 4H>B | withdraw W1 TB:7.9 shift_manager, settle W1 0 0 0 1000, call player | WRONG_ORDER | returned win | 7.9 the stake goes back at once
        9S>P KS>P KH>B 4H>B | rule TB:7.9 allow_withdrawal shift_manager, rule TB:7.9 refuse_withdrawal director, withdraw W1 TB:7.9 | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED RULING_CONTRADICTED | lose win | 7.9 refused by one above
        9S>P KS>P KH>B 4H>B | rule TB:7.9 refuse_withdrawal director, withdraw W1 TB:7.9 shift_manager | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED RULING_CONTRADICTED | lose win | 7.9 leave against one above
        9S>P KS>P KH>B 4H>B | rule TB:7.9 refuse_withdrawal shift_manager, rule TB:7.9 allow_withdrawal shift_manager, withdraw W1 TB:7.9 | WRONG_ORDER RULING_CONTRADICTED | returned win | 7.9 the last word of equals
        9S>P KS>P KH>B 4H>B | rule TB:7.9 refuse_withdrawal dealer, withdraw W1 TB:7.9 shift_manager | WRONG_ORDER | returned win | 7.9 refused by one who may not
        9S>P KS>P KH>B 4H>B | rule TB:7.9 perhaps director, withdraw W1 TB:7.9 | WRONG_ORDER WITHDRAWAL_NOT_ALLOWED WORD_UNKNOWN | lose win | 7.9 a word that is no decision
        P9 | withdraw W1 TB:7.9 shift_manager                   | WITHDRAWAL_NOT_ALLOWED            | lose win     | 7.9 but nothing was out of order
        P9 | withdraw W1 TB:4.6 director                        | WITHDRAWAL_NOT_ALLOWED            | lose win     | a clause that lets nobody withdraw
        P9 | report multiple_draw, withdraw W1 TB:7.12 shift_manager | MULTIPLE_DRAW                | returned win | 7.12 with leave
        P9 | report multiple_draw, withdraw W1 TB:7.12 pit_manager | MULTIPLE_DRAW WITHDRAWAL_NOT_ALLOWED | lose win | 7.12 one rank too low
        P9 | report order_unknown, rule TB:7.13 order_fixed pit_manager, withdraw W1 TB:7.13.1 | ORDER_RULED | returned win | 7.13.1 by own right
        P9 | report order_unknown, rule TB:7.13 order_fixed pit_manager | ORDER_RULED             | lose win     | 7.13.2 both continue
        P9 | report order_unknown, rule TB:7.13 order_fixed pit_supervisor | ORDER_RULED RANK_TOO_LOW | lose win | 7.13 one rank too low
        P9 | report multiple_draw TB:7.13, rule TB:7.13 order_fixed director | ORDER_RULED        | lose win     | 7.13 named by its clause
        P9 | report order_unknown                               | DECISION_MISSING                  | lose win     | 7.13 nobody fixed the order
        P9 | report squeeze_misdelivery, withdraw W1 TB:7.10.2 shift_manager | SQUEEZE_MISDELIVERY  | returned win | 7.10.2 one stays
        P9 | report squeeze_misdelivery, withdraw W1 TB:7.10 shift_manager | SQUEEZE_MISDELIVERY    | returned win | 7.10 means the part that applies
        P9 | report squeeze_misdelivery, withdraw W1 TB:7.10.2 pit_manager | SQUEEZE_MISDELIVERY WITHDRAWAL_NOT_ALLOWED | lose win | 7.10.2 one rank too low
        P9 | report squeeze_misdelivery, withdraw W1 TB:7.10.1 director | SQUEEZE_MISDELIVERY WITHDRAWAL_NOT_ALLOWED | lose win | 7.10.1 but no outcome was established
        P9 | call player, report squeeze_misdelivery, withdraw W1 TB:7.10.1 shift_manager | SQUEEZE_MISDELIVERY | returned win | 7.10.1 the outcome was called
        P9 | report squeeze_misdelivery TB:7.10.1, withdraw W1 TB:7.10.1 shift_manager | SQUEEZE_MISDELIVERY | returned win | 7.10.1 named by its clause
        P9 | report squeeze_misdelivery TB:7.10.1, withdraw W1 TB:7.10.1 pit_manager | SQUEEZE_MISDELIVERY WITHDRAWAL_NOT_ALLOWED | lose win | 7.10.1 one rank too low
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_withdrawals_need_their_clause_and_their_leave(
    cards: str, text: str, flags: str, outcomes: str
) -> None:
    found = at_table(cards, text)

    assert codes(found) == set(flags.split())
    assert [due.outcome for due in found.dues] == outcomes.split()
    assert [due.flags == ("WITHDRAWN",) for due in found.dues] == [
        outcome == "returned" for outcome in outcomes.split()
    ]


def test_leave_for_somebody_who_is_not_there_is_told() -> None:
    written = sheet(BETS, NATURAL, ruling("TB:7.9", "allow_withdrawal", "director", subject="P7"))

    assert codes(judged(written)) == {"RULING_WITHOUT_CAUSE"}


@pytest.mark.parametrize(
    ("text", "reading", "free"),
    cases("""
        withdraw W1 TB:7.10.1 shift_manager            | whenever_anyone_withdrew | yes | 7.10.1 taken as offered
        withdraw W1 TB:7.10.1 pit_manager              | whenever_anyone_withdrew | no  | 7.10.1 nobody could withdraw
        withdraw W1 TB:7.10.1 shift_manager            | only_where_declared      | no  | 7.10.1 the other reading
        withdraw W1 TB:7.10.1 shift_manager, declare   | only_where_declared      | yes | 7.10.1 the other reading, declared
    """),  # noqa: E501 (a table)
)
def test_a_free_hand_is_offered_with_the_withdrawal(text: str, reading: str, free: str) -> None:
    told = f"report squeeze_misdelivery TB:7.10.1, {text}"

    found = at_table("P9", told, readings={"free_hand_offered": reading})

    assert (found.ruled.memory["free_hand"] == []) == (free == "yes")
    assert answer(found)["readings"].get("free_hand_offered") == (
        reading if "shift_manager" in text and "declare" not in text else None
    )


def test_the_shoe_is_replaced_where_all_withdraw() -> None:
    shoe = {"shoe_id": "S1"}

    void = at_table("P9", ALL_BACK, shoe=shoe)
    replaced = at_table("P9", f"{ALL_BACK}, remove S1 replaced", shoe=shoe)
    same = at_table("P9", "", shoe=shoe, carry=void.ruled.memory)
    other = at_table("P9", "", shoe={"shoe_id": "S2"}, carry=void.ruled.memory)

    assert void.ruled.status == "void"
    assert void.ruled.clauses == ("TB:7.10.2",)
    assert [due.flags for due in void.dues] == [(), ()]
    assert codes(void) == {"SQUEEZE_MISDELIVERY"}
    assert codes(replaced) == {"SQUEEZE_MISDELIVERY", "SHOE_REPLACED"}
    assert codes(same) == {"SHOE_NOT_REPLACED"}
    assert codes(other) == set()


@pytest.mark.parametrize(
    ("cards", "clauses", "flags", "due"),
    cases("""
        2S>P KS>B 3S>P 7H>B      | TB:7.10.2 | SQUEEZE_MISDELIVERY | S1 | Player was to draw
        2S>P KS>B                | TB:7.10.2 | SQUEEZE_MISDELIVERY | S1 | two cards were to come
        9S>P KS>B KH>P 4H>B      | TB:7.10.2 | SQUEEZE_MISDELIVERY | S1 | the hand was complete
    """),
)
def test_a_hand_is_void_by_its_own_clause_where_all_withdraw(
    cards: str, clauses: str, flags: str, due: str
) -> None:
    found = at_table(cards, ALL_BACK, shoe={"shoe_id": "S1"})

    assert found.ruled.status == "void"
    assert found.ruled.clauses == (clauses,)
    assert codes(found) == set(flags.split())
    assert found.ruled.memory["shoe_change_due"] == due


@pytest.mark.parametrize(
    ("text", "flags"),
    cases("""
        report squeeze_misdelivery, withdraw W1 TB:7.10.2 shift_manager | HAND_INCOMPLETE | one stays
        report squeeze_misdelivery, withdraw W1 TB:7.10.2 dealer, withdraw W2 TB:7.10.2 dealer | HAND_INCOMPLETE | without leave
    """),  # noqa: E501 (a table)
)
def test_a_hand_that_stops_while_somebody_stays_is_incomplete(text: str, flags: str) -> None:
    found = at_table("2S>P KS>B 3S>P 7H>B", text, shoe={"shoe_id": "S1"})

    assert found.ruled.clauses == ("TB:7.3",)
    assert codes(found) == set(flags.split())
    assert "shoe_change_due" not in found.ruled.memory


@pytest.mark.parametrize(
    ("text", "status", "flags"),
    cases("""
        report extra_card, close settled                            | void    | SHOE_INTEGRITY  | during the round
        close settled, report extra_card                            | settled | TOLD_AFTERWARDS | 7.1.2 the outcome stands
        close settled, rule TB:7.1 void pit_manager                 | settled | REOPENED_ROUND  | 7.1.2 nobody may void it now
    """),  # noqa: E501 (a table)
)
def test_cards_found_wrong_after_the_round_leave_it_alone(
    text: str, status: str, flags: str
) -> None:
    found = at_table("P9", text)

    assert found.ruled.status == status
    assert codes(found) == set(flags.split())
    assert any("TB:7.1.2" in step.clauses for step in found.steps) == (status == "settled")


def test_withdrawn_chips_leave_before_the_limits() -> None:
    bets = "P1 banker 10000, P2 banker 8000, P3 player 2000"

    stays = at_table("P9", "report wrong_order", bets=bets)
    leaves = at_table("P9", "report wrong_order, withdraw W2 TB:7.9 director", bets=bets)

    assert "DIFFERENTIAL_EXCEEDED" in codes(stays)
    assert codes(leaves) == {"WRONG_ORDER"}


@pytest.mark.parametrize(
    ("text", "flags"),
    cases("""
        squeeze P1                                              |                     | 4.7 the highest bet
        squeeze P2                                              | SQUEEZE_NOT_HIGHEST | 4.7 not the highest bet
        squeeze P9                                              | SQUEEZE_NOT_HIGHEST | 4.7 no bet at all
        squeeze P2, report squeeze_misdelivery                  | SQUEEZE_MISDELIVERY | 7.10 treats it
        rule TB:4.8 squeeze_refused pit_manager                 |                     | 4.8 refused by a pit manager
        rule TB:4.8 squeeze_refused pit_supervisor              | RANK_TOO_LOW        | 4.8 one rank too low
    """),  # noqa: E501 (a table)
)
def test_squeezing(text: str, flags: str) -> None:
    found = at_table("P9", text, bets="P1 banker 2000, P2 player 1000")

    assert codes(found) == set(flags.split())


def test_chips_after_no_more_bets_go_back() -> None:
    late: Json = {"wager_id": "W8", "player_id": "P8", "bet": "player", "stake": 500}
    more = event("WagerChanged", wager_id="W2", stake=9_000)
    written = sheet(BETS, PLAYED["P9"])
    written["events"][3:3] = [event("WagerPlaced", **late), more]

    found = judged(written)

    assert codes(found) == {"LATE_BET"}
    assert [(due.outcome, due.stake, due.back) for due in found.dues] == [
        ("lose", 1000, 0),
        ("win", 1000, 2000),
        ("returned", 500, 500),
    ]
    assert found.dues[2].clauses == ("TB:4.6",)


def test_chips_after_the_first_card_are_late_without_a_closing() -> None:
    written = sheet("", PLAYED["P9"])
    late: Json = {"wager_id": "W8", "player_id": "P8", "bet": "player", "stake": 500}
    written["events"] = [*written["events"][1:], event("WagerPlaced", **late)]

    assert codes(judged(written)) == {"LATE_BET"}


def test_a_bet_the_layout_does_not_have_goes_back() -> None:
    found = at_table("P9", "", bets="P1 dragon 500")

    assert [(due.outcome, due.clauses) for due in found.dues] == [("returned", ("TB:4.5",))]
    assert codes(found) == {"REFER_7.20"}


def test_a_move_to_a_bet_that_is_not_there_is_told() -> None:
    moved = event("WagerChanged", wager_id="W1", bet="dragon")
    events = [*wagers(BETS), moved, event("BettingClosed"), *drawn(NATURAL)]

    found = judged({"terms": {"game": "TB", "currency": "VND"}, "events": events})

    assert [flag.code for flag in found.flags] == ["REFER_7.20"]
    assert [due.bet for due in found.dues] == ["banker", "player"]
