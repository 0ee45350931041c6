"""SA Roulette: whose spin a reading is of, when it is over, and what is told of it (SA-RO:7.3)."""

import pytest

from tests.replay.games.roulette_sa.test_deals import after_close, told
from tests.support.english import english
from tests.support.roulette_story import backs, flags
from tests.support.tables import cases


@pytest.mark.parametrize("kind", ["ball_out", "malfunction", "wheel_stopped", "floater"])
@pytest.mark.parametrize(
    "done",
    cases("""
        settle b1 100 100              | the winner was paid, nothing was confirmed
        settle b1 100 100, end         | and the round closed
        end                            | closed
        result 9, settle b1 100 100    | confirmed and paid
    """),
)
def test_a_disturbance_after_the_spin_changes_nothing(kind: str, done: str) -> None:
    found = after_close(f"spin, turns 9, land 9, {done}, seen {kind}")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "")
    assert any("after the spin was over" in english(step.text) for step in found.steps)


def test_a_payment_before_the_ball_lay_ends_no_spin() -> None:
    found = after_close("spin, turns 9, settle b1 100 100, seen ball_out, land 9")

    assert "RESPIN_MISSED 0" in flags(found)


@pytest.mark.parametrize(
    ("counts", "due", "flagged"),
    cases("""
        turns 9, turns 9, land 9   | b1 win 100 200 | | the same count sent twice
        turns 9, land 9, turns 9   | b1 win 100 200 | | and after the landing
        turns 4, turns 9, land 9   |                | COUNT_CONTRADICTED 0, RESULT_UNKNOWN 0 | 7.3.b nobody can say whether five were made
        turns 9, turns 4, land 9   |                | COUNT_CONTRADICTED 0, RESULT_UNKNOWN 0 | 7.3.b in whatever order
        turns 9, turns 8, land 9   | b1 win 100 200 | COUNT_CONTRADICTED 0 | enough by both, and told
        turns 1, turns 2, turns 3, turns 4, turns 5, land 9 | b1 win 100 200 | | a running count
        turns 9, land 9, turns 4   | b1 win 100 200 | RESPIN_UNFOUNDED 0   | the count of another spin decides nothing
        turns 4, seen ball_out, turns 9, land 9, spin, turns 9, land 9 | b1 win 100 200 | COUNT_CONTRADICTED 0 | 7.3.a to be repeated anyway
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_second_count_of_one_spin(counts: str, due: str, flagged: str) -> None:
    found = after_close(f"spin, {counts}")

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_release_sent_twice_is_one_spin() -> None:
    found = after_close("spin, spin, turns 9, land 9, result 9")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "")


@pytest.mark.parametrize(
    ("seen", "due", "flagged"),
    cases("""
        spin, turns 9, spin, turns 9, land 9           | b1 win 100 200 | SECOND_BALL 0        | nothing was seen of the first ball after it went
        spin, turns 9, spin, turns 9, land 30          | b1 lose 0 0    | SECOND_BALL 0        | the first ball to rest decides
        spin, spin anticlockwise, spin, turns 9, land 9 | b1 win 100 200 | SECOND_BALL 0       | 7.3.d the second went with the wheel
        spin, turns 9, spin, turns 9, spin, turns 9, land 9 | b1 win 100 200 | SECOND_BALL 0, SECOND_BALL 1 | a third ball
        spin, turns 9, land 9, spin, turns 9, land 30  | b1 win 100 200 | RESPIN_UNFOUNDED 0   | after one that came to rest
        spin, turns 9, seen floater, spin, turns 9, land 9 | b1 win 100 200 |                  | 7.3.c was seen
        spin, turns 9, seen ball_out, spin, turns 9, land 9 | b1 win 100 200 |                 | 7.3.a was seen
        spin, turns 4, spin, turns 9, land 9           | b1 win 100 200 |                      | 7.3.b too few revolutions
        spin, turns 9, call dealer floater spinning, spin, turns 9, land 9 | b1 win 100 200 |  | the re-spin was announced
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_second_ball_that_nothing_calls_for(seen: str, due: str, flagged: str) -> None:
    """SA-RO:7.3. A ball is spun again where one of a to f was seen, or a re-spin announced."""
    found = after_close(seen)

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_second_ball_names_its_reading() -> None:
    story = "bet b1 p1 low 100, close, spin, turns 9, spin, turns 9, land 9"

    usual = told(story)
    other = told(story, readings={"second_ball": "unknown"})

    assert usual.ruled.readings == {"second_ball": "first_to_rest"}
    assert (other.ruled.status, flags(other)) == ("unknown", "RESULT_UNKNOWN 0, SECOND_BALL 0")
    assert other.ruled.readings == {"second_ball": "unknown"}


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        result 9, land 30                    | b1 win 100 200 | SECOND_BALL 0                 | the number was confirmed
        settle b1 100 100, land 30           | b1 win 100 200 | SECOND_BALL 0                 | the winner was paid
        result 9, settle b1 100 100, land 30 | b1 win 100 200 | SECOND_BALL 0                 | both
        result 9, end, land 30               | b1 win 100 200 | SECOND_BALL 0                 | the round was closed
        result 9, land 9                     | b1 win 100 200 |                               | the same reading sent again
        land 30, result 9                    |                | RESULT_UNKNOWN 0              | before anybody confirmed a number
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_landing_after_the_spin_is_of_another_ball(story: str, due: str, flagged: str) -> None:
    found = after_close(f"spin, turns 9, land 9, {story}")

    assert (backs(found), flags(found)) == (due, flagged)


def test_a_re_spin_announced_before_any_ball_is_told() -> None:
    found = after_close("call dealer malfunction spinning, spin, turns 9, land 9, result 9")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "NO_SPIN_TOO_EARLY 0")


def test_a_round_closed_without_a_spin_is_told_whoever_bet() -> None:
    assert flags(told("close, end")) == "RESPIN_MISSED "
    assert flags(told("bet b1 p1 low 100, close, end")) == "RESPIN_MISSED "


@pytest.mark.parametrize(
    ("event", "flagged"),
    cases("""
        seen applause                    | WORD_UNKNOWN seen.applause    | a disturbance
        report thunder b1                | WORD_UNKNOWN reported.thunder | an irregularity
        lamp 9                           | WORD_UNKNOWN shown_by.lamp    | a witness that is none
        result 9 reddish                 | WORD_UNKNOWN called.reddish   | a word in a call
    """),
)
def test_a_word_that_means_nothing_is_told(event: str, flagged: str) -> None:
    found = after_close(f"spin, turns 9, {event}, land 9, result 9")

    assert (backs(found), flags(found)) == ("b1 win 100 200", flagged)


def test_a_reason_for_a_re_spin_that_means_nothing_is_told() -> None:
    found = after_close("spin, turns 2, call dealer boredom spinning, spin, turns 9, land 9")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "WORD_UNKNOWN no_spin.boredom")


def test_what_disturbs_before_the_ball_is_no_spin_before_the_close() -> None:
    disturbed = told("bet b1 p1 low 100, seen interference, close, spin, turns 9, land 9")
    counted = told("bet b1 p1 low 100, turns 9, close, land 9")

    assert flags(disturbed) == ""
    assert flags(counted) == "SPIN_BEFORE_CLOSE 0"
