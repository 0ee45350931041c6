"""Blackjack: every way the play can break a rule, beside the lawful way."""

import pytest

from tests.support.blackjack_story import backs, flags, played, sheet, told
from tests.support.english import english
from tests.support.tables import cases, judged
from tests.support.tables import readings as relied_on

TWO = "sit 1 p, sit 2 q, bet w p main 1 100, bet v q main 2 100, close"


@pytest.mark.parametrize(
    ("opening", "rest", "expected", "becomes"),
    cases("""
        TS 8D v 9H | p stand 1, d 8C                            |                             | w win 100 200       | the dealer stands on 17
        TS 8D v 9H | p stand 1, d 8C 2D                         | DEALER_OVERDREW dealer      | w win 100 200       | a card on 17 does not count
        TS 8D v AH | p stand 1, d 6C 4D                         | DEALER_OVERDREW dealer      | w win 100 200       | soft 17 stands too
        TS 8D v 9H | p stand 1, d 5C 3D                         |                             | w win 100 200       | the dealer draws on 14
        TS 8D v 9H | p stand 1, d 5C, called 14                 | DEALER_STOPPED_EARLY dealer, RESULT_MISMATCH dealer | w open 0 0 | 14 is not the end
        TS 8D v 9H | p stand 1, over                            | DEALER_STOPPED_EARLY dealer | w open 0 0          | no second card at all
        TS 8D v 9H | p stand 1                                  |                             | w open 0 0          | still being played
        9S 7D v 9H | p hit 1, 1 8C, d 5C KC                     |                             | w lose 0 0          | bust
        9S 7D v 9H | p hit 1, 1 8C, 1 2C, d 5C KC               | CARD_AFTER_BUST 1           | w lose 0 0          | a card after the bust
        AS KD v 9H | d 8C                                       |                             | w win 150 250       | blackjack
        AS KD v 9H | p hit 1, 1 8C, d 8C                        | CARD_AFTER_BLACKJACK 1      | w win 150 250       | a card on a blackjack
        AS KD v 9H | p double 1 100, 1 8C, d 8C                 | ACTION_NOT_OPEN 1, CARD_AFTER_BLACKJACK 1 | w win 150 250, w.double refused 0 100 | a blackjack takes no action
        9S 7D v 9H | p stand 1, 1 2C, d 8C                      | CARD_AFTER_STAND 1          | w lose 0 0          | a card after standing
        9S 7D v 9H | p surrender 1, d 8C                        |                             | w half_loss 0 50    | surrender
        9S 7D v 9H | p surrender 1, 1 5C, d 8C                  | CARD_AFTER_SURRENDER 1      | w half_loss 0 50    | a card after a surrender
        9S 7D v AH | p surrender 1, d 8C                        | SURRENDER_REFUSED_UPCARD 1  | w half_loss 0 50    | surrender against an Ace
        9S 7D v KH | p surrender 1, d 8C                        | SURRENDER_REFUSED_UPCARD 1  | w half_loss 0 50    | surrender against a court card
        9S 2D v 9H | p hit 1, 1 5C, p surrender 1, d 8C         | SURRENDER_AFTER_ACTION 1    | w half_loss 0 50    | surrender after a hit
        6S 5D v 9H | p double 1, 1 9C, d 8C                     |                             | w win 200 400       | double
        6S 5D v 9H | p double 1, 1 9C, 1 2C, d 8C               | DOUBLE_CARDS 1              | w win 200 400       | a second card after a double
        6S 5D v 9H | p double 1, d 8C                           | DOUBLE_CARDS 1              | w open 0 0          | no card after a double
        6S 2D v 9H | p hit 1, 1 3C, p double 1, 1 9C, d 8C      | ACTION_NOT_OPEN 1           | w win 200 400       | a double on three cards
        6S 5D v 9H | p double 1 40, 1 9C, d 8C                  | ADDED_BET_AMOUNT w.double   | w win 100 200, w.double refused 0 40 | a double for less
        8S 8D v 9H | p split 1, 1.1 TC, 1.2 9C, d 8C            |                             | w win 100 200, w.2 push 0 100 | split
        KS TD v 9H | p split 1, 1.1 TC, 1.2 9C, d 8C            |                             | w win 100 200, w.2 win 100 200 | a king and a ten are split
        8S 9D v 9H | p split 1, 1.1 TC, 1.2 9C, d 8C            | SPLIT_UNEQUAL_VALUES 1      | w win 100 200, w.2 win 100 200 | unequal values
        8S 8D v 9H | p split 1 70, 1.1 TC, 1.2 9C, d 8C         | ADDED_BET_AMOUNT w.2        | w win 100 200, w.2 refused 0 70 | a second bet for less
        8S 8D v 9H | p split 1, 1.1 8C, 1.2 9C, p split 1.1, 1.1 3C, 1.3 2C, d 8C | SECOND_SPLIT 1 | w open 0 0, w.2 push 0 100, w.3 refused 0 100 | a second split
        8S 8D v 9H | p split 1, 1.1 8C, 1.2 9C, p split 1.1, p stand 1.1, d 8C | SECOND_SPLIT 1    | w lose 0 0, w.2 push 0 100, w.3 refused 0 100 | a second split that was not granted
        8S 8D v 9H | p split 1, 1.1 8C, 1.2 9C, p split 1.1, d 8C | SECOND_SPLIT 1                 | w lose 0 0, w.2 push 0 100, w.3 refused 0 100 | nor granted, nor decided on
        8S 8D v 9H | p split 1, 1.1 8C, 1.2 9C, p split 1.1, p hit 1.1, 1.1 3C, d 8C | SECOND_SPLIT 1 | w win 100 200, w.2 push 0 100, w.3 refused 0 100 | not granted, and hit instead
        8S 8D v 9H | p split 1, 1.1 8C, 1.2 9C, p split 1.1, 1.1 3C, d 8C | SECOND_SPLIT 1         | w open 0 0, w.2 push 0 100, w.3 refused 0 100 | granted, and one card dealt
        9S 2D v 9H | p hit 1, 1 5C, p split 1, p stand 1, d 8C  | ACTION_NOT_OPEN 1           | w lose 0 0, w.2 refused 0 100 | a split of three cards that was not granted
        8S 8D v 9H | p split 1, 1.1 3C, 1.2 9C, p double 1.1 100, 1.1 9D, d 8C | DOUBLE_AFTER_SPLIT 1.1 | w win 200 400, w.2 push 0 100 | a double after a split
        8S 8D v 9H | p split 1, 1.1 TC, d 8C                    | DEAL_ORDER 1.2              | w win 100 200, w.2 open 0 0 | hand 2 without its card
        AS AD v 9H | p split 1, 1.1 KD, 1.2 5C, d 8C            |                             | w win 100 200, w.2 lose 0 0 | split Aces
        AS AD v 9H | p split 1, 1.1 KD, 1.2 5C, 1.2 5D, d 8C    | SPLIT_ACE_CARDS 1.2         | w win 100 200, w.2 lose 0 0 | a second card on a split Ace
        AS AD v 9H | p split 1, 1.1 KD, d 8C                    | SPLIT_ACE_CARDS 1.2         | w win 100 200, w.2 open 0 0 | none on a split Ace
        AS AD v 9H | p split 1, 1.1 AD, 1.2 5C, p split 1.1, d 8C | SECOND_SPLIT 1 | w lose 0 0, w.2 lose 0 0, w.3 refused 0 100 | Aces are split once
        5S 4D v TH | p timeout 1, 1 5C, d 6C 9D                 |                             | w win 100 200       | the system hits 9 and stands on 14
        5S 4D v TH | p timeout 1, d 6C 9D                       | AUTO_STOOD_EARLY 1          | w open 0 0          | the system stands on 9
        5S 4D v TH | p timeout 1, 1 5C, 1 3C, d 6C 9D           | AUTO_OVERDREW 1             | w win 100 200       | the system hits 14
        AS 5D v TH | p timeout 1, d 6C 9D                       |                             | w win 100 200       | an Ace and a five stand
        5S 4D v TH | p timeout 1, 1 2C, p hit 1, 1 3C, p stand 1, d 6C 9D |                   | w win 100 200       | the player is back
        8S 8D v 9H | p split 1, 1.1 2C, 1.2 9C, p timeout 1.1, 1.1 TC, p stand 1.2, d 8C |     | w win 100 200, w.2 push 0 100 | a timeout after a split
        TS 9D v 9H | p hit 1, 1 2C, p hit 1, 1 5C, d 8C         |                             | w lose 0 0          | hitting a 21 is not forbidden
    """),  # noqa: E501  (a table)
)
def test_play(opening: str, rest: str, expected: str, becomes: str) -> None:
    judged = played(opening, rest)

    assert flags(judged) == expected
    assert backs(judged) == becomes
    assert judged.ruled.status == ("unsettled" if " open " in becomes else "settled")


