"""Xoc Dia, SA-XD: the worked examples and every special case, right and breached."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulings import xoc_dia
from tests.support import shaker_story
from tests.support.english import english
from tests.support.shaker_story import backs, flags
from tests.support.tables import cases

SHAKE = "start, stop 0"


def told(story: str, **terms: Any) -> Judgement:
    """A story in which `shaken` is a shake from its start to its end."""
    return shaker_story.told(story.replace("shaken", SHAKE), game="SA-XD", **terms)


# Each of these is a plain round; the bets are of 100 unless a stake stands beside them.
@pytest.mark.parametrize(
    ("faces", "bets", "money"),
    cases("""
        RRRR | 4R, 4R_or_4W, even, big, small | 1400 1500, 650 750, 96 196, 96 196, 0 0 | 1 four red
        RWRR | 3R1W, odd, big, even           | 280 380, 96 196, 96 196, 0 0     | 2 three red
        RWWR | 2R2W, big, small, even, odd    | 150 250, 0 100, 0 100, 96 196, 0 0 | 3 two and two
        WWRW | 1R3W, small, odd               | 280 380, 96 196, 96 196          | 4 one red
        WWWW | 4W, 4R_or_4W, small, even, big | 1400 1500, 650 750, 96 196, 96 196, 0 0 | 5 white
        RRRW | odd 13, 3R1W 3                 | 12 25, 8 11           | 6 rounding of 12.48 and 8.4
        RRWW | 2R2W 5                         | 8 13                  | 7 rounding of 7.5
        WWWW | 4R_or_4W 3                     | 20 23                 | 8 rounding of 19.5
    """),
)
def test_the_worked_examples_of_plain_rounds(faces: str, bets: str, money: str) -> None:
    rows = [(bet if " " in bet else f"{bet} 100") for bet in bets.split(", ")]
    placed = ", ".join(f"bet b{n} {row}" for n, row in enumerate(rows, 1))

    found = told(f"{placed}, shaken, close, bowl, tokens {faces}, enter {faces}")

    assert (found.ruled.status, found.ruled.outcome) == ("settled", faces)
    assert ", ".join(f"{due.paid} {due.back}" for due in found.dues) == money
    assert flags(found) == ""


def test_big_and_small_are_returned_on_two_and_two() -> None:
    found = told("bet b1 big 100, bet b2 small 100, shaken, close, bowl, tokens RWWR")

    assert backs(found) == "b1 push 0 100, b2 push 0 100"
    assert [due.clauses for due in found.dues] == [("SA-XD:11.3.9",), ("SA-XD:11.3.10",)]


@pytest.mark.parametrize(
    ("story", "outcome", "money", "flagged"),
    cases("""
        bet b1 big 100, shaken, close, bowl, tokens RRRW overlapping, stick RRRW, enter RRRW \
| RRRW | b1 win 96 196 | | 9 overlapping tokens separated
        bet b1 big 100, shaken, close, bowl, tokens RRRW overlapping, stick RRWW, enter RRRW \
| RRRW | b1 win 96 196 | REARRANGE_CHANGED_OUTCOME 0 | 10 a token flips
        bet b1 4W 10, start, drop token, shaken, close, bowl, tokens WWWW, enter WWWW \
| WWWW | b1 win 140 150 | | 11 a token dropped while shaking
        bet b1 odd 100, shaken, close, bowl, tokens RRRW standing=1, shaken, bowl, tokens RWWW, \
enter RWWW | RWWW | b1 win 96 196 | | 12 a standing token
        bet b1 odd 100, shaken, close, bowl, tokens RRRW standing=1, enter RRRW, \
settled b1 96 0 100 | unsettled | b1 open 0 0 \
| MISPAY b1, RESHAKE_MISSED standing, RESULT_MISMATCH RRRW \
| 13 a standing token taken
        bet b1 4R 100, bet b2 odd 50, close, bowl, tokens RRRR \
| void | b1 void 0 100, b2 void 0 50 | ROUND_VOID not_shaken | 14 forgot to shake
        bet b1 4R 100, shaken, bowl, close, tokens RRRR \
| void | b1 void 0 100 | ROUND_VOID early_reveal | 15 bowl lifted before close
        bet b1 big 100, shaken, close, bowl touched, tokens RRRW, shaken, bowl, tokens RRRR, \
