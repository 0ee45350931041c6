"""What the record of a shoe cannot be: cards that nobody read, more cards than decks, two shoes."""

import json
from dataclasses import replace
from typing import Any

import pytest

from replay import rulebooks
from replay.judge import judge
from replay.rounds import Shoe
from replay.sheets.sheet import read
from tests.support import blackjack_story, shaker_story, shoe_story
from tests.support.english import english
from tests.support.shoe_story import flags
from tests.support.tables import cases, judged

DEALS = {
    "SA-BC": "deal player 9S, deal banker 8S, deal player KS, deal banker KD",
    "SA-DT": "burn 1, deal dragon 2C, deal tiger 3C",
    "SA-PD": "burn 1, "
    + ", ".join(
        f"deal {hand} {card}"
        for card in ("2S", "9D")
        for hand in ("player_1", "player_2", "player_3", "player_4", "player_5", "banker")
    ),
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


BURNED = "burn 1, deal dragon 2C, burn 2, deal tiger 3C"


@pytest.mark.parametrize(("skipped", "flagged"), [(1, ""), (2, ""), (3, "CARD_NOT_READ")])
def test_a_burn_accounts_for_the_cards_it_took_alone(skipped: int, flagged: str) -> None:
    gap = sheet("SA-DT", BURNED)
    gap["events"][-2]["position"] += skipped

    codes = {flag.code for flag in judged(gap).flags} - {"ROUND_BURN_COUNT"}

    assert " ".join(codes) == flagged


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        deal andar 2C, deal bahar 7C, deal andar 3C | DEALT_PAST_MATCH                | all on record
        deal andar 2C, deal bahar 7C, deal andar x  | CARD_NOT_READ andar, DEALT_PAST_MATCH andar | nobody read it
    """),  # noqa: E501
)
def test_a_card_after_the_match_that_nobody_read_is_told_and_moves_no_money(
    story: str, flagged: str
) -> None:
    found = shoe_story.told("SA-AB", f"deal game 7H, bet b1 bahar 100, close, {story}, end")

    assert (shoe_story.backs(found), flags(found)) == ("b1 win 100 200", flagged)


def test_a_place_after_the_match_that_nobody_read_is_told() -> None:
    story = (
        "deal game 7H, bet b1 bahar 100, close, deal andar 2C, deal bahar 7C, deal andar 3C, end"
    )
    gap = shoe_story.sheet("SA-AB", story)
    gap["events"][-2]["position"] += 1

    found = judged(gap)

    assert flags(found) == "CARD_NOT_READ, DEALT_PAST_MATCH"
    assert shoe_story.backs(found) == "b1 win 100 200"


def test_a_place_of_the_shoe_that_nobody_read_is_told_in_blackjack() -> None:
    gap = blackjack_story.sheet(
        "sit 1 p, bet w p main 1 100, close, 1 9S, d 9H, 1 9D, p stand 1, d 8C, over"
    )
    gap["events"][-2]["position"] += 1

    found = judged(gap)

    assert flags(found) == "CARD_NOT_READ"
    assert shoe_story.backs(found) == "w win 100 200"


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

    note = next(english(flag.note) for flag in judged(sheet("SA-BC", story)).flags)

    assert note.endswith("found: Player, Banker, Player, Banker, Banker, Player")


def test_the_same_reading_of_the_dice_twice_is_one_shake() -> None:
    shaken = "bet b1 small 100, close, shake 4-1-2, seen 4-1-2, end"
    other = "bet b1 small 100, close, shake 4-1-2, seen 4-1-3, end"

    assert shaker_story.flags(shaker_story.told(shaken)) == ""
    assert shaker_story.flags(shaker_story.told(other)) == "RESHAKE_UNFOUNDED 0"


@pytest.mark.parametrize("code", ["SA-BC", "SA-DT", "SA-TP", "SA-PD"])
def test_a_place_that_the_console_left_out_leaves_the_hand_unknown(code: str) -> None:
    """Where the shoe says nothing the places on a hand are all there is."""
    written = sheet(code)
    slots: dict[str, int] = {}
    for event in written["events"]:
        if event["type"] == "CardDrawn":
            slots[event["hand"]] = slots.get(event["hand"], 0) + 1
            event |= {"type": "CardPlaced", "slot": slots[event["hand"]]}
            del event["position"]
    whole, left_out = judged(written), judged(_further(written))

    assert (whole.ruled.status, left_out.ruled.status) == ("settled", "unknown")
    assert [flag.code for flag in left_out.flags] == ["RESULT_UNKNOWN"]


def _further(written: dict[str, Any]) -> dict[str, Any]:
    """The same with the last card one place further on."""
    last = max(n for n, at in enumerate(written["events"]) if at["type"] == "CardPlaced")
    events = [
        {**at, "slot": at["slot"] + 1} if n == last else at
        for n, at in enumerate(written["events"])
    ]
    return {**written, "events": events}


def test_a_burn_after_cards_is_told_whichever_shoe_it_is() -> None:
    found = shoe_story.told("SA-BC", f"close, {DEALS['SA-BC']}, burn 3, end")

    assert flags(found) == "SHOE_BURN_UNEXPECTED"
