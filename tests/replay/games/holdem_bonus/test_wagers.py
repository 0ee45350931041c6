"""Texas Hold'em Bonus Poker: each bet in its betting round, decisions, limits and multiples."""

from typing import Any

import pytest

from replay.sheets.sheet import answer
from tests.support.holdem_bonus_story import (
    DEVICE,
    Json,
    codes,
    dealt,
    drawn,
    event,
    happened,
    laid,
    round_of,
    seen,
    sheet,
    wagers,
)
from tests.support.tables import cases, judged

ONE = "1 ante 100, 1 bonus 50, 1 flop 200, 1 turn 100, 1 river 100"


def _line(found: Any, wager: str) -> str:
    """A wager's outcome, action and line flags in one text."""
    due = next(due for due in found.dues if due.wager_id == wager)
    return " ".join((due.outcome, str(due.action), *due.flags))


def _at_table(text: str, **more: Any) -> Any:
    """Box 1 with A-A against kings, its acts in the order of the table.

    `hole`, `flop`, `turn`, `river`, `dealer` put the cards down; the rest is as `happened` has it.
    """
    cards: dict[str, list[Json]] = {
        "hole": laid("1", "AS AH"),
        "flop": laid("community", "2S 7H 9C"),
        "turn": laid("community", "2S 7H 9C JD")[3:],
        "river": laid("community", "2S 7H 9C JD QS")[4:],
        "dealer": laid("dealer", "KS KD"),
        "close": [event("BettingClosed")],
    }
    events = []
    for item in map(str.strip, text.split(",")):
        events += cards.get(item) or happened(item)
    return judged(sheet(events, **more))


@pytest.mark.parametrize(
    ("acts", "wager", "line", "flags"),
    cases("""
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, turn, river, dealer                | 1-flop  | win 200                          |          | flop before the flop cards
        bet 1 ante 100, close, hole, flop, bet 1 flop 200, turn, river, dealer                | 1-flop  | returned 0                       | LATE_BET | flop after them
        bet 1 ante 100, close, hole, flop, bet 1 flop 200, turn, river, dealer                | 1-ante  | push 100 FLOP_MISSING            | LATE_BET | which leaves the Flop missing
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, bet 1 turn 100, turn, river, dealer | 1-turn | win 100                          |          | turn before the turn card
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, turn, bet 1 turn 100, river, dealer | 1-turn | returned 0                       | LATE_BET | turn after it
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, turn, bet 1 river 100, river, dealer | 1-river | win 100                        |          | river before the river card
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, turn, river, bet 1 river 100, dealer | 1-river | returned 0                     | LATE_BET | river after it
        bet 1 ante 100, close, bet 1 bonus 50, hole, bet 1 flop 200, flop, turn, river, dealer | 1-bonus | returned 0                      | LATE_BET | bonus after no more bets
        bet 1 ante 100, close, hole, decide 1 fold, bet 1 flop 200, flop, turn, river, dealer | 1-flop  | returned 0 BET_AFTER_FOLD        |          | bet after a fold
        bet 1 ante 100, bet 2 ante 200, close, hole, decide 2 fold, settle 2-ante 0 200 0, bet 1 flop 200, flop, turn, river, dealer | 1-flop | win 200 | | a folded hand is collected before the flop
        bet 1 ante 100, bet 2 ante 200, close, hole, decide 2 fold, bet 1 flop 200, flop, settle 2-ante 0 200 0, bet 1 turn 100, turn, river, dealer | 1-turn | win 100 | | and before the turn
        bet 1 ante 100, close, hole, decide 1 fold, bet 1 flop 200, flop, turn, river, dealer | 1-ante  | lose 100                         |          | the fold stands
        bet 1 ante 100, close, hole, bet 1 flop 200, decide 1 fold, flop, turn, river, dealer | 1-ante  | push 100                         | FOLD_TOO_LATE | no fold after the Flop bet
        bet 1 ante 100, close, hole, decide 1 absent, bet 1 flop 200, flop, turn, river, dealer | 1-flop | returned 0 BET_WHILE_ABSENT      |          | a bet for an absent player
        bet 1 ante 100, close, hole, decide 1 absent, bet 1 flop 200, flop, turn, river, dealer | 1-ante | returned 0 ABSENT                |          | whose hand is invalid
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, decide 1 absent, turn, river, dealer | 1-flop | win 200                          |          | absent later: checked
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, decide 1 absent, bet 1 turn 100, turn, river, dealer | 1-turn | returned 0 BET_WHILE_ABSENT |  | a turn bet while absent
        bet 1 ante 100, close, hole, bet 1 flop 200, flop, bet 1 turn 100, turn, decide 1 absent, river, dealer | 1-turn | win 100       |          | made before leaving
        bet 1 ante 100, close, hole, decide 1 flop, flop, turn, river, dealer                 | 1-ante  | push 100 FLOP_MISSING            |          | decided to play, no chips
        bet 1 bonus 50, close, dealer                                                         | 1-bonus | returned 0 ANTE_MISSING          |          | bonus without an Ante
        bet 1 flop 200, close, dealer                                                         | 1-flop  | returned 0 ANTE_MISSING          |          | flop without an Ante
        bet 1 ante 100, bet 1 pair 50, close, hole, bet 1 flop 200, flop, turn, river, dealer | 1-pair  | returned 0                       | ILLEGAL_POSITION | no such bet
    """),  # noqa: E501 (a row is a round)
)
def test_bets_in_their_rounds(acts: str, wager: str, line: str, flags: str) -> None:
    found = _at_table(acts)

    assert found.ruled.status == "settled"
    assert _line(found, wager) == line
    assert codes(found) == flags.split()


