"""Blackjack: what was not open moves no money, and no card counts that nobody asked for."""

import pytest

from replay.rulebooks.terms import BadTerms
from tests.support.blackjack_story import backs, flags, played, told
from tests.support.english import english
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

BETS = "sit 1 p, sit 2 r, bet w p main 1 100, bet u r main 2 100, bet v q main 1 60, close"
ELEVEN = "1 6S, 2 9S, d 9H, 1 5D, 2 8D"
EIGHTS = "1 8S, 2 9S, d 9H, 1 8D, 2 8D"
NINES = "1 9S, 2 9S, d 9H, 1 8D, 2 8D"
ACE = "1 6S, 2 9S, d AH, 1 5D, 2 8D"


@pytest.mark.parametrize(
    ("play", "expected", "becomes"),
    cases(f"""
        {ELEVEN}, r stand 2, d 8C, p double 1, q follow_double 1 60 in 10, 1 TC | ACTION_NOT_OPEN 1, ACTION_NOT_OPEN v, DEALER_SECOND_CARD_EARLY dealer, DECISION_ORDER 1 | w win 100 200, w.double refused 0 100, u push 0 100, v win 60 120, v.double refused 0 60 | a double and who follows it
        {EIGHTS}, r stand 2, d 8C, p split 1, 1.1 TC, 1.2 TD, p stand 1.1, p stand 1.2 | ACTION_NOT_OPEN 1, DEALER_SECOND_CARD_EARLY dealer, DECISION_ORDER 1 | w open 0 0, w.2 refused 0 100, u push 0 100, v open 0 0 | a split that was granted
        {EIGHTS}, r stand 2, d 8C, p split 1, p stand 1 | ACTION_NOT_OPEN 1, DEALER_SECOND_CARD_EARLY dealer, DECISION_ORDER 1 | w lose 0 0, w.2 refused 0 100, u push 0 100, v lose 0 0 | one that was not
        {EIGHTS}, r stand 2, d 8C, p surrender 1, p stand 1 | ACTION_NOT_OPEN 1, DEALER_SECOND_CARD_EARLY dealer, DECISION_ORDER 1 | w lose 0 0, u push 0 100, v lose 0 0 | a surrender
        {ELEVEN}, p double 1, r stand 2, d 8C, q follow_double 1 60 in 10, 1 TC | DEALER_SECOND_CARD_EARLY dealer, FOLLOW_LATE v | w win 200 400, u push 0 100, v win 60 120, v.double refused 0 60 | a follow alone
    """),  # noqa: E501  (a table)
)
def test_no_bet_is_added_once_the_dealers_second_card_is_out(
    play: str, expected: str, becomes: str
) -> None:
    found = told(f"{BETS}, {play}")

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("reading", "becomes"),
    cases("""
        refused   | w win 100 200, w.double refused 0 100 | the added bet goes back
        as_played | w win 200 400                         | it stands
    """),
)
def test_a_double_after_the_dealers_second_card_is_a_matter_of_reading(
    reading: str, becomes: str
) -> None:
    found = played("6S 5D v 9H", "d 8C, p double 1, 1 TC", readings={"late_actions": reading})

    assert backs(found) == becomes
    assert flags(found) == "ACTION_NOT_OPEN 1, DEALER_SECOND_CARD_EARLY dealer"
    assert relied_on(found)["late_actions"] == reading


