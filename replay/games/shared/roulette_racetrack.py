"""Racetrack bets: sections of the wheel as the layout bets they consist of. Arithmetic only."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.games.shared.roulette_layout import POCKETS, WHEEL

NEIGHBOURS = range(10)  # how many on either side of the number chosen


class RacetrackPiece(NamedTuple):
    """One layout bet of a racetrack bet, and how many of its chips lie there."""

    position: str
    chips: int = 1


SECTIONS = {
    "race:neighbours_of_zero": (
        RacetrackPiece("split:4-7"),
        RacetrackPiece("split:12-15"),
        RacetrackPiece("split:18-21"),
        RacetrackPiece("split:19-22"),
        RacetrackPiece("split:32-35"),
        RacetrackPiece("trio:0-2-3", 2),
        RacetrackPiece("corner:25-26-28-29", 2),
    ),
    "race:orphans": (
        RacetrackPiece("straight:1"),
        RacetrackPiece("split:6-9"),
        RacetrackPiece("split:14-17"),
        RacetrackPiece("split:17-20"),
        RacetrackPiece("split:31-34"),
    ),
    "race:third": (
        RacetrackPiece("split:5-8"),
        RacetrackPiece("split:10-11"),
        RacetrackPiece("split:13-16"),
        RacetrackPiece("split:23-24"),
        RacetrackPiece("split:27-30"),
        RacetrackPiece("split:33-36"),
    ),
    "race:jeu_zero": (
        RacetrackPiece("split:0-3"),
        RacetrackPiece("split:12-15"),
        RacetrackPiece("split:32-35"),
        RacetrackPiece("straight:26"),
    ),
}


def chips(position: str) -> int:
    """How many chips a racetrack bet takes."""
    return sum(piece.chips for piece in RACE[position])


def _neighbours() -> Iterator[tuple[str, tuple[RacetrackPiece, ...]]]:
    for number in POCKETS:
        at = WHEEL.index(number)
        for reach in NEIGHBOURS:
            near = (WHEEL[(at + step) % len(WHEEL)] for step in range(-reach, reach + 1))
            yield (
                f"race:neighbours:{number}:{reach}",
                tuple(RacetrackPiece(f"straight:{n}") for n in near),
            )


# Every racetrack bet with its pieces.
RACE: Mapping[str, tuple[RacetrackPiece, ...]] = SECTIONS | dict(_neighbours())
