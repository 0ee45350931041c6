"""Fish Prawn Crab, SA-FPC: every position against every roll, counted a second way, and returns."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from replay import rulebooks
from replay.games import fish_prawn_crab as game
from replay.theory import fish_prawn_crab as theory
from schemas.money import whole
from tests.support import shaker_story
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-FPC", "2026-03-01")
COLOR = {
    "fish": "red",
    "rooster": "red",
    "prawn": "green",
    "crab": "green",
    "calabash": "blue",
    "tiger": "blue",
}
ROLLS = list(product(COLOR, repeat=3))


def tier(position: str, roll: tuple[str, ...]) -> int:
    """How often a position is hit, written a second time from the page; 0 where it loses."""
    kind, _, place = position.partition(":")
    hits = {
        "symbol": len([face for face in roll if face == place]),
        "double": int(not set(place.split("+")) - set(roll)),
        "any_triple_color": int(len(Counter(COLOR[face] for face in roll)) == 1),
        "any_triple_symbol": int(roll[0] == roll[1] == roll[2]),
    }
    return hits[kind]


# Winning rolls, what each tier pays, the return as printed: fitted, then usual.
PAGE = """
    symbol            | 75 15 1 | 1 2 3 = 199/216 = 92.13 | 1 2 3 = 199/216 = 92.13 | symbol
    double            | 30      | 26/5 = 31/36 = 86.11    | 5 = 5/6 = 83.33         | double
    any_triple_color  | 24      | 7 = 8/9 = 88.89         | 7 = 8/9 = 88.89         | color
    any_triple_symbol | 6       | 30 = 31/36 = 86.11      | 30 = 31/36 = 86.11      | triple
"""


def of_kind(kind: str) -> list[str]:
    return [position for position in game.POSITIONS if position.split(":")[0] == kind]


def printed(value: Fraction) -> str:
    return f"{value} = {float(value):.2%}".removesuffix("%")


@pytest.mark.parametrize(("kind", "rolls", "fit", "other"), cases(PAGE))
def test_the_printed_counts_payouts_and_returns(
    kind: str, rolls: str, fit: str, other: str
) -> None:
    assert of_kind(kind)
    for position in of_kind(kind):
        hits = Counter(tier(position, roll) for roll in ROLLS)
        assert [hits[n] for n in sorted(hits) if n] == list(map(int, rolls.split()))
        for paytable, row in (("fit", fit), ("conventional", other)):
            pays, page = row.split(" = ", 1)
            back = sum(hits[n] * (1 + Fraction(pay)) for n, pay in enumerate(pays.split(), 1))
            (value,) = (r.value for r in theory.returns(EDITION, paytable) if r.bet == position)
            assert value == back / 216
            assert printed(value) == page


def test_the_fitted_returns_fill_the_certified_range() -> None:
    values = sorted(row.value for row in theory.returns(EDITION, "fit"))

    assert EDITION.certified is not None
    assert [f"{float(values[n]):.4f}" for n in (0, -1)] == [
        f"{float(figure):.4f}" for figure in EDITION.certified
    ]


@pytest.mark.parametrize("first", sorted(COLOR))
def test_every_position_is_due_what_the_page_says_on_every_roll(first: str) -> None:
    pays = {row.values[0]: row.values[2].split(" = ")[0].split() for row in cases(PAGE)}
    bets = [f"bet b{n} {position} 7" for n, position in enumerate(game.POSITIONS)]
    for roll in (roll for roll in ROLLS if roll[0] == first):
        story = ", ".join([*bets, "close", f"shake {'-'.join(roll)}"])
        for due in shaker_story.told(story, game="SA-FPC").dues:
            hit = tier(due.bet, roll)
            tiers = pays[due.bet.split(":")[0]]
            assert due.paid == (whole(7 * Fraction(tiers[hit - 1])) if hit else 0), due
            assert due.outcome == ("win" if hit else "lose"), due


def test_the_layout_has_twenty_three_positions_and_a_line_for_each() -> None:
    counts = Counter(position.split(":")[0] for position in game.POSITIONS)

    assert counts == {"symbol": 6, "double": 15, "any_triple_color": 1, "any_triple_symbol": 1}
    assert set(counts) == set(EDITION.bets)
    assert all(EDITION.lines(name, p) for name in EDITION.paytables for p in game.POSITIONS)


@pytest.mark.parametrize(
    ("position", "accepted"),
    cases("""
        double:fish+prawn   | yes | in the order of the layout
        double:prawn+fish   | no  | in another order
        double:fish+fish    | no  | one symbol twice
        symbol:rooster      | yes | a symbol
        symbol:coin         | no  | no such symbol
        symbol              | no  | which one
        any_triple_symbol   | yes | three alike
        any_triple          | no  | of what
        any_triple_color:red | no | not by its color
        Symbol:fish         | no  | capitals
    """),
)
def test_what_is_on_the_layout_and_what_is_not(position: str, accepted: str) -> None:
    assert game.legal(position) == (accepted == "yes")
