"""A round of cards that somebody declares void, at every place where that may happen."""

import pytest

from replay.judge import Judgement
from tests.support import blackjack_story, shoe_story
from tests.support.shoe_story import backs, flags
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

# What is bet and dealt in each game, part by part; the last part completes the hands.
DEALS = {
    "SA-AB": (
        "deal game 7H, bet b1 andar 100, close", "deal andar 2C", "deal bahar 3C, deal andar 7C",
    ),
    "SA-BC": (
        "bet b1 banker 100, close",
        "deal player 2S, deal banker 3S, deal player 3H, deal banker 4D", "deal player 9C",
    ),
    "SA-DT": ("burn 1, bet b1 dragon 100, close", "deal dragon QS", "deal tiger JD"),
    "SA-PD": (
        "burn 1, bet b1 player_1 100 100, close",
        "deal player_1 2S, deal player_2 3S, deal player_3 4S",
        "deal player_4 5S, deal player_5 6S, deal banker TS, deal player_1 7D, deal player_2 8D,"
        "deal player_3 9D, deal player_4 TD, deal player_5 JD, deal banker 2D",
    ),
    "SA-TP": (
        "bet b1 player_a 100, close", "deal player_a KS, deal player_b 9S",
        "deal player_a KD, deal player_b 8D, deal player_a 2C, deal player_b 3C",
    ),
    "SA-BJ": (
        "sit 1 p, bet b1 p main 1 100, close", "1 9S, d 9H, 1 9D, p stand 1", "d 8C",
    ),
}  # fmt: skip
CODES = tuple(DEALS)


def told(code: str, *parts: str, **readings: str) -> Judgement:
    story = ", ".join(filter(None, parts))
    if code == "SA-BJ":
        return blackjack_story.told(story, readings=readings)
    return shoe_story.told(code, story, readings=readings)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("word", ["void", "end void", "void, end void"])
@pytest.mark.parametrize("dealt", [1, 2])
def test_before_the_result_every_chip_goes_back(code: str, word: str, dealt: int) -> None:
    found = told(code, *DEALS[code][:dealt], word)

    assert (found.ruled.status, flags(found)) == ("void", "")
    assert [(due.outcome, due.back) for due in found.dues] == [
        ("returned", 200 if code == "SA-PD" else 100)
    ]
    assert "declared_void" not in relied_on(found)


@pytest.mark.parametrize("code", CODES)
def test_after_the_result_the_result_stands_and_the_void_is_told(code: str) -> None:
    plain = told(code, *DEALS[code], "end")
    found = told(code, *DEALS[code], "void", "end void")

    assert (found.ruled.status, found.dues) == ("settled", plain.dues)
    assert flags(plain) == ""
    assert flags(found) == "RESULT_MISMATCH void"
    assert relied_on(found)["declared_void"] == "without_a_result"


@pytest.mark.parametrize("code", CODES)
def test_another_reading_follows_every_declaration(code: str) -> None:
    found = told(code, *DEALS[code], "void", "end void", declared_void="as_declared")

    assert (found.ruled.status, found.dues[0].outcome) == ("void", "returned")
    assert flags(found) == ""


@pytest.mark.parametrize("code", CODES)
def test_what_was_kept_in_a_void_round_is_told(code: str) -> None:
    kept = "settled b1 collected=100" if code != "SA-BJ" else "settled b1 0 100 0"

    found = told(code, *DEALS[code][:2], "void", kept, "end void")

    assert flags(found) == "MISPAY b1"


