"""Texas Hold'em Bonus Poker: what a ruling is about, whose decision counts, what words mean."""

import pytest

from replay.sheets.sheet import answer
from tests.support.english import english
from tests.support.holdem_bonus_story import (
    SHOE,
    Json,
    codes,
    dealt,
    event,
    happened,
    round_of,
    seen,
)
from tests.support.tables import cases, judged

GO_ON = "report foreign_card, rule TH:7.1.1 continue pit_manager"
THREE_IN_BOX_1 = SHOE.replace("KH>2 6D>burn", "KH>2 4C>1 6D>burn")
ONE = "1 ante 100, 1 flop 200"


@pytest.mark.parametrize(
    ("hole", "text", "status", "flags"),
    cases("""
        AS AH | GO_ON                                                         | settled | IRREGULARITY_7.1.1                                                 | decided
        AS KD | GO_ON                                                         | void    | IRREGULARITY_7.1.1 DECK_INTEGRITY NEW_DECK_REQUIRED                | a card twice is another fault
        AS KD | rule TH:7.1.3 continue pit_manager                            | settled | DECK_INTEGRITY                                                     | a ruling on the card that came twice
        AS KD | rule TH:7.1 continue pit_manager                              | void    | DECK_INTEGRITY NEW_DECK_REQUIRED                                   | a word on all of it knows of no card twice
        AS KD | report duplicate_card, rule TH:7.1 continue pit_manager       | settled | IRREGULARITY_7.1.3 DECK_INTEGRITY                                  | unless somebody had reported it
        AS KD | rule TH:7.1.3 continue pit_supervisor                         | void    | DECK_INTEGRITY DECISION_NOT_AUTHORISED NEW_DECK_REQUIRED           | a card twice, one rank too low
        AS AH | GO_ON, rule TH:7.1.1 void pit_supervisor                      | settled | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED                         | a void from below after a good word
        AS AH | GO_ON, rule TH:7.1 void dealer                                | settled | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED                         | a void of everything from below
        AS AH | report foreign_card, rule TH:7.1.1 void pit_manager, rule TH:7.1.1 continue dealer | void | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED NEW_DECK_REQUIRED | or a word to go on
        AS AH | report foreign_card, rule TH:7.1.1 continue dealer, rule TH:7.1.1 continue pit_manager | settled | IRREGULARITY_7.1.1 | a good word that bears it out
        AS AH | GO_ON, rule TH:7.1.1 void pit_manager                         | void    | IRREGULARITY_7.1.1 RULING_CONTRADICTED NEW_DECK_REQUIRED           | the last good word counts
        AS AH | report disruption, rule TH:7.1.4 void director, rule TH:7.1.4 continue pit_manager | void | IRREGULARITY_7.1.4 RULING_CONTRADICTED     | the higher rank counts, though it spoke first
        AS AH | GO_ON, rule TH:7.1.1 continue director                        | settled | IRREGULARITY_7.1.1                                                 | a word borne out from above
        AS AH | report foreign_card, close settled, rule TH:7.1.1 continue pit_manager | void | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED | a word after the close comes too late
        AS AH | report dog, rule TH:7.13 void assistant_director, rule TH:7.13 continue director | settled | REFER_7.13 RULING_CONTRADICTED          | 7.13 the higher rank counts
        AS AH | report dog, rule TH:7.13 void director, rule TH:7.13 continue assistant_director | void | REFER_7.13 RULING_CONTRADICTED             | 7.13 though it spoke first
        AS AH | report dog, rule TH:7.13 void director, rule TH:7.13 continue director | settled | REFER_7.13 RULING_CONTRADICTED                    | 7.13 among equals the last
        AS AH | report cards_exposed, rule TH:7.5 continue director           | void    | CARDS_EXPOSED RULING_AGAINST_RULES                                 | 7.5 nobody may let it go on
        AS AH | report card_exposed, rule TH:7.5 continue director            | settled | ONE_CARD_EXPOSED                                                   | 7.5 with one card it does go on
        AS AH | report power_cut, rule TH:7.13 continue assistant_director, rule TH:7.13 void shift_manager | settled | REFER_7.13 DECISION_NOT_AUTHORISED | 7.13 from below as well
        AS AH | GO_ON, jam E4                                                 | void    | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2 DECISION_MISSING             | a jam after the ruling
        AS AH | GO_ON, jam E4, rule TH:7.1.2 continue pit_manager             | settled | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2                              | each decided for itself
        AS AH | report foreign_card, jam E4, rule TH:7.1 continue pit_manager | settled | IRREGULARITY_7.1.1 IRREGULARITY_7.1.2                              | both decided at once
        AS AH | rule TH:7.1.1 continue pit_manager, report foreign_card       | void    | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED              | ruled before it came up
        AS AH | report foreign_card, rule TH:7.1.1 contine pit_manager        | void    | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED WORD_UNKNOWN | a word that is none
        AS AH | rule TH:7.1.4 void pit_manager                                | void    | IRREGULARITY_7.1.4 RULING_WITHOUT_CAUSE | the House voids what nobody reported
        AS AH | rule TH:7.1.4 void pit_manager, void TH:7.1.4, close void     | void    | IRREGULARITY_7.1.4 RULING_WITHOUT_CAUSE | and the table calls it void
        AS AH | rule TH:7.1.1 void director                                   | void    | IRREGULARITY_7.1.1 RULING_WITHOUT_CAUSE NEW_DECK_REQUIRED                               | a foreign card asks for another deck
        AS AH | rule TH:7.1.4 continue pit_manager                            | settled | IRREGULARITY_7.1.4                                                 | the House lets it go on
        AS AH | rule TH:7.1.4 void dealer                                     | settled | DECISION_NOT_AUTHORISED                                            | a dealer's void is none
        AS AH | rule TH:7.1 void dealer                                       | settled | DECISION_NOT_AUTHORISED                                            | nor is one of everything
        AS AH | rule TH:7.1.4 continue dealer                                 | settled | DECISION_NOT_AUTHORISED                                            | nor is a word to go on
        AS AH | rule TH:7.1 void pit_manager                                  | void    | RULING_WITHOUT_CAUSE                                               | the House names no cause
        AS AH | void TH:7.1.4                                                 | void    | IRREGULARITY_7.1.4 DECISION_MISSING                                | voided and nobody of the House ruled
        AS AH | void TH:7.1.4, rule TH:7.1.4 void dealer                      | void    | IRREGULARITY_7.1.4 DECISION_NOT_AUTHORISED                         | or only a dealer did
        AS AH | close settled, rule TH:7.1.4 void pit_manager                 | settled | REOPENED_ROUND                                                     | a round that is over stands
        AS AH | report count_doubt, rule TH:7.7 counted dealer x              | settled | COUNT_NOT_TAKEN WORD_UNKNOWN                                       | a count that is no number
        AS AH | report count_doubt, rule TH:7.7 counted dealer                | settled | COUNT_NOT_TAKEN WORD_UNKNOWN                                       | a count without its number
    """),  # noqa: E501 (a row is a round)
)
def test_each_fault_asks_for_its_own_ruling(hole: str, text: str, status: str, flags: str) -> None:
    found = judged(round_of(ONE, {"1": hole}, *happened(text.replace("GO_ON", GO_ON))))

    assert found.ruled.status == status
    assert codes(found) == flags.split()


