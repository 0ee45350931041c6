"""Sic Bo, SA-SB: the worked examples of the rulebook page and its irregularities, word by word."""

import pytest

from replay.judge import Judgement
from replay.rulings import sic_bo
from tests.support.english import english
from tests.support.shaker_story import backs, flags, told
from tests.support.tables import cases

TOTAL_7 = """bet b1 small 100, bet b2 big 100, bet b3 odd 100, bet b4 total:7 100,
    bet b5 single3:1-2-4 100, bet b6 four:1-2-3-4 100, bet b7 double:1+4 100,
    close, shake 4-1-2, enter 1-2-4"""
TRIPLE_2 = """bet b1 small 100, bet b2 even 100, bet b3 triple:2 100, bet b4 any_triple 100,
    bet b5 pair:2 100, bet b6 all_even 100, bet b7 total:6 100, bet b8 number:2 100,
    bet b9 four:1-2-3-4 100, close, shake 2-2-2, enter 2-2-2"""
TWO_TWOS = """bet b1 dsingle:2-2-3 100, bet b2 dsingle:3-3-2 100, bet b3 pair:2 100,
    bet b4 two_even_one_odd 100, bet b5 number:2 100, bet b6 number:3 100,
    bet b7 four:1-2-3-4 100, close, shake 2-3-2, enter 2-2-3"""
TOTAL_17 = """bet b1 total:17 100, bet b2 total:4 100, bet b3 big 100, bet b4 odd 100,
    close, shake 6-5-6, enter 5-6-6"""
TOTAL_5 = "bet b1 total:5 100, bet b2 total:16 100, close, shake 1-1-3, enter 1-1-3"
TOTAL_9 = """bet b1 total:9 100, bet b2 total:12 100, bet b3 small 100,
    close, shake 2-3-4, enter 2-3-4"""
TOTAL_11 = """bet b1 big 100, bet b2 small 100, bet b3 total:11 100,
    close, shake 5-4-2, enter 2-4-5"""
FOUR = "bet b1 four:2-3-5-6 100, bet b2 four:3-4-5-6 100, close, shake 6-2-5, enter 2-5-6"
FOUR_DOUBLED = "bet b1 four:2-3-5-6 100, close, shake 6-6-5, enter 5-6-6"
ALL_ODD = "bet b1 all_odd 100, bet b2 two_odd_one_even 100, close, shake 1-3-5, enter 1-3-5"
ROUNDING = """bet b1 two_odd_one_even 5, bet b2 two_odd_one_even 4,
    close, shake 1-3-6, enter 1-3-6"""
REPEATED = """bet b1 big 100, close, shake 1-1-6 not_flat, again not_flat,
    shake 1-1-1 tumbles=2, again tumbles, shake 6-5-4 tumbles=3, enter 4-5-6"""
UNFOUNDED = """bet b1 any_triple 100, close, shake 4-4-4, shake 3-2-1, enter 1-2-3,
    settled b1 0 100 0"""
ILLEGAL = """bet b1 total:3 10, bet b2 four:1-2-3-5 10, bet b3 double:2+2 10,
    close, shake 1-1-1, enter 1-1-1"""
LATE = "close, bet b1 any_triple 100, shake 1-1-1, enter 1-1-1"

EXAMPLES = [
    (TOTAL_7, "4-1-2 (7)", "100 200, 0 0, 100 200, 1200 1300, 3000 3100, 700 800, 600 700", ""),
    (
        TRIPLE_2,
        "2-2-2 (6)",
        "0 0, 0 0, 18500 18600, 3000 3100, 1100 1200, 600 700, 1800 1900, 300 400, 0 0",
        "",
    ),
    (
        TWO_TWOS,
        "2-3-2 (7)",
        "6100 6200, 0 0, 1100 1200, 130 230, 200 300, 100 200, 0 0",
        "",
    ),
    (TOTAL_17, "6-5-6 (17)", "6100 6200, 0 0, 100 200, 100 200", ""),
    (TOTAL_5, "1-1-3 (5)", "3000 3100, 0 0", ""),
    (TOTAL_9, "2-3-4 (9)", "700 800, 0 0, 100 200", ""),
    (TOTAL_11, "5-4-2 (11)", "100 200, 0 0, 600 700", ""),
    (FOUR, "6-2-5 (13)", "700 800, 0 0", ""),
    (FOUR_DOUBLED, "6-6-5 (17)", "0 0", ""),
    (ALL_ODD, "1-3-5 (9)", "600 700, 0 0", ""),
    (ROUNDING, "1-3-6 (10)", "7 12, 5 9", ""),
    (REPEATED, "6-5-4 (15)", "100 200", ""),
    (
        UNFOUNDED,
        "4-4-4 (12)",
        "3000 3100",
        "MISPAY b1, RESHAKE_UNFOUNDED 0, RESULT_MISMATCH 1-2-3",
    ),
    (
        ILLEGAL,
        "1-1-1 (3)",
        "0 10, 0 10, 0 10",
        "ILLEGAL_POSITION b1, ILLEGAL_POSITION b2, ILLEGAL_POSITION b3",
    ),
    (LATE, "1-1-1 (3)", "0 100", "LATE_BET b1"),
]