enter RRRR | void | b1 void 0 100 \
| PLAY_AFTER_VOID 0, RESULT_MISMATCH RRRR, ROUND_VOID bowl_touched \
| 16 bowl touches a token and play goes on
        bet b1 big 100, shaken, close, bowl touched, tokens RRRW standing=1 \
| void | b1 void 0 100 | ROUND_VOID bowl_touched | 17 void wins over re-shake
        bet b1 small 100, shaken, close, bowl, tokens WWWR, shaken, bowl, tokens RRRR, enter WWWR \
| WWWR | b1 win 96 196 | RESHAKE_UNFOUNDED 0 | 18 a valid throw repeated
    """),
)
def test_the_worked_examples_of_special_cases(
    story: str, outcome: str, money: str, flagged: str
) -> None:
    found = told(story)

    assert (found.ruled.outcome or found.ruled.status) == outcome
    assert backs(found) == money
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "verdict", "flagged", "clause"),
    cases("""
        start, drop bowl, stop 0, start, stop 0, close, bowl, tokens RRRW \
| win 96 196 | | SA-XD:11.2.3 | a drop, a re-shake
        start, drop bowl, again dropped, start, stop 0, close, bowl, tokens RRRW \
| win 96 196 | | SA-XD:11.2.3 | a drop, announced
        start, drop plate, stop 0, close, bowl, tokens RRRW, enter RRRW \
| void 0 100 | RESULT_MISMATCH RRRW, ROUND_VOID not_shaken | SA-XD:11.4.4 | a drop ignored
        start, drop plate, close | open 0 0 | RESHAKE_MISSED dropped | SA-XD:11.4.2 | and the end
        drop token, shaken, close, bowl, tokens RRRW | win 96 196 | | SA-XD:11.2.3 | before it all
        shaken, close, bowl, tokens RRRW, enter RRRW, drop plate | win 96 196 | \
| SA-XD:11.2.3 | after the result
        shaken, close, bowl, tokens RRRW, board RRRW, drop plate | win 96 196 | \
| SA-XD:11.2.3 | after the board showed it
        shaken, close, bowl, tokens RRRW, settled b1 96 0 100, drop plate | win 96 196 | \
| SA-XD:11.2.3 | after it was paid
        shaken, close, bowl, tokens RRRW, drop plate, enter RRRW | void 0 100 \
| RESULT_MISMATCH RRRW, ROUND_VOID bowl_touched | SA-XD:11.4.5 | between looking and entering
        shaken, close, bowl, tokens RRRW standing=1, again standing, drop bowl, shaken, bowl, \
tokens RRRW | win 96 196 | | SA-XD:11.2.3 | while a re-shake was prepared
        shaken, close, drop bowl, shaken, bowl, tokens RRRR, enter RRRR, settled b1 96 0 100, end \
| void 0 100 | MISPAY b1, PLAY_AFTER_VOID 0, RESULT_MISMATCH RRRR, ROUND_VOID bowl_touched \
| SA-XD:11.4.5 | shaken again after a later drop
        shaken, drop bowl, start, drop bowl, shaken, close, bowl, tokens RRRR | void 0 100 \
| PLAY_AFTER_VOID 0, ROUND_VOID bowl_touched | SA-XD:11.4.5 | the first of two drops
        shaken, drop bowl, close, bowl, tokens RRRW | void 0 100 | ROUND_VOID bowl_touched \
| SA-XD:11.4.5 | between shaking and looking
        shaken, start, drop bowl, start, stop 0, close, bowl, tokens RRRW | win 96 196 | \
| SA-XD:11.2.3 | dropped in a second go
        close, bowl, tokens RRRW | void 0 100 | ROUND_VOID not_shaken | SA-XD:11.4.4 | not shaken
        start, close, bowl, tokens RRRW | void 0 100 | ROUND_VOID not_shaken \
| SA-XD:11.4.4 | never came to its end
        close, tokens RRRW | void 0 100 | ROUND_VOID not_shaken | SA-XD:11.4.4 | no bowl was seen
        close, eye RRRW 0.97 | void 0 100 | ROUND_VOID not_shaken | SA-XD:11.4.4 | by the camera
        shaken, close, tokens RRRW | win 96 196 | | SA-XD:11.2.3 | shaken, no bowl was seen
        shaken, bowl, tokens RRRW, close | void 0 100 | ROUND_VOID early_reveal \
| SA-XD:11.4.4 | revealed early
        shaken, tokens RRRW, close, bowl | void 0 100 | ROUND_VOID early_reveal \
| SA-XD:11.4.4 | read before the close
        shaken, close, bowl touched, tokens RRRW | void 0 100 | ROUND_VOID bowl_touched \
