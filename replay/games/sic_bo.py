"""Sic Bo: the layout with its 110 positions, and what three dice mean on it.

Rulebook SA-SB, report SAB.SAES.1001.01, game 8; 8.5 is replay/rulings/sic_bo.py.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from replay.games.shared.dice import OUTCOMES, POINTS, TIMES, Dice, points
from replay.play_events import DICE_IN_A_SHAKER

PLAYED_WITH = DICE_IN_A_SHAKER

TUMBLES = 3  # SA-SB:8.5.2. Fewer do not count.
FOURS = ((1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6))  # SA-SB:8.3.17


def total(dice: Dice) -> int:
    """The total score (SA-SB:8.2.4)."""
    return sum(dice)


def is_triple(dice: Dice) -> bool:
    """Whether all dice show one number."""
    return dice[0] == dice[-1]


def legal(position: str) -> bool:
    """Whether the layout has the position (SA-SB:8.3)."""
    return position in POSITIONS


def facts(dice: Dice, four_number: str = "three_different") -> frozenset[str]:
    """What happened, in the words of the paytables, by the posted reading of 4 Number."""
    return FACTS[four_number][dice]


def _layout() -> Iterator[tuple[str, set[Dice]]]:
    """Every position with the outcomes it wins on."""
    # SA-SB:8.3.1 to 8.3.4. A triple loses all four (8.3.18).
    singles = [dice for dice in OUTCOMES if not is_triple(dice)]
    yield "small", {dice for dice in singles if 4 <= total(dice) <= 10}
    yield "big", {dice for dice in singles if 11 <= total(dice) <= 17}
    yield "odd", {dice for dice in singles if total(dice) % 2 == 1}
    yield "even", {dice for dice in singles if total(dice) % 2 == 0}
    yield "any_triple", {dice for dice in OUTCOMES if is_triple(dice)}
    for n in POINTS:
        yield f"number:{n}", {dice for dice in OUTCOMES if n in dice}
        yield f"triple:{n}", {(n, n, n)}
        yield f"pair:{n}", {dice for dice in OUTCOMES if dice.count(n) >= 2}
    for score in range(4, 18):  # SA-SB:8.3.8, rule issues specific_total and triples
        yield f"total:{score}", {dice for dice in OUTCOMES if total(dice) == score}
    for a, b in combinations(POINTS, 2):
        yield f"double:{a}+{b}", {dice for dice in OUTCOMES if {a, b} <= {*dice}}
    for odd, position in enumerate(("all_even", "two_even_one_odd", "two_odd_one_even", "all_odd")):
        yield position, {dice for dice in OUTCOMES if sum(n % 2 for n in dice) == odd}
    for three in combinations(POINTS, 3):
        yield f"single3:{_key(three)}", {three}
    for a, b in permutations(POINTS, 2):
        yield f"dsingle:{a}-{a}-{b}", {tuple(sorted((a, a, b)))}
    for four in FOURS:
        # Rule issue four_number: three different numbers of the four.
        yield f"four:{_key(four)}", set(combinations(four, 3))


def _facts(dice: Dice) -> Iterator[str]:
    yield f"total {total(dice)}"
    if is_triple(dice):
        yield "triple"
    for n in sorted(set(dice)):  # SA-SB:8.3.5
        yield f"number:{n} shows {TIMES[dice.count(n)]}"
    for position, winning in POSITIONS.items():
        if dice in winning:
            yield f"{position} wins"


def _literally(dice: Dice) -> frozenset[str]:
    """The facts where 4 Number wins with every die inside its set, however often."""
    others = {fact for fact in _facts(dice) if not fact.startswith("four:")}
    held = {f"four:{_key(four)} holds every die" for four in FOURS if {*dice} <= {*four}}
    return frozenset(others | held)


def _key(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


POSITIONS: Mapping[str, set[Dice]] = dict(_layout())
FACTS = {
    "three_different": {dice: frozenset(_facts(dice)) for dice in OUTCOMES},
    "literal": {dice: _literally(dice) for dice in OUTCOMES},
}
# What the equipment can show, in words and as the game reads it; None where it cannot.
SHOWS = ("three dice of 1 to 6 such as 1-2-4", points)
