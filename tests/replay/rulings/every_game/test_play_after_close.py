"""A whole new shake or spin after the close decides nothing of the round that was closed."""

from dataclasses import replace
from typing import Any

import pytest

from replay import rulebooks
from replay.judge import Judgement, judge
from replay.sheets.sheet import read
from tests.support import roulette_story, shaker_story
from tests.support.roulette_story import backs, flags
from tests.support.tables import cases, judged

DICE = {
    "SA-SB": ("small", "1-2-4"),
    "SA-HL": ("lo", "1-2-4"),
    "SA-FPC": ("symbol:fish", "fish-crab-crab"),
}
PLATE = "start, stop 0, bowl"


def wheel(code: str, story: str) -> dict[str, Any]:
    told = f"bet b1 p1 straight:17 100, close, {story}"
    return roulette_story.sheet(told, terms={"game": code})


def dice(code: str, story: str) -> dict[str, Any]:
    bet, faces = DICE[code]
    told = f"bet b1 {bet} 100, close, {story.replace('FACES', faces)}"
    return shaker_story.sheet(told, game=code)


def plate(story: str) -> dict[str, Any]:
    told = f"bet b1 odd 100, start, stop 0, close, {story.replace('PLATE', PLATE)}"
    return shaker_story.sheet(told, game="SA-XD")


def arrived_late(sheet: dict[str, Any]) -> Judgement:
    """The same round where the clocks say that the close came last of all."""
    round, memory = read(sheet)
    assert round.terms is not None
    events = tuple(
        replace(at, occurred_at=9) if type(at.payload).__name__ == "RoundClosed" else at
        for at in round.events
    )
    edition = rulebooks.in_force(round.terms.game, round.gaming_day)
    return judge(replace(round, events=events), edition, memory)


@pytest.mark.parametrize("code", DICE)
@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        shake FACES tumbles=2, end, shake FACES        | RESHAKE_MISSED 0 | after one to repeat
        end, shake FACES                               | RESHAKE_MISSED 0 | after none at all
        start, end, shake FACES tumbles=2, shake FACES | RESHAKE_MISSED 0 | after an unfinished one
    """),
)
def test_dice_shaken_after_the_close_leave_all_bets_open(
    code: str, story: str, flagged: str
) -> None:
    found = judged(dice(code, story))

    assert found.ruled.status == "unsettled"
    assert backs(found) == "b1 open 0 0"
    assert shaker_story.flags(found) == flagged


@pytest.mark.parametrize("code", DICE)
def test_dice_shaken_before_the_close_and_told_after_it_count(code: str) -> None:
    seen_late = judged(dice(code, "start, stop 4, end, seen FACES"))
    again = arrived_late(dice(code, "shake FACES tumbles=2, end, shake FACES"))
    unfounded = judged(dice(code, "shake FACES, end, shake FACES"))

    assert backs(seen_late) == backs(again) == backs(unfounded)
    assert seen_late.ruled.status == again.ruled.status == "settled"
    assert (shaker_story.flags(seen_late), shaker_story.flags(again)) == ("", "")
    assert shaker_story.flags(unfounded) == "RESHAKE_UNFOUNDED 0"


@pytest.mark.parametrize(
    ("story", "status", "due", "flagged"),
    cases("""
        bowl, tokens RRR standing=1, end, PLATE, tokens RRRW | unsettled | open 0 0 | RESHAKE_MISSED standing     | a token stood
        drop token, end, PLATE, tokens RRRW                  | void      | void 0 100 | ROUND_VOID bowl_touched, PLAY_AFTER_VOID 0 | dropped after the shaking
        bowl, tokens RRRW, end, PLATE, tokens RRRR           | settled   | win 96 196 | RESHAKE_UNFOUNDED 0        | a valid throw
    """),  # noqa: E501  (a row is a sentence)
)
def test_tokens_thrown_after_the_close(story: str, status: str, due: str, flagged: str) -> None:
    found = judged(plate(story))

    assert found.ruled.status == status
    assert backs(found) == f"b1 {due}"
    assert set(shaker_story.flags(found).split(", ")) == set(flagged.split(", "))


def test_tokens_thrown_after_the_close_of_a_round_without_a_throw() -> None:
    found = judged(
        shaker_story.sheet(f"bet b1 odd 100, close, end, {PLATE}, tokens RRRW", game="SA-XD")
    )

    assert backs(found) == "b1 open 0 0"
    assert shaker_story.flags(found) == "RESHAKE_MISSED after_close"


def test_tokens_thrown_before_the_close_and_told_after_it_count() -> None:
    assert backs(judged(plate("bowl, end, tokens RRRW"))) == "b1 win 96 196"
    late = plate("bowl, tokens RRR standing=1, end, PLATE, tokens RRRW")
    assert backs(arrived_late(late)) == "b1 win 96 196"


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        spin, turns 4, land 17, end, spin, turns 9, land 17 | RESPIN_MISSED 0  | after a spin to be repeated
        end, spin, turns 9, land 17                         | RESPIN_MISSED    | after none at all
        end, spin, turns 9, land 17, dolly 17 | RESPIN_MISSED, RESULT_MISMATCH 17 | with a number entered
    """),  # noqa: E501  (a row is a sentence)
)
def test_a_ball_spun_after_the_close_leaves_all_bets_open(story: str, flagged: str) -> None:
    found = judged(wheel("SA-RO", story))

    assert found.ruled.status == "unsettled"
    assert backs(found) == "b1 open 0 0"
    assert shaker_story.flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        spin, end, spin, turns 9, land 17 | void 0 100 | NO_SPIN_NOT_CALLED 7.4, SPIN_AFTER_CLOSE 2.2 | the first ball never fell
        end, spin, turns 9, land 17, dolly 17 | void 0 100 | NO_SPIN_NOT_CALLED 7.4, RESULT_MISMATCH 2.1, SPIN_AFTER_CLOSE 2.2 | no ball before
        spin, turns 9, land 17, end, spin, turns 2, land 8, dolly 8 | win 3500 3600 | RESULT_MISMATCH 2.1, SPIN_AFTER_CLOSE 2.2 | the first ball decides
    """),  # noqa: E501  (a row is a sentence)
)
def test_another_spin_after_the_close_is_no_part_of_the_round(
    story: str, due: str, flagged: str
) -> None:
    found = judged(wheel("RO", story))

    assert backs(found) == f"b1 {due}"
    assert flags(found) == flagged


@pytest.mark.parametrize("code", ["RO", "SA-RO"])
def test_a_ball_spun_before_the_close_and_told_after_it_counts(code: str) -> None:
    landed_late = judged(wheel(code, "spin, turns 9, end, land 17"))
    all_late = arrived_late(wheel(code, "end, spin, turns 9, land 17"))

    assert backs(landed_late) == backs(all_late) == "b1 win 3500 3600"
    assert (flags(landed_late), flags(all_late)) == ("", "")
