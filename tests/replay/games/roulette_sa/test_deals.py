"""SA Roulette: the worked examples of the rulebook page, its re-spins and its wagers."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulings import roulette_sa
from tests.support import roulette_story
from tests.support.english import english
from tests.support.roulette_story import backs, flags
from tests.support.tables import cases, judged


def told(story: str, **terms: Any) -> Judgement:
    return roulette_story.told(story, terms={"game": "SA-RO"} | terms)


def after_close(story: str, bet: str = "low 100", **terms: Any) -> Judgement:
    """A round with one bet, told from the end of the countdown on."""
    return told(f"bet b1 p1 {bet}, close, {story}", **terms)


@pytest.mark.parametrize(
    ("bets", "story", "outcome", "due", "flagged"),
    cases("""
        straight:17 100, split:17-20 100, odd 500, dozen:1 100 | spin, turns 9, land 17, result 17 \
| 17 black | win 3500 3600, win 1700 1800, win 500 1000, lose 0 0 | | example 1
        race:neighbours_of_zero 900 | spin, turns 9, land 0, result 0 | 0 green | win 2200 2400 | | example 2
        race:neighbours_of_zero 900 | spin, turns 9, land 26, result 26 | 26 black | win 1600 1800 | | example 3
        race:neighbours_of_zero 900 | spin, turns 9, land 4, result 4 | 4 black | win 1700 1800 | | example 4
        race:orphans 500 | spin, turns 9, land 17, result 17 | 17 black | win 3400 3600 | | example 5
        race:orphans 500 | spin, turns 9, land 1, result 1 | 1 red | win 3500 3600 | | example 6
        race:third 300 | spin, turns 9, land 36, result 36 | 36 red | win 850 900 | | example 7
        race:jeu_zero 100 | spin, turns 9, land 26, result 26 | 26 black | win 875 900 | | example 8
        race:neighbours:17:3 700 | spin, turns 9, land 25, result 25 | 25 red | win 3500 3600 | | example 9
        race:neighbours:0:9 190 | spin, turns 9, land 9, result 9 | 9 red | lose 0 0 | | example 10
        red 300, black 300 | spin, turns 4, land 9, spin, turns 7, land 2, result 2 \
| 2 black | lose 0 0, win 300 600 | | example 11
        red 300 | spin, turns 5, land 16, result 16 | 16 red | win 300 600 | | example 12
        straight:9 100 | spin, seen ball_out, spin anticlockwise, turns 8, land 5, spin, turns 8, land 9, result 9 \
| 9 red | win 3500 3600 | | example 13
        low 100 | spin, seen malfunction, turns 8, land 9, result 9, settle b0 100 100 | | open 0 0 \
| MISPAY b0, RESPIN_MISSED 0, RESULT_MISMATCH 9 | example 14
        low 100 | spin, turns 8, land 9, spin, turns 8, land 33, result 33, settle b0 0 0 100 | 9 red | win 100 200 \
| MISPAY b0, RESPIN_UNFOUNDED 0, RESULT_MISMATCH 33 | example 15
        straight:5 100, race:neighbours:5:10 100, race:tiers 100 | spin, turns 8, land 5, result 5 \
