"""Thai HiLo: the layout with its 36 positions, and what three dice mean on it.

Rulebook SA-HL, report SAB.SAES.1001.01, game 10; 10.5 is replay/rulings/thai_hilo.py.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from replay.games.shared.dice import POINTS, TIMES, Dice, points
from replay.play_events import DICE_IN_A_SHAKER

PLAYED_WITH = DICE_IN_A_SHAKER

TUMBLES = 3  # SA-HL:10.5.2. Fewer do not count.
HI, LO = range(12, 19), range(3, 11)  # SA-HL:10.3.1 and 10.3.2. No triple is excepted.
RUNS = {"run:1-2-3": {1, 2, 3}, "run:4-5-6": {4, 5, 6}}  # SA-HL:10.3.6 and 10.3.7
WITH_LO, WITH_HI = range(1, 7), range(3, 7)  # SA-HL:10.3.8 to 10.3.17. 1 Hi and 2 Hi are no bets.


def total(dice: Dice) -> int:
    """The total score (SA-HL:10.2.4)."""
    return sum(dice)


def legal(position: str) -> bool:
    """Whether the layout has the position (SA-HL:10.3)."""
    return position in POSITIONS


@cache
def facts(dice: Dice, run_tiers: str = "higher_only") -> frozenset[str]:
    """What happened, in the words of the paytables, by the posted reading of an exact match."""
    return frozenset((*_totals(dice), *_numbers(dice), *_runs(dice, run_tiers)))


def _totals(dice: Dice) -> Iterator[str]:
    """Hi, Lo or 11; and with a number, which loses on 11 like Hi and Lo themselves."""
    score, shown = total(dice), sorted({*dice})
    yield f"total {score}"
    if score == 11:  # SA-HL:10.3.3
        yield "hilo_11 wins"
    if score in HI:
        yield "hi wins"
        yield from (f"{n}_hi wins" for n in shown if n in WITH_HI)
    if score in LO:
        yield "lo wins"
        yield from (f"{n}_lo wins" for n in shown if n in WITH_LO)


def _numbers(dice: Dice) -> Iterator[str]:
    shown = sorted({*dice})
    for n in shown:  # SA-HL:10.3.4
        yield f"number:{n} shows {TIMES[dice.count(n)]}"
    for a, b in combinations(shown, 2):  # SA-HL:10.3.5
        yield f"double:{a}+{b} wins"


def _runs(dice: Dice, run_tiers: str) -> Iterator[str]:
    """Two different numbers of the three, or all of them (rule issues run and run_tiers)."""
    for position, three in RUNS.items():
        held = len(three & {*dice})
        if held == 2:
            yield f"{position} shows two of the three"
        elif held == 3:
            yield f"{position} shows all three{EXACT[run_tiers]}"


def _layout() -> Iterator[str]:
    yield from ("hi", "lo", "hilo_11")
    yield from (f"number:{n}" for n in POINTS)
    yield from (f"double:{a}+{b}" for a, b in combinations(POINTS, 2))
    yield from RUNS
    yield from (f"{n}_lo" for n in WITH_LO)
    yield from (f"{n}_hi" for n in WITH_HI)


EXACT = {"higher_only": "", "both": " in both tiers"}
POSITIONS = tuple(_layout())
# What the equipment can show, in words and as the game reads it; None where it cannot.
SHOWS = ("three dice of 1 to 6 such as 1-2-4", points)