@pytest.mark.parametrize(
    ("play", "expected", "becomes"),
    cases(f"""
        {ELEVEN}, z double 1 100, 1 2C, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w lose 0 0, w.double refused 0 100, u push 0 100, v lose 0 0 | a stranger doubles: the system hits eleven
        {ELEVEN}, z double 1, 1 2C, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w lose 0 0, u push 0 100, v lose 0 0 | and puts up nothing
        {ELEVEN}, q double 1 60, 1 2C, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w lose 0 0, u push 0 100, v lose 0 0, v.double refused 0 60 | a follower doubles
        {EIGHTS}, r split 1 100, 1.1 TC, 1.2 3D, p stand 1.1, p stand 1.2, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w open 0 0, w.2 refused 0 100, u push 0 100, v open 0 0 | another seat splits, and it is granted
        {EIGHTS}, z surrender 1, p stand 1, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w lose 0 0, u push 0 100, v lose 0 0 | a stranger surrenders
        {EIGHTS}, z hit 1, 1 5C, p stand 1, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w lose 0 0, u push 0 100, v lose 0 0 | a stranger hits: the card does not count
        {EIGHTS}, z stand 1, p hit 1, 1 5C, p stand 1, r stand 2, d 8C | NOT_THE_SEATS_DECISION 1 | w win 100 200, u push 0 100, v win 60 120 | a stranger stands
    """),  # noqa: E501  (a table)
)
def test_nobody_else_decides_for_a_seat(play: str, expected: str, becomes: str) -> None:
    found = told(f"{BETS}, {play}")

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("reading", "opening", "rest", "expected", "becomes"),
    cases("""
        refused   | 6S 5D v 9H | p double 1 500, 1 9C, d 8C         | ADDED_BET_AMOUNT w.double | w win 100 200, w.double refused 0 500 | a double for more
        refused   | 6S 5D v 9H | p double 1 40, 1 9C, d 8C          | ADDED_BET_AMOUNT w.double | w win 100 200, w.double refused 0 40  | for less
        refused   | 8S 8D v 9H | p split 1 3000, 1.1 TC, 1.2 TD, d 8C | ADDED_BET_AMOUNT w.2    | w win 100 200, w.2 refused 0 3000     | a second bet for more
        as_placed | 6S 5D v 9H | p double 1 40, 1 9C, d 8C          | ADDED_BET_AMOUNT w        | w win 140 280                         | a double for less, as it lies
        as_placed | 8S 8D v 9H | p split 1 70, 1.1 TC, 1.2 9C, d 8C | ADDED_BET_AMOUNT w        | w win 100 200, w.2 push 0 70          | a second bet for less, as it lies
    """),  # noqa: E501  (a table)
)
def test_an_added_bet_is_equal_to_the_main_bet(
    reading: str, opening: str, rest: str, expected: str, becomes: str
) -> None:
    found = played(opening, rest, readings={"added_amount": reading})

    assert (flags(found), backs(found)) == (expected, becomes)
    assert relied_on(found)["added_amount"] == reading


@pytest.mark.parametrize(
    ("reading", "rest", "expected", "becomes"),
    cases("""
        by_the_rules | 1 5C, p stand 1, d 8C                 | CARD_WITHOUT_HIT 1 | w lose 0 0    | a card and no hit
        by_the_rules | p hit 1, 1 2C, 1 3C, p stand 1, d TC  | CARD_WITHOUT_HIT 1 | w lose 0 0    | one hit and two cards
        by_the_rules | p hit 1, p hit 1, 1 2C, 1 3C, d 8C    |                    | w win 100 200 | two hits and two cards
        by_the_rules | p hit 1, d 8C                         | HIT_WITHOUT_CARD 1 | w open 0 0    | a hit and no card
        by_the_rules | p hit 1, p stand 1, d 8C              | HIT_WITHOUT_CARD 1 | w open 0 0    | stood before the card came
        by_the_rules | p hit 1, p hit 1, 1 9C, d 8C          |                    | w lose 0 0    | a bust hand lacks nothing
        as_dealt     | 1 5C, p stand 1, d 8C                 | CARD_WITHOUT_HIT 1 | w win 100 200 | the hand as it lies
        as_dealt     | p hit 1, d 8C                         | HIT_WITHOUT_CARD 1 | w lose 0 0    | short as it lies
    """),  # noqa: E501  (a table)
)
def test_a_hit_and_a_card_go_together(reading: str, rest: str, expected: str, becomes: str) -> None:
    found = played("9S 7D v 9H", rest, readings={"irregular_cards": reading})

    assert (flags(found), backs(found)) == (expected, becomes)
    assert not expected or relied_on(found)["irregular_cards"] == reading


def test_a_card_without_a_word_on_eleven_is_the_systems() -> None:
    found = played("5S 4D v 9H", "1 2C, 1 9D, d 8C")

    assert (flags(found), backs(found)) == ("", "w win 100 200")


