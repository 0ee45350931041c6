"""Niu Niu: what lies on a box, what of it is in action, and what goes back (4.5 to 4.7, 7.11)."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.sheets.sheet import answer
from tests.support.niu_niu_sheets import NIU_7, NIU_9, PLAIN, event, happened, sheet
from tests.support.tables import cases, judged

LOSING = f"1: {NIU_7}; D: {NIU_9}"


def lines(found: Judgement) -> str:
    """Each wager: action, outcome, winnings, what is taken of stake and Reserve, and its flags."""
    told = []
    for due in found.dues:
        amounts = f"{due.action} {due.outcome} {due.paid}-{due.collected}-{due.reserve_taken}"
        told.append(" ".join((amounts, *due.flags)))
    return ", ".join(told)


@pytest.mark.parametrize(
    ("bets", "cards", "stands"),
    cases("""
        1 P1 even 99                              | WIN  | 99 win 99-0-0 BELOW_MIN                                      | below the minimum, paid
        1 P1 even 99                              | LOSE | 99 lose 0-99-0 BELOW_MIN                                     | below the minimum, taken
        1 P1 even 100                             | LOSE | 100 lose 0-100-0                                             | just the minimum
        1 P1 even 10000                           | LOSE | 10000 lose 0-10000-0                                         | just the maximum
        1 P1 even 10001                           | LOSE | 10000 lose 0-10000-0 OVER_MAX                                | one over the maximum
        1 P1 even 500, 1 P1 double 500+1000       | LOSE | 500 lose 0-500-0, 500 lose 0-500-500                         | Double as high as Even
        1 P1 even 500, 1 P1 double 501+1002       | LOSE | 500 lose 0-500-0, 500 lose 0-500-500 OVER_EVEN               | Double one above Even
        1 P1 even 500, 1 P1 double 50+100         | LOSE | 500 lose 0-500-0, 50 lose 0-50-50 BELOW_MIN                  | Double below the minimum
        1 P1 even 12000, 1 P1 double 12000+24000  | LOSE | 10000 lose 0-10000-0 OVER_MAX, 10000 lose 0-10000-10000 OVER_MAX | both over the maximum
        1 P1 even 500, 1 P1 double 500+999        | LOSE | 500 lose 0-500-0, 999/2 lose 0-500-500 RESERVE_SHORT         | Reserve one short
        1 P1 even 500, 1 P1 double 500+1001       | LOSE | 500 lose 0-500-0, 500 lose 0-500-500 RESERVE_EXCESS          | Reserve one too much
        1 P1 even 500+300                         | LOSE | 500 lose 0-500-0 RESERVE_EXCESS                              | Reserve without a bet that has one
        1 P1 even 500, 1 P1 double 500            | LOSE | 500 lose 0-500-0, 0 returned 0-0-0 RESERVE_SHORT                 | no Reserve at all
        1 P1 even 500, 1 P1 double 500            | WIN  | 500 win 500-0-0, 0 returned 0-0-0 RESERVE_SHORT                   | no Reserve, nothing to win
        1 P1 even 500, 1 P1 super_niu 100+1100    | LOSE | 500 lose 0-500-0, 100 lose 0-100-800                         | Super Niu against Niu 9
        1 P1 even 500, 1 P1 super_niu 600+600     | WIN  | 500 win 500-0-0, 600/11 win 466-0-0 OVER_EVEN RESERVE_SHORT  | above Even and short
        1 P1 double 500+1000                      | WIN  | 0 returned 0-0-0 EVEN_MISSING                                | no Even
    """),  # noqa: E501
)
def test_the_amount_in_action(bets: str, cards: str, stands: str) -> None:
    found = judged(sheet(bets, {"WIN": PLAIN, "LOSE": LOSING}[cards]))

    assert lines(found) == stands


@pytest.mark.parametrize(
    ("bets", "story", "stands", "flags"),
    cases("""
        1 P1 even 500, 1 P1 pairs 100         |                      | 500 win 500-0-0, 0 returned 0-0-0 | SIDE_BET            | 7.12 a bet the layout has not
        1 P1 even 500, - P1 even 100          |                      | 500 win 500-0-0, 0 returned 0-0-0 | SIDE_BET            | 7.12 chips on no box
        1 P1 even 500, dealer P1 even 100     |                      | 500 win 500-0-0, 0 returned 0-0-0 | SIDE_BET            | 7.12 the Dealer's hand is no box
        1 P1 even 500, next P2 even 100       |                      | 500 win 500-0-0, 0 returned 0-0-0 | SIDE_BET            | 7.12 nor are the next cards
        1 P1 even 500, ² P2 even 100          |                      | 500 win 500-0-0, 0 returned 0-0-0 | SIDE_BET            | 7.12 a box has a plain number
        1 P1 even 500, 1 P2 double 100+200    |                      | 500 win 500-0-0, 0 returned 0-0-0 | BOX_SHARED SIDE_BET | 4.6 on another's box
        1 P2 double 100+200, 1 P1 even 500    |                      | 0 returned 0-0-0, 500 win 500-0-0 | BOX_SHARED SIDE_BET | 4.5.1 the Even makes the box, not the first chip
        1 P2 double 100+200, 1 P1 super_niu 100+1100 |               | 0 returned 0-0-0 EVEN_MISSING, 0 returned 0-0-0 EVEN_MISSING | CARDS_TO_EMPTY_BOX RECONSTRUCTED BOX_SHARED | 4.5.1 a box without Even is nobody's
        1 P2 even 100, 1 P1 even 500          |                      | 100 win 100-0-0, 0 returned 0-0-0 | BOX_SHARED SIDE_BET | 4.6 of two Evens the first
        1 P1 even 500, 1 P1 even 100          |                      | 500 win 500-0-0, 0 returned 0-0-0 | BOX_SHARED          | 4.5.4 twice on one bet
        1 P1 even 500                         | bet 2 P2 even 100    | 500 win 500-0-0, 0 returned 0-0-0 | LATE_BET            | 4.7 placed after the first card
        1 P1 even 500                         | change W1 900        | 500 win 500-0-0                   | LATE_BET            | 4.7 changed after the first card
        1 P1 even 500                         | withdraw W1          | 500 win 500-0-0                   | LATE_BET            | 4.7 taken back after the first card
    """),  # noqa: E501
)
def test_wagers_that_may_not_lie_there(bets: str, story: str, stands: str, flags: str) -> None:
    found = judged(sheet(bets, PLAIN, *happened(story)))

    assert lines(found) == stands
    assert " ".join(flag.code for flag in found.flags) == flags
    for stand, due in zip(found.ruled.stands, found.dues, strict=True):
        if due.outcome == "returned":
            assert due.back == stand.wager.stake + stand.wager.placed.reserve


@pytest.mark.parametrize(
    ("bets", "story", "flags"),
    cases("""
        1 P1 even 500, 1 P1 double 500+999      |                                       | DECISION_MISSING        | nobody ruled on it
        1 P1 even 500, 1 P1 double 500+999      | rule NN:4.5.3 continue pit_manager    |                         | a pit manager did
        1 P1 even 500, 1 P1 double 500+999      | rule NN:4.5.3.i continue director     |                         | or somebody above, by its part
        1 P1 even 500, 1 P1 double 500+999      | rule NN:4.5.3 continue pit_supervisor | DECISION_NOT_AUTHORISED | one rank too low
        1 P1 even 500, 1 P1 double 500+999      | rule NN:4.5.3.ii continue pit_manager | DECISION_MISSING        | about the other Reserve
        1 P1 even 500, 1 P1 double 500+1001     |                                       |                         | more than asked for
        1 P1 even 500, 1 P1 super_niu 100+1100  |                                       |                         | what is asked for
    """),  # noqa: E501 (a row is a round)
)
def test_a_short_reserve_wants_a_ruling_on_file(bets: str, story: str, flags: str) -> None:
    found = judged(sheet(bets, PLAIN, *happened(story)))

    assert " ".join(flag.code for flag in found.flags) == flags
    assert {flag.clause for flag in found.flags} <= {"NN:4.5.3.i"}


def test_the_first_card_ends_betting_even_without_a_call() -> None:
    written = sheet("1 P1 even 500", PLAIN, *happened("bet 2 P2 even 100"))
    written["events"] = [at for at in written["events"] if at["type"] != "BettingClosed"]

    found = judged(written)

    assert [flag.code for flag in found.flags] == ["LATE_BET"]
    assert found.dues[-1].outcome == "returned"


def test_a_player_may_hold_several_boxes() -> None:
    cards = f"1: {NIU_9}; 2: 2S 3H 5C 6D JH; D: {NIU_7}"

    found = judged(sheet("1 P1 even 500, 2 P1 even 300", cards))

    assert lines(found) == "500 win 500-0-0, 300 lose 0-300-0"
    assert found.flags == ()


def test_cards_on_a_box_without_even_are_cards_on_an_empty_box() -> None:
    cards = f"1: {NIU_9}; 2: 2S 3H 5C 6D JH; D: {NIU_7}"

    found = judged(sheet("1 P1 even 500, 2 P2 double 300+600", cards, *happened("handle 1 P1")))

    assert [flag.code for flag in found.flags] == ["CARDS_TO_EMPTY_BOX"]
    assert lines(found) == "500 win 500-0-0, 0 returned 0-0-0 EVEN_MISSING"


@pytest.mark.parametrize(
    ("bets", "reserves"),
    cases("""
        1 P1 even 500+2400, 1 P1 double 200, 1 P1 super_niu 200 | 0 400 2000 | twice the Double first
        1 P1 even 500+300, 1 P1 double 200, 1 P1 super_niu 200  | 0 300 0    | not enough for the Double
        1 P1 even 500+900, 1 P1 double 200                      | 0 900      | all of it to the one bet
        1 P1 even 500+900, 1 P1 double 200+400                  | 900 400    | the bet has its own account
        1 P1 even 500+900                                       | 900        | nothing to insure
    """),  # noqa: E501
)
def test_one_reserve_of_a_box_is_two_accounts(bets: str, reserves: str) -> None:
    found = judged(sheet(bets))

    held = [due.reserve_taken + due.reserve_returned for due in found.dues]
    assert " ".join(map(str, held)) == reserves
    assert ("reserve_accounts" in answer(found)["readings"]) == (held[0] == 0)


@pytest.mark.parametrize(
    ("bets", "reading", "depends", "stands"),
    cases("""
        1 P1 even 500, 1 P1 double 500+600  | short_reserve bet_returned | short_reserve | 500 win 500-0-0, 0 returned 0-0-0 RESERVE_SHORT | a short Reserve
        1 P1 even 500, 1 P1 double 600+1200 | above_even bet_returned    | above_even    | 500 win 500-0-0, 0 returned 0-0-0 OVER_EVEN     | a Double above Even
        1 P1 even 12000, 1 P1 double 11000+22000 | above_even bet_returned |              | 10000 win 10000-0-0 OVER_MAX, 10000 win 19000-0-0 OVER_MAX | both cut to the maximum
        1 P1 even 500, 1 P1 double 500+1000 | above_even bet_returned    |               | 500 win 500-0-0, 500 win 950-0-0                | nothing depends on it
    """),  # noqa: E501
)
def test_other_readings_of_what_is_in_action(
    bets: str, reading: str, depends: str, stands: str
) -> None:
    issue, word = reading.split()

    found = judged(sheet(bets, readings={issue: word}))

    assert lines(found) == stands
    assert " ".join(answer(found)["readings"]) == depends


@pytest.mark.parametrize(
    ("reading", "action", "outcome"),
    [("surplus_returned", 500, "win"), ("bet_returned", 0, "returned")],
)
def test_a_double_is_measured_against_the_even_in_action(
    reading: str, action: int, outcome: str
) -> None:
    limits = [{"bet": "even", "minimum": 100, "maximum": 500}]
    bets = "1 P1 even 600, 1 P1 double 550+1100"

    found = judged(sheet(bets, readings={"above_even": reading}, limits=limits))

    double = found.dues[1]
    assert (int(double.action), double.outcome) == (action, outcome)
    assert "NN:4.5.2.i" in double.clauses
    assert answer(found)["readings"] == {"above_even": reading}


@pytest.mark.parametrize(
    ("bets", "reading", "paid", "depends"),
    cases("""
        1 P1 even 1000                       | always    | 500  | no  | Even alone
        1 P1 even 1000                       | even_only | 500  | no  | Even alone, the other reading
        1 P1 even 1000, 1 P1 double 100+200  | always    | 500  | yes | Even with a Double
        1 P1 even 1000, 1 P1 double 100+200  | even_only | 1000 | yes | Even with a Double, the other reading
        1 P1 even 1000, 1 P1 double 100      | even_only | 500  | yes | a Double that is not in action
    """),  # noqa: E501
)
def test_niu_six_on_even(bets: str, reading: str, paid: str, depends: str) -> None:
    cards = "1: 3S 7H TC 6D TS; D: 3D 7C TD 2D TH"

    found = judged(sheet(bets, cards, readings={"even_niu6_commission": reading}))

    assert found.dues[0].paid == int(paid)
    assert ("even_niu6_commission" in answer(found)["readings"]) == (depends == "yes")


@pytest.mark.parametrize(
    ("cards", "reading", "outcome", "depends"),
    cases("""
        1: AS AH AC AD 5S; D: KS QH JC KD QS | four_of_a_kind ranks_first | win  | four_of_a_kind | four aces, no Niu
        1: AS AH AC AD 5S; D: KS QH JC KD QS | four_of_a_kind needs_a_niu | lose | four_of_a_kind | four aces that need a Niu
        1: 5S 5H 5C 5D KD; D: 9S 9H 9C 9D QS | highest_card of_all_five   | win  | highest_card | the king decides
        1: 5S 5H 5C 5D KD; D: 9S 9H 9C 9D QS | highest_card of_the_four   | lose | highest_card four_of_a_kind | the nines decide
    """),  # noqa: E501
)
def test_other_readings_of_the_hands(cards: str, reading: str, outcome: str, depends: str) -> None:
    issue, word = reading.split()

    found = judged(sheet("1 P1 even 1000", cards, readings={issue: word}))

    assert found.dues[0].outcome == outcome
    assert set(answer(found)["readings"]) == set(depends.split())


@pytest.mark.parametrize("dealer_class", range(13))
def test_what_is_taken_mirrors_what_is_paid(dealer_class: int) -> None:
    """Bet and Reserve taken are the gross odds the player would have won with that class."""
    weak, strong = HANDS[dealer_class]
    bets = "1 P1 even 1000, 1 P1 double 1000+2000, 1 P1 super_niu 1000+11000"

    lost = judged(sheet(bets, f"1: {weak}; D: {strong}"))
    won = judged(sheet(bets, f"1: {strong}; D: {weak}"))

    assert {due.outcome for due in lost.dues} == {"lose"}
    assert {due.outcome for due in won.dues} == {"win"}
    taken = [due.collected + due.reserve_taken for due in lost.dues]
    assert taken == [due.gross_win for due in won.dues]


# A lower hand, and one of each class from NO_HAND up.
HANDS: Any = [
    ("2D 4C 9H JD 5S", "2C 4D 9C KD 5H"),
    *(
        ("2D 4C 9H JD 5S", hand)
        for hand in (
            "KS KH KC 9D 2C", "KS KH KC AD AC", "KS KH KC AD 2C", "KS KH KC 2H 2C",
            "KS KH KC 2H 3C", "KS KH KC 2H 4D", "KS KH KC 3H 4D", "KS KH KC 3H 5D",
            "KS KH KC 3H 6D", "KS KH KC 4S 6D", "KS KH KC QH JS", "KS KH KC KD 2C",
        )
    ),
]  # fmt: skip


def test_the_hands_above_are_one_of_each_class() -> None:
    shown = [judged(sheet("1 P1 even 1000", f"1: {weak}; D: {strong}")) for weak, strong in HANDS]

    assert [at.ruled.result for at in shown] == [
        "NO_HAND", *(f"NIU_{n}" for n in range(1, 10)),
        "NIU_NIU", "ULTIMATE_NIU_NIU", "HOIANA_NIU_NIU",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("double", "reading", "paid", "depends"),
    cases("""
        500+0    | always           | 500  | yes | 5.1 prints it without a condition
        500+0    | even_only        | 500  | yes | nothing else is in action
        500+0    | even_only_placed | 1000 | yes | a Double was placed
        500+1000 | even_only        | 1000 | yes | a Double is in action
    """),
)
def test_a_double_without_reserve_beside_an_even_on_niu_6(
    double: str, reading: str, paid: str, depends: str
) -> None:
    """NN:5.2: whether a Double that has nothing in action still counts as placed."""
    cards = "1: 3S 7H TC 6D TS; D: 3D 7C TD 2D TH"
    bets = f"1 P1 even 1000, 1 P1 double {double}"
    found = judged(sheet(bets, cards, readings={"even_niu6_commission": reading}))

    assert found.dues[0].paid == int(paid)
    assert ("even_niu6_commission" in answer(found)["readings"]) == (depends == "yes")


def test_a_spare_packet_is_said_to_rest_on_a_reading() -> None:
    """NN:7.6: packets move up and the Dealer's is dead, or that of the empty box is."""
    cards = f"1: {NIU_9}; 2: 5S 5H JC KD QS; D: {NIU_7}"
    found = judged(sheet("1 P1 even 1000", cards, event("RoundClosed", status="settled")))
    other = {"spare_packet": "of_the_empty_box"}
    kept = judged(sheet("1 P1 even 1000", cards, readings=other))

    assert found.ruled.outcome.startswith("dealer NIU_NIU KD")
    assert kept.ruled.outcome.startswith("dealer NIU_7 TH")
    assert answer(found)["readings"]["spare_packet"] == "last_in_order"
