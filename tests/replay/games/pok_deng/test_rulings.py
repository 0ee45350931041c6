"""Pok Deng, SA-PD: cards, shoe, bets and amounts that are not as they should be."""

from typing import Any

import pytest

from replay.judge import Judgement
from tests.replay.games.pok_deng.test_deals import dealt
from tests.support.english import english
from tests.support.shoe_story import backs, flags, told
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

DEAL = dealt("QS 2D", "JH 3C")  # Banker 2, Player 1 has 3
ROW = DEAL.split(", ")


def bet_on(story: str, bet: str = "player_1 100 100", **more: Any) -> Judgement:
    """A round with one bet, told from the end of betting on."""
    return told("SA-PD", f"bet b1 {bet}, close, {story}", **more)


@pytest.mark.parametrize(
    ("drop", "add", "due", "flagged"),
    cases("""
            |                 | b1 win 100 300 |                        | twelve cards
        0   |                 | b1 open 0 0    | CARD_COUNT, DEAL_ORDER | player 1 is short
        1   |                 | b1 win 100 300 | CARD_COUNT, DEAL_ORDER | another player is short
        11  |                 | b1 open 0 0    | CARD_COUNT             | banker is short
            | deal player_1 9C | b1 win 100 300 | CARD_COUNT            | a third card
            | deal boots 9C   | b1 win 100 300 | CARD_COUNT             | a card to nobody
        all |                 | b1 open 0 0    | ROUND_WITHOUT_CARDS    | no card at all
        all | void            | b1 returned 0 200 |                     | void before a card
        11  | void            | b1 returned 0 200 |                     | void in mid-deal
    """),
)
def test_twelve_cards(drop: str, add: str, due: str, flagged: str) -> None:
    rows = [row for n, row in enumerate(ROW) if drop not in (str(n), "all")]

    found = bet_on(f"{', '.join(rows)}, {add}, end")

    assert backs(found) == due
    assert flags(found) == flagged


def test_a_round_without_banker_stays_open_for_everybody() -> None:
    found = bet_on(f"{', '.join(ROW[:11])}, end")

    assert (found.ruled.status, found.ruled.clauses) == ("unsettled", ("SA-PD:6.3.2",))


def test_a_deal_under_way_is_not_short_yet() -> None:
    found = bet_on(", ".join(ROW[:4]))

    assert (found.ruled.status, flags(found)) == ("unsettled", "")


def test_hands_are_as_laid_unless_the_order_of_the_shoe_is_posted() -> None:
    crossed = ", ".join([ROW[5], *ROW[1:5], ROW[0], *ROW[6:]])  # banker and player 1 change places

    laid = bet_on(f"{crossed}, end")
    by_the_shoe = bet_on(f"{crossed}, end", readings={"deal_order": "by_the_shoe"})

    assert (backs(laid), flags(laid)) == ("b1 win 100 300", "DEAL_ORDER")
    assert relied_on(laid) == {}  # Player 1 wins either way
    # By the shoe Player 1 holds QS 3C and Banker JH 2D.
    assert by_the_shoe.ruled.outcome == "B 2, P 3 7 9 1 9"


@pytest.mark.parametrize(
    ("bet", "banker", "due", "flagged"),
    cases("""
        player_1 100 100     | 3S 5S | lose 100 100 0 0     |                    | as it should be
        player_1 100 0       | 3S 5S | lose 100 0 0 0       | WITHHELD_AMOUNT b1 | nothing withheld
        player_1 100 60      | 3S 5S | lose 100 60 0 0      | WITHHELD_AMOUNT b1 | too little
        player_1 100 150     | 3S 5S | lose 100 100 0 50    | WITHHELD_AMOUNT b1 | too much
        player_1 100 0       | QS 2D | win 0 0 100 0        | WITHHELD_AMOUNT b1 | on a win
        player_1_pair 100 0  | QS 2D | lose 100 0 0 0       |                    | none for a pair
        player_1_pair 100 100 | QS 2D | lose 100 0 0 100    | WITHHELD_AMOUNT b1 | back from a pair
    """),
)
def test_the_withheld_amount(bet: str, banker: str, due: str, flagged: str) -> None:
    """Columns: outcome, collected, taken of the withheld, stake back, withheld back."""
    found = bet_on(f"{dealt(banker, 'JH 3C')}, end", bet)

    (line,) = found.dues
    amounts = (line.collected, line.reserve_taken, line.returned, line.reserve_returned)
    assert " ".join(map(str, (line.outcome, *amounts))) == due
    assert flags(found) == flagged
    assert relied_on(found) == ({"withheld_amount": "bet_stands"} if flagged else {})


