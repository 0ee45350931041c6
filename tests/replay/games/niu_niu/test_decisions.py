"""Niu Niu: what a ruling is about, and what a round that is not over answers (7.1, 7.5)."""

import pytest

from replay.judge import Judgement
from tests.support.english import english
from tests.support.niu_niu_sheets import NIU_7, NIU_9, happened, sheet
from tests.support.tables import cases, judged

TWO = f"1: {NIU_9}; 3: 2S 3H 5C 6D JH; D: {NIU_7}"
GO_ON = "report foreign_card, rule NN:7.1.1 continue pit_manager"
DEALS = {
    "TWO": TWO,
    "TWICE": TWO.replace("6D", "9D"),
    "SEVEN": f"1: {NIU_9}; 3: 2S 3H",
    "SHORT_D": TWO.removesuffix(" TH"),
}


def round_of(cards: str, story: str) -> Judgement:
    story = story.replace("GO_ON", GO_ON)
    return judged(sheet("1 P1 even 1000, 3 P3 even 200", DEALS[cards], *happened(story)))


@pytest.mark.parametrize(
    ("cards", "story", "status", "flags"),
    cases("""
        TWO     | GO_ON                                                   | settled 6.3 | IRREGULARITY_7.1.1                                                   | decided
        TWICE   | GO_ON                                                   | void 7.1.3  | IRREGULARITY_7.1.1 DECK_INTEGRITY NEW_DECK_REQUIRED                  | a card twice is another fault
        TWICE   | rule NN:7.1.3 continue pit_manager                      | settled 6.3 | IRREGULARITY_7.1.3                                                   | a ruling on the card that came twice
        TWICE   | rule NN:7.1 continue pit_manager                        | void 7.1.3  | DECK_INTEGRITY NEW_DECK_REQUIRED                                     | a word on all of it knows of no card twice
        TWICE   | report duplicate_card, rule NN:7.1 continue pit_manager | settled 6.3 | IRREGULARITY_7.1.3                                                   | unless somebody had reported it
        TWO     | GO_ON, rule NN:7.1.1 void pit_supervisor                | settled 6.3 | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED                           | a void from below after a good word
        TWO     | GO_ON, rule NN:7.1 void dealer                          | settled 6.3 | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED                           | a void of everything from below
        TWO     | report foreign_card, rule NN:7.1.1 void pit_manager, rule NN:7.1.1 continue dealer | void 7.1.1 | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED NEW_DECK_REQUIRED | or a word to go on
        TWO     | report foreign_card, rule NN:7.1.1 continue dealer, rule NN:7.1.1 continue pit_manager | settled 6.3 | IRREGULARITY_7.1.1         | a good word that bears it out
        TWO     | GO_ON, jam E4                                           | void 7.1.2  | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2 DECISION_MISSING               | a jam after the ruling
        TWO     | GO_ON, jam E4, rule NN:7.1.2 continue pit_manager       | settled 6.3 | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2                                | each decided for itself
        TWO     | report foreign_card, jam E4, rule NN:7.1 continue pit_manager | settled 6.3 | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2                          | both decided at once
        TWO     | rule NN:7.1.1 continue pit_manager, report foreign_card | void 7.1.1  | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED                | ruled before it came up
        TWO     | GO_ON, report foreign_card                              | void 7.1.1  | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED                | a second foreign card
        TWO     | GO_ON, rule NN:7.1.1 void pit_manager                   | void 7.1.1  | IRREGULARITY_7.1.1 RULING_CONTRADICTED NEW_DECK_REQUIRED             | the last word counts
        TWO     | GO_ON, rule NN:7.1.1 continue director                  | settled 6.3 | IRREGULARITY_7.1.1                                                   | a word borne out from above
        TWO     | report foreign_card, rule NN:7.1.1 void director, rule NN:7.1.1 continue pit_manager | void 7.1.1 | IRREGULARITY_7.1.1 RULING_CONTRADICTED NEW_DECK_REQUIRED | the higher rank counts, though it spoke first
        TWO     | GO_ON, rule NN:7.1 void director                        | void 7.1.1  | IRREGULARITY_7.1.1 RULING_CONTRADICTED NEW_DECK_REQUIRED             | the higher rank counts, though it spoke of all
        TWO     | report foreign_card, close settled, rule NN:7.1.1 continue pit_manager | void 7.1.1 | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED  | a word after the close comes too late
        SHORT_D | report dealer_card_count, rule NN:7.5 continue director | void 7.5    | DEALER_CARD_COUNT RULING_AGAINST_RULES                               | nobody may let it go on
        SHORT_D | report dealer_card_count, rule NN:7.5 void director     | void 7.5    | DEALER_CARD_COUNT                                                    | what the rules say
        TWO     | report foreign_card, rule NN:7.1.1 contine pit_manager  | void 7.1.1  | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED WORD_UNKNOWN   | a word that is none
        TWO     | settle W2 t200, settle W1 p1000 b1000, report shuffler_jam | settled 6.3 |                                                                   | a jam reported after settlement
        TWO     | settle W2 t200, settle W1 p1000 b1000, void NN:7.1.2    | settled 6.3 | UNJUSTIFIED_VOID                                                     | voided for a jam after settlement
        TWO     | report shuffler_jam, settle W2 t200                     | void 7.1.2  | IRREGULARITY_7.1.2 DECISION_MISSING SETTLEMENT_MISMATCH VOID_NOT_RETURNED | a jam reported before
        TWO     | rule NN:7.1.4 void pit_manager                          | void 7.1.4  | IRREGULARITY_7.1.4 RULING_WITHOUT_CAUSE | the House voids what nobody reported
        TWO     | rule NN:7.1.4 continue pit_manager                      | settled 6.3 | IRREGULARITY_7.1.4                                                   | or lets it go on
        TWO     | rule NN:7.1.4 void dealer                               | settled 6.3 | DECISION_NOT_AUTHORISED                                              | a dealer's void is none
        TWO     | rule NN:7.1 void dealer                                 | settled 6.3 | DECISION_NOT_AUTHORISED                                              | nor is one of everything
        TWO     | rule NN:7.1.4 continue dealer                           | settled 6.3 | DECISION_NOT_AUTHORISED                                              | nor is a word to go on
        TWO     | rule NN:7.1 void pit_manager                            | void 7.1    | RULING_WITHOUT_CAUSE                                                 | the House names no cause
        TWO     | void NN:7.1.4, rule NN:7.1.4 void dealer                | void 7.1.4  | IRREGULARITY_7.1.4 DECISION_NOT_AUTHORISED                           | voided, and only a dealer ruled
        TWO     | close settled, rule NN:7.1.4 void pit_manager           | settled 6.3 | REOPENED_ROUND                                                       | a round that is over stands
        TWO     | rule NN:7.1.1 reopen director                           | settled 6.3 | REOPENED_ROUND                                                       | another round reopened voids not this one
        SEVEN   |                                                         | unsettled 2.2.5 |                                                                  | the deal goes on
        SEVEN   | report dealer_card_count                                | void 7.5    | DEALER_CARD_COUNT                                                    | the deal was stopped
        SEVEN   | close void                                              | void 7.5    | DEALER_CARD_COUNT                                                    | the round is over
        SHORT_D | close settled, draw TH dealer 15                        | void 7.5    | DEALER_CARD_COUNT CARD_OUTSIDE_ROUND                                 | a card drawn after the close mends nothing
    """),  # noqa: E501 (a row is a round)
)
def test_each_fault_asks_for_its_own_ruling(
    cards: str, story: str, status: str, flags: str
) -> None:
    found = round_of(cards, story)

    said = (found.ruled.status, *(at.removeprefix("NN:") for at in found.ruled.clauses))
    assert " ".join(said) == status
    assert " ".join(flag.code for flag in found.flags) == flags


def test_a_reading_that_came_in_after_the_close_still_counts() -> None:
    written = sheet("1 P1 even 1000, 3 P3 even 200", TWO, *happened("close settled"))
    third = next(at for at in written["events"] if at.get("position") == 3)
    written["events"] = [at for at in written["events"] if at is not third] + [third]

    assert judged(written).ruled.status == "settled"


def test_an_unknown_word_is_named() -> None:
    found = round_of("TWO", "report foreign_card, rule NN:7.1.1 contine pit_manager")

    note = next(english(flag.note) for flag in found.flags if flag.code == "WORD_UNKNOWN")
    assert note == "contine was ruled, which is no decision"
