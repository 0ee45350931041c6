"""Where odds come from is said wherever they decide money: printed, forced, published, assumed."""

from typing import Any

import pytest

from replay import rulebooks
from replay.explain import explanation
from replay.rulebooks import edition as book
from tests.support import roulette_story, shaker_story
from tests.support.english import english
from tests.support.tables import cases

DAY = "2026-03-01"


@pytest.mark.parametrize("code", sorted(rulebooks.codes()))
def test_every_line_says_where_its_odds_come_from(code: str) -> None:
    edition = rulebooks.in_force(code, DAY)
    lines = [line for table in edition.paytables.values() for at in table.values() for line in at]

    assert lines
    assert {line.source for line in lines} <= set(book.SOURCES)
    if not code.startswith("SA-"):
        assert {line.source for line in lines} == {"printed"}


@pytest.mark.parametrize(
    ("code", "bets", "source"),
    cases("""
        SA-SB  | small big any_triple              | published | by the vendor's own page
        SA-SB  | triple number dsingle pair        | assumed   | nothing prints or forces them
        SA-RO  | straight column red               | forced    | one certified figure for all
        SA-XD  | 4R 3R1W 4W                        | published | by the vendor's own page
        SA-XD  | big small                         | forced    | by the certified maximum
        SA-XD  | odd even 2R2W 4R_or_4W            | assumed   | others would fit as well
        SA-FPC | symbol any_triple_symbol          | published | with the same bet text
        SA-FPC | double any_triple_color           | assumed   | inside the interval
        SA-PD  | player_1 player_1_pair            | printed   | in the report
        SA-BJ  | insurance                         | assumed   | customary
        SA-TP  | tie                               | assumed   | a placeholder
    """),
)
def test_the_source_of_a_bets_odds(code: str, bets: str, source: str) -> None:
    edition = rulebooks.in_force(code, DAY)

    for bet in bets.split():
        table = edition.paytables[edition.paytable]
        own = table.get(bet) or table[f"{bet}:4"]
        won = {line.source for line in own if line.odds.result == "win"}
        assert won == {source}, bet


def test_a_word_that_is_no_source_is_refused() -> None:
    with pytest.raises(book.BadRulebook, match="printed, forced, published, assumed"):
        book.source("guessed: by nobody")


@pytest.mark.parametrize(
    ("code", "told", "said"),
    cases("""
        SA-SB | bet b1 triple:2 100, close, shake 2-2-2 | odds assumed: not printed in SA-SB | a win at assumed odds
        SA-SB | bet b1 small 100, close, shake 4-1-2    | odds published: not printed in SA-SB | at published ones
    """),  # noqa: E501 (a row is a sentence)
)
def test_a_step_and_a_line_say_it(code: str, told: str, said: str) -> None:
    found = shaker_story.told(told, game=code)

    (line,) = explanation(found)["dues"]
    word = said.split()[1].rstrip(":")
    assert any(said in english(step.text) for step in found.steps)
    assert (found.dues[0].odds_source, line["odds_source"]) == (word, word)


@pytest.mark.parametrize(
    ("terms", "story"),
    [
        ({"game": "RO"}, "bet b1 p1 red 100, close, spin, turns 9, land 9"),
        ({"game": "SA-RO"}, "bet b1 p1 red 100, close, spin, turns 9, land 10"),
    ],
)
def test_what_is_printed_and_what_loses_need_no_word(terms: dict[str, Any], story: str) -> None:
    found = roulette_story.told(story, terms=terms)

    assert found.dues[0].odds_source == "printed"
    assert not any("not printed" in english(step.text) for step in found.steps)


def test_a_stake_that_goes_back_has_no_odds() -> None:
    found = shaker_story.told("close, bet b1 small 100, shake 4-1-2")

    assert found.dues[0].odds_source == ""


def test_a_racetrack_bet_has_the_weakest_source_of_its_pieces() -> None:
    found = roulette_story.told(
        "bet b1 p1 race:orphans 500, close, spin, turns 9, land 17", terms={"game": "SA-RO"}
    )

    assert found.dues[0].odds_source == "forced"