| SA-XD:11.4.5 | touched
        shaken, close, bowl touched, tokens RRRW, enter RRRW, settled b1 96 0 100 | void 0 100 \
| MISPAY b1, RESULT_MISMATCH RRRW, ROUND_VOID bowl_touched | SA-XD:11.4.5 | touched and paid
        bowl touched, close | void 0 100 | ROUND_VOID not_shaken | SA-XD:11.4.4 | three at once
        shaken, close, bowl, tokens RRRW standing=2, again standing, bowl, tokens RRRW \
| void 0 100 | ROUND_VOID not_shaken | SA-XD:11.4.4 | announced and not shaken
        shaken, close, bowl, tokens unread standing=1, shaken, bowl, tokens RRRW \
| win 96 196 | | SA-XD:11.2.3 | standing, repeated
        shaken, close, bowl, tokens RRRW standing=1, enter RRRW, shaken, bowl, tokens RRWW, \
enter RRWW | push 0 100 | RESHAKE_MISSED standing | SA-XD:11.2.3 | taken, then repeated
        shaken, shaken, close, bowl, tokens RRRW | win 96 196 | | SA-XD:11.2.3 | shaken longer
        shaken, close | open 0 0 | | SA-XD:11.2.3 | not revealed yet
        | open 0 0 | | SA-XD:11.2.3 | nothing at all
    """),
)
def test_each_throw_is_judged_in_its_order(
    story: str, verdict: str, flagged: str, clause: str
) -> None:
    found = told(f"bet b1 big 100, {story}")

    assert backs(found) == f"b1 {verdict}"
    assert flags(found) == flagged
    assert found.ruled.clauses[0] == clause


@pytest.mark.parametrize(
    ("plate", "outcome", "flagged"),
    cases("""
        tokens RRRW overlapping, stick RRRW      | RRRW | | separated
        tokens RRRW overlapping                  | RRRW | NOT_REARRANGED 0 | left so
        tokens RRRW, stick WRRR                  | RRRW | REARRANGE_UNFOUNDED 0 | nothing overlapped
        tokens RRRW, stick RRRR | RRRW \
| REARRANGE_CHANGED_OUTCOME 0, REARRANGE_UNFOUNDED 0 | no reason and a flip
        tokens RRRW overlapping, stick RRRW, tokens RRWW | RRRW | REARRANGE_CHANGED_OUTCOME 0 \
| the sensor saw the flip
        tokens RRRW overlapping, stick RRWW, stick RRRW | RRRW | REARRANGE_CHANGED_OUTCOME 0 \
| turned and turned back
        tokens RRRW overlapping, stick RRRW, stick WRRR | RRRW | | separated in two steps
        tokens unread overlapping, stick RRRW    | RRRW | | read after the stick
        tokens unread overlapping, stick RRRW, stick RRWW | | RESULT_UNKNOWN 0 \
| never read before and changed
        eye RRRW 0.97, stick RRRW                | RRRW | | a camera does not see overlaps
        tokens unread overlapping, report token_flipped, stick RRRW |      | RESULT_UNKNOWN 0 \
| flipped and never read before
        tokens RRRW overlapping, report token_flipped, stick RRWW | RRRW \