@pytest.mark.parametrize(
    ("rest", "expected", "becomes"),
    cases("""
        p timeout 1, p double 1 100, 1 9C, d 8C | ACTION_NOT_OPEN 1  | w win 100 200, w.double refused 0 100 | a double
        p timeout 1, p surrender 1, 1 9C, d 8C  | ACTION_NOT_OPEN 1  | w win 100 200 | a surrender
        p timeout 1, p stand 1, 1 9C, d 8C      |                    | w win 100 200 | the system hits eleven all the same
        p timeout 1, 1 3C, p hit 1, 1 6C, d 8C  | AUTO_OVERDREW 1    | w lose 0 0    | and stands on fourteen
    """),  # noqa: E501  (a table)
)
def test_after_a_timeout_the_system_plays(rest: str, expected: str, becomes: str) -> None:
    found = played("6S 5D v 9H", rest)

    assert (flags(found), backs(found)) == (expected, becomes)


@pytest.mark.parametrize(
    ("play", "expected", "insured"),
    cases(f"""
        {ACE}, p insure 1 50, p insure 1 50 | ACTION_NOT_OPEN 1 | w.insurance lose 0 0, w.insurance-2 refused 0 50 | a second insurance
        {ACE}, r insure 1 50                | ACTION_NOT_OPEN 1 | w.insurance refused 0 50                         | of another seat
        {ACE}, z insure 1 50, p insure 1    | ACTION_NOT_OPEN 1 | w.insurance lose 0 0, w.insurance-2 refused 0 50 | of a stranger
        p insure 1 50, {ACE}                | INSURANCE_WITHOUT_ACE w.insurance | w.insurance refused 0 50         | before any card
        1 6S, p insure 1 50, 2 9S, d AH, 1 5D, 2 8D | INSURANCE_WITHOUT_ACE w.insurance | w.insurance refused 0 50 | before the dealer's
    """),  # noqa: E501  (a table)
)
def test_insurance_that_is_refused_goes_back(play: str, expected: str, insured: str) -> None:
    found = told(f"{BETS}, {play}, p hit 1, 1 TC, p stand 1, r stand 2, d 7C")

    assert flags(found) == expected
    lines = [line for line in backs(found).split(", ") if "insurance" in line]
    assert ", ".join(lines) == insured


def test_insurance_money_before_the_close_wins_nothing() -> None:
    found = told(
        "sit 1 p, bet w p main 1 100, p insure 1 50, close, 1 6D, d AH, 1 TC, p stand 1, d KC"
    )

    assert flags(found) == "INSURANCE_WITHOUT_ACE w.insurance"
    assert backs(found) == "w lose 0 0, w.insurance refused 0 50"


@pytest.mark.parametrize(
    ("play", "expected"),
    cases(f"""
        {NINES}, p stand 1, r stand 2, d 8C                                 |                    | in turn
        {NINES}, r stand 2, p stand 1, d 8C                                 | DECISION_ORDER 1   | the second seat first
        {ELEVEN}, p hit 1, 1 2C, r hit 2, 2 2C, r stand 2, p stand 1, d 8C  | DECISION_ORDER 1   | the first seat stands last
        {EIGHTS}, p split 1, 1.1 3C, 1.2 TC, p stand 1.2, p hit 1.1, 1.1 TH, p stand 1.1, r stand 2, d 8C | DECISION_ORDER 1.1 | hand 2 first
        {EIGHTS}, p split 1, 1.1 3C, 1.2 TC, p stand 1.1, p stand 1.2, r stand 2, d 8C |         | hand 1 first
        {NINES}, p stand 1, r stand 2, p stand 1, d 8C                      |                    | said again
    """),  # noqa: E501  (a table)
)
def test_seats_and_hands_act_in_order(play: str, expected: str) -> None:
    assert flags(told(f"{BETS}, {play}")) == expected


@pytest.mark.parametrize(
    ("called", "expected"),
    cases("""
        called 16 1   |                   | its total
        called win 1  | RESULT_MISMATCH 1 | nobody has won yet
        called 17 1   | RESULT_MISMATCH 1 | another total
    """),
)
def test_a_hand_has_its_total_while_the_dealers_is_open(called: str, expected: str) -> None:
    found = played("6D TC v 3H", f"p stand 1, d 8C, {called}, over")

    assert flags(found) == ", ".join(filter(None, ["DEALER_STOPPED_EARLY dealer", expected]))


def test_readings_that_contradict_each_other_are_refused() -> None:
    both = {"dealer_blackjack": "all", "busted_additions": "refunded"}

    with pytest.raises(BadTerms, match="busted_additions refunded goes with dealer_blackjack"):
        played("TS 8D v 9H", "p stand 1, d 8C", readings=both)