@pytest.mark.parametrize(
    ("opening", "rest", "expected", "becomes"),
    cases("""
        TS 8D v 9H | p stand 1, d 8C, over, d 2D                  | CARD_AFTER_CLOSE dealer | w win 100 200 | the dealer's hand was complete
        TS 8D v 9H | p stand 1, d 5C, over, d 9C                  | CARD_AFTER_CLOSE dealer, DEALER_STOPPED_EARLY dealer | w open 0 0 | a card after the close mends nothing
        TS 2D v 9H | p stand 1, d 8C, over, 1 9C                  | CARD_AFTER_CLOSE 1      | w lose 0 0    | a card for a hand that stood
        TS 8D v 9H | p stand 1, d 8C, over, 5 2D                  | CARD_AFTER_CLOSE 5      | w win 100 200 | a card where nobody sits
        TS 8D v 9H | p stand 1, d 8C, over, d 2D, camera dealer 3 2D 0.99 | CARD_AFTER_CLOSE dealer | w win 100 200 | and the camera saw it
        TS 8D v 9H | p stand 1, d 8C, over, camera dealer 2 8C 0.99 |                       | w win 100 200 | a late look at a card dealt in time
        TS 8D v 9H | p stand 1, d 8C, over, p double 1 100        | ACTION_NOT_OPEN 1       | w win 100 200, w.double refused 0 100 | a double after the close
        TS 8D v 9H | d 8C, over, p surrender 1                    | ACTION_NOT_OPEN 1       | w win 100 200 | a surrender after the close
        TS 8D v 9H | d 8C, over, p stand 1                        |                         | w win 100 200 | a word that changes nothing
        TS 8D v AH | p stand 1, over, p insure 1 50               | DEALER_STOPPED_EARLY dealer, LATE_BET w.insurance | w open 0 0, w.insurance refused 0 50 | an insurance after the close
    """),  # noqa: E501  (a table)
)
def test_nothing_counts_once_the_round_is_closed(
    opening: str, rest: str, expected: str, becomes: str
) -> None:
    judged = played(opening, rest)

    assert (flags(judged), backs(judged)) == (expected, becomes)


