"""Blackjack: who may sit and bet, who follows, who insures, and what the shoe allows."""

import json

import pytest

from replay.rulebooks.terms import BadTerms
from tests.support.blackjack_story import backs, flags, played, sheet, told
from tests.support.english import english
from tests.support.tables import cases, judged
from tests.support.tables import readings as relied_on

# Seat 1 wins 18 against 17 with a doubled eleven, or a split pair, or as it stands.
STANDS = "1 TS, d 9H, 1 8D, p stand 1, d 8C"
DOUBLES = "1 6S, d 9H, 1 5D, p double 1"
SPLITS = "1 9S, d 9H, 1 9D, p split 1"


@pytest.mark.parametrize(
    ("before", "expected", "becomes"),
    cases("""
        bet w p main 1 100                                     |                     | w win 100 200                    | the seat's main bet
        bet w p main 1 100, bet x p pair 1 10                  |                     | w win 100 200, x lose 0 0        | and its pair
        bet x p pair 1 10, bet w p main 1 100                  | PAIR_BEFORE_MAIN x  | x refused 0 10, w win 100 200    | the pair first
        bet w p main 1 100, bet v q main 1 60                  |                     | w win 100 200, v win 60 120      | behind the seat
        bet w p main 1 100, bet v q pair 1 60                  |                     | w win 100 200, v lose 0 0        | a pair behind alone
        bet v q main 1 60, bet u q pair 1 10                   | SEAT_WITHOUT_MAIN 1 | v win 60 120, u lose 0 0         | behind a seat without a main bet
        bet w p main 1 100, bet v q main 4 60                  | BEHIND_EMPTY_SEAT v | w win 100 200, v refused 0 60    | behind an empty seat
        bet w p main 1 100, sit 2 q, bet v q main 1 60, bet u q main 2 60, leave 2 q | BEHIND_EMPTY_SEAT u | w win 100 200, v win 60 120, u refused 0 60 | the seat was left in time
        bet w p main 1 100, sit 2 q, bet v q main 1 60         | SEATED_BET_BEHIND v | w win 100 200, v refused 0 60    | a seated player behind another seat
        bet w p main 1 100, bet v p insurance 1 50             | BET_NOT_OFFERED v   | w win 100 200, v refused 0 50    | insurance is a decision
        bet w p main 1 100, bet v p tie 1 50                   | BET_NOT_OFFERED v   | w win 100 200, v refused 0 50    | an unknown bet
        bet w p main 1 100, bet v p main 1 50                  | SECOND_MAIN_BET v   | w win 100 200, v win 50 100      | a second main bet on one seat
        bet w p main 1 100, stake w 70                         |                     | w win 70 140                     | changed in time
        bet w p main 1 100, close, bet v q main 1 60           | LATE_BET v          | w win 100 200, v refused 0 60    | after the countdown
        bet w p main 1 100, close, stake w 300                 | LATE_BET w          | w win 100 200                    | raised after the countdown
        bet w p main 1 100, close, withdraw w                  | WITHDRAWAL_REFUSED w | w win 100 200                   | taken back after the countdown
        bet w p main 1 100, close, sit 4 r                     | SEAT_TAKEN_IN_PLAY 4 | w win 100 200                   | a seat taken in play
    """),  # noqa: E501  (a table)
)
def test_who_may_bet(before: str, expected: str, becomes: str) -> None:
    found = told(f"sit 1 p, {before}, close, {STANDS}")

    assert flags(found) == expected
    assert backs(found) == becomes


