"""Hoiana Roulette: the worked examples of its specification, told line by line.

Lines that start with `=` say what must come out: the outcome, each wager with its winnings and all
that goes back, the order of payment, each flag with what it concerns.
"""

import pytest

from tests.support import roulette_story as story
from tests.support.english import english
from tests.support.roulette_story import told
from tests.support.tables import cases

EXAMPLES = """
    # plain spin, one bet of several kinds
    bet b1 p1 straight:17 100
    bet b2 p1 split:17-20 200
    bet b3 p1 corner:16-17-19-20 400
    bet b4 p1 six_line:13-14-15-16-17-18 500
    bet b5 p1 column:2 1000
    bet b6 p1 red 1000
    close, spin, turns 14, land 17
    = 17 black
    = b1 win 3500 3600, b2 win 3400 3600, b3 win 3200 3600, b4 win 2500 3000
    = b5 win 2000 3000, b6 lose 0 0
    = pay b5 b4 b3 b2 b1

    # zero: only bets touching zero win
    bet b1 p1 straight:0 100
    bet b2 p1 split:0-2 100
    bet b3 p1 trio:0-1-2 100
    bet b4 p1 trio:0-2-3 100
    bet b5 p1 first_four:0-1-2-3 100
    bet b6 p1 even 100
    bet b7 p1 low 100
    bet b8 p1 column:1 100
    close, spin, land 0
    = 0 green
    = b1 win 3500 3600, b2 win 1700 1800, b3 win 1100 1200, b4 win 1100 1200
    = b5 win 800 900, b6 lose 0 0, b7 lose 0 0, b8 lose 0 0
    = pay b5 b3 b4 b2 b1

    # two wins: double line first, a player with several inside wins is served once
    bet b1 p1 six_line:1-2-3-4-5-6 100
    bet b2 p1 straight:2 100
    bet b3 p2 first_four:0-1-2-3 100
    bet b4 p3 trio:0-1-2 100
    bet b5 p4 corner:1-2-4-5 100
    bet b6 p3 dozen:1 100
    close, spin, land 2
    = 2 black
    = b1 win 500 600, b2 win 3500 3600, b3 win 800 900, b4 win 1100 1200
    = b5 win 800 900, b6 win 200 300
    = pay b6 b1 b2 b3 b5 b4

    # exactly three revolutions are valid
    bet b1 p1 high 700
    close, spin, turns 3, land 30
    = 30 red
    = b1 win 700 1400
    = pay b1

    # two revolutions, no spin announced, the ball still rests in 30
    bet b1 p1 high 700
    bet b2 p1 straight:30 100
    close, spin, turns 2, call dealer few_revolutions spinning, land 30, back 8
    = b1 void 0 700, b2 void 0 100

    # two revolutions, nobody announces no spin
    bet b1 p1 high 700
    close, spin, turns 2, land 30
    = 30 red
    = b1 win 700 1400
    = pay b1
    = flag NO_SPIN_NOT_CALLED 7.2

    # ball spun with the wheel, inspector calls, ball put back to 9 instead of 8
    bet b1 p1 black 250
    close, spin anticlockwise, call dealer_inspector same_direction spinning, back 9
    = b1 void 0 250
    = flag BALL_NOT_RETURNED 7.9.1

    # ball leaves the wheel, no spin, ball not examined
    bet b1 p1 odd 900
    close, spin, seen ball_out, call dealer ball_out spinning, back 8
    = b1 void 0 900
    = flag BALL_NOT_EXAMINED 7.5

    # floater, no announcement recorded
    bet b1 p1 dozen:3 300
    close, spin
    = b1 void 0 300
    = flag NO_SPIN_NOT_CALLED 7.4

    # dealer alone calls no spin on mere suspicion
    bet b1 p1 even 400
    close, spin, call dealer suspected spinning, back 8
    = b1 void 0 400
    = flag NO_SPIN_AUTHORITY 7.8

    # pit supervisor calls no spin while winners are being paid
    bet b1 p1 even 400
    close, spin, land 4, dolly 4, call pit_supervisor suspected paying, back 8
    = b1 void 0 400
    = flag NO_SPIN_AFTER_RESULT 2.2

    # no spin called after the last winner was paid
    bet b1 p1 even 400
    close, spin, land 4, dolly 4, settle b1 400 400, call pit_supervisor suspected after_paid
    = 4 black
    = b1 win 400 800
    = pay b1
    = flag NO_SPIN_TOO_LATE 2.2

    # colour chips of another table: two win, one loses
    bet b1 p1 straight:17 5000 chips=R02/blue/2/2500
    bet b2 p1 red 2500 chips=R02/blue/1/2500
    close, spin, land 17
    = 17 black
    = b1 win 175000 180000, b2 lose 0 0
    = pay b1
    = flag FOREIGN_COLOUR_CHIPS b1
    = flag FOREIGN_COLOUR_CHIPS b2

    # the same, management refuses payment
    bet b1 p1 straight:17 5000 chips=R02/blue/2/2500
    close, spin, land 17, rule pit_manager RO:7.11.1 refuse_payment b1
    = 17 black
    = b1 win_refused 0 5000
    = flag FOREIGN_COLOUR_CHIPS b1

    # bet placed after no more bets, other bet withdrawn after it
    bet b2 p1 red 200
    close
    bet b1 p2 straight:5 100
    withdraw b2, spin, land 5
    = 5 red
    = b1 refused 0 100, b2 win 200 400
    = pay b2
    = flag LATE_ACTION b2
    = flag LATE_BET b1

    # call bet without chips, illegal split
    bet b3 p1 split:4-5 100
    bet b1 p2 straight:5 100 no_chips
    bet b2 p3 split:3-4 100
    close, spin, land 5
    = 5 red
    = b1 refused 0 100, b2 refused 0 100, b3 win 1700 1800
    = pay b3
    = flag CALL_BET_NOT_PLACED b1
    = flag ILLEGAL_POSITION b2

    # doubtful chip, pit supervisor rules it to be a split
    bet b1 p1 straight:18 100
    close, spin, land 17, rule pit_supervisor RO:6.6 position b1 split:17-18
    = 17 black
    = b1 win 1700 1800
    = pay b1

    # recorded return one short, dozen paid before column
    bet b1 p1 column:2 100
    bet b2 p1 dozen:2 100
    close, spin, land 17, settle b2 199 100, settle b1 200 100
    = 17 black
    = b1 win 200 300, b2 win 200 300
    = pay b1 b2
    = flag MISPAY b2
    = flag PAYMENT_ORDER 6.3-6.5
"""