def test_a_card_that_leaves_the_shoe_between_two_rounds_is_told() -> None:
    before = "sit 1 p, 4 2D, open, bet w p main 1 100, close"

    judged = told(f"{before}, 1 TS, d 9H, 1 8D, p stand 1, d 8C, over")

    assert (flags(judged), backs(judged)) == ("CARD_AFTER_CLOSE 4", "w win 100 200")


def test_a_reading_of_the_shoe_that_came_in_late_counts() -> None:
    written = sheet("sit 1 p, bet w p main 1 100, close, 1 TS, d 9H, 1 8D, p stand 1, d 8C, over")
    third = next(at for at in written["events"] if at.get("position") == 3)
    written["events"] = [at for at in written["events"] if at is not third] + [third]

    assert backs(judged(written)) == "w win 100 200"


def test_a_hand_that_is_left_open_says_why() -> None:
    split = "p split 1, 1.1 8C, 1.2 9C, p split 1.1, 1.1 3C, 1.3 2C, d 8C"
    short = "p double 1, d 8C"

    third = [english(step.text) for step in played("8S 8D v 9H", split).ruled.steps]
    doubled = [english(step.text) for step in played("6S 5D v 9H", short).ruled.steps]

    assert "box 1 hand 1: 8S 8C 3C, 19, left open: no rule says how it goes on" in third
    assert "box 1: 6S 5D, 11 doubled, left open: it lacks a card" in doubled