@pytest.mark.parametrize(
    ("late", "expected", "becomes"),
    cases("""
        bet v q main 1 60  | LATE_BET v           | w win 100 200, v refused 0 60 | a bet once a card is out
        bet v p pair 1 60  | LATE_BET v           | w win 100 200, v refused 0 60 | a pair once a card is out
        stake w 300        | LATE_BET w           | w win 100 200                 | a bet raised
        withdraw w         | WITHDRAWAL_REFUSED w | w win 100 200                 | a bet taken back
        sit 4 r            | SEAT_TAKEN_IN_PLAY 4 | w win 100 200                 | a seat taken
    """),  # noqa: E501  (a table)
)
def test_the_first_card_ends_betting(late: str, expected: str, becomes: str) -> None:
    found = told(
        f"sit 1 p, bet w p main 1 100, 1 TS, {late}, close, d 9H, 1 8D, p stand 1, d 8C, over"
    )

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("cards", "added"),
    cases("""
        1 TS, 2 6S, d 9H, 1 8D, 2 5D, p stand 1, p double 2 60, 2 TC, d 8C          | v.double | doubled
        1 TS, 2 6S, d 9H, 1 8D, 2 5D, p stand 1, p double 2, 2 TC, d 8C             | v.double | doubled, no amount said
        1 TS, 2 9S, d 9H, 1 8D, 2 9D, p stand 1, p split 2 60, 2.1 TC, 2.2 TD, d 8C | v.2      | split
    """),  # noqa: E501  (a table)
)
def test_chips_added_to_a_refused_main_bet_go_back(cards: str, added: str) -> None:
    found = told(f"sit 1 p, sit 2 p, bet w p main 1 100, bet v p main 2 60, close, {cards}, over")

    assert flags(found) == "ACTION_NOT_OPEN 2, TWO_SEATS 2"
    assert backs(found) == f"w win 100 200, v refused 0 60, {added} refused 0 60"


def test_betting_that_nobody_closed_ends_with_the_first_card() -> None:
    found = told(f"sit 1 p, bet w p main 1 100, {STANDS}, over")

    assert (flags(found), backs(found)) == ("BETTING_NOT_CLOSED", "w win 100 200")


def test_a_bet_once_a_card_is_out_rests_on_when_betting_ends() -> None:
    story = "sit 1 p, bet w p main 1 100, 1 TS, bet v q main 1 60, close, d 9H, 1 8D, d 8C, over"

    assert relied_on(told(story)) == {"betting_ends": "when_closed"}


def test_two_bets_of_one_player_behind_a_seat_are_no_fault() -> None:
    bets = "bet w p main 1 100, bet v q main 1 50, bet u q main 1 50"

    assert flags(told(f"sit 1 p, {bets}, close, {STANDS}")) == ""


@pytest.mark.parametrize(
    ("seats", "expected"),
    cases("""
        sit 1 q, sit 1 p                  | SEAT_TAKEN_TWICE 1 | nobody had left
        open, sit 1 q, sit 1 p            | SEAT_TAKEN_TWICE 1 | nor in the countdown
        sit 1 q, open, sit 1 p            | SEAT_TAKEN_TWICE 1 | one before the round
        sit 1 q, leave 1 q, sit 1 p       |                    | left and taken
        sit 1 q, open, leave 1 q, sit 1 p |                    | left in the countdown
        sit 1 p, sit 1 p                  |                    | said twice
    """),
)
def test_a_seat_that_is_held_is_not_taken(seats: str, expected: str) -> None:
    found = told(f"{seats}, bet w p main 1 100, close, {STANDS}")

    assert flags(found) == expected
    assert backs(found) == "w win 100 200"