@pytest.mark.parametrize(
    ("story", "outcome", "money", "flagged"),
    [pytest.param(*row, id=f"example {n}") for n, row in enumerate(EXAMPLES, 1)],
)
def test_the_worked_examples(story: str, outcome: str, money: str, flagged: str) -> None:
    found = told(story)

    assert found.ruled.status == "settled"
    assert found.ruled.outcome == outcome
    assert ", ".join(f"{due.paid} {due.back}" for due in found.dues) == money
    assert flags(found) == flagged


def test_a_refused_wager_is_not_a_lost_one() -> None:
    assert backs(told(ILLEGAL)) == "b1 refused 0 10, b2 refused 0 10, b3 refused 0 10"
    assert backs(told(LATE)) == "b1 refused 0 100"


def after_close(story: str) -> Judgement:
    """A round with 100 on small, told from the end of betting on."""
    return told(f"bet b1 small 100, close, {story}")


@pytest.mark.parametrize(
    ("story", "outcome"),
    cases("""
        shake 2-2-5 tumbles=3                                      | 2-2-5 (9)  | three are enough
        shake 2-2-5 tumbles=2, again tumbles, shake 6-6-1          | 6-6-1 (13) | two are not
        shake 2-2-5 overlap, again overlap, shake 6-6-1            | 6-6-1 (13) | overlap
        shake 2-2-5 not_flat, again not_flat, shake 6-6-1          | 6-6-1 (13) | not flat
        shake 2-2-5 not_flat, shake 6-6-1                          | 6-6-1 (13) | without a word
        shake unread overlap, again overlap, shake 6-6-1           | 6-6-1 (13) | faces unread
        start, shake 2-2-5                                         | 2-2-5 (9)  | started twice
        stop 2, seen 2-2-5, stop 4, seen 6-6-1                     | 6-6-1 (13) | starts not seen
        seen 2-2-5, stop 2, seen 6-6-1, stop 4 | 6-6-1 (13) | read before it stops
        seen 2-2-5 overlap, again overlap, seen 6-6-1              | 6-6-1 (13) | sensor alone
        camera 2-2-5 0.95 overlap, again overlap, camera 6-6-1 0.95 | 6-6-1 (13) | camera alone
        camera 2-2-5 0.95 overlap, again overlap, seen 6-6-1       | 6-6-1 (13) | by turns
        seen 2-2-5 overlap, again overlap, camera 2-2-5 0.95 overlap, seen 6-6-1 \
| 6-6-1 (13) | a camera that reports late
    """),
)
def test_a_shake_that_does_not_count_is_repeated_with_all_bets_standing(
    story: str, outcome: str
) -> None:
    found = after_close(story)

    assert found.ruled.outcome == outcome
    assert backs(found) == ("b1 win 100 200" if outcome == "2-2-5 (9)" else "b1 lose 0 0")
    assert flags(found) == ""


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        shake 2-2-5 tumbles=2                          | RESHAKE_MISSED 0 | the round just ends
        shake 2-2-5 overlap, shake 2-2-5 not_flat | RESHAKE_MISSED 1 | the last was not repeated
        shake 2-2-5 overlap, again overlap, start      | RESHAKE_MISSED 0 | it never came to rest
        shake 2-2-5 tumbles=2, enter 2-2-5, settled b1 100 0 100 \