@pytest.mark.parametrize(
    ("deal", "expected"),
    cases("""
        1 TS, 2 9S, d 9H, 1 8D, 2 9D, p stand 1, q stand 2, d 8C                   |                                 | clockwise, dealer, clockwise
        2 9S, 1 TS, d 9H, 1 8D, 2 9D, p stand 1, q stand 2, d 8C                   | DEAL_ORDER 1                    | the second seat first
        1 TS, 2 9S, 1 8D, 2 9D, d 9H, p stand 1, q stand 2, d 8C                   | DEAL_ORDER dealer               | the dealer's card after the second ones
        1 TS, 2 9S, d 9H, 2 9D, 1 8D, p stand 1, q stand 2, d 8C                   | DEAL_ORDER 1                    | second cards crossed
        1 TS, 2 9S, d 9H 8C, 1 8D, 2 9D, p stand 1, q stand 2                      | DEALER_SECOND_CARD_EARLY dealer | two cards for the dealer at once
        1 TS, 2 5S, d 9H, 1 8D, 2 9D, p stand 1, q hit 2, d 8C, 2 6D               | DEALER_SECOND_CARD_EARLY dealer | before the last hand's card
        1 TS, 2 9S, d 9H, 1 8D, 2 9D, p stand 1, d 8C, q stand 2                   | DEALER_SECOND_CARD_EARLY dealer | before the last hand stood
        1 TS, 2 5S, d 9H, 1 2D, 2 9D, q hit 2, 2 6D, p hit 1, 1 3C, d 8C           | DEAL_ORDER 1                    | the second seat plays first
        1 TS, 2 8S, d 9H, 1 8D, 2 8D, p stand 1, q split 2, 2.2 9C, 2.1 TC, d 8C   | DEAL_ORDER 2.1                  | hand 2 is given its card first
        1 TS, 2 8S, d 9H, 1 8D, 2 8D, p stand 1, q split 2, 2.1 3C, 2.2 2C, q hit 2.2, 2.2 TC, q hit 2.1, 2.1 9C, d 8C | DEAL_ORDER 2.1 | hand 2 plays first
        1 TS, 2 9S, d 9H, 1 8D, p stand 1, d 8C                                    | DEAL_ORDER 2                    | one card for a seat
        1 TS, d 9H, 1 8D, p stand 1, d 8C                                          |                                 | a seat is left out
    """),  # noqa: E501  (a table)
)
def test_order_of_the_cards(deal: str, expected: str) -> None:
    assert flags(told(f"{TWO}, {deal}")) == expected


def test_cards_are_dealt_where_somebody_sits() -> None:
    deal = "1 TS, 2 9S, 5 2S, d 9H, 1 8D, 2 9D, x 3D, p stand 1, q stand 2, d 8C"

    assert flags(told(f"{TWO}, {deal}")) == "DEAL_ORDER 5, DEAL_ORDER x"


def test_a_seat_that_was_left_out_stays_open() -> None:
    judged = told(f"{TWO}, 1 TS, d 9H, 1 8D, p stand 1, d 8C")

    assert backs(judged) == "w win 100 200, v open 0 0"
    assert judged.ruled.status == "unsettled"


