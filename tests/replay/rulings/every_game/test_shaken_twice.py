"""Dice and tokens: readings sent twice, rounds called void, words that mean nothing."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulings import xoc_dia
from replay.rulings.shared import strange_words
from schemas import events as e
from tests.support import shaker_story as story
from tests.support.shaker_story import backs, flags
from tests.support.tables import cases

DICE = {
    "SA-SB": ("bet b1 small 100, close", "shake 4-1-2", "b1 win 100 200"),
    "SA-FPC": ("bet b1 symbol:fish 100, close", "shake fish-crab-prawn", "b1 win 100 200"),
    "SA-HL": ("bet b1 lo 100, close", "shake 4-1-2", "b1 win 95 195"),
}
XD = "bet b1 big 100, start, stop 3, close"
WON = "b1 win 96 196"


def told(code: str, events: str, **terms: Any) -> Judgement:
    return story.told(events, game=code, **terms)


@pytest.mark.parametrize("code", DICE)
@pytest.mark.parametrize(
    ("told_of", "found", "flagged"),
    cases("""
        start, stop 4, stop 4, SEEN | win     |                                          | the same stop sent twice
        start, stop 4, SEEN, stop 4 | win     |                                          | and after the dice were read
        start, stop 2, stop 4, SEEN | unknown | COUNT_CONTRADICTED 0, RESULT_UNKNOWN 0   | nobody can say whether three were made
        start, stop 4, stop 2, SEEN | unknown | COUNT_CONTRADICTED 0, RESULT_UNKNOWN 0   | in whatever order
        start, stop 4, stop 5, SEEN | win     | COUNT_CONTRADICTED 0                     | enough by both, and told
        start, start, stop 4, SEEN  | win     |                                          | a start sent twice
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_second_stop_of_one_shake(code: str, told_of: str, found: str, flagged: str) -> None:
    bet, shake, won = DICE[code]
    seen = shake.replace("shake", "seen")

    judged = told(code, f"{bet}, {told_of.replace('SEEN', seen)}, end")

    assert (backs(judged), flags(judged)) == ("" if found == "unknown" else won, flagged)


def test_a_shaker_that_tells_no_start_begins_a_shake_with_each_stop() -> None:
    found = told("SA-SB", "bet b1 small 100, close, stop 2, stop 4, seen 4-1-2")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "")


def test_a_camera_that_reads_other_dice_the_second_time_settles_nothing() -> None:
    bet = "bet b1 small 100, close, start, stop 4"

    same = told("SA-SB", f"{bet}, camera 4-1-2 0.97, camera 2-1-4 0.95")
    other = told("SA-SB", f"{bet}, camera 4-1-2 0.97, camera 6-6-5 0.97")
    unsure = told("SA-SB", f"{bet}, camera 4-1-2 0.97, camera 6-6-5 0.50")

    assert (backs(same), flags(same)) == ("b1 win 100 200", "")
    assert (backs(other), flags(other)) == ("", "RESULT_UNKNOWN 0")
    assert (backs(unsure), flags(unsure)) == ("b1 win 100 200", "")


@pytest.mark.parametrize(
    ("told_of", "due", "flagged"),
    cases("""
        bowl, stop 3, tokens RRRW    | b1 win 96 196 | | the stop sent again after the bowl
        stop 3, bowl, tokens RRRW    | b1 win 96 196 | | and before it
        bowl, bowl, tokens RRRW      | b1 win 96 196 | | the bowl told twice
        bowl, tokens RRRW, tokens RRRW | b1 win 96 196 | | the tokens read twice
        bowl, tokens RRRW, tokens RRWW |             | RESULT_UNKNOWN 0 | and otherwise the second time
    """),  # noqa: E501 (a row is a sentence)
)
def test_tokens_told_of_twice(told_of: str, due: str, flagged: str) -> None:
    found = told("SA-XD", f"{XD}, {told_of}, enter RRRW, end")

    assert (backs(found), flags(found)) == (due, flagged)


@pytest.mark.parametrize("reading", ["void", "reshake"])
@pytest.mark.parametrize(
    "fell",
    cases("""
        start, drop token, close, bowl, tokens RRRW           | while shaking, and never shaken again
        start, drop bowl, stop 3, close, bowl, tokens RRRW    | the shaking came to its end
        start, drop token, again dropped, close, bowl, tokens RRRW | a re-shake was announced, none was done
        start, drop token, close, tokens RRRW                 | the bowl's own word is missing
    """),  # noqa: E501 (a row is a sentence)
)
def test_dropped_while_shaking_and_revealed_without_a_new_shake(fell: str, reading: str) -> None:
    """SA-XD:11.4.2, 11.4.4. Nothing was shaken after the drop: the round is void."""
    found = told("SA-XD", f"bet b1 big 100, {fell}, end void", readings={"dropped_later": reading})

    assert found.ruled.status == "void"
    assert backs(found) == "b1 void 0 100"
    assert flags(found) == "ROUND_VOID not_shaken"
    assert "SA-XD:11.4.4" in found.ruled.clauses


def test_dropped_while_shaking_and_shaken_again_counts() -> None:
    found = told(
        "SA-XD", "bet b1 big 100, start, drop token, start, stop 3, close, bowl, tokens RRRW"
    )

    assert (backs(found), flags(found)) == (WON, "")


def test_dropped_while_shaking_and_never_revealed_stays_open() -> None:
    found = told("SA-XD", "bet b1 big 100, start, drop token, close, end")

    assert (backs(found), flags(found)) == ("b1 open 0 0", "RESHAKE_MISSED dropped")