@pytest.mark.parametrize(
    ("play", "expected", "becomes"),
    cases(f"""
        {DOUBLES}, 1 9C, q follow_double 1 60 in 2000, d 8C | FOLLOW_LATE v | w win 200 400, v win 60 120, v.double refused 0 60 | after the card of the double
        {DOUBLES}, 1 9C, d 8C, q follow_double 1 60 | FOLLOW_LATE v | w win 200 400, v win 60 120, v.double refused 0 60 | after the dealer's second card
        {SPLITS}, 1.1 9C, 1.2 8C, q follow_split 1 60, p stand 1.1, p stand 1.2, d 8C | FOLLOW_LATE v | w win 100 200, w.2 push 0 100, v win 60 120, v.2 refused 0 60 | after the card of hand 2
        {SPLITS}, 1.1 9C, 1.2 8C, p stand 1.1, p stand 1.2, d 8C, q follow_split 1 60 | FOLLOW_LATE v | w win 100 200, w.2 push 0 100, v win 60 120, v.2 refused 0 60 | after the dealer's
        {SPLITS}, 1.1 9C, q follow_split 1 60, 1.2 8C, p stand 1.1, p stand 1.2, d 8C | | w win 100 200, w.2 push 0 100, v win 60 120, v.2 push 0 60 | hand 2 was still unseen
    """),  # noqa: E501  (a table)
)
def test_nobody_follows_a_card_already_seen(play: str, expected: str, becomes: str) -> None:
    found = told(f"sit 1 p, bet w p main 1 100, bet v q main 1 60, close, {play}")

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("play", "expected", "becomes"),
    cases("""
        p insure 1 50, p stand 1 | | w lose 0 0, w.insurance win 100 150 | before the seat acts
        p stand 1, p insure 1 50 | LATE_BET w.insurance | w lose 0 0, w.insurance refused 0 50 | after it stood
        p hit 1, 1 2C, p insure 1 50, p stand 1 | LATE_BET w.insurance | w lose 0 0, w.insurance refused 0 50 | after it hit
        q decline 1, p insure 1 50, p stand 1 | | w lose 0 0, w.insurance win 100 150 | a follower's word is no action
    """),  # noqa: E501  (a table)
)
def test_insurance_comes_before_the_seat_acts(play: str, expected: str, becomes: str) -> None:
    found = played("TS 8D v AH", f"{play}, d KC")

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("reading", "play", "expected", "insured"),
    cases("""
        before_any_seat_acts  | q insure 2 50, p stand 1                   |                      | win 100 150  | before anybody acts
        before_any_seat_acts  | p stand 1, q insure 2 50                   | LATE_BET v.insurance | refused 0 50 | another seat has stood
        before_any_seat_acts  | p timeout 1, q insure 2 50                 | LATE_BET v.insurance | refused 0 50 | the system played another seat
        before_the_seat_acts  | p stand 1, q insure 2 50                   |                      | win 100 150  | until the own turn
        before_the_seat_acts  | p stand 1, q stand 2, q insure 2 50        | LATE_BET v.insurance | refused 0 50 | after the own turn
    """),  # noqa: E501  (a table)
)
def test_insurance_comes_before_the_seats_act(
    reading: str, play: str, expected: str, insured: str
) -> None:
    seats = "sit 1 p, sit 2 q, bet w p main 1 100, bet v q main 2 100, close"
    deal = f"1 TS, 2 TD, d AH, 1 8D, 2 8C, {play}, d KC, over"

    found = told(f"{seats}, {deal}", readings={"insurance_time": reading})

    assert flags(found) == expected
    assert backs(found) == f"w lose 0 0, v lose 0 0, v.insurance {insured}"
    between = play.startswith("p") and "q stand" not in play
    assert (relied_on(found).get("insurance_time") == reading) == between


@pytest.mark.parametrize("end", ["over", "settled w 100 0 100"])
def test_a_seat_is_taken_once_the_round_is_over(end: str) -> None:
    story = f"sit 1 p, bet w p main 1 100, close, {STANDS}"

    assert flags(told(f"{story}, {end}, sit 4 r")) == ""
    assert flags(told(f"{story}, sit 4 r, {end}")) == "SEAT_TAKEN_IN_PLAY 4"


