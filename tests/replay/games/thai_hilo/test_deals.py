"""Thai HiLo, SA-HL: the worked examples and every irregularity, right and breached."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulings import thai_hilo
from tests.support import shaker_story
from tests.support.shaker_story import backs, flags
from tests.support.tables import cases


def told(story: str, **terms: Any) -> Judgement:
    return shaker_story.told(story, game="SA-HL", **terms)


# Every bet of these examples is 100; beside it stands what it wins, `-` where it loses.
@pytest.mark.parametrize(
    ("faces", "total", "bets"),
    cases("""
        2-4-6 | 12 | hi 160, lo -, hilo_11 -                              | 1 total 12
        2-4-4 | 10 | hi -, lo 95, 4_lo 400                                | 2 total 10
        5-5-1 | 11 | hi -, lo -, hilo_11 600, 5_hi -, 5_lo -              | 3 total 11
        1-1-1 | 3  | lo 95, number:1 500, 1_lo 160, run:1-2-3 -           | 4 triples count for Lo
        6-6-6 | 18 | hi 160, number:6 500, 6_hi 210                       | 5 triples count for Hi
        1-1-2 | 4  | run:1-2-3 100, double:1+2 600                        | 6 two of the three
        3-1-2 | 6  | run:1-2-3 600, double:1+3 600, 3_lo 300              | 7 exact
        4-5-6 | 15 | run:4-5-6 600, 4_hi 400, 5_hi 300, 6_hi 210, 3_hi -  | 8 exact 4·5·6
        6-2-1 | 9  | 6_lo 1000, 2_lo 210, 1_lo 160                        | 9 with Lo
        5-3-1 | 9  | 5_lo 600, 3_hi -                                     | 10 with Hi on a Lo
    """),
)
def test_the_worked_examples_in_hundreds(faces: str, total: str, bets: str) -> None:
    rows = [bet.split() for bet in bets.split(", ")]
    lines = [f"bet b{n} {position} 100" for n, (position, _) in enumerate(rows, 1)]
    due = [
        f"b{n} lose 0 0" if paid == "-" else f"b{n} win {paid} {int(paid) + 100}"
        for n, (_, paid) in enumerate(rows, 1)
    ]

    found = told(", ".join([*lines, "close", f"shake {faces}", f"enter {faces}"]))

    assert found.ruled.outcome == f"{faces} ({total})"
    assert backs(found) == ", ".join(due)
    assert flags(found) == ""


@pytest.mark.parametrize(
    ("story", "paytable", "outcome", "money", "flagged"),
    cases("""
        bet b1 lo 10, bet b2 lo 9, close, shake 1-2-3 | fit | 1-2-3 (6) \
| b1 win 10 20, b2 win 9 18 | | 11 rounding of 9.5 and 8.55
        bet b1 hi 3, bet b2 6_hi 5, close, shake 6-5-4 | fit | 6-5-4 (15) \
| b1 win 5 8, b2 win 11 16 | | 12 rounding of 4.8 and 10.5
        bet b1 hi 100, bet b2 double:4+6 100, bet b3 run:4-5-6 100, close, shake 6-4-5 | public \
| 6-4-5 (15) | b1 win 110 210, b2 win 500 600, b3 win 500 600 | | 13 the public paytable
        bet b1 hilo_11 100, close, shake 6-4-1 overlap, again overlap, shake 6-4-1 | fit \
| 6-4-1 (11) | b1 win 600 700 | | 14 overlap then valid
        bet b1 1_hi 10, bet b2 2_hi 10, bet b3 run:2-3-4 10, close, shake 6-6-1 | fit \
| 6-6-1 (13) | b1 refused 0 10, b2 refused 0 10, b3 refused 0 10 \
| ILLEGAL_POSITION b1, ILLEGAL_POSITION b2, ILLEGAL_POSITION b3 | 15 illegal positions
    """),
)
def test_the_other_worked_examples(
    story: str, paytable: str, outcome: str, money: str, flagged: str
) -> None:
    found = told(story, paytable=paytable)

    assert found.ruled.outcome == outcome
    assert backs(found) == money
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "due", "flagged", "clause"),
    cases("""
        close, shake 6-6-1 tumbles=3 | win 160 260 | | SA-HL:10.2.3 | three are enough
        close, shake 6-6-1 tumbles=2, again tumbles, shake 1-1-1 | lose 0 0 | \
| SA-HL:10.2.3 | two are not
        close, shake 6-6-1 tumbles=2, enter 6-6-1, settled b1 160 0 100 | open 0 0 \
