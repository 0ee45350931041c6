"""Niu Niu, section 7: each irregularity treated right, and breached."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.ruled import Stand
from replay.settle import Due
from replay.sheets.sheet import answer
from tests.support.english import english
from tests.support.niu_niu_sheets import NIU_7, NIU_9, PLAIN, happened, sheet
from tests.support.tables import cases, judged

BETS = "1 P1 even 1000, 1 P1 double 500+1000, 3 P3 even 200"
TWO = f"1: {NIU_9}; 3: 2S 3H 5C 6D JH; D: {NIU_7}"  # box 1 wins, box 3 loses
SHORT_1 = TWO.replace(" TS;", ";")
SHORT_D = TWO.removesuffix(" TH")
EMPTY_2 = TWO.replace("; 3:", "; 2: KS KH 4C 4D 9H; 3:")
MISSED_3 = f"1: {NIU_9}; D: {NIU_7}"
NEXT = "; next: KS KH 4C 4D 9H"


def round_of(cards: str, story: str = "", **more: Any) -> Judgement:
    return judged(sheet(BETS, cards, *happened(story), **more))


def codes(found: Judgement) -> str:
    return " ".join(flag.code for flag in found.flags)


def money(found: Judgement) -> str:
    """Box and outcome of each wager; `=` where all its chips go back."""
    return " ".join(f"{stand.wager.box}{_end(stand, due)}" for stand, due in _lines(found))


def _lines(found: Judgement) -> list[tuple[Stand, Due]]:
    return list(zip(found.ruled.stands, found.dues, strict=True))


def _end(stand: Stand, due: Due) -> str:
    whole = due.back == stand.wager.stake + stand.wager.placed.reserve
    return "=" if due.outcome == "returned" and whole else due.outcome


@pytest.mark.parametrize(
    ("cards", "story", "status", "lines", "flags"),
    cases("""
        TWO      |                                                                         | settled 6.3 | 1win 1win 3lose |                                                              | a plain round
        TWO      | report foreign_card, rule NN:7.1.1 void pit_manager                     | void 7.1.1  | 1= 1= 3=        | IRREGULARITY_7.1.1 NEW_DECK_REQUIRED                         | 7.1.1 voided by the House
        TWO      | report different_colour                                                 | void 7.1.1  | 1= 1= 3=        | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED        | 7.1.1 and nobody decided
        TWO      | report foreign_card, rule NN:7.1.1 continue pit_supervisor              | void 7.1.1  | 1= 1= 3=        | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED NEW_DECK_REQUIRED | 7.1.1 one rank too low
        TWO      | report foreign_card, rule NN:7.1.1 continue pit_manager                 | settled 6.3 | 1win 1win 3lose | IRREGULARITY_7.1.1                                           | 7.1.1 the House lets it go on
        TWO      | report foreign_card, rule NN:7.1 continue director                      | settled 6.3 | 1win 1win 3lose | IRREGULARITY_7.1.1                                           | 7.1.1 by a rank above
        TWO      | camera 1 1 XX 0.99                                                      | void 7.1.1  | 1= 1= 3=        | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED        | 7.1.1 seen by the camera alone
        TWO      | jam E4, rule NN:7.1.2 void pit_manager                                  | void 7.1.2  | 1= 1= 3=        | IRREGULARITY_7.1.2                                           | 7.1.2 a jam
        TWO      | jam E4                                                                  | void 7.1.2  | 1= 1= 3=        | IRREGULARITY_7.1.2 DECISION_MISSING                          | 7.1.2 and nobody decided
        TWO      | settle W3 t200, settle W1 p1000 b1000, settle W2 p950 c50 b1500, jam E4 | settled 6.3 | 1win 1win 3lose |                                                              | 7.1.2 a jam after settlement
        TWO      | report card_count, rule NN:7.1.3 void shift_manager                     | void 7.1.3  | 1= 1= 3=        | IRREGULARITY_7.1.3 NEW_DECK_REQUIRED                         | 7.1.3 declared
        TWICE    |                                                                         | void 7.1.3  | 1= 1= 3=        | DECK_INTEGRITY NEW_DECK_REQUIRED                             | 7.1.3 found: the same card twice
        TWICE    | report extra_card                                                       | void 7.1.3  | 1= 1= 3=        | IRREGULARITY_7.1.3 DECISION_MISSING NEW_DECK_REQUIRED        | 7.1.3 found and declared
        TWO      | remove D1 36                                                            | void 7.1.3  | 1= 1= 3=        | DECK_INTEGRITY NEW_DECK_REQUIRED                             | 7.1.3 found: fifteen and thirty-six
        TWO      | remove D1 37                                                            | settled 6.3 | 1win 1win 3lose |                                                              | 7.1.3 the count is right
        TWO      | report disruption, rule NN:7.1.4 void pit_manager                       | void 7.1.4  | 1= 1= 3=        | IRREGULARITY_7.1.4                                           | 7.1.4 a disruption
        TWO      | void NN:7.1.4                                                           | void 7.1.4  | 1= 1= 3=        | IRREGULARITY_7.1.4 DECISION_MISSING                          | 7.1.4 voided without a ruling
        TWO      | close settled, report disruption                                        | settled 6.3 | 1win 1win 3lose | TOLD_AFTERWARDS                                              | 7.1.4 too late to matter
        TWO      | expose 1                                                                | settled 6.3 | 1win 1win 3lose | CARD_EXPOSED                                                 | 7.3 turned down and played on
        TWO      | report card_exposed, void NN:7.3, close void                            | settled 6.3 | 1win 1win 3lose | CARD_EXPOSED UNJUSTIFIED_VOID                                | 7.3 voided for it
        SHORT_1  | close void                                                              | void 7.4    | 1= 1= 3=        | HAND_CARD_COUNT                                              | 7.4 nothing handled
        SHORT_1  | settle W3 t200                                                          | void 7.4    | 1= 1= 3=        | HAND_CARD_COUNT SETTLEMENT_MISMATCH VOID_NOT_RETURNED        | 7.4 settled all the same
        SHORT_1  | handle 3 P3                                                             | settled 6.3 | 1= 1= 3lose     | HAND_CARD_COUNT                                              | 7.4.1 only that hand
        SHORT_1  | handle 3 P3, void NN:7.4                                                | settled 6.3 | 1= 1= 3lose     | HAND_CARD_COUNT UNJUSTIFIED_VOID                             | 7.4.1 all voided
        SHORT_1  | report hand_card_count, handle 3 P3                                     | void 7.4    | 1= 1= 3=        | HAND_CARD_COUNT                                              | 7.4 handled only after it was noticed
        SHORT_D  | close void                                                              | void 7.5    | 1= 1= 3=        | DEALER_CARD_COUNT                                            | 7.5 a card short
        SHORT_D  | handle 1 P1, close void                                                 | void 7.5    | 1= 1= 3=        | DEALER_CARD_COUNT                                            | 7.5 handled or not
        NO_D     | close void                                                              | void 7.5    | 1= 1= 3=        | DEALER_CARD_COUNT                                            | 7.5 no cards for the Dealer
        EMPTY_2  |                                                                         | settled 6.3 | 1win 1win 3lose | CARDS_TO_EMPTY_BOX RECONSTRUCTED                             | 7.6 reconstructed
        EMPTY_2  | handle 1 P1                                                             | settled 6.3 | 1win 1win 3lose | CARDS_TO_EMPTY_BOX                                           | 7.6.1 those cards are dead
        FAULTY_2 |                                                                         | void 7.4    | 1= 1= 3=        | CARDS_TO_EMPTY_BOX                                           | 7.6 a faulty packet on an empty box
        FAULTY_2 | handle 1 P1                                                             | settled 6.3 | 1win 1win 3lose | CARDS_TO_EMPTY_BOX                                           | 7.6.1 a faulty packet, something handled
        MISSED_N |                                                                         | settled 6.3 | 1win 1win 3win  | NO_CARDS_TO_BOX RECONSTRUCTED                                | 7.7 the next five complete it
        MISSED_3 |                                                                         | settled 6.3 | 1win 1win 3=    | NO_CARDS_TO_BOX                                              | 7.7.1 no cards to reconstruct with
        MISSED_N | handle 1 P1                                                             | settled 6.3 | 1win 1win 3=    | NO_CARDS_TO_BOX                                              | 7.7.1 something handled
        SWAPPED  |                                                                         | settled 6.3 | 1win 1win 3lose | CARDS_TO_EMPTY_BOX NO_CARDS_TO_BOX RECONSTRUCTED             | 7.6 and 7.7 at once
        TWO      | report hand_set_wrong                                                   | settled 6.3 | 1win 1win 3lose | HAND_RESET                                                   | 7.8 a hand was set wrongly
        TWO      | call 1 Niu_9, call dealer 7                                             | settled 6.3 | 1win 1win 3lose |                                                              | 7.8 called as they are
        TWO      | call 1 NIU_8, call 1 NIU_9                                              | settled 6.3 | 1win 1win 3lose | HAND_RESET                                                   | 7.8 reset at the table
        TWO      | report card_damaged                                                     | settled 6.3 | 1win 1win 3lose | CARD_DAMAGED                                                 | 7.9 no effect on the settlement
        TWO      | report cards_off_layout                                                 | settled 6.3 | 1win 1win 3lose | CARD_DAMAGED                                                 | 4.10 cards taken off the layout
        TWO      | close void                                                              | settled 6.3 | 1win 1win 3lose | UNJUSTIFIED_VOID                                             | voided without any reason
        TWO      | call 1 tie                                                              | settled 6.3 | 1win 1win 3lose | STANDOFF_RECORDED                                            | a tie cannot be
        TWO      | report power_cut                                                        | settled 6.3 | 1win 1win 3lose | WORD_UNKNOWN                                                 | not named: a matter of dispute
        TWO      | rule NN:4.6.2 restrict pit_supervisor                                   | settled 6.3 | 1win 1win 3lose | DECISION_NOT_AUTHORISED                                      | 4.6.2 one rank too low
        TWO      | rule NN:4.6.2 restrict pit_manager                                      | settled 6.3 | 1win 1win 3lose |                                                              | 4.6.2 just enough
    """),  # noqa: E501
)
def test_irregularities(cards: str, story: str, status: str, lines: str, flags: str) -> None:
    """Status with its clause; lines as `1win`, or `1=` where all chips of the wager go back."""
    found = round_of(DEALS[cards], story)

    said = (found.ruled.status, *(at.removeprefix("NN:") for at in found.ruled.clauses))
    assert " ".join(said) == status
    assert money(found) == lines
    assert codes(found) == flags


DEALS = {
    "TWO": TWO,
    "TWICE": TWO.replace("6D", "9D"),
    "SHORT_1": SHORT_1,
    "SHORT_D": SHORT_D,
    "NO_D": TWO.partition("; D:")[0],
    "EMPTY_2": EMPTY_2,
    "FAULTY_2": EMPTY_2.replace(" 9H;", ";"),
    "MISSED_N": MISSED_3 + NEXT,
    "MISSED_3": MISSED_3,
    "SWAPPED": TWO.replace("3:", "2:"),
}


SEEN_1 = "camera 1 5 TS 0.97"  # the fifth card of box 1
SEEN_D = "camera dealer 5 TH 0.97"


@pytest.mark.parametrize(
    ("cards", "story", "status"),
    cases("""
        SHORT_1 | SEEN_1, settle W1 p1000 b1000         | unknown | the device may have missed one
        SHORT_1 | SEEN_1, handle 3 P3                   | unknown | the same once somebody looked
        SHORT_D | SEEN_D, settle W1 p1000 b1000         | unknown | the same with the Dealer's
        SHORT_1 | settle W1 p1000 b1000                 | void    | nobody saw a fifth
        SHORT_1 | camera 1 5 TS 0.6, settle W1 p1000    | void    | nor for sure
        SHORT_1 | SEEN_1, report hand_card_count        | void    | the table says it was short
        SHORT_1 | SEEN_1, close void                    | void    | the table calls it void
    """),
)
def test_a_card_that_the_camera_saw_is_not_missing(cards: str, story: str, status: str) -> None:
    story = story.replace("SEEN_1", SEEN_1).replace("SEEN_D", SEEN_D)

    found = round_of(globals()[cards], story)

    assert found.ruled.status == status
    assert ("RESULT_UNKNOWN" in codes(found)) is (status == "unknown")
    assert ("CARD_COUNT" in codes(found)) is (status == "void")


def test_several_faults_go_in_the_order_of_the_rules() -> None:
    """The deck, the Dealer's hand, the players' counts, misplaced packets."""
    both = SHORT_1.removesuffix(" TH")

    assert round_of(both, "close void").ruled.clauses == ("NN:7.5",)
    assert round_of(both, "report disruption").ruled.clauses == ("NN:7.1.4",)
    assert round_of(SHORT_1.replace("3:", "2:")).ruled.clauses == ("NN:7.4",)


@pytest.mark.parametrize(
    ("cards", "story", "status", "flags"),
    cases("""
        EMPTY_2  | rule NN:7.6 void dealer                       | settled | CARDS_TO_EMPTY_BOX RECONSTRUCTED RULING_AGAINST_RULES | 7.6 the cards are to be reconstructed
        EMPTY_2  | rule NN:7.6 reconstruct dealer                | settled | CARDS_TO_EMPTY_BOX RECONSTRUCTED                      | 7.6 what the rules say
        EMPTY_2  | handle 1 P1, rule NN:7.6 reconstruct director | settled | CARDS_TO_EMPTY_BOX RULING_AGAINST_RULES               | 7.6.1 not where cards were handled
        MISSED_N | rule NN:7.7 void pit_manager                  | settled | NO_CARDS_TO_BOX RECONSTRUCTED RULING_AGAINST_RULES    | 7.7 nor void
        MISSED_3 | rule NN:7.7 reconstruct pit_manager           | settled | NO_CARDS_TO_BOX RULING_AGAINST_RULES                  | 7.7.1 no cards to do it with
        FAULTY_2 | rule NN:7.6 reconstruct pit_manager           | void    | CARDS_TO_EMPTY_BOX RULING_AGAINST_RULES               | 7.6 a faulty packet
        FAULTY_2 | rule NN:7.6 void pit_manager                  | void    | CARDS_TO_EMPTY_BOX                                    | 7.6 rightly void
        SHORT_1  | handle 3 P3, rule NN:7.4 void pit_manager     | settled | HAND_CARD_COUNT RULING_AGAINST_RULES                  | 7.4.1 one hand alone is void
        SHORT_1  | rule NN:7.4 void dealer                       | void    | HAND_CARD_COUNT                                       | 7.4 all of them are
        TWO      | rule NN:7.4 void pit_manager                  | settled | RULING_AGAINST_RULES                                  | 7.4 every hand has five
        TWO      | rule NN:7.5 void director, close void         | settled | RULING_AGAINST_RULES UNJUSTIFIED_VOID                 | 7.5 the Dealer as well
        TWO      | rule NN:7.6 continue dealer                   | settled |                                                       | 7.6 nothing to put right
    """),  # noqa: E501 (a row is a round)
)
def test_a_ruling_against_the_rules_is_told(
    cards: str, story: str, status: str, flags: str
) -> None:
    found = round_of(DEALS[cards], story)

    assert found.ruled.status == status
    assert codes(found) == flags


def test_a_reconstruction_moves_the_packets() -> None:
    found = round_of(EMPTY_2)

    assert "3 holds KS KH 4C 4D 9H" in found.ruled.facts
    assert "dealer holds 2S 3H 5C 6D JH" in found.ruled.facts


def test_cards_drawn_once_the_fault_was_noticed_complete_the_reconstruction() -> None:
    story = ["report no_cards_to_box"]
    story += [
        f"draw {card} dealer {n}" for n, card in enumerate(["KS", "KH", "4C", "4D", "9H"], 11)
    ]

    found = round_of(MISSED_3, ", ".join(story))

    assert codes(found) == "NO_CARDS_TO_BOX RECONSTRUCTED"
    assert "dealer holds KS KH 4C 4D 9H" in found.ruled.facts


@pytest.mark.parametrize(
    ("carry", "story", "flags"),
    cases("""
        D1 | load D2 |                   | another deck came
        D1 | load D1 | DECK_NOT_REPLACED | the same deck again
        D1 |         | DECK_NOT_REPLACED | no deck is shown
           | load D1 |                   | the old one was not known
    """),
)
def test_after_wrong_cards_a_new_deck_must_come(carry: str, story: str, flags: str) -> None:
    written = sheet(BETS, TWO, before=tuple(happened(story)), carry={"replace_deck": carry})

    found = judged(written)

    assert codes(found) == flags
    assert found.ruled.memory == {}


def test_a_void_for_its_cards_leaves_word_for_the_next_round() -> None:
    before = tuple(happened("load D1"))

    wrong = judged(sheet(BETS, DEALS["TWICE"], before=before))
    jammed = judged(sheet(BETS, TWO, *happened("jam E4"), before=before))

    assert wrong.ruled.memory == {"replace_deck": "D1"}
    assert jammed.ruled.memory == {}


@pytest.mark.parametrize(
    ("story", "flags"),
    cases("""
        close settled, settle W3 b200                | SETTLEMENT_MISMATCH                | settled late, for the first time
        settle W3 t200, close settled, settle W3 b200 | REOPENED_ROUND SETTLEMENT_MISMATCH | settled again after the close
        close settled, void NN:7.3                   | UNJUSTIFIED_VOID REOPENED_ROUND    | voided after the close
        settle W99 p100                              | REOPENED_ROUND                     | a wager of another round
    """),  # noqa: E501
)
def test_settled_rounds_stand(story: str, flags: str) -> None:
    assert codes(round_of(TWO, story)) == flags


@pytest.mark.parametrize(
    ("story", "flags"),
    cases("""
        settle W3 t200, settle W1 p1000 b1000, settle W2 p950 c50 b1500  |                                  | right to left, as due
        settle W1 p1000 b1000, settle W2 p950 c50 b1500, settle W3 t200  | SETTLE_ORDER                     | left to right
        settle W1 p1000 b1000, settle W3 t200, settle W2 p950 c50 b1500  | SETTLE_ORDER                     | one box in two goes
        settle W2 p2850 c50 b1500                                        | SETTLEMENT_MISMATCH RESERVE_PAID | the Reserve earned odds
        settle W2 p1000 b1500                                            | SETTLEMENT_MISMATCH              | no commission
    """),  # noqa: E501
)
def test_settlements(story: str, flags: str) -> None:
    assert codes(round_of(TWO, story)) == flags


def test_differences_are_told_line_by_line_and_field_by_field() -> None:
    found = round_of(TWO, "settle W3 b200, settle W2 p1000 b500")

    mismatch = next(flag for flag in found.flags if flag.code == "SETTLEMENT_MISMATCH")
    assert english(mismatch.note) == (
        "W2: paid +50, commission -50, returned -1,000; W3: collected -200, returned +200"
    )


@pytest.mark.parametrize(
    ("cards", "story", "status"),
    cases("""
        PLAIN  | camera 1 1 3S 0.99, camera 1 2 TS 0.99 | settled | the camera saw them arranged
        PLAIN  | camera 1 1 KS 0.99                     | unknown | the camera saw another card
        PLAIN  | camera 1 1 KS 0.50                     | settled | the camera was not sure
        PLAIN  | camera 1 6 KS 0.99                     | unknown | a card nobody dealt
        UNREAD |                                        | unknown | a card nobody read
        UNREAD | place 1 5 TS                           | settled | the dealer entered it
        UNREAD | place 1 5 TS, camera 1 5 KS 0.99       | unknown | the two disagree
        EMPTY  | camera 3 1 KS 0.99                     | settled | seen where it lies in the end
    """),
)
def test_nothing_is_guessed(cards: str, story: str, status: str) -> None:
    deals = {"PLAIN": TWO, "UNREAD": TWO.replace(" TS;", " --;"), "EMPTY": EMPTY_2}

    found = round_of(deals[cards], story)

    assert found.ruled.status == status
    assert bool(found.dues) == (status == "settled")
    assert ("RESULT_UNKNOWN" in codes(found)) == (status == "unknown")


def test_the_readings_that_leave_a_hand_unknown_are_told() -> None:
    found = round_of(TWO, "camera 1 1 KS 0.99")

    (flag,) = (at for at in found.flags if at.code == "RESULT_UNKNOWN")
    assert "KS" in english(flag.note)
    assert english(flag.note) in english(found.ruled.steps[-1].text)


def test_an_unread_card_of_a_dead_hand_is_not_missed() -> None:
    found = round_of(SHORT_1.replace("9D;", "--;"), "handle 3 P3")

    assert money(found) == "1= 1= 3lose"


def test_a_round_without_cards_is_open_until_it_ends() -> None:
    waiting, ended = judged(sheet(BETS, "")), judged(sheet(BETS, "", *happened("close void")))

    assert waiting.ruled.status == "unsettled"
    assert [due.back for due in waiting.dues] == [0, 0, 0]
    assert (ended.ruled.status, ended.ruled.clauses) == ("void", ("NN:7.1",))
    assert [flag.code for flag in ended.flags] == ["DECISION_MISSING"]


def test_a_round_nobody_took_part_in_is_no_misdeal() -> None:
    found = judged(sheet("", "", *happened("close settled")))

    assert (found.ruled.status, found.dues) == ("settled", ())
    assert [flag.code for flag in found.flags] == ["ROUND_WITHOUT_CARDS"]


def test_a_report_the_rules_do_not_name_is_a_matter_of_dispute() -> None:
    found = round_of(TWO, "report power_cut")

    assert any(step.clauses == ("NN:8.1",) for step in found.steps)


@pytest.mark.parametrize(
    ("cards", "story", "readings"),
    cases("""
        TWO     |                                                          |                        | nothing unclear
        TWO     | report disruption, rule NN:7.1.4 continue pit_supervisor | house_authority        | whose word it is
        SHORT_1 | handle 3 P3                                              | handled                | handled or not
        SHORT_D | close void                                               |                        | 7.5 asks for nothing
        EMPTY_2 |                                                          | handled reconstruction | reconstructed
    """),  # noqa: E501
)
def test_an_answer_says_which_readings_it_rests_on(cards: str, story: str, readings: str) -> None:
    found = round_of(DEALS[cards], story)

    assert sorted(answer(found)["readings"]) == readings.split()


def test_a_house_may_give_the_pit_supervisor_its_word() -> None:
    story = "report disruption, rule NN:7.1.4 continue pit_supervisor"

    strict = round_of(TWO, story)
    mild = round_of(TWO, story, readings={"house_authority": "pit_supervisor"})
    low = round_of(
        TWO,
        story.replace("pit_supervisor", "dealer_inspector"),
        readings={"house_authority": "pit_supervisor"},
    )

    assert [at.ruled.status for at in (strict, mild, low)] == ["void", "settled", "void"]


@pytest.mark.parametrize(
    ("cards", "clauses"),
    cases("""
        1: 3S 7H TC 9D TS; D: 3D 7C TD 7D TH | 6.2.4 4.11 6.3.1               | by class
        1: 3S 7H TC 9D TS; D: KH 7C TD 9S 3C | 6.2.4 6.2.14 4.11 6.3.2        | by the highest card
        1: KH 7H TC 9D 3S; D: KC 7C TD 9S 3C | 6.2.4 6.2.14 6.2.15 4.11 6.3.1 | by its suit
        1: 2D 4C 9H JD 5S; D: AS AH AC AD 5C | 6.2.13 4.11 6.3.2              | the lowest class
    """),
)
def test_a_comparison_cites_what_parted_the_hands(cards: str, clauses: str) -> None:
    found = judged(sheet("1 P1 even 1000", cards))

    step = next(step for step in found.steps if english(step.text).endswith("than the Dealer"))
    assert step.clauses == tuple(f"NN:{clause}" for clause in clauses.split())


def test_a_plain_sheet_of_this_module_is_plain() -> None:
    assert codes(judged(sheet("1 P1 even 1000", PLAIN))) == ""


@pytest.mark.parametrize(
    ("text", "flags"),
    cases("""
        rule NN:7.1 continue pit_manager    | RULING_WITHOUT_CAUSE | 7.1 there is no cause
        rule NN:7.6 reconstruct pit_manager | RULING_WITHOUT_CAUSE | 7.6 nothing went astray
        rule NN:7.4 void pit_manager        | RULING_AGAINST_RULES | 7.4 every hand has its cards
    """),
)
def test_a_ruling_on_nothing_leaves_a_trace(text: str, flags: str) -> None:
    found = judged(sheet("1 P1 even 1000", PLAIN, *happened(text)))

    assert found.ruled.status == "settled"
    assert [flag.code for flag in found.flags] == flags.split()
