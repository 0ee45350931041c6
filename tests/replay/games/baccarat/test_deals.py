"""Baccarat, SA-BC: the worked examples of the rulebook page, its drawing rules and its faults."""

from itertools import product

import pytest

from replay.games import baccarat as game
from replay.judge import Judgement
from replay.rulings import baccarat
from schemas.cards import cards
from tests.support.shoe_story import backs, flags, told
from tests.support.tables import cases


def dealt(player: str, banker: str) -> str:
    """Both hands in the sequence of the rules, as lines of a story."""
    one, two = player.split(), banker.split()
    opening = zip(game.OPENING, (one[0], two[0], one[1], two[1]), strict=True)
    thirds = [("player", card) for card in one[2:]] + [("banker", card) for card in two[2:]]
    return ", ".join(f"deal {hand} {card}" for hand, card in (*opening, *thirds))


def played(bets: str, hands: str, more: str = "") -> Judgement:
    """A round with these bets (`banker 999, tie 100`) and hands (`KS 5D 2H v TC 6D`)."""
    placed = [f"bet b{n} {bet}" for n, bet in enumerate(bets.split(","), 1)]
    return told("SA-BC", f"{','.join(placed)}, close, {dealt(*hands.split(' v '))}, {more}")


@pytest.mark.parametrize(
    ("hands", "outcome", "bet", "due"),
    cases("""
        KS 5D 2H v TC 6D    | P 7-6 | player 1000              | win 1 0 1000 0 2000 1000      | example 1, player
        KS 5D 2H v TC 6D    | P 7-6 | banker 1000              | lose 1 0 0 1000 0 -1000       | example 1, banker
        KS 5D 2H v TC 6D    | P 7-6 | tie 100                  | lose 1 0 0 100 0 -100         | example 1, tie
        KS 2D 3H v TC 6D    | B 5-6 | banker 1000              | win 1 50 950 0 1950 950       | example 2, banker
        KS 2D 3H v TC 6D    | B 5-6 | banker:nc 1000           | win 1/2 0 500 0 1500 500      | example 2, no commission
        KS 2D 3H v TC 6D    | B 5-6 | lucky_six 100            | win 12 0 1200 0 1300 1200     | example 2, lucky six
        KS 2D 3H v TC 6D    | B 5-6 | two_card_lucky_six 100   | win 22 0 2200 0 2300 2200     | example 2, with two cards
        KS 2D 3H v TC 6D    | B 5-6 | three_card_lucky_six 100 | lose 1 0 0 100 0 -100         | example 2, with three cards
        2S 3D KH v TC 2D 4C | B 5-6 | banker 999               | win 1 50 949 0 1948 949       | example 3, banker
        2S 3D KH v TC 2D 4C | B 5-6 | banker:nc 999            | win 1/2 0 500 0 1499 500      | example 3, no commission
        2S 3D KH v TC 2D 4C | B 5-6 | lucky_six 100            | win 23 0 2300 0 2400 2300     | example 3, lucky six
        2S 3D KH v TC 2D 4C | B 5-6 | three_card_lucky_six 100 | win 51 0 5100 0 5200 5100     | example 3, with three cards
        9S KD v 9H QC       | T 9-9 | player 500               | push 0 0 0 0 500 0            | example 4, player
        9S KD v 9H QC       | T 9-9 | banker 500               | push 0 0 0 0 500 0            | example 4, banker
        9S KD v 9H QC       | T 9-9 | tie 500                  | win 8 0 4000 0 4500 4000      | example 4, tie
        9S KD v 9H QC       | T 9-9 | player_natural 100       | win 7/2 0 350 0 450 350       | example 4, player natural
        9S KD v 9H QC       | T 9-9 | banker_natural 101       | win 7/2 0 354 0 455 354       | example 4, banker natural
        9S KD v 9H QC       | T 9-9 | player_bonus 100         | push 0 0 0 0 100 0            | example 4, player bonus
        KS 2D 8H v TC 3D    | B 0-3 | player 100               | lose 1 0 0 100 0 -100         | example 5, player
        KS 2D 8H v TC 3D    | B 0-3 | banker 100               | win 1 5 95 0 195 95           | example 5, banker
        KS 2D 8H v TC 3D    | B 0-3 | player_bonus 100         | lose 1 0 0 100 0 -100         | example 5, player bonus
        9S KD v KH QC       | P 9-0 | player_bonus 100         | win 1 0 100 0 200 100         | example 6, player bonus
        9S KD v KH QC       | P 9-0 | player_natural 100       | win 7/2 0 350 0 450 350       | example 6, player natural
        9S KD v KH QC       | P 9-0 | banker_pair 100          | lose 1 0 0 100 0 -100         | example 6, banker pair
        9S KD v KH QC       | P 9-0 | player 100               | win 1 0 100 0 200 100         | example 6, player
        3S 6D v KH KC       | P 9-0 | player_bonus 100         | win 1 0 100 0 200 100         | example 7, player bonus
        3S 6D v KH KC       | P 9-0 | banker_pair 100          | win 11 0 1100 0 1200 1100     | example 7, banker pair
        3S 6D v KH KC       | P 9-0 | any_pair 100             | win 5 0 500 0 600 500         | example 7, any pair
        3S 6D v KH KC       | P 9-0 | perfect_pair 100         | lose 1 0 0 100 0 -100         | example 7, perfect pair
        4S 4S v 7H 7H       | P 8-4 | player_natural 100       | win 7/2 0 350 0 450 350       | example 8, player natural
        4S 4S v 7H 7H       | P 8-4 | perfect_pair 100         | win 25 0 2500 0 2600 2500     | example 8, perfect pair once
        4S 4S v 7H 7H       | P 8-4 | any_pair 100             | win 5 0 500 0 600 500         | example 8, any pair once
        4S 4S v 7H 7H       | P 8-4 | player_pair 100          | win 11 0 1100 0 1200 1100     | example 8, player pair
        4S 4S v 7H 7H       | P 8-4 | player_bonus 100         | win 1 0 100 0 200 100         | example 8, player bonus
        KS TD 9D v 2H AC KC | P 9-3 | player_bonus 100         | win 4 0 400 0 500 400         | example 9, player bonus
        KS TD 9D v 2H AC KC | P 9-3 | player 100               | win 1 0 100 0 200 100         | example 9, player
        6S KD v AH 2C 4C    | B 6-7 | banker 10                | win 1 0 10 0 20 10            | example 10, ten
        6S KD v AH 2C 4C    | B 6-7 | banker 30                | win 1 1 29 0 59 29            | example 10, thirty
        6S KD v AH 2C 4C    | B 6-7 | banker 9                 | win 1 0 9 0 18 9              | example 10, nine
        6S KD v AH 2C 4C    | B 6-7 | banker_bonus 100         | lose 1 0 0 100 0 -100         | example 10, banker bonus
    """),  # noqa: E501  (a row is a line of the page)
)
def test_the_worked_examples(hands: str, outcome: str, bet: str, due: str) -> None:
    """Columns: outcome, odds, commission, win, lost, returned, net."""
    found = played(bet, hands, f"call {outcome}, end")

    (line,) = found.dues
    multiple = {"push": "0", "lose": "1"}.get(line.outcome, line.odds)
    amounts = (line.commission, line.paid, line.collected, line.back, line.paid - line.collected)
    assert found.ruled.outcome == outcome
    assert " ".join(map(str, (line.outcome, multiple, *amounts))) == due
    assert found.flags == ()