| MISPAY b1, RESHAKE_MISSED 0, RESULT_MISMATCH 6-6-1 | SA-HL:10.5.2 | two taken
        close, end | open 0 0 | RESHAKE_MISSED | SA-HL:10.2.2 | closed without a shake
        close, start, end | open 0 0 | RESHAKE_MISSED 0 | SA-HL:10.2.3 | closed while shaking
        close, shake 6-6-1 overlap, shake 1-1-1 | lose 0 0 | | SA-HL:10.2.3 | overlap repeated
        close, shake 6-6-1 overlap | open 0 0 | RESHAKE_MISSED 0 | SA-HL:10.5.1 | overlap left
        close, shake 6-6-1 not_flat, shake 1-1-1 | lose 0 0 | | SA-HL:10.2.3 | not flat repeated
        close, shake 6-6-1 not_flat | open 0 0 | RESHAKE_MISSED 0 | SA-HL:10.5.1 | not flat left
        close, shake 6-6-1, shake 1-1-1, enter 1-1-1, settled b1 0 100 0 | win 160 260 \
| MISPAY b1, RESHAKE_UNFOUNDED 0, RESULT_MISMATCH 1-1-1 | SA-HL:10.2.3 | a valid one repeated
        close, withdraw b1, shake 6-6-1 | win 160 260 | WITHDRAWAL_REFUSED b1 \
| SA-HL:10.2.3 | taken back late
        shake 6-6-1, close | win 160 260 | SHAKE_BEFORE_CLOSE 0 | SA-HL:10.2.3 | shaken early
        close, shake 6-6-1, camera 6-1-6 0.97, enter 1 6 6, settled b1 160 0 100 | win 160 260 | \
| SA-HL:10.2.3 | all agree
        close, shake 6-6-1, enter 6-6-1 (14) | win 160 260 | RESULT_MISMATCH 6-6-1 (14) \
| SA-HL:10.2.3 | another total entered
        close, enter 6-6-1 | win 160 260 | UNVERIFIABLE | SA-HL:10.2.3 | the dealer alone
    """),
)
def test_every_irregularity(story: str, due: str, flagged: str, clause: str) -> None:
    found = told(f"bet b1 hi 100, {story}")

    assert backs(found) == f"b1 {due}"
    assert flags(found) == flagged
    assert found.ruled.clauses[0] == clause


def test_a_late_wager_is_refused_and_differing_witnesses_leave_the_round_unknown() -> None:
    late = told("close, bet b1 hi 100, shake 6-6-1")
    unknown = told("bet b1 hi 100, close, shake 6-6-1, camera 6-6-2 0.97")

    assert (backs(late), flags(late)) == ("b1 refused 0 100", "LATE_BET b1")
    assert (unknown.ruled.status, flags(unknown)) == ("unknown", "RESULT_UNKNOWN 0")


def test_an_entry_that_contradicts_itself_is_no_result() -> None:
    found = told("bet b1 hi 100, close, enter 6-6-1 (14)")

    assert (found.ruled.status, flags(found)) == ("unknown", "RESULT_UNKNOWN 0")


@pytest.mark.parametrize(
    ("faces", "bet", "paid"),
    cases("""
        5-5-1 | hi 100        | 260 | Hi paid on 11
        5-5-1 | 5_hi 100      | 300 | 5 Hi paid on 11
        1-2-3 | run:1-2-3 100 | 700 | both tiers paid
        1-1-1 | run:1-2-3 100 | 100 | 1·2·3 paid on 1-1-1
        2-2-2 | lo 100        | 0   | Lo refused on a triple
    """),
)
def test_the_typical_mistakes_are_caught(faces: str, bet: str, paid: str) -> None:
    found = told(f"bet b1 {bet}, close, shake {faces}, settled b1 {paid} 0 100")

    assert flags(found) == "MISPAY b1"


def test_an_exact_run_in_both_tiers_where_the_table_posts_that() -> None:
    story = "bet b1 run:1-2-3 100, bet b2 run:4-5-6 100, close, shake 3-1-2"

    usual, both = told(story), told(story, readings={"run_tiers": "both"})

    assert (usual.dues[0].paid, both.dues[0].paid) == (600, 700)
    assert usual.ruled.readings == {"run_tiers": "higher_only"}
    assert told("bet b1 run:1-2-3 100, close, shake 1-1-2").ruled.readings == {}


@pytest.mark.parametrize(
    ("entry", "word"),
    cases("""
        6-5-4      | 4-5-6 | in any order
        654 (15)   | 4-5-6 | with its total
        654 (16)   | 654 (16) | SA-HL:10.2.4 with another total
        6-5        | 6-5   | a die short
    """),
)
def test_an_entry_as_one_word(entry: str, word: str) -> None:
    assert thai_hilo.said(entry) == word
