"""What the record of a shoe cannot be: cards that nobody read, more cards than decks, two shoes."""

import json
from dataclasses import replace
from typing import Any

import pytest

from replay import rulebooks
from replay.judge import judge
from replay.rounds import Shoe
from replay.sheets import read
from tests.replay import shaker_story, shoe_story
from tests.replay.shoe_story import flags
from tests.tables import cases, judged

DEALS = {
    "SA-BC": "deal player 9S, deal banker 8S, deal player KS, deal banker KD",
    "SA-DT": "burn 1, deal dragon 2C, deal tiger 3C",
    "SA-TP": "shuffle, deal player_a KS, deal player_b KH, deal player_a KD, deal player_b KC, "
    "deal player_a QC, deal player_b 9C",
}


def sheet(code: str, deal: str = "", **shoe: Any) -> dict[str, Any]:
    return shoe_story.sheet(code, f"close, {deal or DEALS[code]}, end", shoe or None)


@pytest.mark.parametrize("code", DEALS)
def test_a_card_that_left_the_shoe_unread_is_told_and_moves_no_money(code: str) -> None:
    whole, gap = sheet(code), sheet(code)
    gap["events"][-2]["position"] += 3

    found, plain = judged(gap), judged(whole)

    assert (flags(found), flags(plain)) == ("CARD_NOT_READ", "")
    assert found.ruled.outcome == plain.ruled.outcome


@pytest.mark.parametrize(
    ("deal", "shoe", "flagged"),
    cases("""
        DEAL                                          | {"hands": 70, "cards_out": 413} | SHOE_CONTENTS S1 | more than eight decks hold
        DEAL                                          | {"hands": 70, "cards_out": 412} |                  | the last cards
        DEAL                                          | {"hands": 9, "cards_out": 3, "drawn": {"2S": 7}} | SHOE_CONTENTS S1 | fewer out than read
        deal player 9S, load S2, deal banker 8S, deal player KS, deal banker KD | {"hands": 7} | SHOE_CONTENTS S2 | another shoe in the deal
        load S2, DEAL                                 | {"hands": 7}                    | SHOE_CONTENTS S2 | another shoe between the close and the first card
        DEAL, load S2, burn 9 9H                      | {"hands": 7}                    |                  | the next shoe made ready after the last card
        put player 1 9S, load S2, put banker 1 8S, put player 2 KS, put banker 2 KD | {"hands": 7} | SHOE_CONTENTS S2 | cards that were put down
        DEAL                                          | {"hands": 7, "drawn": {"2H": 9}} | EXCESS_COPIES 2H | nine copies were out before
        DEAL                                          | {"hands": 7, "drawn": {"2H": 8, "9S": 7}} |         | all eight of them
        DEAL                                          | {"hands": 7, "drawn": {"2H": 9, "9S": 8}} | EXCESS_COPIES 2H, EXCESS_COPIES 9S | before and now
    """),  # noqa: E501
)
def test_what_a_shoe_cannot_hold(deal: str, shoe: str, flagged: str) -> None:
    found = judged(sheet("SA-BC", deal.replace("DEAL", DEALS["SA-BC"]), **json.loads(shoe)))

    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("code", "deal"),
    [
        ("SA-BC", "deal player 9S, load S2, deal banker 8S, deal player KS, deal banker KD"),
        ("SA-DT", "burn 1, deal dragon 2C, load S2, deal tiger 3C"),
    ],
)
def test_another_shoe_in_the_deal_is_told_where_the_first_is_not_known(
    code: str, deal: str
) -> None:
    assert "SHOE_CONTENTS S2" in flags(judged(sheet(code, deal)))


def test_copies_that_a_log_counted_are_told_in_the_round_they_came_in() -> None:
    shoe = Shoe("S1", 8, shuffled=True, burned=True, drawn={"2H": 9}, hands=7)
    found = read(sheet("SA-BC"))
    later = replace(found.round, shoe=shoe)

    edition = rulebooks.in_force("SA-BC", later.gaming_day)

    assert flags(judge(later, edition, {})) == ""


def test_a_shoe_of_other_decks_is_told_once_for_the_shoe() -> None:
    story = f"load S1, burn 10 KS, open, close, {DEALS['SA-BC']}, end"
    six = shoe_story.sheet("SA-BC", story)
    six["events"][0]["decks"] = 6

    assert flags(judged(six)) == "SHOE_CONTENTS S1"
    assert flags(judged(shoe_story.sheet("SA-BC", story))) == ""


def test_the_bankers_third_before_the_players_is_told_as_it_was() -> None:
    story = "deal player 2S, deal banker KS, deal player 3S, deal banker 2D 4C, deal player 4D"

    note = next(flag.note for flag in judged(sheet("SA-BC", story)).flags)

    assert note.endswith("found: player, banker, player, banker, banker, player")


def test_the_same_reading_of_the_dice_twice_is_one_shake() -> None:
    shaken = "bet b1 small 100, close, shake 4-1-2, seen 4-1-2, end"
    other = "bet b1 small 100, close, shake 4-1-2, seen 4-1-3, end"

    assert shaker_story.flags(shaker_story.told(shaken)) == ""
    assert shaker_story.flags(shaker_story.told(other)) == "RESHAKE_UNFOUNDED 0"