| MISPAY b1, RESHAKE_MISSED 0, RESULT_MISMATCH 2-2-5 | two tumbles entered as result
        seen 2-2-5 overlap, again overlap, stop 2, seen 6-6-1 | RESHAKE_MISSED 1 | neither counts
        camera 2-2-5 0.40 overlap, enter 2-2-5 | RESHAKE_MISSED 0, RESULT_MISMATCH 2-2-5 | a fault
        shake 2-2-5 overlap, start, end                | RESHAKE_MISSED 0 | told once
        start                                          |                  | it may still come
                                                       |                  | nobody shook yet
        start, end                                     | RESHAKE_MISSED 0 | nobody read anything
        end                                            | RESHAKE_MISSED   | nobody shook
        end void                                       | RESHAKE_MISSED   | and it was called void
    """),
)
def test_without_a_valid_shake_nothing_may_be_paid(story: str, flagged: str) -> None:
    found = after_close(story)

    assert (found.ruled.status, found.ruled.outcome) == ("unsettled", "")
    assert backs(found) == "b1 open 0 0"
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        shake 2-2-5, shake 6-6-1, enter 2-2-5           | UNFOUNDED 0              | repeated
        shake 2-2-5, enter 2-2-5, again overlap         | UNFOUNDED 0              | announced
        shake 2-2-5, shake 6-6-1, shake 1-1-2           | UNFOUNDED 0, UNFOUNDED 1 | repeated twice
        shake 2-2-5, shake 6-6-1 tumbles=1              | UNFOUNDED 0              | decided already
        shake 1-1-1 overlap, shake 2-2-5, shake 6-6-1 | UNFOUNDED 1 | after a good cause
        shake 1-1-1 overlap, enter 1-1-1, shake 2-2-5, enter 2-2-5 | MISSED 0 | entered too soon
    """),
)
def test_the_first_valid_shake_decides(story: str, flagged: str) -> None:
    found = after_close(story)

    assert found.ruled.outcome == "2-2-5 (9)"
    assert flags(found).replace("RESHAKE_", "") == flagged


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        withdraw b1, shake 2-2-5                   | WITHDRAWAL_REFUSED b1  | taken back after close
        shake 1-1-1 overlap, withdraw b1, shake 2-2-5 | WITHDRAWAL_REFUSED b1 | before a re-shake
        stake b1 900, shake 2-2-5                  | LATE_BET b1            | raised after close
        move b1 big, shake 2-2-5                   | LATE_BET b1            | moved after close
        shake 2-2-5, enter 2-2-6                   | RESULT_MISMATCH 2-2-6  | a wrong entry
        shake 2-2-5, enter 2-2-6, enter 5-2-2      |                        | an entry put right
        shake 2-2-5, enter 5 2 2, board 2-2-5      |                        | written another way
        shake 2-2-5, enter 2-2-5, board 2-2-6      | RESULT_MISMATCH 2-2-6  | a wrong display
        shake 2-2-5, enter small                   | RESULT_MISMATCH small  | no dice in it
        shake 2-2-5, settled b1 100 0 100          |                        | paid as due
        shake 2-2-5, settled b1 99 0 100           | MISPAY b1              | one short
        shake 2-2-5, settled b1 0 100 0            | MISPAY b1              | a win collected
    """),
)
def test_what_people_do_about_it_changes_nothing(story: str, flagged: str) -> None:
    found = after_close(story)

    assert backs(found) == "b1 win 100 200"
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "outcome", "flagged"),
    cases("""
        shake 2-2-5, camera 5-2-2 0.97          | 2-2-5 (9) |                  | they agree
        shake 2-2-5, camera 6-6-6 0.89          | 2-2-5 (9) |                  | an unsure camera
        shake unread, camera 2-2-5 0.90 | 2-2-5 (9) | | only the camera could
        shake 2-2-7, camera 2-2-5 0.97 | 2-2-5 (9) | WORD_UNKNOWN faces.2-2-7 | a seven is none
        shake 2-2-5 overlap, camera 2-2-5 0.5, again overlap, shake 2-2-5 \
| 2-2-5 (9) | | an unsure camera does not excuse
        shake 1-1-1 overlap, camera 1-1-1 0.95 not_flat, shake 2-2-5 \
