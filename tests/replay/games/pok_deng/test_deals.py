"""Pok Deng, SA-PD: the worked examples of the rulebook page, its ranking, and its theory."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from replay import rulebooks
from replay.games import pok_deng as game
from replay.judge import Judgement
from replay.rulebooks.edition import Edition, odds
from replay.rulings import pok_deng
from replay.theory import pok_deng as theory
from schemas.cards import DECK, Card, cards
from tests.support.shoe_story import told
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

EDITION = rulebooks.in_force("SA-PD", "2026-03-01")
OTHERS = "2C 5D, 3C 6D, 4C 7D, 9C TD"  # what players 2 to 5 hold


def dealt(banker: str, player: str, others: str = OTHERS) -> str:
    """Twelve cards in their order, as lines of a story."""
    hands = dict(zip(game.HANDS, [player, *others.split(", "), banker], strict=True))
    turns = [f"deal {name} {hands[name].split()[turn]}" for turn in (0, 1) for name in hands]
    return ", ".join(turns)


def played(bet: str, banker: str, player: str, more: str = "end") -> Judgement:
    """A round with one bet (`player_1 100 100`: stake and withheld), Banker against Player 1."""
    return told("SA-PD", f"bet b1 {bet}, close, {dealt(banker, player)}, {more}")


@pytest.mark.parametrize(
    ("banker", "player", "bet", "due", "clause"),
    cases("""
        QS 2D (2) | JH 3C (3) | player_1 100 100 | win 1 100 0 300 100 | 6.5.1 | example 1
        2S 3D (5) | JH AC (1) | player_1 100 100 | lose 1 0 100 100 -100 | 6.5.5 | example 2
        TS KD (7.2 single_face_no_point) | JH QC (7.3 face_card_combo) | player_1 100 100 | win 2 200 0 400 200 | 6.5.2 | example 3
        3S 5S (8 flush) | 2H 3C (5) | player_1 100 100 | lose 2 0 200 0 -200 | 6.5.6 | example 4
        2S 9S (1 flush) | 5H 6C (1) | player_1 100 100 | push 0 0 0 200 0 | 6.5.7 | example 5
        JS KD (7.3 face_card_combo) | QH 4C (4) | player_1 100 100 | lose 2 0 200 0 -200 | 6.5.6 | example 6
        KS 4D (4) | AH AC (7.4 special_pair) | player_1_pair 100 0 | win 11 1100 0 1200 1100 | 6.5.8 | example 7, pair
        KS 4D (4) | AH AC (7.4 special_pair) | player_1 100 100 | win 2 200 0 400 200 | 6.5.2 | example 7, player
        2S 4D (6) | 5H 5C (7.4 special_pair) | player_1 100 100 | win 1 100 0 300 100 | 6.5.3 | example 8, player
        2S 4D (6) | 5H 5C (7.4 special_pair) | player_1_pair 100 0 | win 11 1100 0 1200 1100 | 6.5.8 | example 8, pair
        7S 9D (6) | 4H 5H (9 flush) | player_1 100 100 | win 2 200 0 400 200 | 6.5.4 | example 9
        4S 6D (0) | 2H 5H (7 flush) | player_1 100 100 | win 1 100 0 300 100 | 6.5.3 | example 10
        4S 6D (0) | 9H 9C (8 pair) | player_1 100 100 | win 2 200 0 400 200 | 6.5.4 | example 11
        3S 3D (6 pair) | AH KH (7.5 ak_flush) | player_1 100 100 | win 1 100 0 300 100 | 6.5.3 | example 12
        6S 6D (7.4 special_pair) | TH TC (7.4 special_pair) | player_1 100 100 | push 0 0 0 200 0 | 6.5.7 | example 13
        KS KD (7.3 face_card_combo) | QH QC (7.3 face_card_combo) | player_1 100 100 | push 0 0 0 200 0 | 6.5.7 | example 14, player
        KS KD (7.3 face_card_combo) | QH QC (7.3 face_card_combo) | player_1_pair 50 0 | win 11 550 0 600 550 | 6.5.8 | example 14, pair
        3S 7S (7.1 flush_no_point) | 3H 4C (7) | player_1 100 100 | lose 2 0 200 0 -200 | 6.5.6 | example 15
        TS QD (7.2 single_face_no_point) | 2H 8H (7.1 flush_no_point) | player_1 100 100 | lose 2 0 200 0 -200 | 6.5.6 | example 16
        KS 8S (8 flush) | KH 9C (9) | player_1 101 101 | win 1 101 0 303 101 | 6.5.1 | example 17
        KS 9S (9 flush) | AH 7H (8 flush) | player_1 101 101 | lose 2 0 202 0 -202 | 6.5.6 | example 18
    """),  # noqa: E501  (a row is a line of the page)
)
def test_the_worked_examples(banker: str, player: str, bet: str, due: str, clause: str) -> None:
    """Columns: outcome, odds, win, lost, returned, net; figures and patterns stand by the hands."""
    house, own = (hand.partition(" (") for hand in (banker, player))

    found = played(bet, house[0], own[0])

    (line,) = found.dues
    lost = line.collected + line.reserve_taken
    multiple = {"lose": str(lost // line.stake), "push": "0"}.get(line.outcome, line.odds)
    amounts = (line.paid, lost, line.back, line.paid - lost)
    assert " ".join(map(str, (line.outcome, multiple, *amounts))) == due
    assert line.clauses == (f"SA-PD:{clause}",)
    assert found.flags == ()
    for hand, _, worth in (house, own):
        assert " ".join(game.value(cards(hand))).strip() == worth.rstrip(")")


@pytest.mark.parametrize(
    ("hand", "worth"),
    cases("""
        AS KS | 7.5 ak_flush             | one suit
        AS KH | 1                        | two suits
        AS AH | 7.4 special_pair         | aces
        6S 6S | 7.4 special_pair         | the same card twice
        5S 5S | 7.4 special_pair         | the higher of two readings
        TS TS | 7.4 special_pair         | not a flush without points
        2S 2H | 4 pair                   | a pair that is not special
        9S 9H | 8 pair                   | eight with a pair
        4S 4H | 8 pair                   | eight again
        KS KH | 7.3 face_card_combo      | a pair of faces
        KS QS | 7.3 face_card_combo      | faces of one suit
        TS QS | 7.2 single_face_no_point | of one suit
        TS 9S | 9 flush                  | a ten is no face
        2S 8S | 7.1 flush_no_point       | a suited zero
        AS 9S | 7.1 flush_no_point       | with an ace
        2S 8H | 0                        | an unsuited zero
        KS 7S | 7 flush                  | one face, one suit
        3S 5H | 8                        | plain
    """),
)
def test_hands(hand: str, worth: str) -> None:
    assert " ".join(game.value(cards(hand))).strip() == worth


def second_opinion(one: Card, two: Card) -> tuple[float, bool]:
    """The page's table read on its own: the figure as a number, and whether there is a pattern."""
    count = [min("A23456789TJQK".index(card.rank) + 1, 10) % 10 for card in (one, two)]
    total, suited, paired = sum(count) % 10, one.suit == two.suit, one.rank == two.rank
    faces = [card.rank in "JQK" for card in (one, two)]
    if total >= 8:
        return float(total), suited or paired
    if {one.rank, two.rank} == {"A", "K"} and suited:
        return 7.5, True
    if paired and one.rank in "A56T":
        return 7.4, True
    if all(faces):
        return 7.3, True
    if any(faces) and "T" in (one.rank, two.rank):
        return 7.2, True
    if suited and total == 0 and not any(faces):
        return 7.1, True
    return float(total), suited or paired