| 5 red | win 3500 3600, refused 0 100, refused 0 100 | ILLEGAL_POSITION b1, ILLEGAL_POSITION b2 | example 16
    """),  # noqa: E501  (a row is a line of the page)
)
def test_the_worked_examples(bets: str, story: str, outcome: str, due: str, flagged: str) -> None:
    placed = [f"bet b{n} p1 {bet}" for n, bet in enumerate(bets.split(","))]

    found = told(f"{','.join(placed)}, close, {story}")

    assert found.ruled.status == ("settled" if outcome else "unsettled")
    assert found.ruled.outcome == outcome
    assert ", ".join(f"{at.outcome} {at.paid} {at.back}" for at in found.dues) == due
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("bet", "pocket", "odds", "clauses"),
    cases("""
        split:17-20             | 17 | 17 | SA-RO:7.4.2 SA-RO:7.2.4              | a win
        even                    | 17 |    | SA-RO:7.4.10                         | a loss
        red | 0 | | SA-RO:7.4.8 | an even chance on zero
        first_four:0-1-2-3      | 0  | 8  | SA-RO:7.4.4 SA-RO:7.2.4              | four numbers
        race:orphans | 1 | 35 | SA-RO:7.5.2 SA-RO:7.4.1 SA-RO:7.2.4 SA-RO:7.4.2 | a section
        race:neighbours:17:2 | 3 | | SA-RO:7.5.5 SA-RO:7.4.1 | neighbours that lose
    """),
)
def test_odds_and_clauses(bet: str, pocket: str, odds: str, clauses: str) -> None:
    (due,) = after_close(f"spin, turns 8, land {pocket}", f"{bet} 900").dues

    assert due.odds == odds
    assert " ".join(due.clauses) == clauses


def test_what_a_section_keeps_and_gives_back() -> None:
    (due,) = after_close("spin, turns 8, land 0", "race:neighbours_of_zero 900").dues

    assert (due.gross_win, due.paid, due.collected, due.returned) == (2200, 2200, 700, 200)


@pytest.mark.parametrize(
    ("story", "clauses"),
    cases("""
        spin, seen ball_out, land 9                  | 7.3.a         | the ball leaves the wheel
        spin, turns 4, land 9                        | 7.3.b         | four revolutions
        spin, turns 1, turns 2, turns 3, land 9      | 7.3.b         | counted while it runs
        spin, turns 8, call dealer 7.3.c spinning    | 7.3.c         | it never drops
        spin, seen floater                           | 7.3.c         | along the edge
        spin anticlockwise, turns 8, land 9          | 7.3.d         | with the wheel
        spin, turns 8, seen malfunction, land 9      | 7.3.e         | ball or wheel fails
        spin, turns 8, land 9, seen malfunction      | 7.3.e         | noticed when it lies
        spin, turns 8, seen wheel_stopped, land 9    | 7.3.f         | the wheel stops first
        spin anticlockwise, turns 3, seen ball_out   | 7.3.a 7.3.b 7.3.c 7.3.d | all at once
    """),
)
def test_a_spin_that_does_not_count_is_repeated_with_all_bets_standing(
    story: str, clauses: str
) -> None:
    repeated = after_close(f"{story}, spin, turns 8, land 2, result 2, end")
    ignored = after_close(f"{story}, end")
    taken = after_close(f"{story}, result 9, end")

    assert (repeated.ruled.outcome, backs(repeated)) == ("2 black", "b1 win 100 200")
    assert flags(repeated) == ""
    assert (ignored.ruled.status, backs(ignored)) == ("unsettled", "b1 open 0 0")
    assert flags(ignored) == "RESPIN_MISSED 0"
    assert flags(taken) == "RESPIN_MISSED 0, RESULT_MISMATCH 9"
    expected = [f"SA-RO:{clause}" for clause in clauses.split()]
    assert list(ignored.ruled.clauses) == [*expected, "SA-RO:7.3"]
    assert ignored.dues[0].clauses == ignored.ruled.clauses
    assert ignored.flags[0].clause == expected[0]


@pytest.mark.parametrize(
    "story",
    cases("""
        spin, turns 5, land 9                             | five revolutions are enough
        spin, land 9                                      | nobody counted
        spin, turns 0, turns 1, turns 2, turns 3, turns 4, turns 5, land 9 | its last count
        spin, turns 8, land 9, seen wheel_stopped         | the wheel stops when the ball lies
        spin, turns 9, seen floater, turns 9, land 9      | it drops in the end
        spin, turns 8, land 9, result 9, seen malfunction | when all is confirmed
        spin, turns 8, seen interference, land 9          | not said to have touched anything
        turns 8, land 9                                   | its release was not seen
        turns 3, land 5, turns 8, land 9                  | nor that of the one before
        spin, turns 8, land 9, land 9                     | read twice
    """),
)
def test_a_spin_that_counts(story: str) -> None:
    found = after_close(f"{story}, end")

    assert (found.ruled.outcome, flags(found)) == ("9 red", "")


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        spin, turns 8, land 9, spin, turns 8, land 33         | UNFOUNDED 0           | repeated
        spin, turns 8, land 9, call dealer suspected landed   | UNFOUNDED 0           | announced
        spin, turns 8, land 9, spin, turns 3 | UNFOUNDED 0 | decided already
        spin, turns 8, land 9, spin, land 1, spin, land 2     | UNFOUNDED 0, UNFOUNDED 1 | twice
        spin, turns 3, land 5, spin, land 9, spin, land 33 | UNFOUNDED 1 | after a good cause
        spin, turns 3, land 5, result 5, spin, land 9, result 9 | MISSED 0 | confirmed too soon
        call dealer suspected spinning, spin, turns 8, land 9 | NO_SPIN_TOO_EARLY 0 | before it
        spin, call dealer ball_out spinning, spin, land 9 | | called off in time
    """),
)
def test_the_first_spin_that_counts_decides(story: str, flagged: str) -> None:
    found = after_close(f"{story}, end")

    assert found.ruled.outcome == "9 red"
    assert flags(found).replace("RESPIN_", "") == flagged


