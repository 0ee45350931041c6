"""SA Roulette: the racetrack against a second account of it, and the exact return of every bet."""

from collections import Counter
from fractions import Fraction

import pytest

from replay import rulebooks
from replay.games import roulette_sa as game
from replay.games.shared.roulette_layout import COVERS, POCKETS
from replay.games.shared.roulette_racetrack import RACE, SECTIONS, chips
from replay.theory import roulette_sa as theory
from tests.support.roulette_story import told
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-RO", "2026-03-01")

# The numbers the report lists, in its own order: together they run once round the wheel.
LISTED = {
    "race:neighbours_of_zero": "22 18 29 7 28 12 35 3 26 0 32 15 19 4 21 2 25",
    "race:orphans": "1 20 14 31 9 17 34 6",
    "race:third": "27 13 36 11 30 8 23 10 5 24 16 33",
    "race:jeu_zero": "12 35 3 26 0 32 15",
}
ROUND = "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"  # noqa: E501


def numbers(position: str) -> Counter[int]:
    """The numbers a racetrack bet covers, and how often."""
    return Counter(n for piece in RACE[position] for n in COVERS[piece.position])


def net(position: str, pocket: int) -> int:
    """What one chip a place wins or loses, from the numbers under each chip alone."""
    back = sum(
        piece.chips * 36 // len(COVERS[piece.position])
        for piece in RACE[position]
        if pocket in COVERS[piece.position]
    )
    return back - chips(position)


def test_every_legal_key() -> None:
    assert len(COVERS) == 157
    assert len(SECTIONS) == 4
    assert len(RACE) - len(SECTIONS) == 370
    assert all(map(game.legal, (*COVERS, *RACE)))
    assert all(game.legal(piece.position) for pieces in RACE.values() for piece in pieces)


@pytest.mark.parametrize(
    ("position", "count"),
    cases("""
        race:neighbours_of_zero | 9 | neighbours of zero
        race:orphans            | 5 | orphans
        race:third              | 6 | the third
        race:jeu_zero           | 4 | jeu zero
    """),
)
def test_sections_cover_what_the_report_lists(position: str, count: str) -> None:
    assert set(numbers(position)) == set(map(int, LISTED[position].split()))
    assert chips(position) == int(count)


def test_three_sections_cover_every_number_once() -> None:
    names = ("race:neighbours_of_zero", "race:orphans", "race:third")
    covered = [n for name in names for n in set(numbers(name))]

    assert sorted(covered) == list(POCKETS)


@pytest.mark.parametrize(
    ("position", "nets", "else_"),
    cases("""
        race:neighbours_of_zero | 15 on 0 2 3; 9 on 4 7 12 15 18 19 21 22 25 26 28 29 32 35 | -9 | n
        race:orphans | 31 on 1 17; 13 on 6 9 14 20 31 34 | -5 | orphans
        race:third | 12 on 5 8 10 11 13 16 23 24 27 30 33 36 | -6 | the third
        race:jeu_zero | 32 on 26; 14 on 0 3 12 15 32 35 | -4 | jeu zero
    """),
)
def test_net_result_per_chip(position: str, nets: str, else_: str) -> None:
    printed = dict.fromkeys(POCKETS, int(else_))
    for part in nets.split(";"):
        amount, on = part.split(" on ")
        printed |= dict.fromkeys(map(int, on.split()), int(amount))

    assert {pocket: net(position, pocket) for pocket in POCKETS} == printed


def test_sections_pay_what_their_chips_win() -> None:
    for pocket in POCKETS:
        bets = [f"bet {n} p1 {name} {100 * chips(name)}" for n, name in enumerate(SECTIONS)]
        story = ", ".join([*bets, "close", "spin", "turns 8", f"land {pocket}"])

        found = told(story, terms={"game": "SA-RO"})

        for name, due in zip(SECTIONS, found.dues, strict=True):
            assert due.back - due.stake == 100 * net(name, pocket), (name, pocket)
            assert due.outcome == ("win" if pocket in numbers(name) else "lose")


def test_neighbours_are_those_beside_a_number_on_the_wheel() -> None:
    wheel = list(map(int, ROUND.split()))
    for at, number in enumerate(wheel):
        for reach in range(10):
            near = {wheel[(at + step) % 37] for step in range(-reach, reach + 1)}
            position = f"race:neighbours:{number}:{reach}"

            assert numbers(position) == Counter(near)
            assert chips(position) == 2 * reach + 1


@pytest.mark.parametrize(
    "position",
    cases("""
        race:neighbours:5:10 | ten neighbours
        race:neighbours:5:-1 | fewer than none
        race:neighbours:37:2 | no such number
        race:neighbours:05:2 | a leading zero
        race:neighbours:5:02 | another one
        race:neighbours:5    | the reach is part of the key
        race:tiers           | another house's word
        race:Orphans         | not the canonical word
        race                 | a kind without a bet
        orphans              | without its kind
        split:3-4            | not on the layout either
    """),
)
def test_anything_else_is_refused(position: str) -> None:
    assert not game.legal(position)


@pytest.mark.parametrize(
    ("position", "stake", "laid"),
    cases("""
        race:orphans        | 5   | yes | one each
        race:orphans        | 6   | no  | one left over
        race:third          | 100 | no  | sixteen and two thirds
        race:neighbours:7:0 | 1   | yes | a single number
        straight:7          | 1   | yes | any stake on the layout
    """),
)
def test_a_racetrack_stake_is_so_many_whole_chips(position: str, stake: str, laid: str) -> None:
    story = f"bet b1 p1 {position} {stake}, close, spin, turns 8, land 13"

    (due,) = told(story, terms={"game": "SA-RO"}).dues

    assert game.whole_chips(position, int(stake)) == (laid == "yes")
    assert (due.outcome == "refused") == (laid == "no")


def test_every_bet_returns_36_of_37() -> None:
    rows = list(theory.returns(EDITION, "fit"))

    assert len({row.bet for row in rows}) == len(rows) == 157 + 4 + 370
    assert {row.value for row in rows} == {Fraction(36, 37)}
    assert {row.note for row in rows} == {"all 37 pockets"}


def test_the_certified_figure_is_met() -> None:
    assert EDITION.certified is not None
    assert {round(float(100 * Fraction(36, 37)), 2)} == {float(100 * f) for f in EDITION.certified}
