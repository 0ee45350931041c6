"""What comes after the last settlement of a complete round is told and undoes nothing."""

from dataclasses import replace

import pytest

from replay import rulebooks
from replay.judge import Judgement, judge
from replay.rounds import Round
from replay.ruled import Ruled
from replay.rulings.every_game import after_settlement
from replay.sheets.sheet import read
from schemas import events as e
from tests.support import blackjack_story, shaker_story, shoe_story
from tests.support.english import english
from tests.support.shoe_story import backs, flags
from tests.support.tables import cases

BACCARAT = (
    "bet b1 player 100, close, deal player 9S, deal banker KS, deal player KH, deal banker 4H"
)
THIRD_DUE = (
    "bet b1 player 100, close, deal player 2S, deal banker KS, deal player KH, deal banker 7H"
)
WON = "settled b1 paid=100 returned=100"
SICBO = "bet b1 small 100, close, shake 1-2-4"
PLATE = "bet b1 odd 100, start, stop 4, close, bowl, tokens RRRW, settled b1 96 0 100"
HAND = "sit 1 p, bet w p main 1 100, close, 1 9S, d 9H, 1 KD, p stand 1, d 8C"


@pytest.mark.parametrize(
    ("later", "flagged"),
    cases("""
        deal player 2C                         | CARD_OUTSIDE_ROUND player | a card
        put player 3 2C                        | CARD_OUTSIDE_ROUND player | a card that the shoe did not read
        seen player 1 2C 0.99                  | CARD_OUTSIDE_ROUND player | another card in its place
        deal player 2C, seen player 3 2C 0.99  | CARD_OUTSIDE_ROUND player | a card and its sight are told once
        deal player 2C, deal banker 2C         | CARD_OUTSIDE_ROUND banker, CARD_OUTSIDE_ROUND player | each hand
        expose player 2C                       | TOLD_AFTERWARDS           | an exposed card
        report foreign_card 2C                 | FOREIGN_CARD 2C           | a report that moves no money
        report foreign_card 2C, void           | RESULT_MISMATCH void, TOLD_AFTERWARDS | nor does a void after it
        report foreign_card 2C, end void       | RESULT_MISMATCH void, TOLD_AFTERWARDS | nor one in the closing
        seen player 1 9S 0.99                  |                           | the camera looks again
        cut                                    |                           | the shoe goes on
    """),  # noqa: E501  (a row is a sentence)
)
def test_cards_after_the_last_settlement(later: str, flagged: str) -> None:
    found = shoe_story.told("SA-BC", f"{BACCARAT}, {WON}, {later}", {"hands": 7})

    assert (found.ruled.status, backs(found)) == ("settled", "b1 win 100 200")
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("later", "flagged"),
    cases("""
        seen 6-6-5                | TOLD_AFTERWARDS     | the shaker reads other dice
        camera 6-6-5 0.99         | TOLD_AFTERWARDS     | the camera sees other dice
        stop 1                    | TOLD_AFTERWARDS     | another count
        shake 6-6-5               | RESHAKE_UNFOUNDED 0 | another shake
        again overlap             | RESHAKE_UNFOUNDED 0 | a re-shake announced
        camera 1-2-4 0.99         |                     | the camera looks again
        camera 2-1-4 0.99         |                     | and sees them in another order
    """),
)
def test_dice_after_the_last_settlement(later: str, flagged: str) -> None:
    found = shaker_story.told(f"{SICBO}, settled b1 100 0 100, {later}")

    assert (found.ruled.status, backs(found)) == ("settled", "b1 win 100 200")
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("later", "flagged"),
    cases("""
        tokens RRRR               | TOLD_AFTERWARDS     | other tokens
        eye R-R-R-R 0.99          | TOLD_AFTERWARDS     | the camera sees others
        stick RRRR                | TOLD_AFTERWARDS     | the stick
        bowl touched              | TOLD_AFTERWARDS     | a bowl that touches them
        start, stop 4, bowl, tokens RRRR | RESHAKE_UNFOUNDED 0 | another throw
        drop bowl                 |                     | a bowl that falls
    """),
)
def test_tokens_after_the_last_settlement(later: str, flagged: str) -> None:
    found = shaker_story.told(f"{PLATE}, {later}", game="SA-XD")

    assert (found.ruled.status, backs(found)) == ("settled", "b1 win 96 196")
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("later", "flagged"),
    cases("""
        1 2C                | CARD_OUTSIDE_ROUND 1      | a card on the player's hand
        d 2C                | CARD_OUTSIDE_ROUND dealer | a card on the dealer's
        p double 1 100      | TOLD_AFTERWARDS           | a double on a hand that has won
        p double 1 100, 1 2C | TOLD_AFTERWARDS, CARD_OUTSIDE_ROUND 1 | with its card
        p stand 1           | TOLD_AFTERWARDS           | a decision that changes nothing
    """),
)
def test_blackjack_after_the_last_settlement(later: str, flagged: str) -> None:
    found = blackjack_story.told(f"{HAND}, settled w 100 0 100, {later}, end")

    assert (found.ruled.status, backs(found)) == ("settled", "w win 100 200")
    assert set(flags(found).split(", ")) == set(flagged.split(", "))


