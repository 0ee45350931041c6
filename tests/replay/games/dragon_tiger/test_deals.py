"""Dragon Tiger, SA-DT: the worked examples of the rulebook page, its irregularities, its theory."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from replay import rulebooks
from replay.games import dragon_tiger as game
from replay.judge import Judgement
from replay.rulings import dragon_tiger
from replay.theory import dragon_tiger as theory
from schemas.cards import DECK
from tests.support.english import english
from tests.support.shoe_story import backs, flags, told
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

EDITION = rulebooks.in_force("SA-DT", "2026-03-01")
QUEEN = "deal dragon QS, deal tiger JD"


def bet_on(side: str, story: str, **more: Any) -> Judgement:
    """A round with 100 on one side, told from the end of betting on."""
    return told("SA-DT", f"bet b1 {side} 100, close, {story}", **more)


@pytest.mark.parametrize(
    ("hands", "bet", "due"),
    cases("""
        QS v JD | dragon 1000 | win 1 1000 0 2000 1000        | example 1, dragon
        QS v JD | tiger 1000  | lose 1 0 1000 0 -1000         | example 1, tiger
        QS v JD | tie 100     | lose 1 0 100 0 -100           | example 1, tie
        AS v 2D | dragon 500  | lose 1 0 500 0 -500           | example 2, an ace is low
        AS v 2D | tiger 500   | win 1 500 0 1000 500          | example 2, tiger
        9S v 9S | dragon 1000 | half_loss 1/2 0 500 500 -500  | example 3, dragon
        9S v 9S | tiger 250   | half_loss 1/2 0 125 125 -125  | example 3, tiger
        9S v 9S | tie 100     | win 8 800 0 900 800           | example 3, tie
        KH v KC | dragon 101  | half_loss 1/2 0 50 51 -50     | example 4, an odd stake
        KH v KC | tiger 1     | half_loss 1/2 0 0 1 0         | example 4, the smallest
        TD v JC | tiger 999   | win 1 999 0 1998 999          | example 5, tiger
        TD v JC | tie 5       | lose 1 0 5 0 -5               | example 5, tie
        2C v AC | dragon 1    | win 1 1 0 2 1                 | example 6
        7H v 7D | tie 12345   | win 8 98760 0 111105 98760    | example 7
        KD v AS | dragon 333  | win 1 333 0 666 333           | example 8, dragon
        KD v AS | tiger 333   | lose 1 0 333 0 -333           | example 8, tiger
        AH v AD | tiger 3     | half_loss 1/2 0 1 2 -1        | example 9
        5S v 6S | tiger 70    | win 1 70 0 140 70             | example 10, tiger
        5S v 6S | dragon 70   | lose 1 0 70 0 -70             | example 10, dragon
    """),
)
def test_the_worked_examples(hands: str, bet: str, due: str) -> None:
    """Columns: outcome, odds, win, lost, returned, net."""
    dragon, tiger = hands.split(" v ")

    found = told("SA-DT", f"bet b1 {bet}, close, deal dragon {dragon}, deal tiger {tiger}, end")

    (line,) = found.dues
    multiple = {"lose": "1", "half_loss": "1/2"}.get(line.outcome, line.odds)
    amounts = (line.paid, line.collected, line.back, line.paid - line.collected)
    assert " ".join(map(str, (line.outcome, multiple, *amounts))) == due
    assert found.flags == ()


@pytest.mark.parametrize(
    ("bet", "hands", "clauses"),
    cases("""
        dragon | deal dragon QS, deal tiger JD | SA-DT:4.3.1 | a win
        tiger  | deal dragon QS, deal tiger JD | SA-DT:4.3.1 | a loss
        tiger  | deal dragon QS, deal tiger QD | SA-DT:4.4   | half a loss
        tie    | deal dragon QS, deal tiger QD | SA-DT:4.3.2 | a tie
    """),
)
def test_every_amount_has_its_clause(bet: str, hands: str, clauses: str) -> None:
    assert " ".join(bet_on(bet, f"{hands}, end").dues[0].clauses) == clauses


def test_every_two_cards_against_a_plain_comparison() -> None:
    order = "A23456789TJQK"
    for dragon, tiger in permutations(DECK, 2):
        ahead = order.index(dragon.rank) - order.index(tiger.rank)
        wanted = "tie" if not ahead else "dragon wins" if ahead > 0 else "tiger wins"
        assert game.facts(dragon, tiger) == {wanted}


@pytest.mark.parametrize("bet", ["big", "dragon_odd", "dragon:nc", "Dragon"])
def test_other_bets_are_refused(bet: str) -> None:
    found = bet_on(bet, f"{QUEEN}, end")

    assert (backs(found), flags(found)) == ("b1 refused 0 100", "BET_NOT_OFFERED b1")


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        deal dragon QS, deal tiger JD | b1 win 100 200 |            | in order
        deal tiger JD, deal dragon QS | b1 win 100 200 | DEAL_ORDER | tiger first: as laid
        deal dragon QS                | b1 open 0 0    | DEAL_ORDER | one card
        deal dragon QS 2C, deal tiger JD | b1 win 100 200 | DEAL_ORDER | two for dragon
        deal dragon QS, deal tiger JD KC | b1 win 100 200 | DEAL_ORDER | two for tiger
    """),
)
def test_the_order_of_the_deal(story: str, due: str, flagged: str) -> None:
    found = bet_on("dragon", f"{story}, end")

    assert backs(found) == due
    assert flags(found) == flagged


