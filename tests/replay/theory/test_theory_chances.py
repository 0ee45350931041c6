"""Chances of every bet: they make one whole, and they come to the return that is printed."""

from fractions import Fraction

import pytest

from audit.pages import returns as return_page
from replay import rulebooks, theory
from replay.rulebooks.edition import Line, cell, odds
from replay.theory import per_cent
from tests.support.tables import cases

pytestmark = pytest.mark.slow

DAY = "2026-03-01"
CODES = sorted({edition.code for edition in rulebooks.editions()})
PLAYED = {("SA-BJ", "main")}  # what a hand comes to depends on how it is played


@pytest.mark.parametrize("code", CODES)
def test_the_chances_of_every_bet_are_whole_and_come_to_its_return(code: str) -> None:
    edition = rulebooks.in_force(code, DAY)
    assert edition.paytables
    for paytable in edition.paytables:
        for bet in return_page.document(edition, paytable)["returns"]:
            if (code, bet["bet"]) in PLAYED:
                continue
            lines = [(Fraction(line["probability"]), line) for line in bet["lines"]]

            assert sum(chance for chance, _ in lines) == 1, bet["bet"]
            assert all(chance > 0 for chance, _ in lines)
            assert (
                str(sum(chance * Fraction(line["back"]) for chance, line in lines))
                == (bet["fraction"])
            )
            won = sum(chance for chance, line in lines if line["result"] == "win")
            assert str(won) == bet["probability"]


@pytest.mark.parametrize("code", sorted(set(CODES) - {"SA-PD", "SA-RO"}))
def test_what_a_line_brings_back_is_what_its_odds_say(code: str) -> None:
    """Of Pok Deng the amount deducted is told, of a racetrack bet all of its chips."""
    edition = rulebooks.in_force(code, DAY)
    assert theory.of(edition)
    for bet in theory.of(edition):
        for chance in bet.chances:
            paid = odds(cell(chance.odds))

            assert chance.back == theory.back(paid), (bet.bet, chance.fact)


@pytest.mark.parametrize(
    ("code", "bet", "wins", "pushes"),
    cases("""
        RO    | straight:17 | 1/37        | 0         | one pocket of 37
        RO    | red         | 18/37       | 0         | eighteen of them
        SA-RO | race:orphans | 8/37       | 0         | the orphans are eight pockets
        SA-SB | big         | 35/72       | 0         | triples lose
        SA-SB | any_triple  | 1/36        | 0         | six of 216 rolls
        SA-DT | tie         | 31/415      | 0         | 31 cards of the rank among 415
        SA-BC | player_pair | 31/415      | 0         | the same for two cards of a hand
        SA-BJ | insurance   | 128/415     | 0         | 128 tens once an Ace is out
        SA-AB | andar       | 429/833     | 0         | Andar gets the first card
        NN    | even        | 1/2         | 0         | no two hands are equal
    """),
)
def test_chances_that_can_be_counted_by_hand(code: str, bet: str, wins: str, pushes: str) -> None:
    found = {each.bet: each for each in theory.of(rulebooks.in_force(code, DAY))}[bet]

    assert found.chance_of("win") == Fraction(wins)
    assert found.chance_of("push") == Fraction(pushes)


def test_baccarat_of_eight_decks_comes_out_as_it_is_known() -> None:
    found = {each.bet: each for each in theory.of(rulebooks.in_force("TB", DAY))}

    told = {bet: found[bet].chance_of("win") for bet in ("banker", "player", "tie")}

    assert {bet: per_cent(chance) for bet, chance in told.items() if chance} == {
        "banker": "45.8597 %",
        "player": "44.6247 %",
        "tie": "9.5156 %",
    }
    assert found["banker"].chance_of("push") == told["tie"]


def test_a_hand_that_is_played_has_no_chance_of_its_own_and_says_why() -> None:
    main = theory.of(rulebooks.in_force("SA-BJ", DAY))[0]

    assert main.bet == "main"
    assert main.chance_of("win") is None
    assert "no one chance of winning" in main.note


def test_best_play_of_holdem_is_stated_with_its_source() -> None:
    edition = rulebooks.in_force("TH", DAY)

    lines = list(return_page.told(edition, edition.paytable))
    document = return_page.document(edition, edition.paytable)

    assert lines[-1].endswith("(97.9631 %); bench/holdem_best_play.py, every hand and board")
    assert document["stated"][0]["fraction"] == "27803331067/28381438800"


def test_best_play_is_not_stated_for_other_odds() -> None:
    edition = rulebooks.in_force("TH", DAY)
    table = dict(edition.paytables[edition.paytable])
    table["flop"] = tuple(_doubled(line) for line in table["flop"])

    generous = edition._replace(paytables={edition.paytable: table})

    assert theory.stated(generous) == ()


def _doubled(line: Line) -> Line:
    return line._replace(odds=line.odds._replace(pays=2 * line.odds.pays))
