"""Hoiana Roulette: whose ball a reading is of, and when the spin is over (RO:2.2, 7.2, 7.9.1)."""

import pytest

from tests.support.english import english
from tests.support.roulette_story import backs, flags, told
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("seen", "due", "flagged"),
    cases("""
        spin, turns 2, spin, turns 9, land 30   | b1 win 700 1400 | NO_SPIN_NOT_CALLED 7.2, NO_SPIN_NOT_CALLED 7.4, SECOND_BALL 7.9.1 | 7.2 revolutions are counted ball by ball
        spin, turns 9, spin, turns 9, land 30   | b1 win 700 1400 | NO_SPIN_NOT_CALLED 7.4, SECOND_BALL 7.9.1 | 7.4 the first ball never fell
        spin, turns 9, land 30, spin, turns 9, land 3  | b1 win 700 1400 | SECOND_BALL 7.9.1 | 4.10 the first ball came to rest
        spin, turns 9, land 3, spin, turns 9, land 30  | b1 lose 0 0 | SECOND_BALL 7.9.1 | 4.10 and decides
        spin, turns 9, land 30, dolly 30, spin, turns 1 | b1 win 700 1400 | SECOND_BALL 7.9.1 | a second ball while winners are paid
        spin, turns 9, land 3, spin, turns 9, land 30, dolly 30 | b1 lose 0 0 | RESULT_MISMATCH 2.1, SECOND_BALL 7.9.1 | the dealer took the second
        spin anticlockwise, spin, turns 9, land 30 | b1 win 700 1400 | NO_SPIN_NOT_CALLED 7.1, NO_SPIN_NOT_CALLED 7.4, SECOND_BALL 7.9.1 | 7.1 of the first ball
        spin, turns 9, land ?, dolly 30, spin, land 3 | b1 win 700 1400 | SECOND_BALL 7.9.1 | the first ball lay, unread, and the dealer marked it
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_second_ball_that_nobody_announced(seen: str, due: str, flagged: str) -> None:
    found = told(f"bet b1 p1 high 700, close, {seen}")

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_ball_spun_again_after_a_no_spin_is_no_second_ball() -> None:
    found = told(
        "bet b1 p1 high 700, close, spin, turns 2, call dealer few_revolutions spinning, back 8, "
        "spin, turns 9, land 30",
        carry={"previous_pocket": 8},
    )

    assert (backs(found), flags(found)) == ("b1 void 0 700", "")


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        land 30, dolly 30, settle b1 700 700, land 3      | b1 win 700 1400 | SECOND_BALL 7.9.1   | every winner was paid
        land 30, dolly 30, end, land 3                    | b1 win 700 1400 | SECOND_BALL 7.9.1   | the round was closed
        land 3, dolly 3, settle b1 0 0 700, land 30       | b1 lose 0 0     | SECOND_BALL 7.9.1   | nobody had won
        land 30, dolly 30, settle b1 700 700, land 30     | b1 win 700 1400 |                     | the same reading sent again
        land 30, dolly 30, settle b1 700 700, turns 2     | b1 win 700 1400 | SECOND_BALL 7.9.1   | a count of another ball
        land 30, land 3, dolly 30, settle b1 700 700      |                 | RESULT_UNKNOWN 4.10 | before the spin was over
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_reading_after_the_spin_is_of_another_ball(story: str, due: str, flagged: str) -> None:
    """RO:2.2. The spin is over: what the wheel reads from then on changes nothing."""
    found = told(f"bet b1 p1 high 700, close, spin, turns 9, {story}")

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_second_ball_leaves_the_reading_named() -> None:
    found = told("bet b1 p1 high 700, close, spin, turns 2, spin, turns 9, land 30")

    assert found.ruled.readings == {"missed_no_spin": "result_stands"}


@pytest.mark.parametrize("kind", ["ball_out", "interference", "floater", "foreign_object"])
@pytest.mark.parametrize(
    "paid",
    cases("""
        settle b1 700 700                  | every winner was paid
        settle b1 700 700, end             | and the round closed
        end                                | closed, whatever was paid
    """),
)
def test_a_disturbance_after_the_spin_changes_nothing(kind: str, paid: str) -> None:
    """RO:2.2. A spin ends once its result is determined and all winning wagers are paid."""
    found = told(
        f"bet b1 p1 high 700, close, spin, turns 9, land 30, dolly 30, {paid}, seen {kind}"
    )

    assert (backs(found), flags(found)) == ("b1 win 700 1400", "")
    assert any("after the spin was over" in english(step.text) for step in found.steps)


def test_where_nobody_won_the_spin_is_over_with_its_result() -> None:
    found = told("bet b1 p1 low 700, close, spin, turns 9, land 30, dolly 30, seen ball_out")

    assert (backs(found), flags(found)) == ("b1 lose 0 0", "")


def test_a_disturbance_while_winners_are_paid_is_one_of_the_spin() -> None:
    bets = "bet b1 p1 high 700, bet b2 p2 red 100"

    found = told(f"{bets}, close, spin, land 30, dolly 30, settle b1 700 700, seen interference")

    assert flags(found) == "NO_SPIN_NOT_CALLED 7.7"


@pytest.mark.parametrize(
    ("seen", "due", "named"),
    cases("""
        seen ball_out, land 30           | b1 void 0 700   | void          | it fell out and one came to rest
        seen ball_out, land 30           | b1 win 700 1400 | result_stands | the same by the other reading
        seen ball_out, dolly 30          | b1 void 0 700   | void          | only the dealer saw it rest
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_ball_that_left_the_wheel_and_came_to_rest(seen: str, due: str, named: str) -> None:
    """RO:7.5, rule issue ball_out."""
    found = told(
        f"bet b1 p1 high 700, close, spin, {seen}", terms={"readings": {"ball_out": named}}
    )

    assert backs(found) == due
    assert found.ruled.readings["ball_out"] == named


def test_a_ball_that_left_the_wheel_for_good_rests_on_no_reading() -> None:
    found = told("bet b1 p1 high 700, close, spin, seen ball_out")

    assert (backs(found), dict(found.ruled.readings)) == ("b1 void 0 700", {})


@pytest.mark.parametrize(
    ("told_of", "due", "flagged"),
    cases("""
        turns 9, turns 9 | b1 win 700 1400 |                         | the same count sent twice
        turns 2, turns 9 | b1 win 700 1400 | COUNT_CONTRADICTED 7.2  | nobody can say whether three were made
        turns 9, turns 2 | b1 win 700 1400 | COUNT_CONTRADICTED 7.2  | in whatever order
        turns 2, turns 3 | b1 win 700 1400 | COUNT_CONTRADICTED 7.2  | one more is no running count that starts at two
        turns 9, turns 8 | b1 win 700 1400 | COUNT_CONTRADICTED 7.2  | enough by both, and told
        turns 1, turns 2, turns 3, turns 4 | b1 win 700 1400 |       | a running count
        turns 1, turns 2, turns 2 | b1 win 700 1400 | NO_SPIN_NOT_CALLED 7.2 | its last word sent twice
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_second_count_of_one_ball(told_of: str, due: str, flagged: str) -> None:
    found = told(f"bet b1 p1 high 700, close, spin, {told_of}, land 30")

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_count_in_doubt_decides_nothing_where_an_irregular_spin_is_void() -> None:
    void = {"readings": {"missed_no_spin": "void"}}

    found = told("bet b1 p1 high 700, close, spin, turns 2, turns 9, land 30", terms=void)

    assert found.ruled.status == "unknown"
    assert found.ruled.readings["missed_no_spin"] == "void"
    assert flags(found) == "COUNT_CONTRADICTED 7.2, RESULT_UNKNOWN 7.2"


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        call dealer_inspector suspected spinning, close, spin, turns 9, land 30 | b1 win 700 1400 | NO_SPIN_TOO_EARLY 2.2 | called while bets were taken
        close, call dealer few_revolutions spinning, spin, turns 9, land 30, dolly 30, settle b1 700 700 | b1 win 700 1400 | NO_SPIN_TOO_EARLY 2.2 | called before the ball went
        close, call dealer_inspector suspected spinning, turns 9, land 30, back 8 | b1 void 0 700 | | the release itself was lost: nobody can say that it was early
        close, call dealer_inspector suspected spinning, back 8 | b1 void 0 700 | NO_SPIN_TOO_EARLY 2.2 | no ball at all
    """),  # noqa: E501 (a row is a sentence)
)
def test_no_spin_before_any_ball(story: str, due: str, flagged: str) -> None:
    """RO:2.2. A spin begins with the ball; 7.1 to 7.8 call off what is under way."""
    found = told(f"bet b1 p1 high 700, {story}", carry={"previous_pocket": 8})

    assert (backs(found), flags(found)) == (due, flagged)


@pytest.mark.parametrize(
    ("called", "flagged"),
    cases("""
        30          |                     | the number alone
        30 red      |                     | with its colour
        30 Red even high |                | with all it is
        30 black    | RESULT_MISMATCH 2.1 | the colour of another
        30 odd      | RESULT_MISMATCH 2.1 | the parity of another
        30 3        | RESULT_MISMATCH 2.1 | two numbers
        zero black  | RESULT_MISMATCH 2.1 | zero is green
    """),
)
def test_a_result_called_with_what_it_is_not(called: str, flagged: str) -> None:
    found = told(f"bet b1 p1 high 700, close, spin, turns 9, land 30, dolly 30, result {called}")

    assert (backs(found), flags(found)) == ("b1 win 700 1400", flagged)


def test_a_round_called_off_before_the_ball_is_void_and_nobodys_fault() -> None:
    found = told("bet b1 p1 high 700, close, voided, end")

    assert (backs(found), flags(found)) == ("b1 void 0 700", "")


def test_a_round_closed_without_a_ball_is_told() -> None:
    found = told("bet b1 p1 high 700, close, end")

    assert (backs(found), flags(found)) == ("b1 void 0 700", "NO_SPIN_NOT_CALLED 7.4")


@pytest.mark.parametrize(
    ("event", "flagged"),
    cases("""
        seen applause               | WORD_UNKNOWN seen.applause          | a disturbance
        seen malfunction            | WORD_UNKNOWN seen.malfunction       | one that only SA-RO knows
        report thunder b1           | WORD_UNKNOWN reported.thunder       | an irregularity
        lamp 30                     | WORD_UNKNOWN shown_by.lamp          | a witness that is none
        result 30 reddish           | WORD_UNKNOWN called.reddish         | a word in a call
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_word_that_means_nothing_is_told(event: str, flagged: str) -> None:
    found = told(f"bet b1 p1 high 700, close, spin, turns 9, {event}, land 30, dolly 30")

    assert (backs(found), flags(found)) == ("b1 win 700 1400", flagged)
    assert any(english(flag.note) for flag in found.flags)