@pytest.mark.parametrize(
    ("story", "outcome", "flagged"),
    cases("""
        spin, turns 8, land ?, dolly 9             | 9 red | UNVERIFIABLE     | the dealer alone
        dolly 9, result 9 red | 9 red | UNVERIFIABLE | nothing but the dealer
        spin, turns 8, land ?                      |       | RESULT_UNKNOWN 0 | nobody read it
        spin, turns 8, land ?, dolly 9, result 10  |       | RESULT_UNKNOWN 0 | the dealer twice
        spin, turns 8, land ?, result red          |       | RESULT_UNKNOWN 0 | no number in it
        spin, turns 8, land 37, dolly 9            |       | RESULT_UNKNOWN 0 | no such pocket
        spin, turns 8, land 9, land 33             |       | RESULT_UNKNOWN 0 | two readings
        spin, turns 8, land ?, spin, land 9        |       | RESULT_UNKNOWN 0 | it may have counted
    """),
)
def test_the_pocket_is_what_was_read(story: str, outcome: str, flagged: str) -> None:
    found = after_close(f"{story}, end")

    assert found.ruled.status == ("settled" if outcome else "unknown")
    assert found.ruled.outcome == outcome
    assert flags(found).replace("UNVERIFIABLE ", "UNVERIFIABLE") == flagged


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        result 9                | | as it fell
        result 9 red, board 9   | | said and shown
        dolly 33                | RESULT_MISMATCH 33 | marked wrongly
        dolly 33, result 33     | RESULT_MISMATCH 33 | marked and said wrongly, told once
        result 33, result 9     | | put right
        result 9, board 33      | RESULT_MISMATCH 33 | a wrong display
        result 9 black          | RESULT_MISMATCH 9 black | SA-RO:7.2.3 another colour
        result 9, board 9 black | RESULT_MISMATCH 9 black | SA-RO:7.2.3 shown with another colour
        result no spin          | RESULT_MISMATCH    | as if it had not counted
        settle b1 100 100       | | paid as due
        settle b1 99 100        | MISPAY b1 | one short
        withdraw b1             | LATE_ACTION b1 | taken back
        raise b1 900            | LATE_ACTION b1 | raised
        move b1 high            | LATE_ACTION b1 | moved
        voided                  | RESULT_MISMATCH void | declared void for nothing
    """),
)
def test_what_people_do_about_it_changes_nothing(story: str, flagged: str) -> None:
    found = after_close(f"spin, turns 8, land 9, {story}")

    assert backs(found) == "b1 win 100 200"
    assert flags(found).strip() == flagged


@pytest.mark.parametrize(
    ("story", "status", "flagged"),
    cases("""
        bet b1 p1 low 100                           | unsettled |               | still betting
        bet b1 p1 low 100, close, spin              | unsettled |               | the ball runs
        bet b1 p1 low 100, close, spin, turns 3     | unsettled |               | and is counted
        bet b1 p1 low 100, close, end | unsettled | RESPIN_MISSED | ended without a spin
        close, end                                  | unsettled | RESPIN_MISSED | nobody bet
    """),
)
def test_a_round_without_a_result(story: str, status: str, flagged: str) -> None:
    found = told(story)

    assert found.ruled.status == status
    assert {due.outcome for due in found.dues} <= {"open"}
    assert flags(found).strip() == flagged


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        withdraw b1, close         |                |                     | taken back
        raise b1 300, close        | b1 win 300 600 |                     | raised
        move b1 high, close        | b1 lose 0 0    |                     | moved
        move b1 split:3-4, close   | b1 win 100 200 | ILLEGAL_POSITION b1 | moved nowhere
        move b1 race:third, close  | b1 win 100 200 | ILLEGAL_POSITION b1 | not in six chips
    """),
)
def test_until_the_countdown_ends_a_wager_is_the_players_own(
    story: str, due: str, flagged: str
) -> None:
    found = told(f"bet b1 p1 low 100, {story}, spin, turns 8, land 9")

    assert (backs(found), flags(found)) == (due, flagged)


@pytest.mark.parametrize("kind", ["malfuntion", "Floater"])
def test_a_disturbance_in_no_known_word_is_told(kind: str) -> None:
    sheet = roulette_story.sheet("bet b1 p1 red 100, close, spin, seen IT, turns 9, land 9, end")
    disturbed = next(at for at in sheet["events"] if at["type"] == "SpinDisturbed")
    disturbed["kind"] = kind

    found = judged(sheet | {"terms": {"game": "SA-RO", "currency": "VND"}})

    assert (backs(found), flags(found)) == ("b1 win 100 200", f"WORD_UNKNOWN seen.{kind}")
    assert [flag.clause for flag in found.flags] == ["SA-RO:7.2.3"]
    assert any(disturbed["kind"] in english(step.text) and step.evidence for step in found.steps)


def test_a_second_number_names_no_pocket() -> None:
    found = told("bet b1 p1 red 100, close, spin, turns 9, land 9, result 9 16, end")
    alone = told("bet b1 p1 red 100, close, spin, turns 9, land ?, result 9 16, end")

    assert (backs(found), flags(found)) == ("b1 win 100 200", "RESULT_MISMATCH 9 16")
    assert alone.ruled.status == "unknown"