def test_a_move_to_a_bet_that_is_not_there_is_told() -> None:
    played = round_of("1 ante 100, 1 bonus 50, 1 flop 200", {"1": "AS AH"})
    closed = next(n for n, at in enumerate(played["events"]) if at["type"] == "BettingClosed")
    played["events"].insert(closed, event("WagerChanged", wager_id="1-bonus", bet="pairs"))

    found = judged(played)

    assert codes(found) == ["ILLEGAL_POSITION"]
    assert _line(found, "1-bonus") == "win 50"


def test_a_later_bet_is_no_late_one() -> None:
    found = judged(round_of(ONE, {"1": "AS AH"}))

    assert [stand.wager.late for stand in found.ruled.stands] == [False] * 5


def test_the_device_lies_face_down_until_cards_are_shown() -> None:
    bets = wagers(ONE)
    events = [*bets[:2], event("BettingClosed"), *drawn(DEVICE.replace("TS>2 KH>2 ", ""))]
    shown = laid("community", "2S 7H 9C JD QS")
    in_time = [*events, bets[2], *shown[:3], bets[3], shown[3], bets[4], shown[4]]
    late = [*events, *shown[:3], bets[2]]

    assert codes(judged(sheet(in_time))) == []
    assert codes(judged(sheet(late))) == ["LATE_BET"]


@pytest.mark.parametrize(
    ("bets", "wager", "line", "returned"),
    cases("""
        1 ante 100, 1 flop 200                  | 1-ante  | push 100                       | 100  | the smallest Ante
        1 ante 99, 1 flop 198                   | 1-ante  | push 99 BELOW_MIN              | 99   | one too few
        1 ante 1000, 1 flop 2000                | 1-ante  | push 1000                      | 1000 | the largest Ante
        1 ante 1001, 1 flop 2002                | 1-ante  | push 1000 OVER_MAX             | 1001 | one too many
        1 ante 1001, 1 flop 2002                | 1-flop  | win 2000 OVER_ANTE_MULTIPLE    | 2002 | measured against the Ante in action
        1 ante 100, 1 flop 199                  | 1-flop  | win 199 UNDER_ANTE_MULTIPLE    | 199  | one short
        1 ante 100, 1 flop 201                  | 1-flop  | win 200 OVER_ANTE_MULTIPLE     | 201  | one over
        1 ante 100, 1 flop 200, 1 turn 99       | 1-turn  | win 99 UNDER_ANTE_MULTIPLE     | 99   | a Turn one short
        1 ante 100, 1 flop 200, 1 turn 101      | 1-turn  | win 100 OVER_ANTE_MULTIPLE     | 101  | a Turn one over
        1 ante 100, 1 flop 200, 1 river 101     | 1-river | win 100 OVER_ANTE_MULTIPLE     | 101  | a River one over
        1 ante 100, 1 bonus 19, 1 flop 200      | 1-bonus | win 19 BELOW_MIN               | 19   | a Bonus one short
        1 ante 100, 1 bonus 401, 1 flop 200     | 1-bonus | win 400 OVER_MAX               | 401  | a Bonus one over
        1 ante 60, 1 flop 120, 1 turn 60        | 1-turn  | win 60                         | 60   | measured against a small Ante
    """),  # noqa: E501
)
def test_limits_and_multiples(bets: str, wager: str, line: str, returned: str) -> None:
    found = judged(round_of(bets, {"1": "AS AH"}))

    assert _line(found, wager) == line
    due = next(due for due in found.dues if due.wager_id == wager)
    assert due.returned == int(returned)
    assert codes(found) == []