def test_a_balance_that_could_not_bear_the_bet() -> None:
    found = bet_on(f"report insufficient_balance b1, {DEAL}, end")

    assert (backs(found), flags(found)) == ("b1 win 100 300", "INSUFFICIENT_BALANCE b1")
    assert found.flags[0].clause == "SA-PD:6.2.2"


def test_a_pair_bet_needs_no_second_amount() -> None:
    """SA-PD:6.2.2 speaks of Player bets; what was reported of another is a step, no flag."""
    found = bet_on(f"report insufficient_balance b1, {DEAL}, end", "player_1_pair 100")

    assert flags(found) == ""
    assert any("a short balance was reported" in english(step.text) for step in found.steps)


@pytest.mark.parametrize("bet", ["player_6", "banker", "player_1_flush", "player:1", "tie"])
def test_other_bets_are_refused(bet: str) -> None:
    plain = bet_on(f"{DEAL}, end", f"{bet} 100")
    held = bet_on(f"{DEAL}, end", f"{bet} 100 100")

    assert (backs(plain), flags(plain)) == ("b1 refused 0 100", "BET_NOT_OFFERED b1")
    assert (backs(held), flags(held)) == (
        "b1 refused 0 200",
        "BET_NOT_OFFERED b1, WITHHELD_AMOUNT b1",
    )
    assert held.dues[0].clauses == ("SA-PD:6.2.1",)


@pytest.mark.parametrize(
    ("story", "shoe", "flagged"),
    cases("""
        load S1, burn 5 5H, open, burn 1  |   |                         | shoe and round
        load S1, burn 4 5H, open, burn 1  |   | SHOE_BURN_COUNT S1      | one short
        load S1, open, burn 1             |   | SHOE_BURN_MISSING S1    | none
        open, burn 5 5H, burn 1           | 4 | SHOE_BURN_UNEXPECTED S1 | in mid-shoe
        open, burn 1                      | 4 |                         | a later round
        open                              | 4 | ROUND_BURN_COUNT        | forgotten
        open, burn 2                      | 4 | ROUND_BURN_COUNT        | two
    """),
)
def test_the_burns(story: str, shoe: str, flagged: str) -> None:
    stated = {"hands": int(shoe)} if shoe else None

    found = told("SA-PD", f"{story}, bet b1 player_1 100 100, close, {DEAL}, end", stated)

    assert (backs(found), flags(found)) == ("b1 win 100 300", flagged)


@pytest.mark.parametrize(
    ("shoe", "flagged"),
    [
        ({"cut_card_out": True}, "DEALT_AFTER_LAST_ROUND S1"),
        ({"drawn": {"QS": 8}}, "EXCESS_COPIES QS"),
        ({"drawn": {"QS": 7}}, ""),
    ],
    ids=["after the last round", "a ninth queen", "an eighth"],
)
def test_the_end_of_a_shoe(shoe: dict[str, Any], flagged: str) -> None:
    assert flags(bet_on(f"burn 1, {DEAL}, end", shoe={"hands": 9, **shoe})) == flagged


