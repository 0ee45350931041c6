"""Texas Hold'em Bonus Poker: the order of the deal, who wins, what the Bonus pays."""

import pytest

from replay import rulebooks
from replay.games import holdem_bonus as game
from replay.games.shared.poker_hands import best
from replay.rulings.holdem_bonus import said
from replay.sheets.sheet import answer
from schemas.cards import cards
from tests.support.holdem_bonus_story import BETS, HOLES, codes, happened, round_of, seen
from tests.support.tables import cases, judged

EDITION = rulebooks.in_force("TH", "2025-05-01")
READINGS = {name: issue.reading for name, issue in EDITION.issues.items()}


def test_the_order_of_a_card_shoe() -> None:
    """TH:4.11: four burns, one card at a time, no burn before the Dealer's cards."""
    assert " ".join(game.order("card_shoe", ("1", "3"))) == (
        "burn 1 3 1 3 burn community community community burn community burn community "
        "dealer dealer"
    )


def test_the_order_of_an_automated_device() -> None:
    """TH:4.12.1: community cards first, no burns."""
    assert " ".join(game.order("automated_device", ("1", "3"))) == (
        "community community community community community 1 1 3 3 dealer dealer"
    )


@pytest.mark.parametrize(
    ("dealing", "areas", "right"),
    cases("""
        card_shoe        | burn 1 2 1 2             | yes | TH:4.11.1 one card in each turn
        card_shoe        | burn 1 1 2 2             | no  | TH:4.11.1 two at once
        card_shoe        | 1 2 1 2                  | no  | TH:4.11.1 without a burn
        automated_device | c c c c c 1 1 2 2 d d    | yes | TH:4.12.1 two at once
        automated_device | c c c c c 1 2 1 2 d d    | yes | TH:4.12.1 one in each turn
        automated_device | c c c c c d d 1 1 2 2    | no  | TH:4.12.1 the Dealer before the boxes
        automated_device | c c c c 1 1 2 2 d d      | no  | TH:4.12.1 a community card too few
    """),
)
def test_lawful_deals(dealing: str, areas: str, right: str) -> None:
    names = {"c": "community", "d": "dealer"}
    places = [names.get(area, area) for area in areas.split()]

    assert game.lawful(dealing, ("1", "2"), places) == (right == "yes")


def test_boxes_go_round_by_number() -> None:
    assert game.clockwise(["10", "2", "1", "B"]) == ("1", "2", "10", "B")


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "won"),
    cases("""
        AC 3S | QC 4S | KS KH 9D 9C 2H | player higher | TH:5.4.1 fifth card of two pairs
        3C 3S | 4C 4S | KS KH 9D 9C QH | stand-off     | TH:5.4.1 the board plays for both
        3C 3S | 4C 4S | KS KH 9D 9C 2H | dealer higher | TH:5.4.1 a third pair gives the fifth card
        AC 3S | AD 4S | KS KH 9D 8C 2H | stand-off     | TH:5.4.2 kickers ace, nine, eight for both
        AC QS | AD JS | KS KH 9D 8C 2H | player higher | TH:5.4.2 second kicker
        KC 9S | KD 7S | KS KH 9D 7C 2H | player higher | TH:5.4.3 pair of a full house
        9S 2C | 9H 2D | KS KH KD 9C 2H | stand-off     | TH:5.4.3 equal pairs
        AC KD | 6C TD | 2S 3H 4D 5C QH | dealer higher | TH:5.4.4 the lowest straight
        9C 2D | 9D 3D | KS QH JD TC 5H | stand-off     | TH:5.4 one straight for both
        AS 3S | KS 4S | 2S 7S 9S QS 8D | player higher | TH:5.1 flushes by their highest card
        3S 4D | 5S 6D | AS KS QS JS 9S | stand-off     | TH:5.4 the board's flush
        AC 2D | QC 3D | KS KH KD KC 9H | player higher | TH:5.1 fifth card of four of a kind
        KC AD | KD QC | KS KH 9D 8C 2H | player higher | TH:5.1 kicker of three of a kind
        AC QD | AD JC | KS 9H 7D 5C 2H | player higher | TH:5.1 third of five odd cards
        2C 3D | 4C 5D | TS JS QS KS AS | stand-off     | TH:5.4 a royal board
        9S 2D | 8C 3D | 8S 7S 6S 5S KH | player higher | TH:4.5 a straight flush by one card
    """),
)
def test_who_is_higher(hole: str, dealer: str, board: str, won: str) -> None:
    facts = game.facts(cards(hole), cards(dealer), cards(board), READINGS)

    assert won in facts
    assert len(facts & {"player higher", "stand-off", "dealer higher"}) == 1