def test_every_two_cards_against_a_second_reading_of_the_page() -> None:
    zeros = set()
    for one, two in combinations_with_replacement(DECK, 2):
        figure, pattern = second_opinion(one, two)
        found = game.value((one, two))
        assert (float(found.figure), bool(found.pattern)) == (figure, pattern)
        assert game.value((two, one)) == found
        if found.figure == "0":
            zeros.add("".join(sorted({one.rank, two.rank})))

    assert zeros == {"9A", "28", "37", "46"}, "SA-PD:6.4.4 names what is left at nothing"


def test_the_ranking_is_in_the_order_of_its_figures() -> None:
    assert sorted(game.RANKING, key=float) == list(game.RANKING)


@pytest.mark.parametrize(
    ("banker", "reading", "paid"),
    cases("""
        3S 7S | ranked_figure | 200 | a suited zero is 7.1
        3S 7S | card_points   | 100 | and has no points
        6S 6D | ranked_figure | 200 | a pair of sixes is 7.4 with two points
        3S 3D | card_points   | 100 | a six that is a pair
        3S 3D | ranked_figure | 100 | by its figure too
    """),
)
def test_the_reading_of_bankers_0_or_6(banker: str, reading: str, paid: str) -> None:
    readings = {"banker_0_or_6": reading}
    story = f"bet b1 player_1 100 100, close, {dealt(banker, 'AH KH')}, end"

    found = told("SA-PD", story, readings=readings)

    assert found.dues[0].paid == int(paid)
    assert relied_on(found) == (readings if banker == "3S 7S" else {})