def test_a_table_may_post_that_the_shoe_decides() -> None:
    crossed, readings = "deal tiger JD, deal dragon QS, end", {"deal_order": "by_the_shoe"}

    found = bet_on("dragon", crossed, readings=readings)

    assert (found.ruled.outcome, backs(found)) == ("tiger 11-12", "b1 lose 0 0")
    assert relied_on(found) == readings
    assert relied_on(bet_on("dragon", crossed)) == {"deal_order": "as_laid"}
    assert relied_on(bet_on("dragon", f"{QUEEN}, end", readings=readings)) == {}


@pytest.mark.parametrize(
    ("story", "shoe", "flagged"),
    cases("""
        load S1, burn 9 9H, open, burn 1   |   |                      | shoe and round
        load S1, burn 9 9H, burn 1, open   |   |                      | both before it opens
        load S1, burn 10 QH, open, burn 1  |   |                      | ten for a queen
        load S1, burn 8 9H, open, burn 1   |   | SHOE_BURN_COUNT S1   | one short
        load S1, open, burn 1              |   | SHOE_BURN_MISSING S1 | the round's will not do
        load S1, burn 1, open              |   | SHOE_BURN_MISSING S1 | nor between the rounds
        load S1, burn 9 9H, open           |   | ROUND_BURN_COUNT     | none for the round
        open, burn 1                       | 7 |                      | a later round
        open                               | 7 | ROUND_BURN_COUNT     | forgotten
        open, burn 2                       | 7 | ROUND_BURN_COUNT     | two
        open, burn 1, burn 1               | 7 | ROUND_BURN_COUNT     | one and one
        open, burn 9 9H, burn 1            | 7 | SHOE_BURN_UNEXPECTED S1 | a shoe burn in mid-shoe
        open, burn 2                       |   | ROUND_BURN_COUNT     | shoe unknown, two burned
        open                               |   |                      | nothing is said of the shoe
    """),
)
def test_the_burns(story: str, shoe: str, flagged: str) -> None:
    stated = {"hands": int(shoe)} if shoe else None

    found = told("SA-DT", f"{story}, bet b1 dragon 100, close, {QUEEN}, end", stated)

    assert flags(found) == flagged
    assert backs(found) == "b1 win 100 200"


def test_a_round_burn_after_the_first_card_is_too_late() -> None:
    late = told("SA-DT", "open, deal dragon QS, burn 1, deal tiger JD, end", {"hands": 3})

    assert flags(late) == "ROUND_BURN_COUNT"
    assert late.flags[0].clause == "SA-DT:4.1.4"


