"""Xoc Dia, SA-XD: every position against all 16 throws, counted a second way, and returns."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from replay import rulebooks
from replay.games import xoc_dia as game
from replay.theory import xoc_dia as theory
from schemas.money import whole
from tests.support import shaker_story
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-XD", "2026-03-01")
THROWS = list(product("RW", repeat=4))

# Reds it wins on, reds it is returned on, what it pays, and the return as printed.
PAGE = """
    4R       | 4     |   | 14    | 15/16 = 93.75 | four red
    3R1W     | 3     |   | 14/5  | 19/20 = 95.00 | three red
    2R2W     | 2     |   | 3/2   | 15/16 = 93.75 | two red
    1R3W     | 1     |   | 14/5  | 19/20 = 95.00 | one red
    4W       | 0     |   | 14    | 15/16 = 93.75 | four white
    4R_or_4W | 0 4   |   | 13/2  | 15/16 = 93.75 | four of a side
    odd      | 1 3   |   | 24/25 | 49/50 = 98.00 | odd
    even     | 0 2 4 |   | 24/25 | 49/50 = 98.00 | even
    big      | 3 4   | 2 | 24/25 | 79/80 = 98.75 | more red
    small    | 0 1   | 2 | 24/25 | 79/80 = 98.75 | more white
"""


def outcome(faces: tuple[str, ...], wins: str, pushes: str) -> str:
    shown = str(Counter(faces)["R"])
    return "win" if shown in wins.split() else "push" if shown in pushes.split() else "lose"


@pytest.mark.parametrize(("position", "wins", "pushes", "pays", "printed"), cases(PAGE))
def test_every_position_on_every_throw(
    position: str, wins: str, pushes: str, pays: str, printed: str
) -> None:
    back = Fraction(0)
    for faces in THROWS:
        story = f"bet b1 {position} 7, start, stop 0, close, bowl, tokens {''.join(faces)}"
        (due,) = shaker_story.told(story, game="SA-XD").dues
        expected = outcome(faces, wins, pushes)
        assert due.outcome == expected
        assert due.paid == (whole(7 * Fraction(pays)) if expected == "win" else 0)
        assert due.collected == (7 if expected == "lose" else 0)
        back += {"win": 1 + Fraction(pays), "push": Fraction(1), "lose": Fraction(0)}[expected]
    (value,) = (row.value for row in theory.returns(EDITION, "fit") if row.bet == position)
    assert value == back / 16
    assert f"{value} = {float(value):.2%}" == f"{printed}%"


def test_the_fitted_returns_fill_the_certified_range() -> None:
    values = sorted(row.value for row in theory.returns(EDITION, "fit"))

    assert (values[0], values[-1]) == EDITION.certified
    assert theory.THROWS == {4: 1, 3: 4, 2: 6, 1: 4, 0: 1}


def test_the_layout_has_ten_positions_and_a_line_for_each() -> None:
    assert [row.values[0] for row in cases(PAGE)] == list(game.POSITIONS) == list(EDITION.bets)


@pytest.mark.parametrize(
    ("position", "accepted"),
    cases("""
        4R    | yes | four red
        4r    | no  | a small letter
        5R    | no  | five tokens
        2R2W  | yes | two and two
        2R1W  | no  | three tokens
        2W2R  | no  | the wrong way round
        tie   | no  | of another game
        Big   | no  | capitals
        big   | yes | more red
    """),
)
def test_what_is_on_the_layout_and_what_is_not(position: str, accepted: str) -> None:
    assert game.legal(position) == (accepted == "yes")