@pytest.mark.parametrize(
    ("bet", "stake", "gross", "clauses"),
    cases("""
        banker         | 999 | 999 | SA-BC:2.4.2             | traditional: gross of the commission
        banker:nc      | 999 | 500 | SA-BC:2.4.3 SA-BC:2.4.2 | no commission
        lucky_six:nc   | 100 | 2300 | SA-BC:2.4.10           | the mode changes the banker bet alone
        player         | 100 | 0   | SA-BC:2.4.1             | a loss by its own rule
    """),
)
def test_the_clauses_and_the_gross_win(bet: str, stake: str, gross: str, clauses: str) -> None:
    (due,) = played(f"{bet} {stake}", "2S 3D KH v TC 2D 4C").dues

    assert due.gross_win == int(gross)
    assert " ".join(due.clauses) == clauses


def test_what_is_customary_pays_otherwise() -> None:
    bets = "bet b1 player_natural 100, bet b2 lucky_six 100, bet b3 three_card_lucky_six 100"

    six = told("SA-BC", f"{bets}, close, {dealt('2S 3D KH', 'TC 2D 4C')}", paytable="conventional")
    nine = told("SA-BC", f"{bets}, close, {dealt('9S KD', 'KH QC')}", paytable="conventional")

    assert backs(six) == "b1 lose 0 0, b2 win 2000 2100, b3 win 5000 5100"
    assert backs(nine) == "b1 win 400 500, b2 lose 0 0, b3 lose 0 0"


