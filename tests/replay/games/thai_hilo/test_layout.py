"""Thai HiLo, SA-HL: every position against every roll, counted a second way, and returns."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from replay import rulebooks
from replay.games import thai_hilo as game
from replay.theory import thai_hilo as theory
from schemas.money import whole
from tests.support import shaker_story
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-HL", "2026-03-01")
ROLLS = list(product("123456", repeat=3))


def tier(position: str, roll: tuple[str, ...]) -> int:
    """How often a position is hit, written a second time from the page; 0 where it loses."""
    kind, _, place = position.partition(":")
    score = sum(map(int, roll))
    if kind in ("number", "double", "run"):
        named = [n for n in place if n.isdigit()]
        different = sum(n in roll for n in named)
        counts = {"number": roll.count(place), "double": int(different == 2)}
        return counts[kind] if kind in counts else max(0, different - 1)
    wins = score == 11 if kind == "hilo_11" else score > 11 if "hi" in kind else score < 11
    return int(wins and (kind[0] not in "123456" or kind[0] in roll))


# Winning rolls, what each tier pays, the return as printed: fitted, then public.
PAGE = """
    hi      | 81      | 8/5 = 39/40 = 97.50       | 11/10 = 63/80 = 78.75     | Hi
    lo      | 108     | 19/20 = 39/40 = 97.50     | 19/20 = 39/40 = 97.50     | Lo
    hilo_11 | 27      | 6 = 7/8 = 87.50           | 6 = 7/8 = 87.50           | 11 HiLo
    number  | 75 15 1 | 1 2 5 = 67/72 = 93.06     | 1 2 5 = 67/72 = 93.06     | specific number
    double  | 30      | 6 = 35/36 = 97.22         | 5 = 5/6 = 83.33           | specific double
    run     | 72 6    | 1 6 = 31/36 = 86.11       | 1 5 = 5/6 = 83.33         | 1·2·3 and 4·5·6
    1_lo    | 73      | 8/5 = 949/1080 = 87.87    | 8/5 = 949/1080 = 87.87    | 1 Lo
    2_lo    | 61      | 21/10 = 1891/2160 = 87.55 | 21/10 = 1891/2160 = 87.55 | 2 Lo
    3_lo    | 52      | 3 = 26/27 = 96.30         | 3 = 26/27 = 96.30         | 3 Lo
    4_lo    | 39      | 4 = 65/72 = 90.28         | 4 = 65/72 = 90.28         | 4 Lo
    5_lo    | 30      | 6 = 35/36 = 97.22         | 6 = 35/36 = 97.22         | 5 Lo
    6_lo    | 18      | 10 = 11/12 = 91.67        | 10 = 11/12 = 91.67        | 6 Lo
    3_hi    | 27      | 6 = 7/8 = 87.50           | 6 = 7/8 = 87.50           | 3 Hi
    4_hi    | 37      | 4 = 185/216 = 85.65       | 4 = 185/216 = 85.65       | 4 Hi
    5_hi    | 49      | 3 = 49/54 = 90.74         | 3 = 49/54 = 90.74         | 5 Hi
    6_hi    | 61      | 21/10 = 1891/2160 = 87.55 | 21/10 = 1891/2160 = 87.55 | 6 Hi
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
        for paytable, row in (("fit", fit), ("public", other)):
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


def test_what_the_readings_of_a_run_would_return() -> None:
    """The figures of rule issues run and tiers: equal pairs counted, tiers added up."""
    equal_pairs = sum(
        7 if set(roll) == set("123") else 2
        for roll in ROLLS
        if sum(face in "123" for face in roll) > 1
    )
    added = {1: 2, 2: 4, 3: 9}
    tiers = sum(added.get(tier("number:1", roll), 0) for roll in ROLLS)

    assert f"{equal_pairs / 216:.2%}" == "113.89%"
    assert f"{tiers / 216:.2%}" == "101.39%"


@pytest.mark.parametrize("first", "123456")
def test_every_position_is_due_what_the_page_says_on_every_roll(first: str) -> None:
    pays = {row.values[0]: row.values[2].split(" = ")[0].split() for row in cases(PAGE)}
    bets = [f"bet b{n} {position} 7" for n, position in enumerate(game.POSITIONS)]
    for roll in (roll for roll in ROLLS if roll[0] == first):
        story = ", ".join([*bets, "close", f"shake {'-'.join(roll)}"])
        for due in shaker_story.told(story, game="SA-HL").dues:
            hit = tier(due.bet, roll)
            tiers = pays[due.bet.split(":")[0]]
            assert due.paid == (whole(7 * Fraction(tiers[hit - 1])) if hit else 0), due
            assert due.outcome == ("win" if hit else "lose"), due


def test_the_layout_has_thirty_six_positions_and_a_line_for_each() -> None:
    counts = Counter(position.split(":")[0] for position in game.POSITIONS)

    assert len(game.POSITIONS) == 36
    assert (counts["number"], counts["double"], counts["run"]) == (6, 15, 2)
    assert set(counts) == set(EDITION.bets)
    assert all(EDITION.lines(name, p) for name in EDITION.paytables for p in game.POSITIONS)


@pytest.mark.parametrize(
    ("position", "accepted"),
    cases("""
        3_hi       | yes | the lowest with Hi
        1_hi       | no  | 1 Hi is not offered
        2_hi       | no  | 2 Hi is not offered
        1_lo       | yes | the lowest with Lo
        7_lo       | no  | no such number
        run:4-5-6  | yes | one of the two
        run:2-3-4  | no  | no such run
        double:1+4 | yes | ascending
        double:4+1 | no  | as printed, in the other order
        small      | no  | of another game
        total:11   | no  | of another game
        hilo_11    | yes | by its own name
    """),
)
def test_what_is_on_the_layout_and_what_is_not(position: str, accepted: str) -> None:
    assert game.legal(position) == (accepted == "yes")