def test_multiples_may_be_read_against_the_ante_as_placed() -> None:
    bets = "1 ante 1200, 1 flop 2400"
    for reading, paid in (("ante_in_action", 2000), ("ante_as_placed", 2400)):
        readings = {"ante_above_maximum": reading}
        found = judged(round_of(bets, {"1": "AS AH"}, readings=readings))

        assert found.dues[1].paid == paid
        assert answer(found)["readings"] == readings


def test_a_missing_flop_may_be_read_as_a_fold() -> None:
    for reading, outcome in (("flop_of_zero", "push"), ("fold", "lose")):
        readings = {"flop_missing": reading}
        found = judged(round_of("1 ante 100", {"1": "AS AH"}, readings=readings))

        assert found.dues[0].outcome == outcome
        assert found.dues[0].flags == ("FLOP_MISSING",)
        assert answer(found)["readings"]["flop_missing"] == reading


def test_one_bet_of_each_kind_on_a_box() -> None:
    twice = event("WagerPlaced", wager_id="again", player_id="P1", box="1", bet="ante", stake=100)
    other = event("WagerPlaced", wager_id="other", player_id="P9", box="1", bet="bonus", stake=50)
    played = round_of("1 ante 100, 1 flop 200", {"1": "AS AH"})
    played["events"][1:1] = [twice, other]

    found = judged(played)

    assert _line(found, "again") == _line(found, "other") == "returned 0"
    assert codes(found) == ["BOX_SHARED"]
    assert _line(found, "1-ante") == "push 100"


@pytest.mark.parametrize(
    ("change", "stake", "flags"),
    cases("""
        before | 300 |          | raised before no more bets
        after  | 100 | LATE_BET | raised after it
    """),
)
def test_an_ante_changes_only_before_no_more_bets(change: str, stake: str, flags: str) -> None:
    played = round_of("1 ante 100, 1 flop 200", {"1": "AS AH"})
    place = 1 if change == "before" else 2
    played["events"].insert(place, event("WagerChanged", wager_id="1-ante", stake=300))

    found = judged(played)

    assert found.dues[0].stake == int(stake)
    assert codes(found) == flags.split()


def test_a_decision_without_its_box_is_the_players_only_one() -> None:
    fold = event("DecisionMade", player_id="P1", decision="fold")

    found = judged(round_of("1 ante 100", {"1": "AS AH"}, fold))

    assert found.dues[0].outcome == "lose"


def test_a_table_that_names_no_box_has_one() -> None:
    played = round_of("1 ante 100, 1 flop 200", {"1": "AS AH"})
    for one in played["events"]:
        one.pop("box", None)

    assert [due.outcome for due in judged(played).dues] == ["push", "win"]


def test_an_ante_late_by_the_first_card_is_refused() -> None:
    found = dealt("5D>burn AS>1", bets="1 ante 100", before=[])
    late = judged(sheet([*drawn("5D>burn"), *wagers("1 ante 100")]))

    assert found.dues[0].outcome == "open"
    assert late.dues[0].outcome == "returned"
    assert codes(late) == ["LATE_BET"]


def test_the_dealer_needs_no_qualifying_hand() -> None:
    found = seen(dealer="3C 4H", board="2S 7H 9C JD QS")

    assert found.ruled.result == "FIVE_ODD_CARDS"
    assert [due.outcome for due in found.dues if due.bet == "flop"] == ["win", "win"]


def test_a_turn_bet_of_a_hand_that_counts_as_folded_goes_back() -> None:
    acts = "bet 1 ante 100, close, hole, flop, bet 1 turn 100, turn, river, dealer"

    found = _at_table(acts, readings={"flop_missing": "fold"})

    assert _line(found, "1-ante") == "lose 100 FLOP_MISSING"
    assert _line(found, "1-turn") == "returned 0 BET_AFTER_FOLD"
