"""Fish Prawn Crab, SA-FPC: the worked examples and every irregularity, right and breached."""

from typing import Any

import pytest

from replay import rulebooks
from replay.judge import Judgement
from replay.rulings import fish_prawn_crab
from tests.support import shaker_story
from tests.support.shaker_story import backs, flags
from tests.support.tables import cases


def told(story: str, **terms: Any) -> Judgement:
    return shaker_story.told(story, game="SA-FPC", **terms)


@pytest.mark.parametrize(
    ("bets", "shaken", "outcome", "money", "flagged"),
    cases("""
        symbol:fish 100 + symbol:tiger 100 | shake fish-crab-prawn, enter fish-crab-prawn \
| fish-crab-prawn | b1 win 100 200, b2 lose 0 0 | | 1 symbol once
        symbol:fish 100 | shake fish-crab-fish, enter fish-fish-crab \
| fish-crab-fish | b1 win 200 300 | | 2 symbol twice
        symbol:fish 100 + any_triple_symbol 100 + any_triple_color 100 \
| shake fish-fish-fish, enter fish-fish-fish \
| fish-fish-fish | b1 win 300 400, b2 win 3000 3100, b3 win 700 800 | | 3 both triple bets win
        any_triple_color 100 + any_triple_symbol 100 | shake fish-rooster-fish \
| fish-rooster-fish | b1 win 700 800, b2 lose 0 0 | | 4 color triple without symbol triple
        any_triple_color 50 | shake tiger-calabash-tiger \
| tiger-calabash-tiger | b1 win 350 400 | | 5 blue triple
        any_triple_color 50 | shake fish-rooster-crab \
| fish-rooster-crab | b1 lose 0 0 | | 6 two reds and one green
        double:fish+prawn 100 | shake prawn-tiger-fish \
| prawn-tiger-fish | b1 win 520 620 | | 7 specific double, third die free
        double:fish+prawn 100 | shake prawn-fish-fish \
| prawn-fish-fish | b1 win 520 620 | | 8 a repeated symbol pays once
        double:crab+rooster 100 | shake crab-crab-tiger \
| crab-crab-tiger | b1 lose 0 0 | | 9 specific double misses
        double:fish+prawn 3 + double:fish+prawn 1 | shake prawn-tiger-fish \
| prawn-tiger-fish | b1 win 16 19, b2 win 5 6 | | 10 rounding of 15.6 and 5.2
        symbol:crab 100 | shake crab-fish-fish overlap, again overlap, shake crab-crab-crab \
| crab-crab-crab | b1 win 300 400 | | 11 overlapping dice, then valid
        symbol:crab 100 \
| shake crab-fish-fish tumbles=2, enter crab-fish-fish, settled b1 100 0 100 \
| | b1 open 0 0 | MISPAY b1, RESHAKE_MISSED 0, RESULT_MISMATCH crab-fish-fish \
| 12 two tumbles entered as result
        symbol:crab 100 \
| shake crab-crab-fish not_flat, again not_flat, withdraw b1, shake tiger-fish-fish \
| tiger-fish-fish | b1 lose 0 0 | WITHDRAWAL_REFUSED b1 | 13 withdrawal before the re-shake
        double:prawn+fish 10 + double:fish+fish 10 | shake fish-fish-prawn \
| fish-fish-prawn | b1 refused 0 10, b2 refused 0 10 \
| ILLEGAL_POSITION b1, ILLEGAL_POSITION b2 | 14 wrong order and one symbol twice
    """),
)
def test_the_worked_examples(
    bets: str, shaken: str, outcome: str, money: str, flagged: str
) -> None:
    lines = [f"bet b{n} {bet}" for n, bet in enumerate(bets.split(" + "), 1)]

    found = told(", ".join([*lines, "close", shaken]))

    assert found.ruled.status == ("settled" if outcome else "unsettled")
    assert found.ruled.outcome == outcome
    assert backs(found) == money
    assert flags(found) == flagged


def on_crab(story: str) -> Judgement:
    """A round with 100 on the crab, told from its opening on."""
    return told(f"bet b1 symbol:crab 100, {story}")