def returned(edition: Edition) -> dict[str, Fraction]:
    return {row.bet: row.value for row in theory.returns(edition, "standard")}


def test_the_exact_returns() -> None:
    found = returned(EDITION)

    assert {found[seat] for seat in game.SEATS} == {Fraction(455458217, 461223945)}
    assert {found[pair] for pair in game.PAIRS} == {Fraction(372, 415)}
    assert set(found) == set(game.POSITIONS)
    of_bet = 2 * found["player_1"] - 1
    assert of_bet == Fraction(449692489, 461223945)
    assert f"{float(100 * of_bet):.2f}" == "97.50"
    assert EDITION.certified is not None
    low, high = sorted(set(found.values()))
    assert [f"{float(100 * bound):.2f}" for bound in (low, high)] == ["89.64", "98.75"]
    assert [f"{float(100 * bound):.2f}" for bound in EDITION.certified] == ["89.64", "98.75"]


@pytest.mark.parametrize(
    ("against", "kept", "percent"),
    [("2:1", "2:1", "100.00"), ("1:1", "1:1", "98.39"), ("1:1", "2:1", "98.75")],
    ids=["without notes 5 and 6", "note 5 alone", "as printed"],
)
def test_the_certified_return_tests_the_reading(against: str, kept: str, percent: str) -> None:
    changed = {
        "it wins with a pattern against 0 or 6": odds(against),
        "it wins with 8 or 9 and a pattern against 0 or 6": odds(kept),
    }
    table = {
        bet: tuple(line._replace(odds=changed.get(line.fact, line.odds)) for line in lines)
        for bet, lines in EDITION.paytables["standard"].items()
    }

    found = returned(EDITION._replace(paytables={"standard": table}))

    assert f"{float(100 * found['player_1']):.2f}" == percent


def test_all_deals_are_counted_once() -> None:
    ways = sum(outcome.ways for outcome in theory.outcomes(8, "ranked_figure"))

    assert ways == 416 * 415 * 414 * 413


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        2 3 5 7.4 9 0           | 2 3 5 7.4 9 0 | figures
        B 2; P 3 5 7.4 9 0      | 2 3 5 7.4 9 0 | as the outcome is shown
        7.4                     | 7.4           | one of them
        nothing                 | nothing       | no figure
    """),
)
def test_a_call_as_one_word(called: str, word: str) -> None:
    assert pok_deng.said(called) == word