@pytest.mark.parametrize(
    ("reading", "becomes"),
    cases("""
        refused | w win 100 200, v refused 0 100 | the second seat's bet goes back
        settled | w win 100 200, v win 100 200   | it stands
    """),
)
def test_a_player_has_one_seat(reading: str, becomes: str) -> None:
    story = "sit 1 p, sit 2 p, bet w p main 1 100, bet v p main 2 100, close, 1 TS, 2 TD, d 9H, "

    found = told(f"{story} 1 8D, 2 8C, d 8S", readings={"unlawful_bets": reading})

    assert flags(found) == "TWO_SEATS 2"
    assert backs(found) == becomes
    assert relied_on(found) == {"unlawful_bets": reading}


@pytest.mark.parametrize(
    ("play", "answer", "expected", "becomes"),
    cases(f"""
        {DOUBLES} | q follow_double 1 60 in 5000, 1 9C, d 8C       |                     | w win 200 400, v win 120 240 | in five seconds
        {DOUBLES} | q follow_double 1 60 in 5001, 1 9C, d 8C       | FOLLOW_LATE v       | w win 200 400, v win 60 120, v.double refused 0 60 | a moment later
        {DOUBLES} | q follow_double 1 50 in 2000, 1 9C, d 8C       | FOLLOW_LATE v       | w win 200 400, v win 60 120, v.double refused 0 50 | not an equal bet
        {DOUBLES} | q decline 1, 1 9C, d 8C                        |                     | w win 200 400, v win 60 120 | declined
        {DOUBLES} | 1 9C, d 8C                                     |                     | w win 200 400, v win 60 120 | no answer
        {DOUBLES} | q follow_split 1 60 in 100, 1 9C, d 8C         | ACTION_NOT_OPEN v   | w win 200 400, v win 60 120, v.2 refused 0 60 | nothing was split
        1 6S, d TH, 1 5D, p double 1 | 1 9C, d AC                   |                     | w lose_original 0 100, v lose 0 0 | a single bet falls to a blackjack whole
        {SPLITS}  | q follow_split 1 60 in 5000, 1.1 9C, 1.2 8C, d 8C |                  | w win 100 200, w.2 push 0 100, v win 60 120, v.2 push 0 60 | both hands
        {SPLITS}  | q follow_split 1 60 in 5001, 1.1 9C, 1.2 8C, d 8C | FOLLOW_LATE v    | w win 100 200, w.2 push 0 100, v win 60 120, v.2 refused 0 60 | too late for hand 2
        {SPLITS}  | q follow_split 1 90, 1.1 9C, 1.2 8C, d 8C      | FOLLOW_LATE v       | w win 100 200, w.2 push 0 100, v win 60 120, v.2 refused 0 90 | more than an equal bet
        {SPLITS}  | 1.1 9C, 1.2 8C, d 8C                           |                     | w win 100 200, w.2 push 0 100, v win 60 120 | hand 1 alone
        {STANDS}  | q follow_double 1 60 in 100                    | ACTION_NOT_OPEN v   | w win 100 200, v win 60 120, v.double refused 0 60 | nothing to follow
    """),  # noqa: E501  (a table)
)
def test_bet_behind(play: str, answer: str, expected: str, becomes: str) -> None:
    found = told(f"sit 1 p, bet w p main 1 100, bet v q main 1 60, close, {play}, {answer}")

    assert flags(found) == expected
    assert backs(found) == becomes