def decision(player: str, word: str, box: str = "1") -> Json:
    return event("DecisionMade", player_id=player, box=box, decision=word)


@pytest.mark.parametrize(
    ("player", "word", "line", "flags"),
    cases("""
        P1 | fold   | lose 100 |                  | one's own
        P2 | fold   | push 0   | DECISION_NOT_OWN | another player's
        P1 | folded | push 0   | WORD_UNKNOWN     | no such word
    """),
)
def test_whose_word_counts_for_a_box(player: str, word: str, line: str, flags: str) -> None:
    found = judged(round_of("1 ante 100", {"1": "AS AH"}, decision(player, word)))

    ante = found.dues[0]
    assert f"{ante.outcome} {ante.collected}" == line
    assert codes(found) == flags.split()


@pytest.mark.parametrize("box", ["dealer", "community", "burn"])
def test_where_other_cards_lie_is_no_box(box: str) -> None:
    found = seen(bets=f"1 ante 100, 1 flop 200, 2 ante 200, 2 flop 400, {box} ante 100")

    lines = {due.wager_id: due for due in found.dues}
    assert (lines[f"{box}-ante"].outcome, lines[f"{box}-ante"].back) == ("returned", 100)
    assert lines["1-flop"].outcome == "win"
    assert codes(found) == ["ILLEGAL_POSITION"]


def test_a_dealers_ante_among_stray_hands_crashes_nothing() -> None:
    found = judged(round_of("dealer ante 100", {"7": "AS AH", "dealer": "2C 3C 4C"}))

    assert [(due.outcome, due.back) for due in found.dues] == [("returned", 100)]
    assert "ILLEGAL_POSITION" in codes(found)


def test_a_hand_of_three_that_was_called_right_is_unknown() -> None:
    text = "report misdealt, rule TH:7.3 reconstruct pit_manager"

    found = judged(
        round_of("1 ante 100, 1 bonus 50, 1 flop 200", {"1": "AS AH 4C"}, *happened(text))
    )

    assert found.ruled.status == "unknown"
    assert english(found.ruled.steps[-1].text) == "box 1: 3 cards lie there, 2 are due"


def test_a_late_notice_lets_no_settlement_stand_that_makes_money() -> None:
    text = "settle 1-ante 0 0 1000000000000000, settle 1-bonus 0 50 0, settle 1-flop 0 250 0"

    found = dealt(THREE_IN_BOX_1, f"{text}, close settled")

    lines = {due.wager_id: (due.outcome, due.collected, due.returned) for due in found.dues}
    assert found.ruled.status == "settled"
    assert lines["1-ante"] == ("stands", 0, 100)
    assert lines["1-bonus"] == ("stands", 50, 0)
    assert lines["1-flop"] == ("stands", 200, 0)
    mismatch = next(
        english(flag.note) for flag in found.flags if flag.code == "SETTLEMENT_MISMATCH"
    )
    assert mismatch == "1-ante: returned +999,999,999,999,900; 1-flop: collected +50"


@pytest.mark.parametrize("posted", ["pit_manager", "shift_manager"])
def test_whose_word_it_takes_is_named_though_the_round_is_void(posted: str) -> None:
    text = "report disruption, rule TH:7.1.4 continue pit_manager"

    found = seen(text, readings={"void_authority": posted})

    assert found.ruled.status == {"pit_manager": "settled", "shift_manager": "void"}[posted]
    assert answer(found)["readings"]["void_authority"] == posted


@pytest.mark.parametrize(
    ("cards", "posted", "status"),
    [(SHOE, "card_shoe", "settled"), (SHOE, "automated_device", "void")],
)
def test_how_a_table_deals_is_named_where_the_order_is_known(
    cards: str, posted: str, status: str
) -> None:
    found = dealt(cards, readings={"dealing": posted})

    assert found.ruled.status == status
    assert answer(found)["readings"]["dealing"] == posted