| 2-2-5 (9) | | two witnesses, two reasons
        start, stop 5, enter 2-2-5              | 2-2-5 (9) | UNVERIFIABLE     | the dealer alone
        enter 2-2-5 | 2-2-5 (9) | UNVERIFIABLE | nothing but the entry
        start, stop 5, again not_flat, shake 2-2-5 | 2-2-5 (9) | | by the dealer's word
        shake 2-2-5, camera 2-2-6 0.97          |           | RESULT_UNKNOWN 0 | they differ
        shake 2-2-5, camera 2-2-5 0.97 overlap  |           | RESULT_UNKNOWN 0 | one saw an overlap
        shake 2-2-5, camera 2-2-6 0.97, shake 6-6-1 |       | RESULT_UNKNOWN 0 | it may have counted
        start, stop 5 | | RESULT_UNKNOWN 0 | nobody read the dice
        shake unread, enter small               |           | RESULT_UNKNOWN 0 | nor did the dealer
    """),
)
def test_the_dice_are_what_the_witnesses_agree_on(story: str, outcome: str, flagged: str) -> None:
    found = after_close(story)

    assert found.ruled.status == ("settled" if outcome else "unknown")
    assert found.ruled.outcome == outcome
    assert backs(found) == ("b1 win 100 200" if outcome else "")
    assert flags(found) == flagged


def test_readings_that_differ_are_named() -> None:
    found = after_close("shake 2-2-5, camera 2-2-6 0.97")

    assert english(found.flags[0].note) == "sensor read 2-2-5, camera read 2-2-6"


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        shake 2-2-5, close           | SHAKE_BEFORE_CLOSE 0 | all of it
        start, close, stop 4, seen 2-2-5 | SHAKE_BEFORE_CLOSE 0 | its start is enough
        close, shake 2-2-5           |                      | in order
    """),
)
def test_a_shake_before_close_stands_and_is_told(story: str, flagged: str) -> None:
    found = told(f"bet b1 small 100, {story}")

    assert backs(found) == "b1 win 100 200"
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        withdraw b1, close, shake 2-2-5         |                |                     | taken back
        stake b1 300, close, shake 2-2-5        | b1 win 300 600 |                     | raised
        move b1 big, close, shake 2-2-5         | b1 lose 0 0    |                     | moved
        move b1 total:3, close, shake 2-2-5 | b1 win 100 200 | ILLEGAL_POSITION b1 | moved nowhere
    """),
)
def test_until_close_a_wager_is_the_players_own(story: str, due: str, flagged: str) -> None:
    found = told(f"bet b1 small 100, {story}")

    assert backs(found) == due
    assert flags(found) == flagged


def test_a_late_wager_is_refused_even_where_the_round_stays_open() -> None:
    found = told("bet b1 small 100, close, bet b2 small 50, bet b3 total:3 50, shake 2-2-5 overlap")

    assert backs(found) == "b1 open 0 0, b2 refused 0 50, b3 refused 0 50"
    assert flags(found) == "ILLEGAL_POSITION b3, LATE_BET b2, LATE_BET b3, RESHAKE_MISSED 0"


def test_four_number_as_the_text_says_literally() -> None:
    story = "bet b1 four:1-2-3-4 100, bet b2 four:2-3-5-6 100, close, shake 2-2-1"

    usual, literal = told(story), told(story, readings={"four_number": "literal"})

    assert backs(usual) == "b1 lose 0 0, b2 lose 0 0"
    assert backs(literal) == "b1 win 200 300, b2 lose 0 0"
    assert literal.ruled.readings == {"four_number": "literal"}


def test_the_posted_paytable_pays() -> None:
    story = "bet b1 total:9 100, bet b2 double:2+5 100, bet b3 pair:2 100, close, shake 2-2-5"

    assert backs(told(story)) == "b1 win 700 800, b2 win 600 700, b3 win 1100 1200"
    assert backs(told(story, paytable="conventional")) == (
        "b1 win 600 700, b2 win 500 600, b3 win 1000 1100"
    )


@pytest.mark.parametrize(
    ("entry", "word"),
    cases("""
        4-1-2     | 1-2-4 | as the examples print it
        412       | 1-2-4 | run together
        4, 1, 2   | 1-2-4 | with commas
        4-1-2 (7) | 1-2-4 | with its total
        4-1-2 (8) | 4-1-2 (8) | SA-SB:8.2.4 with another total
        4-1-7     | 4-1-7 | no such die
        4-1       | 4-1   | a die short
        Small     | small | a bet
    """),
)
def test_an_entry_as_one_word(entry: str, word: str) -> None:
    assert sic_bo.said(entry) == word
