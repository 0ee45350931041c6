"""Tiger Baccarat, section 7, row by row: the right treatment and its breach."""

import pytest

from replay.rulings import tiger_baccarat
from tests.support.english import english
from tests.support.tables import cases, judged
from tests.support.tiger_baccarat_sheets import BETS, PLAYED, at_table, codes, event, sheet

PAID = "settle W1 0 0 1000 0, settle W2 1000 0 0 1000"  # as due when Player wins


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
        P9        | rule TB:7.1 void pit_manager            | void     | SHOE_INTEGRITY RULING_WITHOUT_CAUSE | 1000 1000 | 7.1 by a ruling, and nobody reported a card
        P9        | report extra_card, rule TB:7.1 void pit_manager | void | SHOE_INTEGRITY                 | 1000 1000 | 7.1 by a ruling on a report
        P9        | rule TB:7.9 allow_withdrawal shift_manager | settled | RULING_WITHOUT_CAUSE             | 0 2000    | 7.9 leave where nothing happened
        P9        | report wrong_order, rule TB:7.9 allow_withdrawal shift_manager | settled | WRONG_ORDER   | 0 2000    | 7.9 leave that nobody took
        P9        | report foreign_card, settle W9 0 0 0 50 | void     | SHOE_INTEGRITY REOPENED_ROUND      | 1000 1000 | 7.1.2 breach: another round's wager
        P9        | rule TB:7.1.2 reopen shift_manager      | settled  | REOPENED_ROUND                     | 0 2000    | 7.1.2 breach: reopened by a ruling
        P9        | close settled, void TB:7.1              | settled  | REOPENED_ROUND UNJUSTIFIED_VOID    | 0 2000    | 7.1.2 breach: voided after its closing
        2S>P KS>B | empty S1                                | void     | SHOE_EXHAUSTED                     | 1000 1000 | 7.2 the shoe ran empty
        2S>P KS>B | report insufficient_cards               | void     | SHOE_EXHAUSTED                     | 1000 1000 | 7.2 reported
        P9        | empty S1                                | settled  |                                    | 0 2000    | 7.2 not where the hand is complete
        2S>P KS>B | empty S1, settle W1 950 50 0 1000       | void     | SHOE_EXHAUSTED SETTLEMENT_MISMATCH | 1000 1000 | 7.2 breach: settled all the same
        P9        | report not_reconstructable              | void     | NOT_RECONSTRUCTABLE RECONSTRUCTABLE | 1000 1000 | 7.3 declared
        P9        | rule TB:7.1 maybe director              | settled  | WORD_UNKNOWN                       | 0 2000    | 7.1 a word that is no decision
        P9        | report extra_card, rule TB:7.1 continue director | void | SHOE_INTEGRITY RULING_AGAINST_RULES | 1000 1000 | 7.1.1 nobody may let it go on
        P9        | rule TB:7.3 void dealer                 | void     | NOT_RECONSTRUCTABLE RECONSTRUCTABLE | 1000 1000 | 7.3 declared of a hand that is complete
        2S>P KS>B | rule TB:7.3 void dealer                 | void     | NOT_RECONSTRUCTABLE                | 1000 1000 | 7.3 declared of one that is not
        P9        | report order_unknown, rule TB:7.3 void dealer | void | NOT_RECONSTRUCTABLE              | 1000 1000 | 7.3 nobody knows the order
        P9        | rule TB:7.3 void pit_manager            | void     | NOT_RECONSTRUCTABLE RECONSTRUCTABLE | 1000 1000 | 7.3 declared by a ruling
        2S>P KS>B | close void                              | void     | HAND_INCOMPLETE                    | 1000 1000 | 7.3 the hand stops short
        2S>P KS>B 3H>P 7H>B | close void                    | void     | HAND_INCOMPLETE                    | 1000 1000 | 7.3 before the third card
        2S>P KS>B 3H>P 3D>B 5C>B | close void               | void     | HAND_INCOMPLETE WRONG_ORDER        | 1000 1000 | 7.9 the third card on the wrong hand
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
        P9        | rule TB:7.20 void assistant_director | void | REFER_7.20 RULING_WITHOUT_CAUSE | 1000 1000 | 7.20 a clean hand voided
        P9        | rule TB:7.20 continue director | settled | REFER_7.20 RULING_WITHOUT_CAUSE | 0 2000 | 7.20 a word on nothing
        P9        | report earthquake                       | settled  | REFER_7.20 DECISION_MISSING        | 0 2000    | 7.20 nobody decided
        P9        | report earthquake, rule TB:7.20 continue assistant_director | settled | REFER_7.20   | 0 2000    | 7.20 decided: play on
        P9        | report earthquake, rule TB:7.20 void assistant_director | void | REFER_7.20          | 1000 1000 | 7.20 decided: void
        P9        | report earthquake, rule TB:7.20 void director | void | REFER_7.20                    | 1000 1000 | 7.20 decided above
        P9        | report earthquake, rule TB:7.20 void assistant_director, rule TB:7.20 continue director | settled | REFER_7.20 RULING_CONTRADICTED | 0 2000 | 7.20 the higher rank counts
        P9        | report earthquake, rule TB:7.20 void director, rule TB:7.20 continue assistant_director | void | REFER_7.20 RULING_CONTRADICTED | 1000 1000 | 7.20 though it spoke first
        P9        | report earthquake, rule TB:7.20 void director, rule TB:7.20 continue director | settled | REFER_7.20 RULING_CONTRADICTED | 0 2000 | 7.20 among equals the last
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


def test_a_settlement_mismatch_is_told_once_with_signed_differences() -> None:
    found = at_table("B7", "settle W1 1000 0 0 1000, settle W2 0 0 900 100")

    (flag,) = found.flags
    assert flag.code == "SETTLEMENT_MISMATCH"
    assert english(flag.note) == "W1: paid +50, commission -50; W2: collected -100, returned +100"


def test_settled_as_due_is_no_mismatch() -> None:
    assert codes(at_table("P9", PAID)) == set()


def test_disagreeing_witnesses_make_the_round_unknown() -> None:
    found = at_table("P9", "camera B 2 5H 0.99")

    assert found.ruled.status == "unknown"
    assert found.dues == ()
    assert any("Banker card 2: camera 5H, shoe 4H" in english(step.text) for step in found.steps)
    assert [(flag.code, english(flag.note)) for flag in found.flags] == [
        ("RESULT_UNKNOWN", "Banker card 2: camera 5H, shoe 4H")
    ]


def test_a_wager_on_a_free_hand_goes_back_whatever_the_witnesses_saw() -> None:
    found = at_table("KS>B KH>P 4H>B", "camera B 1 8S 0.99, close settled",
                     carry={"free_hand": ["9D"]})  # fmt: skip

    assert found.ruled.status == "free_hand"
    assert found.ruled.outcome == found.ruled.result == ""
    assert [(due.outcome, due.clauses) for due in found.dues] == [("returned", ("TB:7.8",))] * 2
    assert codes(found) == {"WAGER_ON_FREE_HAND", "RESULT_UNKNOWN"}


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
