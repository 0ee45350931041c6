"""The exact return of every bet of the editions on file, counted once and kept in returns.csv.

Counting takes longer than a replay may, so the figures lie beside the code that counts them; a test
counts them again. `python -m replay.theory.returns_on_file` writes the file anew.
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from replay import rulebooks, theory
from replay.rulebooks.edition import Edition

FILE = "returns.csv"


class Figure(NamedTuple):
    """A bet of a paytable and what one unit on it brings back; None where that is up to play."""

    game: str  # rulebook code
    edition: str
    paytable: str
    bet: str
    value: Fraction | None
    note: str


@cache
def figures() -> tuple[Figure, ...]:
    """Every bet as it is on file."""
    text = (files("replay.theory") / FILE).read_text("utf-8")
    return tuple(
        Figure(game, edition, paytable, bet, Fraction(value) if value else None, note)
        for game, edition, paytable, bet, value, note in list(csv.reader(text.splitlines()))[1:]
    )


def counted(editions: Iterable[Edition]) -> Iterator[Figure]:
    """Every bet of editions, counted."""
    for edition in editions:
        for paytable in edition.paytables:
            for found in theory.of(edition, paytable):
                where = edition.code, edition.number, paytable, found.bet
                if found.play:
                    told = theory.per_cent(found.value)
                    note = f"depends on how it is played: {told} where {found.play}"
                    yield Figure(*where, None, note)
                else:
                    yield Figure(*where, found.value, found.note)


def main() -> None:
    """Write the file to stdout."""
    sheet = csv.writer(sys.stdout, lineterminator="\n")
    sheet.writerow(Figure._fields)
    sheet.writerows(counted(rulebooks.editions()))


if __name__ == "__main__":
    main()