@pytest.mark.parametrize(
    ("shoe", "story", "flagged"),
    cases("""
        cut_card_out | burn 1      | DEALT_AFTER_LAST_ROUND S1 | after the last round
        hands        | cut, burn 1 |                           | while burning: it is the last
        drawn        | burn 1      | EXCESS_COPIES QS          | a ninth queen of spades
    """),
)
def test_the_end_of_a_shoe(shoe: str, story: str, flagged: str) -> None:
    stated: dict[str, Any] = {"cut_card_out": True, "hands": 9, "drawn": {"QS": 8}}

    found = bet_on("dragon", f"{story}, {QUEEN}, end", shoe={"hands": 9, shoe: stated[shoe]})

    assert flags(found) == flagged
    assert backs(found) == "b1 win 100 200"


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        bet b1 tiger 100, close            | b1 lose 0 0      |             | in time
        close, bet b1 tiger 100            | b1 refused 0 100 | LATE_BET b1 | too late
        bet b1 tiger 100, close, move b1 dragon | b1 lose 0 0 | LATE_BET b1 | moved too late
        bet b1 tiger 100, close, withdraw b1 | b1 lose 0 0 | WITHDRAWAL_REFUSED b1 | kept
        bet b1 tiger 100, bet b2 dragon 100, close | b1 lose 0 0, b2 win 100 200 | | both sides
    """),
)
def test_until_betting_is_closed(story: str, due: str, flagged: str) -> None:
    found = told("SA-DT", f"{story}, {QUEEN}, end")

    assert backs(found) == due
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "status", "flagged"),
    cases("""
        deal dragon QS, deal tiger x                       | unknown | RESULT_UNKNOWN | unread
        deal dragon x, close, deal tiger JD, seen dragon 1 QS 0.95 | settled | | face down at first
        deal dragon QS, deal tiger JD, seen tiger 1 KC 0.95 | unknown | RESULT_UNKNOWN | they differ
        deal dragon QS, void                          | void |            | declared too soon
        void                                          | void |            | before a card
                                       | unsettled | ROUND_WITHOUT_CARDS | no card at all
        deal dragon QS, deal tiger JD, void | settled | RESULT_MISMATCH void | two cards stand
    """),
)
def test_how_a_round_ends(story: str, status: str, flagged: str) -> None:
    found = bet_on("dragon", f"{story}, end")

    assert (found.ruled.status, flags(found)) == (status, flagged)


@pytest.mark.parametrize(
    ("hands", "told_as", "note"),
    cases("""
        9S v 9H | settled b1 returned=100                | collected -50, returned +50 | pushed
        9S v 9H | settled b1 collected=100               | collected +50, returned -50 | lost whole
        AS v 2H | settled b1 paid=100 returned=100 \
| paid +100, collected -100, returned +100 | an ace ranked high
    """),
)
def test_typical_mispayments(hands: str, told_as: str, note: str) -> None:
    dragon, tiger = hands.split(" v ")

    found = bet_on("dragon", f"deal dragon {dragon}, deal tiger {tiger}, {told_as}, end")

    clause = "SA-DT:4.4" if hands.startswith("9S") else "SA-DT:4.3.1"
    (flag,) = found.flags
    assert (flag.code, flag.clause, flag.subject) == ("MISPAY", clause, "b1")
    assert english(flag.note) == note


@pytest.mark.parametrize(
    ("called", "flagged"),
    cases("""
        dragon       |                       | the word
        D 12-11      |                       | as the outcome
        dragon 12    |                       | the winner's points alone
        D 13-11      | RESULT_MISMATCH D 13-11 | SA-DT:4.2.3 other points
        dragon 11    | RESULT_MISMATCH dragon 11 | SA-DT:4.2.3 the loser's points
        tiger        | RESULT_MISMATCH tiger | wrong
        tie by=board | RESULT_MISMATCH tie   | the board
        dragon Q-J   |                       | in ranks
        dragon J-Q   | RESULT_MISMATCH dragon J-Q | SA-DT:4.2.3 the ranks crossed
        dragon A     | RESULT_MISMATCH dragon A | SA-DT:4.2.3 another rank
        dragon tiger | RESULT_MISMATCH dragon tiger | both sides
        Q of=dragon  |                       | one card
        11 of=dragon | RESULT_MISMATCH dragon | SA-DT:4.2.3 other points for a card
        Q of=lion    | RESULT_MISMATCH lion  | a hand the game has not
    """),
)
def test_calls(called: str, flagged: str) -> None:
    assert flags(bet_on("dragon", f"{QUEEN}, call {called}, end")) == flagged
    assert dragon_tiger.said("Tie 9-9") == "tie 9 to 9"


def test_the_exact_returns() -> None:
    rows = {row.bet: row.value for row in theory.returns(EDITION, "fit")}
    ties = sum(outcome.ways for outcome in theory.outcomes(8) if "tie" in outcome.facts)

    assert rows == {
        "dragon": Fraction(799, 830),
        "tiger": Fraction(799, 830),
        "tie": Fraction(279, 415),
    }
    assert Fraction(ties, 416 * 415) == Fraction(31, 415)
    assert EDITION.certified is not None
    assert f"{float(100 * rows['dragon']):.2f}" == f"{float(100 * EDITION.certified[0]):.2f}"
    assert f"{float(100 * rows['tie']):.2f}" == "67.23"