@pytest.mark.parametrize(
    ("play", "expected", "becomes"),
    cases("""
        1 6S, d 9H, 1 5D, q follow_double 1 60 in 100, p double 1, 1 9C, d 8C | ACTION_NOT_OPEN v | w win 200 400, v win 60 120, v.double refused 0 60 | before the double
        1 6S, d 9H, 1 5D, q follow_double 1 60, p double 1, q follow_double 1 60, 1 9C, d 8C | ACTION_NOT_OPEN v | w win 200 400, v win 120 240, v.double refused 0 60 | before it and in time
        1 9S, d 9H, 1 9D, q follow_split 1 60, p split 1, 1.1 9C, 1.2 8C, d 8C | ACTION_NOT_OPEN v | w win 100 200, w.2 push 0 100, v win 60 120, v.2 refused 0 60 | before the split
        1 6S, d 9H, 1 5D, p double 1, q follow_double 1 60, q follow_double 1 60, 1 9C, d 8C | ACTION_NOT_OPEN v | w win 200 400, v win 120 240, v.double refused 0 60 | once is enough
        1 6S, d 9H, 1 5D, p double 1, p follow_double 1 100, 1 9C, d 8C | ACTION_NOT_OPEN w | w win 200 400, w.double refused 0 100, v win 60 120 | nobody follows oneself
    """),  # noqa: E501  (a table)
)
def test_there_must_be_something_to_follow(play: str, expected: str, becomes: str) -> None:
    found = told(f"sit 1 p, bet w p main 1 100, bet v q main 1 60, close, {play}")

    assert (flags(found), backs(found)) == (expected, becomes)
    assert {flag.clause for flag in found.flags} <= {"SA-BJ:3.6.1"}


def test_a_follower_of_both_hands_answers_for_each() -> None:
    story = "sit 1 p, bet w p main 1 100, bet v q main 1 60, close, 1 8S, d 6H, 1 8D, p split 1, "
    play = "q follow_split 1 60, 1.1 3C, 1.2 2C, p double 1.1, 1.1 TC, p double 1.2, "
    answer = "q follow_double 1.2 60 in 9000, 1.2 9C, d TD 9D"

    found = told(story + play + answer, readings={"double_after_split": "offered"})

    assert flags(found) == "FOLLOW_LATE v.2"
    assert backs(found) == (
        "w win 200 400, w.2 win 200 400, v win 60 120, v.2 win 60 120, v.2.double refused 0 60"
    )


def test_nobody_behind_decides_for_the_seat() -> None:
    story = "sit 1 p, bet w p main 1 100, bet v q main 1 60, close, 1 TS, d 9H, 1 4D, q hit 1, "

    assert flags(told(f"{story} 1 4C, d 8C")) == "NOT_THE_SEATS_DECISION 1"


@pytest.mark.parametrize(
    ("opening", "rest", "expected", "becomes"),
    cases("""
        TS 8D v AH | p insure 1, p stand 1, d KC      |                                     | w lose 0 0, w.insurance win 100 150     | the dealer has a blackjack
        TS 8D v AH | p insure 1 50, p stand 1, d 6C   |                                     | w win 100 200, w.insurance lose 0 0     | no blackjack
        TS 8D v AH | p insure 1, p stand 1, d 2C 8D   |                                     | w lose 0 0, w.insurance lose 0 0        | 21 of three cards is no blackjack
        TS 8D v AH | p decline 1, p stand 1, d KC     |                                     | w lose 0 0                              | declined
        TS 8D v AH | p insure 1 80, p stand 1, d KC   | INSURANCE_AMOUNT w.insurance        | w lose 0 0, w.insurance win 100 180     | more than half: half is insured
        TS 8D v AH | p insure 1 80, p stand 1, d 6C   | INSURANCE_AMOUNT w.insurance        | w win 100 200, w.insurance lose 0 30    | the rest goes back
        TS 8D v AH | p insure 1 20, p stand 1, d KC   | INSURANCE_AMOUNT w.insurance        | w lose 0 0, w.insurance win 40 60       | less than half
        TS 8D v KH | p insure 1, p stand 1, d AC      | INSURANCE_WITHOUT_ACE w.insurance   | w lose 0 0, w.insurance refused 0 50    | the dealer shows a king
        TS 8D v AH | p stand 1, d KC, p insure 1      | LATE_BET w.insurance                | w lose 0 0, w.insurance refused 0 50    | after the dealer's second card
        TS 8D v AH | q insure 1, p stand 1, d KC      | ACTION_NOT_OPEN 1                   | w lose 0 0                              | somebody without a bet
        TS 8D v AH | p insure 1, p insure 1, p stand 1, d KC | ACTION_NOT_OPEN 1            | w lose 0 0, w.insurance win 100 150     | once is enough
        AS KD v AH | p insure 1, d KC                 |                                     | w push 0 100, w.insurance win 100 150   | a blackjack may be insured
        TS 8D v AH | p insure 1, p stand 1, over      | DEALER_STOPPED_EARLY dealer         | w open 0 0, w.insurance open 0 0        | the second card never came
    """),  # noqa: E501  (a table)
)
def test_insurance(opening: str, rest: str, expected: str, becomes: str) -> None:
    found = played(opening, rest)

    assert flags(found) == expected
    assert backs(found) == becomes