@pytest.mark.parametrize(
    ("play", "becomes", "expected"),
    cases("""
        p stand 1                   | w lose 0 0      | ACTION_NOT_OPEN 1 | it stood
        p hit 1, 1 KC               | w lose 0 0      | ACTION_NOT_OPEN 1 | it was over 21
        p surrender 1               | w half_loss 0 50 | ACTION_NOT_OPEN 1 | it was given up
        p double 1 100, 1 2C        | w win 200 400   | ACTION_NOT_OPEN 1 | it was doubled
        p timeout 1                 | w lose 0 0      | ACTION_NOT_OPEN 1 | the system stood
    """),
)
def test_a_split_of_a_hand_that_had_ended_is_refused(
    play: str, becomes: str, expected: str
) -> None:
    """The hand stays as it was, the cards of the split belong to no hand, the rest is settled."""
    split = "p split 1 100, 1.1 3C, 1.2 4C, r stand 2, d 8C, over"
    eights = "close, 1 8S, 2 9S, d 9H, 1 8D, 2 9D"

    found = told(
        f"sit 1 p, sit 2 r, bet w p main 1 100, bet u r main 2 100, {eights}, {play}, {split}"
    )

    assert found.ruled.status == "settled"
    assert flags(found) == f"{expected}, DEAL_ORDER 1.1, DEAL_ORDER 1.2"
    assert backs(found) == f"{becomes}, w.2 refused 0 100, u win 100 200"


def test_a_split_where_no_hand_is_leaves_the_others_alone() -> None:
    seats = "sit 1 p, sit 2 r, bet w p main 1 100, bet u r main 2 100, close"
    cards = "1 8S, 2 9S, d 9H, 1 8D, 2 9D, p stand 1, r stand 2, z split 5, 5.1 2C, d 8C, over"

    found = told(f"{seats}, {cards}")

    assert backs(found) == "w lose 0 0, u win 100 200"
    assert "ACTION_NOT_OPEN 5, DEAL_ORDER 5, DEAL_ORDER 5.1" in flags(found)


def test_a_split_of_three_cards_leaves_its_own_hand_open_alone() -> None:
    seats = "sit 1 p, sit 2 r, bet w p main 1 100, bet u r main 2 100, close"
    cards = "1 8S, 2 9S, d 9H, 1 3D, 2 9D, p hit 1, 1 2C, p split 1 100, 1.1 3C, r stand 2, d 8C"

    found = told(f"{seats}, {cards}, over")

    assert backs(found) == "w open 0 0, w.2 refused 0 100, u win 100 200"
    assert flags(found) == "ACTION_NOT_OPEN 1"


@pytest.mark.parametrize(
    ("bets", "play", "becomes"),
    cases("""
        close, bet w p main 1 100 | p double 1 50, 1 2C, p insure 1 25 | w refused 0 100, w.double refused 0 50, w.insurance-2 refused 0 25 | on a main bet that came too late
        close                     | p double 1 50, 1 2C                | T1/sheet/8 refused 0 50 | on no bet at all
        bet w p main 1 100, close | p stand 1 30                       | w lose 0 0, w.stand refused 0 30 | with a word that asks for none
        bet w q pair 1 100, close | q double 1 25                      | w win 1100 1200, w.double refused 0 25 | beside a pair alone
        bet w p main 1 100, close | p stand 1, q insure 7 25           | w lose 0 0, T1/sheet/10 refused 0 25 | at a seat that nobody holds
    """),  # noqa: E501  (a row is a round)
)
def test_every_chip_that_was_put_up_has_its_line(bets: str, play: str, becomes: str) -> None:
    found = told(f"sit 1 p, {bets}, 1 8S, d 9H, 1 8D, {play}, d 8C, over")

    assert backs(found) == becomes
    assert found.flags


def test_a_place_that_the_console_left_out_leaves_the_round_unknown() -> None:
    """Where the shoe says nothing the places on a hand are all there is."""
    cards = "placed 1 1 9S, placed dealer 1 9H, placed 1 3 9D, placed dealer 2 8C"

    found = told(f"sit 1 p, bet w p main 1 100, close, {cards}, over")

    assert found.ruled.status == "unknown"
    assert [english(flag.note) for flag in found.flags] == [
        "box 1 card 2: nobody recorded it, and card 3 lies there"
    ]