def _examples() -> list[object]:
    blocks = [block.strip() for block in EXAMPLES.split("# ") if block.strip()]
    return [pytest.param(rest, id=name) for name, _, rest in (b.partition("\n") for b in blocks)]


def _expected(lines: list[str]) -> tuple[str, str, str, str]:
    """Outcome, wagers, order of payment and flags as an example states them."""
    stated = [line.removeprefix("=").strip() for line in lines]
    wagers = [line for line in stated if line.startswith("b")]
    paid = [line.removeprefix("pay ") for line in stated if line.startswith("pay ")]
    flagged = [line.removeprefix("flag ") for line in stated if line.startswith("flag ")]
    outcome = [line for line in stated if line[0].isdigit()]
    return "".join(outcome), ", ".join(wagers), "".join(paid), ", ".join(sorted(flagged))


def test_there_are_eighteen_examples() -> None:
    assert len(_examples()) == 18


@pytest.mark.parametrize("example", _examples())
def test_worked_example(example: str) -> None:
    lines = [line.strip() for line in example.splitlines() if line.strip()]
    events = [line for line in lines if not line.startswith("=")]
    outcome, wagers, paid, flagged = _expected([line for line in lines if line.startswith("=")])

    found = told("\n".join(events), carry={"previous_pocket": 8})

    assert found.ruled.outcome == outcome
    assert found.ruled.status == ("settled" if outcome else "void")
    assert found.ruled.result == outcome.split(" ")[0]
    assert story.backs(found) == wagers
    assert " ".join(found.ruled.pay_order) == paid
    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "readings"),
    cases("""
        land 17, land 34, dolly 17 | sensor 17, sensor 34, dolly 17                  | two landings
        land 37                    | sensor 37, which this wheel does not have       | a pocket the wheel has not
        land ?                     | the sensor read none                            | nobody read it
        dolly 17, result 18        | the sensor read none, dolly 17, dealer 18       | the dealer said both
    """),  # noqa: E501  (a row is a sentence)
)
def test_an_unknown_pocket_is_told_with_its_readings(story: str, readings: str) -> None:
    found = told(f"bet b1 p1 red 100, close, spin, turns 9, {story}")

    (flag,) = (flag for flag in found.flags if flag.code == "RESULT_UNKNOWN")
    assert found.ruled.status == "unknown"
    assert flag.clause == "RO:4.10"
    assert english(flag.note) == f"the winning pocket is unknown: {readings}"