@pytest.mark.parametrize(
    ("story", "status", "due"),
    cases("""
        {deal}                               | settled   | b1 win 100 300      | settled
        {deal}, void                         | settled   | b1 win 100 300      | twelve cards stand
        {short}, void                        | void      | b1 returned 0 200   | declared in time
        {short}                              | settled   | b1 win 100 300      | one hand is short
        {deal}, seen banker 1 9C 0.95        | unknown   |                     | witnesses differ
        {deal}, seen player_4 2 9C 0.95      | unknown   |                     | at another seat
        void                                 | void      | b1 returned 0 200   | before a card
    """),
)
def test_how_a_round_ends(story: str, status: str, due: str) -> None:
    short = ", ".join(row for n, row in enumerate(ROW) if n != 10)

    found = bet_on(f"{story.format(deal=DEAL, short=short)}, end")

    assert (found.ruled.status, backs(found)) == (status, due)


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        close, bet b1 player_1 100 100    | b1 refused 0 200 | LATE_BET b1           | too late
        bet b1 player_1 100 100, close, withdraw b1 | b1 win 100 300 | WITHDRAWAL_REFUSED b1 | kept
        bet b1 player_1 50 50, move b1 player_2, close | b1 win 50 150 |             | moved in time
        bet b1 player_1 50 50, stake b1 100 100, close | b1 win 100 300 |            | raised
        bet b1 player_1 50 50, stake b1 100, close | b1 win 100 250 | WITHHELD_AMOUNT b1 | half
        bet b1 player_1 50 50, close, stake b1 100 100 | b1 win 50 150 | LATE_BET b1 | too late
    """),
)
def test_until_betting_is_closed(story: str, due: str, flagged: str) -> None:
    found = told("SA-PD", f"{story}, {DEAL}, end")

    assert (backs(found), flags(found)) == (due, flagged)


@pytest.mark.parametrize(
    ("call", "flagged"),
    cases("""
        2 3 7 9 1 9                |                               | all six
        B 2 P 3 7 9 1 9            |                               | as the outcome
        2 3 7 9 1 8                | RESULT_MISMATCH 2 3 7 9 1 8   | one is wrong
        3 of=player_1              |                               | one hand
        7.3 of=player_1            | RESULT_MISMATCH player_1      | one hand, wrong
        2 of=banker by=board       |                               | the board
        2 of=player_9              | RESULT_MISMATCH player_9      | no such hand
    """),
)
def test_calls(call: str, flagged: str) -> None:
    assert flags(bet_on(f"{DEAL}, call {call}, end")) == flagged


@pytest.mark.parametrize(
    ("hands", "settled", "note"),
    cases("""
        2S 4D v 5H 5C | paid=200 returned=200 | paid +100 6.5.3 | note 5 forgotten
        7S 9D v 4H 5H | paid=100 returned=200 | paid -100 6.5.4 | note 5 against note 6
        6S 6D v TH TC | paid=200 returned=200 | paid +200 6.5.7 | a tied pattern paid
        2S 3D v JH AC | collected=100 reserve_taken=100 \
| taken from the reserve +100, returned -100 6.5.5 | the withheld amount kept after a single loss
    """),
)
def test_typical_mispayments(hands: str, settled: str, note: str) -> None:
    banker, player = hands.split(" v ")

    found = bet_on(f"{dealt(banker, player)}, settled b1 {settled}, end")

    differs, _, clause = note.rpartition(" ")
    (flag,) = found.flags
    assert (*flag[:3], english(flag.note)) == ("MISPAY", f"SA-PD:{clause}", "b1", differs)


def test_hands_that_change_seats_with_their_bets_change_nothing_else() -> None:
    hands, names = ["JH 3C", "2C 5D", "3C 6D", "9H 9C", "AH KH"], [1, 2, 3, 4, 5]
    dues = {}
    for turn in range(5):
        seats = names[turn:] + names[:turn]
        bets = [f"bet b{n} player_{seat} 100 100" for n, seat in enumerate(seats)]
        held = dict(zip(seats, hands, strict=True))
        first, *others = (held[seat] for seat in names)
        deal = dealt("2S 4D", first, ", ".join(others))
        found = told("SA-PD", f"{', '.join(bets)}, close, {deal}, end")
        dues[turn] = [due._replace(bet="") for due in found.dues]

    assert len({tuple(row) for row in dues.values()}) == 1
    assert [due.paid for due in dues[0]] == [0, 100, 100, 200, 100]


@pytest.mark.parametrize(
    ("first", "bet", "due"),
    cases("""
        5H 5D | player_1_pair 100 | win    | a pair of a complete hand
        5H 4D | player_1_pair 100 | lose   | no pair
        5H 5D | player_1 100 100  | open   | the hand itself awaits banker's
    """),
)
def test_a_pair_asks_nothing_of_a_short_banker(first: str, bet: str, due: str) -> None:
    rows = dealt("QS 2D", first).split(", ")[:11]

    found = bet_on(f"{', '.join(rows)}, end", bet)
    under_way = bet_on(", ".join(rows), bet)

    assert found.ruled.status == "unsettled"
    assert [line.outcome for line in found.dues] == [due]
    assert [line.outcome for line in under_way.dues] == ["open"]