# SA-BC:2.3.4 as printed: Banker's score, the third cards it draws on, those it stands on.
TABLE = """
    0 | 0123456789 |
    1 | 0123456789 |
    2 | 0123456789 |
    3 | 012345679  | 8
    4 | 234567     | 0189
    5 | 4567       | 012389
    6 | 67         | 01234589
    7 |            | 0123456789
"""


def test_the_third_card_table() -> None:
    names = "TA23456789"
    for row in TABLE.strip().splitlines():
        score, draws, stands = (cell.strip() for cell in row.split("|"))
        for point in draws + stands:
            deal = game.Deal(
                cards(f"TS 2S {names[int(point)]}H"), cards(f"KS {names[int(score)]}S")
            )
            assert (game.next_hand(deal) == "banker") == (point in draws), (score, point)


def test_two_cards_on_each_side_decide_who_draws() -> None:
    """Every pair of two-card scores against the sentences of the rules, read on their own."""
    names = "TA23456789"
    for player, banker in product(range(10), repeat=2):
        deal = game.Deal(cards(f"KS {names[player]}S"), cards(f"KH {names[banker]}H"))
        if player >= 8 or banker >= 8:
            wanted = ""
        elif player <= 5:
            wanted = "player"
        else:
            wanted = "banker" if banker <= 5 else ""
        assert game.next_hand(deal) == wanted


@pytest.mark.parametrize(
    ("hands", "has", "lacks"),
    cases("""
        KS QD 5H v 9S 9S    | banker pair, perfect pair, any pair | player pair | K and Q differ
        KS KD 5H v TS 4S 2D | player pair, any pair | perfect pair, banker pair  | another suit
        6S 2D v 8H KC | tie, natural tie, player natural, banker natural | player wins | naturals
        KS 2D 8H v TC 3D    | banker wins | banker wins by 3, banker natural     | a margin of three
        2S 3D 2C v TC 3D    | player wins by 4 | player wins with a natural      | three-card seven
        3S 2D 3C v TC 3D 5H | tie | natural tie                                  | three-card eights
        KS 6D v KD 6C       | tie | banker wins on 6, natural tie                | sixes that tie
    """),
)
def test_facts(hands: str, has: str, lacks: str) -> None:
    player, banker = hands.split(" v ")

    found = game.facts(game.Deal(cards(player), cards(banker)))

    assert {fact.strip() for fact in has.split(",")} <= found
    assert not {fact.strip() for fact in lacks.split(",")} & found


@pytest.mark.parametrize(
    ("bet", "offered"),
    cases("""
        banker:nc    | yes | a mode
        tie:nc       | yes | the mode is stored with every bet
        banker:tr    | no  | no such mode
        small_tiger  | no  | a bet of another house
        Player       | no  | names are written in small letters
        lucky_six:12 | no  | no such position
    """),
)
def test_other_bets_are_refused(bet: str, offered: str) -> None:
    found = played(f"{bet} 100", "KS KD 5H v TS 4S 2D")

    assert (found.dues[0].outcome != "refused") == (offered == "yes")
    assert flags(found) == ("" if offered == "yes" else "BET_NOT_OFFERED b1")
    if offered == "no":
        assert (found.dues[0].back, found.dues[0].clauses) == (100, ("SA-BC:2.4",))


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        B         | banker | a letter
        Banker    | banker | the word
        P 7-6     | player 7 to 6 | as the outcome is shown
        B 6-7     | banker 7 to 6 | Player's score stands first
        Banker 7 to 6   | banker 7 to 6 | as the result is written
        banker wins, 7  | banker 7      | one score
        Tie       | tie    | a tie
        T 6-6     | tie 6 to 6    | with its scores
        9         | 9      | nothing known
        B 1-2-3   | b 1-2-3       | no two scores
    """),
)
def test_a_call_as_one_word(called: str, word: str) -> None:
    assert baccarat.said(called) == word