@pytest.mark.parametrize(
    ("read", "opening", "rest", "expected", "becomes"),
    cases("""
        irregular_cards      as_dealt other | TS 8D v 9H | p stand 1, d 8C 2D        | DEALER_OVERDREW dealer      | w lose 0 0          | the dealer's hand as it lies
        irregular_cards      as_dealt other | 5S 4D v TH | p timeout 1, d 6C 9D      | AUTO_STOOD_EARLY 1          | w win 100 200       | a short hand as it lies
        irregular_cards      as_dealt other | TS 8D v 9H | p stand 1, d 5C, over     | DEALER_STOPPED_EARLY dealer | w win 100 200       | a short dealer as it lies
        unlawful_actions     open other | 8S 9D v 9H | p split 1, 1.1 TC, 1.2 9C, d 8C | SPLIT_UNEQUAL_VALUES 1 | w open 0 0, w.2 open 0 0 | a wrong split is left to a person
        unlawful_actions     open other | 9S 7D v AH | p surrender 1, d 8C       | SURRENDER_REFUSED_UPCARD 1  | w open 0 0          | so is a wrong surrender
        double_after_split   offered same | 8S 8D v 9H | p split 1, 1.1 3C, 1.2 9C, p double 1.1, 1.1 9D, d 8C |  | w win 200 400, w.2 push 0 100 | a double after a split
        split_value          same_rank same | KS TD v 9H | p split 1, 1.1 TC, 1.2 9C, d 8C | SPLIT_UNEQUAL_VALUES 1 | w win 100 200, w.2 win 100 200 | a king and a ten differ
        timeout_ace          one other | AS 5D v TH | p timeout 1, d 6C 9D      | AUTO_STOOD_EARLY 1          | w open 0 0          | an Ace and a five are six
        timeout_ace          one same | AS 5D v TH | p timeout 1, 1 KD, d 8C   |                             | w lose 0 0          | and a card is drawn on them
        dealer_plays_out     for_live_hands same | 9S 7D v 9H | p hit 1, 1 8C, over       |                             | w lose 0 0          | nobody waits for the dealer
        dealer_plays_out     always same | 9S 7D v 9H | p hit 1, 1 8C, over       | DEALER_STOPPED_EARLY dealer | w lose 0 0          | the dealer plays out all the same
        plain_21             pushes other | 7S 7D v TH | p hit 1, 1 7C, d AC       |                             | w push 0 100        | 21 is 21
        busted_additions     refunded other | TS 2D v TH | p double 1, 1 KC, d AC    |                             | w lose_original 0 100 | the added bet comes back
        dealer_blackjack     all other | 8S 8D v AH | p split 1, 1.1 TC, 1.2 9C, d KC |                       | w lose 0 0, w.2 lose 0 0 | all bets fall
    """),  # noqa: E501  (a table)
)
def test_readings(read: str, opening: str, rest: str, expected: str, becomes: str) -> None:
    """Each with the money that another reading makes: the same, or another."""
    issue, reading, money = read.split()

    judged = played(opening, rest, readings={issue: reading})

    assert flags(judged) == expected
    assert backs(judged) == becomes
    assert relied_on(judged).get(issue, "") == (reading if money == "other" else "")


@pytest.mark.parametrize(
    ("seen", "why"),
    cases("""
        1 ??                   | box 1 card 3: nobody could read it                  | an unread card
        1 8C, camera 1 3 9C 0.99 | box 1 card 3: camera 9C, shoe 8C                  | shoe and camera disagree
        1 8C, placed 1 3 9C    | box 1 card 3: dealer 9C, shoe 8C                    | shoe and console disagree
        camera 1 3 9C 0.99     | box 1 card 3: camera 9C, which the shoe never gave  | a card from nowhere
        1.1 8C                 | a card was put on box 1 hand 1 and no split is on record | a split nobody recorded
    """),  # noqa: E501  (a table)
)
def test_what_is_not_known_is_not_guessed(seen: str, why: str) -> None:
    judged = played("9S 2D v 9H", f"p hit 1, {seen}, d 8C, called 17")

    assert judged.ruled.status == "unknown"
    assert judged.dues == ()
    assert [(flag.code, english(flag.note)) for flag in judged.flags] == [("RESULT_UNKNOWN", why)]