@pytest.mark.parametrize(
    ("story", "due", "flagged", "clause"),
    cases("""
        close, shake crab-fish-tiger tumbles=3 | win 100 200 | | SA-FPC:5.2.3 | three are enough
        close, shake crab-fish-tiger tumbles=2, again tumbles, shake fish-fish-fish \
| lose 0 0 | | SA-FPC:5.2.3 | two are not
        close, shake crab-fish-tiger tumbles=2 | open 0 0 | RESHAKE_MISSED 0 \
| SA-FPC:5.5.2 | two and nothing more
        close, end | open 0 0 | RESHAKE_MISSED | SA-FPC:5.2.2 | closed without a shake
        close, start, end | open 0 0 | RESHAKE_MISSED 0 | SA-FPC:5.2.3 | closed while shaking
        close, shake crab-fish-tiger overlap, again overlap, shake fish-fish-fish \
| lose 0 0 | | SA-FPC:5.2.3 | overlap repeated
        close, shake crab-fish-tiger overlap, enter crab-fish-tiger, shake fish-fish-fish \
| lose 0 0 | RESHAKE_MISSED 0, RESULT_MISMATCH crab-fish-tiger | SA-FPC:5.2.3 | overlap taken
        close, shake crab-fish-tiger not_flat, shake fish-fish-fish | lose 0 0 | \
| SA-FPC:5.2.3 | not flat repeated
        close, shake crab-fish-tiger not_flat, enter crab-fish-tiger \
| open 0 0 | RESHAKE_MISSED 0, RESULT_MISMATCH crab-fish-tiger | SA-FPC:5.5.1 | not flat taken
        close, shake crab-fish-tiger, shake fish-fish-fish \
| win 100 200 | RESHAKE_UNFOUNDED 0 | SA-FPC:5.2.3 | a valid shake repeated
        close, withdraw b1, shake crab-fish-tiger | win 100 200 | WITHDRAWAL_REFUSED b1 \
| SA-FPC:5.2.3 | taken back late
        shake crab-fish-tiger, close | win 100 200 | SHAKE_BEFORE_CLOSE 0 \
| SA-FPC:5.2.3 | shaken before close
        close, shake crab-fish-tiger, enter tiger-crab-fish, settled b1 100 0 100 \
| win 100 200 | | SA-FPC:5.2.3 | entered in another order
        close, shake crab-fish-tiger, enter crab-crab-tiger, settled b1 200 0 100 \
| win 100 200 | MISPAY b1, RESULT_MISMATCH crab-crab-tiger | SA-FPC:5.2.3 | a wrong entry paid
        close, start, stop 5, enter crab-fish-tiger | win 100 200 | UNVERIFIABLE \
| SA-FPC:5.2.3 | the dealer alone
    """),
)
def test_every_irregularity(story: str, due: str, flagged: str, clause: str) -> None:
    found = on_crab(story)

    assert backs(found) == f"b1 {due}"
    assert flags(found) == flagged
    assert found.ruled.clauses[0] == clause


def test_before_close_a_wager_may_be_taken_back_and_a_late_one_is_refused() -> None:
    found = told(
        "bet b1 symbol:crab 5, withdraw b1, close, bet b2 symbol:crab 7, shake crab-crab-crab"
    )

    assert backs(found) == "b2 refused 0 7"
    assert flags(found) == "LATE_BET b2"


@pytest.mark.parametrize(
    ("witnesses", "status", "flagged"),
    cases("""
        shake crab-fish-tiger, camera tiger-crab-fish 0.97 | settled | | they agree
        shake crab-fish-tiger, camera tiger-crab-crab 0.97 | unknown | RESULT_UNKNOWN 0 | differ
        shake crab-fish-tiger, camera tiger-crab-crab 0.80 | settled | | an unsure camera
        shake crab-fish-coin, camera crab-fish-tiger 0.97  | settled \
| WORD_UNKNOWN faces.crab-fish-coin | a coin is no reading
        start, stop 5                       | unknown | RESULT_UNKNOWN 0 | nobody read the dice
    """),
)
def test_the_dice_are_what_the_witnesses_agree_on(
    witnesses: str, status: str, flagged: str
) -> None:
    found = on_crab(f"close, {witnesses}")

    assert found.ruled.status == status
    assert backs(found) == ("b1 win 100 200" if status == "settled" else "")
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("faces", "colors", "triple", "paid"),
    cases("""
        fish-rooster-fish |                                        |          | 700  | red
        fish-rooster-fish | fish+prawn/calabash+tiger/crab+rooster |          | 0    | others
        fish-prawn-fish   | fish+prawn/calabash+tiger/crab+rooster |          | 700  | one color
        fish-fish-fish    |                                        |          | 700  | it counts
        fish-fish-fish    |                                        | excluded | 0    | excepted
        fish-rooster-fish |                                        | excluded | 1000 | pays more
    """),
)
def test_the_color_bet_by_posted_readings(faces: str, colors: str, triple: str, paid: str) -> None:
    readings = {"colors": colors, "symbol_triple": triple}
    posted = {name: reading for name, reading in readings.items() if reading}

    found = told(f"bet b1 any_triple_color 100, close, shake {faces}", readings=posted)

    assert str(found.dues[0].paid) == paid


def test_a_round_says_which_readings_it_rests_on() -> None:
    def relied(bet: str, story: str) -> set[str]:
        return set(told(f"bet b1 {bet} 100, close, {story}").ruled.readings)

    assert relied("any_triple_color", "shake fish-rooster-fish") == {"colors", "symbol_triple"}
    assert relied("any_triple_color", "shake fish-crab-fish") == {"colors"}
    assert relied("any_triple_color", "shake fish-fish-fish") == {"symbol_triple"}
    assert relied("any_triple_color", "shake fish-crab-tiger") == set()
    assert relied("symbol:fish", "shake fish-rooster-fish") == set()
    assert relied("symbol:fish", "enter fish-rooster-fish") == {"observation"}


def test_all_fifteen_ways_to_pair_the_symbols_may_be_posted() -> None:
    issue = rulebooks.in_force("SA-FPC", "2026-03-01").issues["colors"]
    pairings = {
        frozenset(frozenset(pair.split("+")) for pair in reading.split("/"))
        for reading in (issue.reading, *issue.alternatives)
    }

    assert len(pairings) == 15
    assert all(len(set().union(*pairs)) == 6 for pairs in pairings)


@pytest.mark.parametrize(
    ("entry", "word"),
    cases("""
        crab-fish-fish      | fish-fish-crab      | in the order of the layout
        Crab, Fish, Fish    | fish-fish-crab      | with commas and capitals
        rooster tiger prawn | prawn-tiger-rooster | with spaces
        crab-fish           | crab-fish           | a die short
        crab-fish-coin      | crab-fish-coin      | no such symbol
    """),
)
def test_an_entry_as_one_word(entry: str, word: str) -> None:
    assert fish_prawn_crab.said(entry) == word