| REARRANGE_CHANGED_OUTCOME 0 | flipped and read before
        tokens unread overlapping | | NOT_REARRANGED 0, RESULT_UNKNOWN 0 | nobody could read it
    """),
)
def test_overlapping_tokens_count_as_they_lay(plate: str, outcome: str, flagged: str) -> None:
    found = told(f"bet b1 big 100, shaken, close, bowl, {plate}")

    assert found.ruled.outcome == outcome
    assert backs(found) == ("b1 win 96 196" if outcome else "")
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("witnesses", "status", "flagged"),
    cases("""
        tokens RRRW, eye R-W-R-R 0.97  | settled | | another order, the same reds
        tokens RRRW, eye R-R-R-R 0.97  | unknown | RESULT_UNKNOWN 0 | other reds
        tokens RRRW, eye R-R-R-R 0.80  | settled | | an unsure camera
        eye R-R-R-W 0.90               | settled | | the camera alone
        tokens RRR, eye RRRW 0.95      | settled | | three tokens are no reading
        enter RRRW                     | settled | UNVERIFIABLE | the dealer alone
        enter big                      | unknown | RESULT_UNKNOWN 0 | an entry without tokens
        tokens RRRW, enter WRRR        | settled | | only the reds matter
        tokens RRRW, enter 3R1W        | settled | | by the name of the bet
        tokens RRRW, enter RRWW        | settled | RESULT_MISMATCH RRWW | a wrong entry
        tokens RRRW, enter RRWW, enter RRRW | settled | | put right
        tokens RRRW, enter RRRW, board RRRR | settled | RESULT_MISMATCH RRRR | a wrong display
    """),
)
def test_the_tokens_are_what_the_witnesses_agree_on(
    witnesses: str, status: str, flagged: str
) -> None:
    found = told(f"bet b1 big 100, shaken, close, bowl, {witnesses}")

    assert found.ruled.status == status
    assert backs(found) == ("b1 win 96 196" if status == "settled" else "")
    assert flags(found) == flagged


def test_by_the_dealers_word_a_throw_is_repeated_where_nobody_else_saw_it() -> None:
    found = told("bet b1 big 100, shaken, close, bowl, again standing, shaken, bowl, tokens RRRW")

    assert (backs(found), flags(found)) == ("b1 win 96 196", "")
    assert "standing, by the dealer's word" in english(found.steps[0].text)


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        withdraw b1, shaken, close, bowl, tokens RRRW |               | | taken back in time
        shaken, close, withdraw b1, bowl, tokens RRRW | b1 win 96 196 | WITHDRAWAL_REFUSED b1 | late
        shaken, close, stake b1 900, bowl, tokens RRRW | b1 win 96 196 | LATE_BET b1 | raised late
        shaken, close, bet b2 big 5, bowl, tokens RRRW \
| b1 win 96 196, b2 refused 0 5 | LATE_BET b2 | placed late
        move b1 tie, shaken, close, bowl, tokens RRRW | b1 win 96 196 | ILLEGAL_POSITION b1 | moved
        bet b2 5R 5, shaken, close, bowl, tokens RRRW \
| b1 win 96 196, b2 refused 0 5 | ILLEGAL_POSITION b2 | no such position
        bet b2 5R 5, close, bowl, tokens RRRW \
| b1 void 0 100, b2 refused 0 5 | ILLEGAL_POSITION b2, ROUND_VOID not_shaken | in a void round
        shaken, close, bowl, tokens RRRW, settled b1 96 0 100 | b1 win 96 196 | | paid as due
        shaken, close, bowl, tokens RRRW, settled b1 95 0 100 | b1 win 96 196 | MISPAY b1 | short
        shaken, close, bowl, tokens RRWW, settled b1 0 100 0 | b1 push 0 100 | MISPAY b1 | taken
    """),
)
def test_wagers(story: str, due: str, flagged: str) -> None:
    found = told(f"bet b1 big 100, {story}")

    assert backs(found) == due
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "posted", "usual", "other"),
    cases("""
        shaken, close, bowl touched, tokens RRRW standing=1, shaken, bowl, tokens RRRW \
| precedence reshake_first | void 0 100 | win 96 196 | touched and standing
        shaken, drop token, close, bowl, tokens RRRW, shaken, bowl, tokens RRRW \
| dropped_later reshake | void 0 100 | win 96 196 | dropped after shaking
        shaken, close, drop bowl, shaken, bowl, tokens RRRR \
| dropped_later reshake | void 0 100 | win 96 196 | dropped, and shaken again at once
    """),
)
def test_what_the_other_readings_would_mean(
    story: str, posted: str, usual: str, other: str
) -> None:
    issue, reading = posted.split()

    as_read = told(f"bet b1 big 100, {story}")
    otherwise = told(f"bet b1 big 100, {story}", readings={issue: reading})

    assert backs(as_read) == f"b1 {usual}"
    assert backs(otherwise) == f"b1 {other}"
    assert issue in as_read.ruled.readings
    assert otherwise.ruled.readings[issue] == reading
    assert flags(otherwise) == ""


@pytest.mark.parametrize(
    ("entry", "word"),
    cases("""
        RWRR             | 3R1W | letters
        r-w-r-r          | 3R1W | with hyphens
        red, white, red, red | 3R1W | in words
        ●○●●             | 3R1W | as the layout prints it
        4W               | 4W   | the name of a bet
        2r2w             | 2R2W | small letters
        RRR              | rrr  | a token short
        RRRRR            | rrrrr | a token too many
        big              | big  | a bet
    """),
)
def test_an_entry_as_one_word(entry: str, word: str) -> None:
    assert xoc_dia.said(entry) == word