def test_an_unsure_camera_is_no_witness() -> None:
    judged = played("9S 2D v 9H", "p hit 1, 1 8C, camera 1 3 9C 0.7, camera 1 4 2C 0.5, d 8C")

    assert backs(judged) == "w win 100 200"


def test_without_a_shoe_reading_the_console_tells_the_hands() -> None:
    judged = told(
        "sit 1 p, bet w p main 1 100, close, placed 1 1 TS, placed dealer 1 9H, placed 1 2 8D, "
        "p stand 1, placed dealer 2 8C"
    )

    assert backs(judged) == "w win 100 200"
    assert flags(judged) == ""


@pytest.mark.parametrize(
    ("called", "expected"),
    cases("""
        called 17            |                        | the dealer's total
        called Dealer17      |                        | in other words
        called 18            | RESULT_MISMATCH dealer | another total
        called bust          | RESULT_MISMATCH dealer | not bust
        called win 1         |                        | the hand wins
        called 18 1          |                        | the hand's total
        called push 1        | RESULT_MISMATCH 1      | the hand does not push
        called win 2         | RESULT_MISMATCH 2      | a hand that is not there
    """),
)
def test_calls_are_compared_with_the_cards(called: str, expected: str) -> None:
    assert flags(played("TS 8D v 9H", f"p stand 1, d 8C, {called}")) == expected


def test_a_split_21_called_blackjack_is_a_mismatch() -> None:
    judged = played("AS AD v 9H", "p split 1, 1.1 KD, 1.2 5C, d 9C, called blackjack 1.1")

    assert flags(judged) == "RESULT_MISMATCH 1.1"


@pytest.mark.parametrize(
    ("rest", "expected"),
    cases("""
        p stand 1, d 8C, p surrender 1, over | ACTION_NOT_OPEN 1 | the hand had ended by standing
        p stand 1, d 8C, p stand 1, over     |                   | said again
        d 8C, p surrender 1, over | ACTION_NOT_OPEN 1, DEALER_SECOND_CARD_EARLY dealer | it was open
    """),
)
def test_a_hand_that_ended_is_not_waited_for(rest: str, expected: str) -> None:
    assert flags(played("TS 6D v 9H", rest)) == expected


@pytest.mark.parametrize(
    ("opening", "rest", "expected", "idle"),
    cases("""
        5S 4D v 9H |                 | AUTO_STOOD_EARLY 1 | 1 | nine and no word
        2S 2D v 9H | p hit 1, 1 5C   | AUTO_STOOD_EARLY 1 |   | hit once, then no word
        5S 4D v 9H | p stand 1       |                    |   | the player stood on nine
        TS 8D v 9H |                 |                    | 1 | eighteen and no word
        AS KD v 9H |                 |                    |   | a blackjack takes no action
    """),
)
def test_a_hand_left_alone_is_played_by_the_system(
    opening: str, rest: str, expected: str, idle: str
) -> None:
    found = played(opening, f"{rest}, d 8C, over")

    assert flags(found) == expected
    assert found.ruled.memory == {"idle": idle.split()}
    assert (found.ruled.status == "unsettled") == bool(expected)


def test_a_word_that_means_nothing_is_told() -> None:
    written = sheet("sit 1 p, bet w p main 1 100, close, 1 TS, d 9H, 1 8D, p stand 1, d 8C, over")
    made = next(event for event in written["events"] if event["type"] == "DecisionMade")
    at = written["events"].index(made)
    strange = [made | {"decision": word} for word in ("dance", "wave", "dance")]
    written["events"][at:at] = strange

    found = judged(written)

    assert flags(found) == "WORD_UNKNOWN"
    assert english(found.flags[0].note).endswith("found: dance, wave")
    assert backs(found) == "w win 100 200"