def test_a_late_wager_is_refused_even_where_the_round_stays_open() -> None:
    found = told("bet b1 p1 low 100, close, bet b2 p2 high 50, spin, turns 3, end")

    assert backs(found) == "b1 open 0 0, b2 refused 0 50"
    assert flags(found) == "LATE_BET b2, RESPIN_MISSED 0"


@pytest.mark.parametrize(
    ("posted", "bet", "story", "usual", "other"),
    cases("""
        zero_bets not_offered | split:0-2 100 | spin, land 2 | settled win | settled refused | no zero split
        zero_bets not_offered | split:0-1 100 | spin, land 1 | settled win | settled win | shown in the text
        unsettled void_as_declared | low 100 | spin, turns 3, voided | unsettled open | unsettled-void void | declared void
        unsettled void_as_declared | low 100 | spin, land 9, voided | settled win | settled win | a good spin stands
        never_landed as_confirmed | low 100 | spin, turns 8, result 9 | unsettled open | settled win | a lost reading
        malfunction any_disturbance | low 100 | spin, seen interference, land 9, spin, land 20 | settled win | settled lose | interference
        dealer_alone unknown | low 100 | spin, land ?, dolly 9 | settled win | unknown | the dealer alone
    """),  # noqa: E501
)
def test_another_reading(posted: str, bet: str, story: str, usual: str, other: str) -> None:
    issue, reading = posted.split()

    def said(found: Judgement) -> str:
        return " ".join([found.ruled.status, *(due.outcome for due in found.dues)])

    one = after_close(story, bet)
    changed = after_close(story, bet, readings={issue: reading})

    assert said(one) == usual
    assert said(changed) == other.replace("unsettled-", "")
    if usual != other:
        assert one.ruled.readings[issue] != changed.ruled.readings[issue] == reading


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        17       | 17  | the number
        17 black | 17  | with its colour
        17 black odd low | 17 | with all that is true of it
        17 red   | 17 red | SA-RO:7.4.8 with another colour
        17 even  | 17 even | SA-RO:7.4.10 with what it is not
        0 red    | 0 red | SA-RO:7.4.8 zero is green
        17 wins  | 17  | with another word
        Zero     | 0   | in a word
        017      | 17  | with a zero too many
        no spin  |     | nothing won
        red      | red | no number
    """),
)
def test_a_confirmed_result_as_one_word(called: str, word: str) -> None:
    assert roulette_sa.said(called) == word


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        bet b1 p1 race:orphans 500, move b1 race:third  | race:orphans 500 win 3400 3600 | ILLEGAL_POSITION b1 | no whole chips there
        bet b1 p1 race:orphans 500, raise b1 501        | race:orphans 500 win 3400 3600 | ILLEGAL_POSITION b1 | no whole chips of it
        bet b1 p1 black 500, move b1 race:third         | black 500 win 500 1000         | ILLEGAL_POSITION b1 | off the layout
        bet b1 p1 race:orphans 500, move b1 race:tiers  | race:orphans 500 win 3400 3600 | ILLEGAL_POSITION b1 | a place it has not
        bet b1 p1 race:orphans 500, raise b1 1000       | race:orphans 1000 win 6800 7200 |                    | two chips each
        bet b1 p1 race:third 500, raise b1 600          | race:third 600 lose 0 0        |                     | mended in time
    """),  # noqa: E501  (a row is a sentence)
)
def test_an_illegal_move_leaves_the_bet_where_it_was(story: str, due: str, flagged: str) -> None:
    found = told(f"{story}, close, spin, turns 9, land 17")

    (line,) = found.dues
    assert f"{line.bet} {line.stake} {line.outcome} {line.paid} {line.back}" == due
    assert flags(found) == flagged
    assert "racetrack_stake" in found.ruled.readings


@pytest.mark.parametrize(
    ("placed", "flagged"),
    cases("""
        bet b1 p1 split:17-19 100, close | ILLEGAL_POSITION b1, LATE_ACTION b1 | an illegal chip
        bet b1 p1 race:third 100, close  | ILLEGAL_POSITION b1, LATE_ACTION b1 | no whole chips
        close, bet b1 p1 black 100       | LATE_BET b1                         | a late one is refused anyway
    """),  # noqa: E501  (a row is a sentence)
)
@pytest.mark.parametrize("done", ["move b1 straight:17", "withdraw b1"])
def test_a_late_action_on_a_refused_wager_is_told(placed: str, flagged: str, done: str) -> None:
    found = told(f"{placed}, {done}, spin, turns 9, land 17")

    assert backs(found) == "b1 refused 0 100"
    assert flags(found) == flagged