@pytest.mark.parametrize(
    ("issue", "reading", "expected", "becomes"),
    cases("""
        insurance_seats | seats_only    | INSURANCE_NOT_SEATED v.insurance | w lose 0 0, v lose 0 0, v.insurance refused 0 30 | seats only
        insurance_seats | followers_too |                                  | w lose 0 0, v lose 0 0, v.insurance win 60 90    | followers too
    """),  # noqa: E501  (a table)
)
def test_insurance_behind(issue: str, reading: str, expected: str, becomes: str) -> None:
    story = "sit 1 p, bet w p main 1 100, bet v q main 1 60, close, 1 TS, d AH, 1 8D, q insure 1, "

    found = told(f"{story} p stand 1, d KC", readings={issue: reading})

    assert flags(found) == expected
    assert backs(found) == becomes
    assert relied_on(found)[issue] == reading


@pytest.mark.parametrize(
    ("issue", "reading", "cards", "becomes"),
    cases("""
        pair        | same_rank  | KS KD | w lose 0 0, v win 660 720  | two kings
        pair        | same_rank  | KS QD | w lose 0 0, v lose 0 0     | a king and a queen
        pair        | same_value | KS QD | w lose 0 0, v win 660 720  | by value they are a pair
        pair_behind | alone      | 8S 8D | w lose 0 0, v win 660 720  | a pair behind alone
        pair_behind | with_main  | 8S 8D | w lose 0 0, v refused 0 60 | it wants a main bet
    """),
)
def test_pairs(issue: str, reading: str, cards: str, becomes: str) -> None:
    first, second = cards.split()
    story = f"sit 1 p, bet w p main 1 100, bet v q pair 1 60, close, 1 {first}, d 9H, 1 {second}, "

    found = told(f"{story} p stand 1, d 2C TD", readings={issue: reading})

    assert backs(found) == becomes
    if issue == "pair_behind" or "Q" in cards:
        assert relied_on(found)[issue] == reading


def test_a_bet_behind_a_seat_that_bets_nothing_goes_back() -> None:
    found = told(f"sit 1 p, sit 2 r, bet w p main 1 100, bet v q main 2 60, close, {STANDS}")

    assert backs(found) == "w win 100 200, v returned 0 60"
    assert found.ruled.status == "settled"


@pytest.mark.parametrize(
    ("play", "carried"),
    cases("""
        bet w p main 1 100, close, 1 5S, d TH, 1 4D, p timeout 1, 1 5C, d 6C 9D           | 1 | a timeout and nothing else
        bet w p main 1 100, close, 1 5S, d TH, 1 4D, p timeout 1, 1 2C, p stand 1, d 6C 9D |   | the player came back
        bet w p main 1 100, close, 1 AS, d AH, 1 KD, p decline 1, d 6C                    |   | a blackjack needs no action
        bet w q main 1 100, close, d TH 6C 9D                                             | 1 | nothing was bet
        bet w p main 1 100, close, 1 5S, d TH, 1 4D, p timeout 1, 1 5C, d 6C 9D, leave 1 p |  | left after the round
    """),  # noqa: E501  (a table)
)
def test_a_seat_without_action_is_remembered(play: str, carried: str) -> None:
    found = told(f"sit 1 p, {play}")

    assert found.ruled.memory["idle"] == carried.split()