@pytest.mark.parametrize(
    ("hole", "dealer", "paid"),
    cases("""
        AS AH | AC AD | 1000 | aces against aces
        AS AH | AC KD | 30   | aces
        AS KS | 2C 3D | 25   | ace and king suited
        KS AS | 2C 3D | 25   | the other way round
        AS QS | 2C 3D | 20   | ace and queen suited
        AS JS | 2C 3D | 20   | ace and jack suited
        AS KH | 2C 3D | 15   | ace and king unsuited
        KS KH | 2C 3D | 10   | kings
        QS QH | 2C 3D | 10   | queens
        JS JH | 2C 3D | 10   | jacks
        AS QH | 2C 3D | 5    | ace and queen unsuited
        AS JH | 2C 3D | 5    | ace and jack unsuited
        TS TH | 2C 3D | 3    | tens
        2S 2H | AC AD | 3    | twos against aces
        AS TS | 2C 3D | lose | ace and ten suited
        KS QS | 2C 3D | lose | king and queen suited
        3S 2H | AC AD | lose | the Dealer's aces alone
    """),
)
def test_the_bonus_looks_at_hole_cards(hole: str, dealer: str, paid: str) -> None:
    sheet = round_of(
        "1 ante 100, 1 bonus 20, 1 flop 200", {"1": hole}, dealer=dealer, board="4C 6D 8H 9C JC"
    )

    bonus = next(due for due in judged(sheet).dues if due.bet == "bonus")

    assert (bonus.odds or "lose") == paid
    assert bonus.paid == (0 if paid == "lose" else 20 * int(paid))


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "read", "money"),
    cases("""
        AS 3S | KS 4S | 2S 7S 9S QS 8D | tie_breaks=stand_off |                 300 0   | two flushes
        AC 2D | QC 3D | KS KH KD KC 9H | tie_breaks=stand_off |                 300 0   | two fours
        6C 7D | 6D TC | 2S 3H 4D 5C QH | tie_breaks=stand_off |                 300 0   | two straights above the lowest
        KC 9S | KD 7S | KS KH 9D 7C 2H | full_house_pair=only_community_threes | 300 0   | equal threes, one each
    """),  # noqa: E501
)
def test_readings_of_a_comparison(
    hole: str, dealer: str, board: str, read: str, money: str
) -> None:
    issue, other = read.split("=")
    paid = []
    for readings in ({}, {issue: other}):
        bets = "1 ante 100, 1 flop 200"
        found = judged(round_of(bets, {"1": hole}, dealer=dealer, board=board, readings=readings))
        paid.append(sum(due.paid for due in found.dues))
        assert answer(found)["readings"] == {issue: readings.get(issue, READINGS[issue])}

    assert " ".join(map(str, paid)) == money


def test_a_reading_is_named_only_where_it_decides() -> None:
    assert answer(seen())["readings"] == {}


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "won"),
    cases("""
        AC KD | 6C TD | 2S 3H 4D 5C QH | dealer higher | the lowest straight is told apart
        AC KC | QC KD | KS KH 9D 8C 2H | stand-off     | kickers of threes are not
        AC QS | AD JS | KS KH 9D 8C 2H | player higher | one pair is broken by 5.4.2
    """),
)
def test_ties_that_no_clause_breaks_may_be_read_as_stand_offs(
    hole: str, dealer: str, board: str, won: str
) -> None:
    readings = READINGS | {"tie_breaks": "stand_off"}

    mine, theirs = (best(cards(f"{two} {board}")) for two in (hole, dealer))

    assert game.compare(mine, theirs, cards(board), readings) == won


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        One Pair        | ONE_PAIR        | as people say it
        pair            | ONE_PAIR        | short
        five odd cards  | FIVE_ODD_CARDS  | the page's name
        High card       | FIVE_ODD_CARDS  | the usual name
        full-house      | FULL_HOUSE      | with a stroke
        THREE_OF_A_KIND | THREE_OF_A_KIND | as it is
    """),
)
def test_a_called_hand_is_one_word(called: str, word: str) -> None:
    assert said(called) == word


def test_the_result_is_the_dealers_hand() -> None:
    found = seen("call pair")

    assert found.ruled.result == "ONE_PAIR"
    assert found.ruled.outcome == (
        "dealer ONE_PAIR; 1 ONE_PAIR player higher; 2 STRAIGHT player higher"
    )


def test_each_box_plays_the_dealer_alone() -> None:
    both = {due.wager_id: due for due in judged(round_of(BETS, HOLES)).dues}
    first = judged(round_of("1 ante 100, 1 bonus 50, 1 flop 200", {"1": HOLES["1"]}))

    assert all(both[due.wager_id] == due for due in first.dues)
    assert codes(first) == []


def test_a_bonus_not_shown_may_be_read_by_its_hole_cards() -> None:
    for reading, paid in (("lost", 0), ("by_hole_cards", 1500)):
        found = judged(
            round_of(
                "1 ante 100, 1 bonus 50, 1 flop 200",
                {"1": "AS AH"},
                *happened("decide 1 not_shown"),
                readings={"bonus_not_shown": reading},
            )
        )
        lines = {due.bet: due for due in found.dues}
        assert lines["bonus"].paid == paid
        assert (lines["ante"].collected, lines["flop"].collected) == (100, 200)
        assert answer(found)["readings"] == {"bonus_not_shown": reading}
