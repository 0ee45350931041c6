"""Roulette of SA Gaming: the exact return of every layout and racetrack bet over all 37 pockets."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from replay.games.shared.roulette_layout import COVERS, POCKETS, facts
from replay.games.shared.roulette_racetrack import RACE, chips
from replay.rulebooks.edition import OTHERWISE, Edition, Odds
from replay.settle import deciding
from replay.theory import Chance, Outcome, Return, back, counted, summed

NOTE = f"all {len(POCKETS)} pockets"


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every position's return; a racetrack bet returns what its layout bets do, chip by chip."""
    outcomes = [Outcome(facts(pocket), 1) for pocket in POCKETS]
    yield from counted(edition, paytable, COVERS, outcomes, NOTE)
    backs = [
        {bet: back(deciding(bet, happened, edition, paytable).odds) for bet in COVERS}
        for happened, _ in outcomes
    ]
    for position in RACE:
        yield summed(position, tuple(_chances(position, backs)), NOTE)


def _chances(position: str, backs: Sequence[Mapping[str, Fraction]]) -> Iterator[Chance]:
    """A racetrack bet by which of its layout bets win, and what a unit over all chips brings."""
    found: Counter[tuple[Fraction, str]] = Counter()
    for layout in backs:
        won = [piece for piece in RACE[position] if layout[piece.position]]
        total = sum((layout[piece.position] * piece.chips for piece in won), Fraction(0))
        kinds = " and ".join(piece.position.split(":")[0] for piece in won)
        found[total / chips(position), f"{kinds} wins" if won else OTHERWISE] += 1
    for (total, fact), ways in sorted(found.items(), reverse=True):
        odds = Odds("win", pays=total - 1) if total else Odds("lose")
        yield Chance(fact, odds, Fraction(ways, len(backs)), total)