@pytest.mark.parametrize(
    ("said", "flagged"),
    cases("""
        enter RRRW             | RESULT_MISMATCH RRRW, ROUND_VOID bowl_touched | a result
        enter RRRW, enter void | ROUND_VOID bowl_touched                       | taken back
        board RRRW             | RESULT_MISMATCH RRRW, ROUND_VOID bowl_touched | shown to the players
        enter void             | ROUND_VOID bowl_touched                       | the word void
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_result_entered_in_a_void_round_is_a_mismatch(said: str, flagged: str) -> None:
    found = told("SA-XD", f"{XD}, bowl touched, tokens RRRW, {said}, end void")

    assert (backs(found), flags(found)) == ("b1 void 0 100", flagged)


@pytest.mark.parametrize("ending", ["voided, end void", "end void"])
@pytest.mark.parametrize(
    ("code", "shaken"),
    cases("""
        SA-SB  | shake 4-1-2 tumbles=2         | two tumbles
        SA-FPC | shake fish-fish-crab not_flat | a die that leans
        SA-HL  | shake 4-1-2 overlap           | dice on one another
        SA-SB  | start                         | dice that never came to rest
        SA-HL  | close                         | nothing was shaken
        SA-XD  | start, stop 3                 | never revealed
        SA-XD  | start, drop token             | dropped
    """),
)
def test_a_round_without_a_result_that_is_declared_void(
    code: str, shaken: str, ending: str
) -> None:
    """Rule issue unsettled, as SA Roulette has it."""
    bet = {"SA-FPC": "bet b1 symbol:fish 100", "SA-HL": "bet b1 lo 100", "SA-XD": "bet b1 big 100"}
    events = f"{bet.get(code, 'bet b1 small 100')}, close, {shaken}, {ending}"

    usual = told(code, events)
    void = told(code, events, readings={"unsettled": "void_as_declared"})

    assert (usual.ruled.status, backs(usual)) == ("unsettled", "b1 open 0 0")
    assert (void.ruled.status, backs(void)) == ("void", "b1 void 0 100")
    assert "RESHAKE_MISSED" in flags(usual)


@pytest.mark.parametrize("code", DICE)
def test_a_good_shake_stands_whatever_is_declared(code: str) -> None:
    bet, shake, won = DICE[code]

    void = {"unsettled": "void_as_declared"}
    found = told(code, f"{bet}, {shake}, voided, end void", readings=void)

    assert backs(found) == won
    assert "RESULT_MISMATCH" in flags(found)


@pytest.mark.parametrize(
    ("code", "events", "flagged"),
    cases("""
        SA-SB  | close, end                          | RESHAKE_MISSED   | no shake
        SA-XD  | close, end                          | RESHAKE_MISSED   | no throw
        SA-XD  | bet b1 big 100, close, end          | RESHAKE_MISSED   | no throw, and a bet
        SA-XD  | start, stop 3, close, end           | RESHAKE_MISSED unfinished | never revealed
    """),
)
def test_a_round_closed_without_a_result_is_told(code: str, events: str, flagged: str) -> None:
    assert flags(told(code, events)) == flagged


@pytest.mark.parametrize(
    ("code", "events", "flagged"),
    cases("""
        SA-SB  | start, stop 4, seen 4-1-2, report thunder          | reported.thunder   | an irregularity
        SA-FPC | start, stop 4, seen fish-crab-prawn, lamp fish-crab-prawn | shown_by.lamp | a witness that is none
        SA-HL  | start, stop 4, seen 4-1-2 not_flat, again boredom, start, stop 4, seen 4-1-2 | reshake.boredom | a reason
        SA-SB  | start, stop 4, seen 7-1-2, camera 4-1-2 0.99       | faces.7-1-2        | faces that no die has
        SA-XD  | drop phone, bowl, tokens RRRW                      | dropped.phone      | something else fell
        SA-XD  | bowl, tokens RRRB, eye R-R-R-W 0.99                | faces.R-R-R-B      | a side that no token has
        SA-XD  | bowl, tokens RRRW, report thunder                  | reported.thunder   | an irregularity
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_word_that_means_nothing_is_told(code: str, events: str, flagged: str) -> None:
    bet, _, won = DICE.get(code, (XD, "", WON))

    found = told(code, f"{bet}, {events}")

    assert (backs(found), flags(found)) == (won, f"WORD_UNKNOWN {flagged}")


def test_a_ruling_where_the_rules_ask_for_none_is_told() -> None:
    """A sheet refuses it; a log may hold it."""
    ruling = e.RulingMade("SA-XD:11.4", "pay_all", "pit_manager")
    event = e.Event("T/c/1", "T", 1, "console", "c", 1, 0, 0, 0, "", b"", ruling)

    (found,) = strange_words.remarks(xoc_dia.WORDS, [event])

    assert (found.code, found.subject) == ("WORD_UNKNOWN", "ruled.pay_all")


@pytest.mark.parametrize("code", [*DICE, "SA-XD"])
def test_a_re_shake_announced_before_anything_was_shaken_is_told(code: str) -> None:
    bet, shake, won = DICE.get(code, ("bet b1 big 100", "", WON))
    rest = shake or "start, stop 3, close, bowl, tokens RRRW"
    reason = "tumbles" if shake else "standing"
    early = bet.replace(", close", "")

    found = told(code, f"{early}, again {reason}, {'close, ' if shake else ''}{rest}, end")

    assert (backs(found), flags(found)) == (won, "RESHAKE_UNFOUNDED 0")
