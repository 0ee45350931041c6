"""Racetrack bets: sections of the wheel as the layout bets they consist of. Arithmetic only."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.games.shared.roulette_layout import POCKETS, WHEEL

NEIGHBOURS = range(10)  # how many on either side of the number chosen


class Piece(NamedTuple):
    """One layout bet of a racetrack bet, and how many of its chips lie there."""

    position: str
    chips: int = 1


SECTIONS = {
    "race:neighbours_of_zero": (
        Piece("split:4-7"),
        Piece("split:12-15"),
        Piece("split:18-21"),
        Piece("split:19-22"),
        Piece("split:32-35"),
        Piece("trio:0-2-3", 2),
        Piece("corner:25-26-28-29", 2),
    ),
    "race:orphans": (
        Piece("straight:1"),
        Piece("split:6-9"),
        Piece("split:14-17"),
        Piece("split:17-20"),
        Piece("split:31-34"),
    ),
    "race:third": (
        Piece("split:5-8"),
        Piece("split:10-11"),
        Piece("split:13-16"),
        Piece("split:23-24"),
        Piece("split:27-30"),
        Piece("split:33-36"),
    ),
    "race:jeu_zero": (
        Piece("split:0-3"),
        Piece("split:12-15"),
        Piece("split:32-35"),
        Piece("straight:26"),
    ),
}


def chips(position: str) -> int:
    """How many chips a racetrack bet takes."""
    return sum(piece.chips for piece in RACE[position])


def _neighbours() -> Iterator[tuple[str, tuple[Piece, ...]]]:
    for number in POCKETS:
        at = WHEEL.index(number)
        for reach in NEIGHBOURS:
            near = (WHEEL[(at + step) % len(WHEEL)] for step in range(-reach, reach + 1))
            yield f"race:neighbours:{number}:{reach}", tuple(Piece(f"straight:{n}") for n in near)


# Every racetrack bet with its pieces.
RACE: Mapping[str, tuple[Piece, ...]] = SECTIONS | dict(_neighbours())
