"""Roulette of SA Gaming: the exact return of every layout and racetrack bet over all 37 pockets."""

from collections.abc import Iterator
from fractions import Fraction

from replay.book import Edition
from replay.games.roulette_layout import COVERS, POCKETS, facts
from replay.games.roulette_racetrack import RACE, chips
from replay.theory import Outcome, Return, counted

NOTE = f"all {len(POCKETS)} pockets"


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return; a racetrack bet returns what its layout bets do, chip by chip."""
    outcomes = [Outcome(facts(pocket), 1) for pocket in POCKETS]
    known = {row.bet: row for row in counted(edition, paytable, COVERS, outcomes, NOTE)}
    yield from known.values()
    for position, pieces in RACE.items():
        total = sum((known[piece.position].value * piece.chips for piece in pieces), Fraction(0))
        yield Return(position, total / chips(position), NOTE)
