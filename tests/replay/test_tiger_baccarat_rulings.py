"""Tiger Baccarat, section 7, row by row: the right treatment and its breach."""

import json
from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulings import tiger_baccarat
from replay.terms import BadTerms
from tests.replay.tiger_baccarat_sheets import Json, event, happened, sheet
from tests.tables import cases, judged

BETS = "P1 banker 1000, P2 player 1000"
PLAYED = {
    "P9": "9S>P KS>B KH>P 4H>B",  # Player's natural
    "B7": "2S>P KS>B 3H>P 7H>B TD>P",  # Player 5, Banker 7
    "T7": "KS>P 7S>B 7H>P KH>B",
}
PAID = "settle W1 0 0 1000 0, settle W2 1000 0 0 1000"  # as due when Player wins


def codes(found: Judgement) -> set[str]:
    return {flag.code for flag in found.flags}


def at_table(cards: str, text: str, bets: str = BETS, **more: Any) -> Judgement:
    return judged(sheet(bets, PLAYED.get(cards, cards), *happened(text), **more))


@pytest.mark.parametrize(
    ("cards", "text", "status", "flags", "back"),
    cases("""
        P9        | report foreign_card                     | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 a foreign card
        P9        | report missing_card                     | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 a missing card
        P9        | report extra_card                       | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 an extra card
        P9        | report unshuffled_cards                 | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 unshuffled cards
        P9        | report oddity TB:7.1                    | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 by the clause the reporter named
        P9        | report foreign_card, void TB:7.1        | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 voided as it should be
        P9        | report foreign_card, settle W2 1000 0 0 1000 | void | SHOE_INTEGRITY SETTLEMENT_MISMATCH | 1000 1000 | 7.1 breach: settled all the same
        P9        | rule TB:7.1 void pit_manager            | void     | SHOE_INTEGRITY                     | 1000 1000 | 7.1 by a ruling
        P9        | report foreign_card, settle W9 0 0 0 50 | void     | SHOE_INTEGRITY REOPENED_ROUND      | 1000 1000 | 7.1.2 breach: another round's wager
        P9        | rule TB:7.1.2 reopen shift_manager      | settled  | REOPENED_ROUND                     | 0 2000    | 7.1.2 breach: reopened by a ruling
        P9        | close settled, void TB:7.1              | settled  | REOPENED_ROUND UNJUSTIFIED_VOID    | 0 2000    | 7.1.2 breach: voided after its closing
        2S>P KS>B | empty S1                                | void     | SHOE_EXHAUSTED                     | 1000 1000 | 7.2 the shoe ran empty
        2S>P KS>B | report insufficient_cards               | void     | SHOE_EXHAUSTED                     | 1000 1000 | 7.2 reported
        P9        | empty S1                                | settled  |                                    | 0 2000    | 7.2 not where the hand is complete
        2S>P KS>B | empty S1, settle W1 950 50 0 1000       | void     | SHOE_EXHAUSTED SETTLEMENT_MISMATCH | 1000 1000 | 7.2 breach: settled all the same
        P9        | report not_reconstructable              | void     | NOT_RECONSTRUCTABLE                | 1000 1000 | 7.3 declared
        P9        | rule TB:7.3 void pit_manager            | void     | NOT_RECONSTRUCTABLE                | 1000 1000 | 7.3 declared by a ruling
        2S>P KS>B | close void                              | void     | HAND_INCOMPLETE                    | 1000 1000 | 7.3 the hand stops short
        2S>P KS>B 3H>P 7H>B | close void                    | void     | HAND_INCOMPLETE                    | 1000 1000 | 7.3 before the third card
        2S>P KS>B 3H>P 7H>B | call banker                   | void     | HAND_INCOMPLETE UNLAWFUL_DRAW      | 1000 1000 | 4.14 breach: called without the third card
        P9        | report face_up_card                     | settled  | FACE_UP_IN_SHOE                    | 0 2000    | 7.4 reported
        P9        | report face_up_card, void TB:7.4        | settled  | FACE_UP_IN_SHOE UNJUSTIFIED_VOID   | 0 2000    | 7.4 breach: voided
        P9        | void TB:7.3                             | settled  | UNJUSTIFIED_VOID                   | 0 2000    | breach: voided for no reason
        P9        | close void                              | settled  | UNJUSTIFIED_VOID                   | 0 2000    | breach: closed as void
        P9        | report wrong_order                      | settled  | WRONG_ORDER                        | 0 2000    | 7.9 reported, corrected before it was read
        P9        | report squeeze_misdelivery              | settled  | SQUEEZE_MISDELIVERY                | 0 2000    | 7.10 corrected
        P9        | report multiple_draw                    | settled  | MULTIPLE_DRAW                      | 0 2000    | 7.12 the order is known
        P9        | report squeezer_absent                  | settled  | SQUEEZER_ABSENT                    | 0 2000    | 7.14 the dealer opens
        P9        | report squeeze_not_offered              | settled  | SQUEEZE_NOT_OFFERED                | 0 2000    | 7.15 play goes on
        P9        | call player                             | settled  |                                    | 0 2000    | 7.16 a right call
        P9        | call Banker, settle W1 950 50 0 1000, settle W2 0 0 1000 0 | settled | WRONG_CALL SETTLEMENT_MISMATCH | 0 2000 | 7.16 breach: money followed the call
        P9        | board banker                            | settled  |                                    | 0 2000    | 7.16 speaks of the dealer's call
        P9        | report wrong_call, call B               | settled  | WRONG_CALL                         | 0 2000    | 7.16 a wrong call
        P9        | report earthquake                       | settled  | REFER_7.20 DECISION_MISSING        | 0 2000    | 7.20 nobody decided
        P9        | report earthquake, rule TB:7.20 continue assistant_director | settled | REFER_7.20   | 0 2000    | 7.20 decided: play on
        P9        | report earthquake, rule TB:7.20 void assistant_director | void | REFER_7.20          | 1000 1000 | 7.20 decided: void
        P9        | report earthquake, rule TB:7.20 void director | void | REFER_7.20                    | 1000 1000 | 7.20 decided above
        P9        | report earthquake, rule TB:7.20 void shift_manager | settled | REFER_7.20 RANK_TOO_LOW DECISION_MISSING | 0 2000 | 7.20 one rank too low
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_irregularities(cards: str, text: str, status: str, flags: str, back: str) -> None:
    found = at_table(cards, text)

    assert found.ruled.status == status
    assert codes(found) == set(flags.split())
    assert [due.back for due in found.dues] == [int(amount) for amount in back.split()]


@pytest.mark.parametrize(
    ("cards", "exposed", "flags", "opening"),
    cases("""
        9S>P KS>B KH>P 4H>B 3D>P    |                 | UNDUE_PLAYER_CARD               | 3D      | 7.6 seen
        9S>P KS>B KH>P 4H>B 3D>P?   |                 | UNDUE_PLAYER_CARD               | 3D      | 7.6 unseen is no matter
        KS>P 7S>B 7H>P KH>B 3D>B    |                 | UNDUE_BANKER_CARD               | 3D      | 7.7 seen
        KS>P 7S>B 7H>P KH>B 3D>B?   |                 | UNDUE_BANKER_CARD REFER_7.20    | none    | 7.7 unseen opens an ordinary hand
        KS>P 7S>B 7H>P KH>B 3D>B?   | expose hand banker | UNDUE_BANKER_CARD            | 3D      | 7.7 seen later
        9S>P KS>B KH>P 4H>B 3D>P 2C>B |               | UNDUE_PLAYER_CARD UNDUE_BANKER_CARD | 3D 2C | two undue cards, both seen
        9S>P KS>B KH>P 4H>B 3D>B? 2C>B? |             | UNDUE_BANKER_CARD REFER_7.20    | none    | two undue cards, none seen
        9S>P KS>B KH>P 4H>B 3D>B? 2C>B |              | UNDUE_BANKER_CARD REFER_7.20    | 3D 2C   | two undue cards, the second seen
        9S>P KS>B KH>P 4H>B 3D>P? 2C>B? |             | UNDUE_PLAYER_CARD UNDUE_BANKER_CARD REFER_7.20 | 3D 2C | two undue cards, the first on Player
        9S>P KS>B KH>P 4H>B 3D>N    |                 | NEXT_CARD_SEEN                  | 3D      | 7.5 drawn and disclosed
        9S>P KS>B KH>P 4H>B 3D>N?   |                 |                                 | none    | 7.5 drawn early, not disclosed
        9S>P KS>B KH>P 4H>B         | expose next 3D  | NEXT_CARD_SEEN                  | 3D      | 7.5 seen inside the shoe
        9S>P KS>B KH>P 4H>B         | expose shoe 3D  | NEXT_CARD_SEEN                  | 3D      | 7.5 face up after the last card
        9S>P KS>B KH>P 4H>B 3D>N    | expose next 3D  | NEXT_CARD_SEEN                  | 3D      | 7.5 drawn and reported: one card
        9S>P KS>B KH>P 4H>B         | report next_card_seen | NEXT_CARD_SEEN            | unread  | 7.5 nobody said which
        9S>P KS>B KH>P 4H>B         | report next_card_seen, expose next 3D | NEXT_CARD_SEEN | 3D | 7.5 reported and read
        9S>P KS>B KH>P 4H>B         |                 |                                 | none    | nothing out of order
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_a_card_out_of_turn_opens_the_next_hand(
    cards: str, exposed: str, flags: str, opening: str
) -> None:
    found = at_table(cards, exposed)

    wanted = None if opening == "none" else [None] if opening == "unread" else opening.split()
    assert found.ruled.status == "settled"
    assert codes(found) == set(flags.split())
    assert found.ruled.memory["free_hand"] == wanted


@pytest.mark.parametrize(
    ("text", "flags", "status"),
    cases("""
        9S>P | FACE_UP_IN_SHOE | settled   | 7.4 after the first card
        -    | NEXT_CARD_SEEN WAGER_ON_FREE_HAND | free_hand | 7.5 before the first card: this hand is free
    """),  # noqa: E501 (a table)
)
def test_a_face_up_card_is_judged_by_when_it_was_met(text: str, flags: str, status: str) -> None:
    written = sheet(BETS, PLAYED["P9"])
    ahead = 4 if text == "9S>P" else 3  # two wagers, no more bets, the first card
    written["events"].insert(ahead, event("CardExposed", place="shoe"))

    found = judged(written)

    assert codes(found) == set(flags.split())
    assert found.ruled.status == status


@pytest.mark.parametrize(
    ("cards", "outcome", "flags"),
    cases("""
        9S>P KS>P KH>B 4H>B           | P 9-4 | WRONG_ORDER               | 7.9 second and third crossed
        9S>B KS>P KH>P 4H>B           | P 9-4 | WRONG_ORDER               | 7.9 first and second crossed
        KS>P AS>B 2H>P AH>B 2D>B 4C>P | B 4-6 | WRONG_ORDER               | 7.9 third cards crossed
        2S>P KS>B 3H>P 7H>B TD>B      | B 5-7 | WRONG_ORDER UNLAWFUL_DRAW | 4.14 Player's third card given to Banker
        2S>P KS>B 3H>P 7H>B TD>P      | B 5-7 |                           | as it should be
    """),  # noqa: E501 (a table)
)
def test_the_draw_order_makes_the_hands(cards: str, outcome: str, flags: str) -> None:
    found = at_table(cards, "")

    assert found.ruled.outcome == outcome
    assert codes(found) == set(flags.split())


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
    assert found.ruled.readings.get("free_hand_offered") == (
        reading if "shift_manager" in text else None
    )


ALL_BACK = (
    "report squeeze_misdelivery, withdraw W1 TB:7.10.2 shift_manager, "
    "withdraw W2 TB:7.10.2 shift_manager"
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
    ("opening", "cards", "outcome"),
    cases("""
        9S    | KS>B KH>P 4H>B      | P 9-4 | 7.8 the error card is Player's first
        9S KS | KH>P 4H>B           | P 9-4 | 7.8 the second is Banker's first
        2S    | KS>B 3H>P 7H>B TD>P | B 5-7 | 7.8 drawing goes on by the tables
    """),
)
def test_a_free_hand_is_played_and_nothing_settled(opening: str, cards: str, outcome: str) -> None:
    carry = {"free_hand": opening.split()}

    empty = judged(sheet("", cards, carry=carry))
    with_wager = judged(sheet("P1 banker 60", cards, carry=carry))

    assert (empty.ruled.status, empty.ruled.outcome) == ("free_hand", outcome)
    assert codes(empty) == set()
    assert codes(with_wager) == {"WAGER_ON_FREE_HAND"}
    assert [(due.outcome, due.returned, due.flags) for due in with_wager.dues] == [
        ("returned", 60, ())
    ]
    assert with_wager.ruled.memory["below_min_used"] == []
    assert empty.ruled.memory["free_hand"] is None


def test_a_card_seen_in_the_shoe_is_drawn_in_the_free_hand() -> None:
    seen = at_table("P9", "expose next 2S")

    free = judged(sheet("", PLAYED["B7"], carry=dict(seen.ruled.memory)))

    assert seen.ruled.memory["free_hand"] == ["2S"]
    assert seen.ruled.memory["lying"] == []
    assert (free.ruled.status, free.ruled.outcome) == ("free_hand", "B 5-7")


def test_an_unseen_undue_card_opens_an_ordinary_hand() -> None:
    undue = at_table("KS>P 7S>B 7H>P KH>B 9S>B?", "")

    following = judged(sheet(BETS, "KS>B KH>P 4H>B", carry=dict(undue.ruled.memory)))

    assert undue.ruled.memory["lying"] == [["player", "9S"]]
    assert undue.ruled.readings["undue_banker_card_unseen"] == "opens_an_ordinary_hand"
    assert (following.ruled.status, following.ruled.outcome) == ("settled", "P 9-4")


def test_an_unseen_undue_card_may_be_read_to_make_a_free_hand() -> None:
    readings = {"undue_banker_card_unseen": "opens_a_free_hand"}

    found = at_table("KS>P 7S>B 7H>P KH>B 9S>B?", "", readings=readings)

    assert found.ruled.memory["free_hand"] == ["9S"]
    assert found.ruled.readings == readings


def test_a_hand_declared_free_before_its_first_card_is_free() -> None:
    written = sheet("", "KS>B KH>P 4H>B", before=(event("FreeHandDeclared", cards=["9S"]),))

    found = judged(written)

    assert (found.ruled.status, found.ruled.outcome) == ("free_hand", "P 9-4")


@pytest.mark.parametrize(
    ("announced", "carry", "flags", "over"),
    cases("""
        yes | {}                        |                 | yes | the last hand of the shoe
        no  | {}                        |                 | no  | any other hand
        yes | {"last_hand_dealt": true} | HAND_AFTER_LAST | yes | 7.8.1 breach: another hand
        no  | {"last_hand_dealt": true} |                 | yes | another shoe
    """),
)
def test_nothing_follows_the_last_hand(announced: str, carry: str, flags: str, over: str) -> None:
    shoe = {"shoe_id": "S1", "last_hand_announced": announced == "yes"}

    found = at_table("P9", "", shoe=shoe, carry=json.loads(carry))

    assert codes(found) == set(flags.split())
    assert found.ruled.memory.get("last_hand_dealt", False) == (over == "yes")


def test_a_free_hand_may_follow_the_last_hand_and_is_the_final_one() -> None:
    shoe = {"shoe_id": "S1", "last_hand_announced": True}

    last = at_table("9S>P KS>B KH>P 4H>B 9D>P", "", shoe=shoe)
    free = at_table("KS>B KH>P 4H>B", "", bets="", shoe=shoe, carry=last.ruled.memory)
    another = at_table("P9", "", shoe=shoe, carry=free.ruled.memory)

    assert codes(free) == set()
    assert free.ruled.status == "free_hand"
    assert free.ruled.memory["last_hand_dealt"] is True
    assert codes(another) == {"HAND_AFTER_LAST"}


@pytest.mark.parametrize(
    ("hands", "text", "flags"),
    cases("""
        0 |                                            | BURN_OMITTED OPTION_NOT_OFFERED | 7.11.2 breach: no choice was offered
        0 | rule TB:7.11.2.1 offered dealer_inspector  | BURN_OMITTED                    | 7.11.2.1 the choice was offered
        3 |                                            | BURN_OMITTED                    | 7.11.3 past the first hand
        3 | remove S1 replaced                         | BURN_OMITTED UNJUSTIFIED_SHOE_CHANGE | 7.11.3 breach: the shoe was changed
        3 | remove S1 finished                         | BURN_OMITTED                    | 7.11.3 the shoe was played out
    """),  # noqa: E501 (a table)
)
def test_a_forgotten_burn(hands: str, text: str, flags: str) -> None:
    shoe = {"shoe_id": "S1", "burned": False, "hands": int(hands)}

    found = at_table("P9", text, shoe=shoe)

    assert found.ruled.status == "settled"
    assert codes(found) == set(flags.split())


def test_a_forgotten_burn_is_told_once_a_shoe() -> None:
    unburned = {"shoe_id": "S1", "burned": False, "hands": 3}

    first = at_table("P9", "", shoe=unburned)
    second = at_table("P9", "", shoe=unburned | {"hands": 4}, carry=first.ruled.memory)
    changed = at_table("P9", "", shoe={"shoe_id": "S2"}, carry=second.ruled.memory)

    assert codes(first) == {"BURN_OMITTED"}
    assert codes(second) == set()
    assert codes(changed) == {"UNJUSTIFIED_SHOE_CHANGE"}


def test_unseen_cards_go_back_for_the_burn_and_the_hand_is_dealt_anew() -> None:
    cards = "2S>P? 3S>B? 4S>P?"
    anew = "burn 1, draw 9S P 5, draw KS B 6, draw KH P 7, draw 4H B 8"
    shoe = {"shoe_id": "S1", "burned": False}

    unseen = at_table(cards, anew, shoe=shoe)
    seen = at_table("2S>P 3S>B? 4S>P?", anew, shoe=shoe)

    assert (unseen.ruled.status, unseen.ruled.outcome) == ("settled", "P 9-4")
    assert codes(unseen) == {"BURN_OMITTED"}
    assert seen.ruled.status == "void"
    assert codes(seen) == {"BURN_OMITTED", "HAND_INCOMPLETE"}


def test_a_burn_inside_the_first_round_is_in_time() -> None:
    shoe = {"shoe_id": "S1", "burned": False}
    written = sheet(
        BETS, PLAYED["P9"], before=(event("RoundOpened"), event("CardsBurned", count=1))
    )

    assert codes(judged(written | {"shoe": shoe})) == set()


@pytest.mark.parametrize(
    ("shoe", "decks", "flags"),
    cases("""
        {"shoe_id": "S1", "drawn": {"9S": 7}}    | 8 |                | 7.1 the eighth of eight
        {"shoe_id": "S1", "drawn": {"9S": 8}}    | 8 | SHOE_INTEGRITY | 7.1 the ninth of eight
        {"shoe_id": "S1", "drawn": {"9S": 5}}    | 6 |                | 7.1 the sixth of six
        {"shoe_id": "S1", "drawn": {"9S": 6}}    | 6 | SHOE_INTEGRITY | 7.1 the seventh of six
        {"shoe_id": "S1", "cards_out": 412}      | 8 |                | 7.1 the last four cards
        {"shoe_id": "S1", "cards_out": 413}      | 8 | SHOE_INTEGRITY | 7.1 more cards than the decks hold
        {"shoe_id": "S1", "shuffled": false}     | 8 | SHOE_INTEGRITY | 7.1 unshuffled
    """),  # noqa: E501 (a table)
)
def test_the_shoe_is_counted(shoe: str, decks: str, flags: str) -> None:
    found = at_table("P9", "", shoe=json.loads(shoe), decks=int(decks))

    assert codes(found) == set(flags.split())
    assert found.ruled.status == ("void" if flags else "settled")


def test_a_round_without_a_shoe_is_counted_by_its_own_cards() -> None:
    twice = "9S>P 9S>B KH>P 4H>B"

    assert codes(at_table(twice, "", decks=1)) == {"SHOE_INTEGRITY"}
    assert codes(at_table(twice, "", decks=2)) == set()


@pytest.mark.parametrize(
    ("cards", "text", "clause"),
    cases("""
        2S>P KS>B | report foreign_card, report not_reconstructable, empty S1 | TB:7.1    | 7.1 before 7.3 and 7.2
        2S>P KS>B | report not_reconstructable, empty S1                      | TB:7.3    | 7.3 declared before 7.2
        2S>P KS>B | empty S1, close void                                      | TB:7.2    | 7.2 before 7.3 undeclared
        2S>P      | close void                                                | TB:7.3    | 7.3 before the Free Hand
        P9        | withdraw W1 TB:7.9 director, report wrong_order           | TB:7.8    | 7.8 before withdrawals
    """),  # noqa: E501 (a table)
)
def test_several_irregularities_apply_in_order(cards: str, text: str, clause: str) -> None:
    found = at_table(cards, text, carry={"free_hand": []})

    assert found.ruled.clauses[0] == clause
    assert all(due.outcome == "returned" and due.flags == () for due in found.dues)


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


def test_a_settlement_mismatch_is_told_once_with_signed_differences() -> None:
    found = at_table("B7", "settle W1 1000 0 0 1000, settle W2 0 0 900 100")

    (flag,) = found.flags
    assert flag.code == "SETTLEMENT_MISMATCH"
    assert flag.note == "W1: paid +50, commission -50; W2: collected -100, returned +100"


def test_settled_as_due_is_no_mismatch() -> None:
    assert codes(at_table("P9", PAID)) == set()


def test_disagreeing_witnesses_make_the_round_unknown() -> None:
    found = at_table("P9", "camera B 2 5H 0.99")

    assert found.ruled.status == "unknown"
    assert found.dues == ()
    assert any("banker card 2: camera 5H, shoe 4H" in step.text for step in found.steps)


def test_a_round_without_a_card_stays_open_until_it_is_closed() -> None:
    still_open = at_table("", "")
    closed = at_table("", "close void")

    assert still_open.ruled.status == "unsettled"
    assert [due.outcome for due in still_open.dues] == ["open", "open"]
    assert closed.ruled.status == "void"


@pytest.mark.parametrize(
    ("said", "word"),
    cases("""
        B            | banker | a letter
        Banker       | banker | a name
        banker wins  | banker | a sentence
        P 9-4        | player | with points
        PLAYER       | player | loud
        Tie          | tie    | a tie
        stand-off    | tie    | the other word
        dragon       | dragon | a word of no meaning stays as it is
    """),
)
def test_calls_become_one_word(said: str, word: str) -> None:
    assert tiger_baccarat.said(said) == word


@pytest.mark.parametrize(
    ("carry", "refused"),
    cases("""
        {"free_hand": ["XX"]}        | carry.free_hand      | not a card
        {"free_hand": "9S"}          | carry.free_hand      | not a list
        {"below_min_used": "P1"}     | carry.below_min_used | not a list of players
        {"lying": [["dealer", "9S"]]} | carry.lying         | not a hand
    """),
)
def test_a_carry_that_cannot_be_is_refused(carry: str, refused: str) -> None:
    with pytest.raises(BadTerms, match=refused):
        at_table("P9", "", carry=json.loads(carry))


def test_what_is_carried_is_plain_json() -> None:
    shoe = {"shoe_id": "S1", "burned": False, "hands": 2}

    found = at_table("9S>P KS>B KH>P 4H>B 3D>P", "expose next", bets="P1 tie 10", shoe=shoe)

    assert json.loads(json.dumps(found.ruled.memory)) == found.ruled.memory