def test_a_hand_that_was_split_off_is_settled_after_its_wager() -> None:
    hands = "sit 1 p, bet w p main 1 100, close, 1 8S, d 9H, 1 8D, p split 1, 1.1 TC, 1.2 9C"
    first = f"{hands}, p hit 1.1, 1.1 KC, settled w 0 100 0"
    story = f"{first}, p stand 1.2, d 8C, settled w.2 0 0 100"

    plain = blackjack_story.told(f"{story}, end")
    found = blackjack_story.told(f"{story}, camera dealer 2 2C 0.99, end")

    assert backs(plain) == backs(found) == "w lose 0 0, w.2 push 0 100"
    assert (flags(plain), flags(found)) == ("", "CARD_OUTSIDE_ROUND dealer")


def test_all_hands_are_bust_and_the_dealer_draws_all_the_same() -> None:
    bust = "sit 1 p, bet w p main 1 100, close, 1 9S, d 9H, 1 KD, p hit 1, 1 KC"

    found = blackjack_story.told(f"{bust}, settled w 0 100 0, d 8C, called 17, end")

    assert (backs(found), flags(found)) == ("w lose 0 0", "")


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        WON, deal player 6C          | win 100 200 | SETTLED_BEFORE_RESULT b1             | the card that was due
        WON, deal player 4C          | lose 0 0    | MISPAY b1, SETTLED_BEFORE_RESULT b1  | and loses
    """),  # noqa: E501  (a row is a sentence)
)
def test_an_early_payment_protects_nothing(story: str, due: str, flagged: str) -> None:
    told = f"{THIRD_DUE}, {story.replace('WON', WON)}, end"
    found = shoe_story.told("SA-BC", told, {"hands": 7})

    assert backs(found) == f"b1 {due}"
    assert flags(found) == flagged


def test_dice_paid_before_they_lay_are_read_after_it() -> None:
    found = shaker_story.told("bet b1 small 100, close, settled b1 100 0 100, shake 6-6-5")

    assert backs(found) == "b1 lose 0 0"
    assert "SETTLED_BEFORE_PLAY b1" in flags(found)


def test_what_was_seen_before_the_payment_and_arrived_after_it_counts() -> None:
    in_order = f"{BACCARAT}, {WON}, seen player 1 2C 0.99"
    round, memory = read(shoe_story.sheet("SA-BC", in_order, {"hands": 7}))
    paid_at = {e.WagerSettled: 9, e.CardsObserved: 5}
    events = tuple(replace(at, occurred_at=paid_at.get(type(at.payload), 0)) for at in round.events)

    found = judge(replace(round, events=events), rulebooks.in_force("SA-BC", "2026-03-01"), memory)

    assert found.ruled.status == "unknown"


def test_the_step_names_every_event() -> None:
    found = shoe_story.told(
        "SA-BC", f"{BACCARAT}, {WON}, deal player 2C, seen player 3 2C 0.99", {"hands": 7}
    )

    assert _outside(found) == [
        (
            "2C left the shoe, 2C was seen on Player after every wager was settled"
            " and counts for nothing",
            2,
        )
    ]


def test_a_thousand_events_make_one_short_sentence() -> None:
    ranks = [f"{rank}{suit}" for suit in "SHDC" for rank in "23456789"]

    found = shoe_story.told(
        "SA-BC", f"{BACCARAT}, {WON}, deal player {' '.join(ranks * 30)}", {"hands": 7}
    )

    ((text, events),) = _outside(found)
    assert (len(text) < 200, events) == (True, 960)


def test_a_round_is_ruled_once_where_nothing_came_afterwards() -> None:
    round, _ = read(shoe_story.sheet("SA-BC", f"{BACCARAT}, {WON}, end", {"hands": 7}))

    def rule(_: Round) -> Ruled:
        raise AssertionError("nothing came afterwards")

    found = after_settlement.as_paid(round, (e.CardDrawn,), "SA-BC:2.2", rule)

    assert found == (round, ())


def _outside(found: Judgement) -> list[tuple[str, int]]:
    return [
        (english(step.text), len(step.evidence))
        for step in found.steps
        if "every wager" in english(step.text)
    ]