@pytest.mark.parametrize(
    ("story", "due"),
    cases("""
        1 6S, d 9H, 1 5D, p double 1 100, 1 9C, void                   | b1 returned 0 200 | the chips of a double too
        1 8S, d 9H, 1 8D, p split 1 100, 1.1 3C, void                  | b1 returned 0 100, b1.2 returned 0 100 | a second hand
        1 8S, d AH, 1 8D, p insure 1 50, void                          | b1 returned 0 100, b1.insurance returned 0 50 | an insurance
        1 TS, d 9H, 1 6D, p hit 1, 1 TD, void                          | b1 returned 0 100 | a hand that was over 21
        1 TS, d 9H, 1 6D, p surrender 1, void                          | b1 returned 0 100 | a hand that was given up
        1 6S, d 9H, 1 5D, p double 1 70, 1 9C, void                    | b1 returned 0 100, b1.double refused 0 70 | what was refused stays so
    """),  # noqa: E501  (a row is a round)
)
def test_a_void_round_of_blackjack_gives_back_what_was_added(story: str, due: str) -> None:
    found = told("SA-BJ", DEALS["SA-BJ"][0], story, "end void")

    assert found.ruled.status == "void"
    assert backs(found) == due


@pytest.mark.parametrize(
    ("code", "story", "flagged"),
    cases("""
        SA-BJ | 1 TS, d 9H, 1 6D, p stand 1, 1 2C, void   | CARD_AFTER_STAND 1 | a card for nobody
        SA-BJ | d 9H, 1 TS, 1 6D, void                    | DEAL_ORDER 1       | dealer was first
        SA-DT | deal tiger JD, void                       | DEAL_ORDER         | tiger was first
        SA-PD | deal banker 2S, void                      | DEAL_ORDER         | banker was first
        SA-TP | deal player_b 9S, void                    | DEAL_ORDER         | B was first
        SA-BC | deal banker 2S, void                      | DEAL_ORDER         | banker was first
        SA-AB | deal bahar 2C, void                       | DEAL_ORDER         | Bahar was first
    """),
)
def test_a_void_does_not_excuse_what_was_done_before_it(
    code: str, story: str, flagged: str
) -> None:
    found = told(code, DEALS[code][0], story, "end void")

    assert (found.ruled.status, flags(found)) == ("void", flagged)


@pytest.mark.parametrize("code", CODES)
def test_a_result_called_in_a_void_round_is_told(code: str) -> None:
    called = {"SA-BJ": "called 17"}.get(code, "call tie")

    found = told(code, *DEALS[code][:2], called, "void", "end void")

    assert found.ruled.status == "void"
    assert [flag.code for flag in found.flags] == ["RESULT_MISMATCH"]


# What tells of cards that are dealt after a void.
AFTER_VOID = {"SA-BJ": "CARD_AFTER_CLOSE", "SA-TP": "CARD_COUNT"}


@pytest.mark.parametrize("code", CODES)
def test_cards_dealt_after_a_void_bring_no_result(code: str) -> None:
    found = told(code, *DEALS[code][:2], "void", DEALS[code][2], "end")

    assert (found.ruled.status, found.dues[0].outcome) == ("void", "returned")
    assert AFTER_VOID.get(code, "CARD_OUTSIDE_ROUND") in {flag.code for flag in found.flags}


@pytest.mark.parametrize("code", CODES)
def test_a_whole_deal_after_the_close_brings_no_result(code: str) -> None:
    found = told(code, DEALS[code][0], "end", *DEALS[code][1:])

    assert found.ruled.status == "unsettled"
    assert found.dues[0].outcome == "open"
    assert found.flags


@pytest.mark.parametrize("code", CODES)
def test_cards_that_nobody_read_bring_no_result_against_a_void(code: str) -> None:
    unread = {"SA-BJ": "d ??"}.get(code, "deal player_1 x")
    unread = {"SA-AB": "deal andar x", "SA-BC": "deal player x", "SA-DT": "deal dragon x",
              "SA-TP": "deal player_a x"}.get(code, unread)  # fmt: skip

    found = told(code, DEALS[code][0], unread, "void", "end void")

    assert (found.ruled.status, found.dues[0].outcome) == ("void", "returned")
    assert "RESULT_UNKNOWN" in flags(found)
