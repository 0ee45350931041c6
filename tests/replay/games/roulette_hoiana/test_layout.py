"""Hoiana Roulette: wheel, layout and paytable, against a second account of them written here."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from replay import rulebooks
from replay.games import roulette_hoiana as game
from replay.rulebooks.terms import Terms, resolve
from replay.ruled import Stand
from replay.settle import Due, pay
from replay.wagers import Wager
from schemas import events as e
from tests.support.tables import cases

EDITION = rulebooks.in_force("RO", "2026-03-01")
TERMS: Terms = resolve(e.TermsPosted("RO", "VND"), EDITION, game.legal)

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

# Where each number's square lies on the cloth, as half-open boxes (left, right, top, bottom).
# Zero spans the head of the first row; a chip on a corner or an edge touches the boxes around it.
SQUARES = {0: (0, 6, -2, 0)} | {
    n: (2 * ((n - 1) % 3), 2 * ((n - 1) % 3) + 2, 2 * ((n - 1) // 3), 2 * ((n - 1) // 3) + 2)
    for n in range(1, 37)
}


def _touching(x: int, y: int) -> tuple[int, ...]:
    """The numbers whose squares meet a point of the cloth."""
    return tuple(
        n
        for n, (left, right, top, bottom) in SQUARES.items()
        if left <= x <= right and top <= y <= bottom
    )


def _by_hand() -> dict[str, set[int]]:
    """Every position, from the points where a chip can be laid."""
    found: dict[str, set[int]] = {}

    def add(kind: str, numbers: tuple[int, ...]) -> None:
        found[f"{kind}:{'-'.join(map(str, sorted(numbers)))}"] = set(numbers)

    for n in range(37):
        add("straight", (n,))
    for x in range(1, 6):
        for y in range(25):
            touched = _touching(x, y)
            kind = {2: "split", 3: "trio", 4: "corner"}.get(len(touched))
            if kind:
                add(kind, touched)
    # The outer line touches one row, or two where they meet, or zero and the first row.
    for first in range(1, 37, 3):
        row = (first, first + 1, first + 2)
        add("street", row)
        if first < 34:
            add("six_line", (*row, first + 3, first + 4, first + 5))
    add("first_four", (0, 1, 2, 3))
    numbers = range(1, 37)
    found |= {f"column:{c}": {n for n in numbers if n % 3 == c % 3} for c in (1, 2, 3)}
    found |= {f"dozen:{d}": {n for n in numbers if (n + 11) // 12 == d} for d in (1, 2, 3)}
    found |= {"low": {n for n in numbers if n < 19}, "high": {n for n in numbers if n > 18}}
    found |= {"odd": {n for n in numbers if n % 2}, "even": {n for n in numbers if not n % 2}}
    return found | {"red": RED, "black": set(numbers) - RED}


BY_HAND = _by_hand()


def _due(position: str, pocket: int, stake: int = 1) -> Due:
    placed = e.WagerPlaced("W", "P", position, stake)
    wager = Wager("W", "P", position, stake, "", "E", placed)
    return pay(Stand(wager, Fraction(stake)), game.facts(pocket), EDITION, TERMS)


@pytest.mark.parametrize(
    ("kind", "count"),
    cases("""
        straight   | 37 | straight up
        split      | 60 | split
        street     | 12 | street
        trio       | 2  | zero trio
        corner     | 22 | corner
        first_four | 1  | first four
        six_line   | 11 | six-line
        column     | 3  | column
        dozen      | 3  | dozen
        low        | 1  | low
        high       | 1  | high
        red        | 1  | red
        black      | 1  | black
        odd        | 1  | odd
        even       | 1  | even
    """),
)
def test_positions_of_a_kind(kind: str, count: str) -> None:
    assert Counter(map(game.kind, game.COVERS))[kind] == int(count)


def test_there_are_157_positions_and_every_kind_is_a_bet_of_the_edition() -> None:
    assert len(game.COVERS) == 157
    assert set(map(game.kind, game.COVERS)) == set(EDITION.bets)


def test_the_layout_is_the_one_found_by_hand() -> None:
    assert {position: set(numbers) for position, numbers in game.COVERS.items()} == BY_HAND


def test_every_position_wins_on_its_own_numbers_and_no_others() -> None:
    assert BY_HAND
    for position, numbers in BY_HAND.items():
        for pocket in range(37):
            won = pocket in numbers

            assert (f"{position} wins" in game.facts(pocket)) is won, (position, pocket)
            assert _due(position, pocket).outcome == ("win" if won else "lose")


@pytest.mark.parametrize("position", sorted(BY_HAND))
def test_every_position_returns_36_of_37(position: str) -> None:
    backs = [_due(position, pocket).back for pocket in game.POCKETS]

    assert Fraction(sum(backs), len(backs)) == Fraction(36, 37)


@pytest.mark.parametrize(
    "position",
    cases("""
        split:1-5            | diagonal
        split:3-4            | end of a row
        split:0-4            | zero has no such neighbour
        split:5-2            | numbers ascend
        split:17-17          | the same number twice
        trio:0-1-3           | not adjacent
        trio:1-2-3           | a street
        corner:3-4-6-7       | round the edge
        corner:0-1-2-3       | the first four
        street:2-3-4         | across two rows
        six_line:2-3-4-5-6-7 | across three rows
        six_line:1-2-3-7-8-9 | rows apart
        straight:37          | no such pocket
        straight:00          | no double zero
        straight:017         | not the canonical number
        column:4             | no such column
        column:0             | no such column
        dozen:4              | no such dozen
        first_four:1-2-3-4   | without zero
        neighbours:17        | racetrack
        tiers                | racetrack
        Red                  | not the canonical word
        straight             | a kind without a number
    """),
)
def test_anything_else_is_refused(position: str) -> None:
    assert not game.legal(position)


def test_no_pair_but_the_sixty_is_a_split() -> None:
    legal = [(a, b) for a, b in combinations(range(37), 2) if game.legal(f"split:{a}-{b}")]

    assert len(legal) == 60
    assert {b - a for a, b in legal} == {1, 2, 3}


def test_colours_alternate_round_the_wheel() -> None:
    colours = [game.COLOUR[n] for n in game.WHEEL[1:]]

    assert sorted(game.WHEEL) == list(range(37))
    assert game.COLOUR[0] == "green"
    assert {n for n, colour in game.COLOUR.items() if colour == "red"} == RED
    assert all(one != other for one, other in pairwise(colours))