@pytest.mark.parametrize(
    ("before", "expected"),
    cases("""
        sit 1 p,                        | IDLE_SEAT_KEPT 1 | kept
        sit 1 p, open, leave 1 p, sit 1 p, |               | vacated and taken again
    """),
)
def test_a_seat_without_action_is_vacated(before: str, expected: str) -> None:
    found = told(f"{before} bet w p main 1 100, close, {STANDS}", {"idle": ["1"]})

    assert flags(found) == expected
    assert found.ruled.memory == {"idle": []}


def test_a_carry_that_is_none_is_refused() -> None:
    with pytest.raises(BadTerms, match=r"carry.idle: a list of seats expected, \[1\] found"):
        told(f"sit 1 p, bet w p main 1 100, close, {STANDS}", {"idle": [1]})


@pytest.mark.parametrize(
    ("shoe", "before", "expected"),
    cases("""
        {"drawn": {"TS": 7}}     |            |                           | the eighth ten of spades
        {"drawn": {"TS": 8}}     |            | EXCESS_COPIES TS          | the ninth
        {"drawn": {"2H": 9}}     |            | EXCESS_COPIES 2H          | nine that were out before
        {"drawn": {"2H": 8}}     |            |                           | all eight of another card
        {"cut_card_out": false}  |            |                           | before the cut card
        {"cut_card_out": true}   |            | DEALT_AFTER_LAST_ROUND S1 | a round after the cut card
        {"cut_card_out": true}   | cut, open, |                           | the cut card came first
    """),  # noqa: E501  (a table)
)
def test_the_shoe(shoe: str, before: str, expected: str) -> None:
    made = sheet(f"{before} sit 1 p, bet w p main 1 100, close, {STANDS}")

    found = judged(made | {"shoe": {"shoe_id": "S1", "decks": 8} | json.loads(shoe)})

    assert flags(found) == expected
    assert backs(found) == "w win 100 200"


def test_a_shoe_loaded_in_the_middle_of_a_round_is_told() -> None:
    story = "shoe, sit 1 p, bet w p main 1 100, close, 1 TS, d 9H"

    found = told(f"{story}, shoe S2, 1 8D, p stand 1, d 8C")

    assert flags(found) == "SHOE_CONTENTS S2"
    assert flags(told(f"{story}, 1 8D, p stand 1, d 8C, shoe S2")) == ""


def test_a_shoe_of_other_decks_is_told() -> None:
    made = sheet(f"shoe, sit 1 p, bet w p main 1 100, close, {STANDS}")
    made["events"][0]["decks"] = 6

    assert flags(judged(made)) == "SHOE_CONTENTS S1"


def test_the_cut_card_in_a_round_makes_it_the_last_and_is_no_fault() -> None:
    assert flags(told(f"shoe, sit 1 p, bet w p main 1 100, close, {STANDS}, cut")) == ""


@pytest.mark.parametrize(
    ("opening", "rest", "paid", "due"),
    cases("""
        AS AD v 9H | p split 1, 1.1 KD, 1.2 5C, d 9C, settled w 150 0 100           | paid +50                    | w | a split 21 paid 3 to 2
        7S 7D v TH | p hit 1, 1 7C, d AC, settled w 0 0 100                         | collected -100, returned +100 | w | a plain 21 pushed with a blackjack
        TS 8D v AH | p insure 1, p stand 1, d 2C 8D, settled w.insurance 100 0 50   | paid +100, collected -50, returned +50 | w.insurance | insurance paid on 21 of three cards
    """),  # noqa: E501  (a table)
)
def test_typical_mispayments(opening: str, rest: str, paid: str, due: str) -> None:
    found = played(opening, rest)

    assert [(at.code, at.subject, english(at.note)) for at in found.flags] == [
        ("MISPAY", due, paid)
    ]
