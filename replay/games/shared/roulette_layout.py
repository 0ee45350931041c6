"""A single-zero roulette wheel and its layout of 157 positions. Arithmetic only.

Each rulebook says for itself which positions it offers, what they pay and when a spin counts.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from replay.sentence import Sentence, say
from replay.tabulated import tabulated

# Clockwise from zero.
WHEEL = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5),
    *(24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
POCKETS = range(len(WHEEL))

# Red and black alternate round the wheel; zero is green.
COLOUR = {0: "green"} | {n: ("red", "black")[at % 2] for at, n in enumerate(WHEEL[1:])}

# Twelve rows of three, the first one next to zero.
ROWS = tuple((n, n + 1, n + 2) for n in range(1, 37, 3))

OUTSIDE = frozenset({"column", "dozen", "low", "high", "red", "black", "odd", "even"})


def legal(position: str) -> bool:
    """Whether the layout has the position."""
    return position in COVERS


def covers(position: str) -> frozenset[int]:
    """The numbers a position wins on."""
    return COVERS[position]


def kind(position: str) -> str:
    """The kind of bet a position belongs to: `split` of `split:17-20`."""
    return position.partition(":")[0]


@tabulated(POCKETS)
def facts(pocket: int) -> frozenset[str]:
    """What happened, in the words of the paytable: every position that wins."""
    return FACTS[pocket]


def shown(pocket: int) -> str:
    """The outcome for people: `17 black`."""
    return f"{pocket} {COLOUR[pocket]}"


def told(pocket: int) -> Sentence:
    """A pocket in a sentence, with its colour."""
    match COLOUR[pocket]:
        case "red":
            return say("shared.red_pocket", pocket=pocket)
        case "black":
            return say("shared.black_pocket", pocket=pocket)
    return say("shared.green_pocket", pocket=pocket)


def _inside() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Positions among the numbers, from the way the squares touch."""
    first = ROWS[0]
    for upper, lower in pairwise(ROWS):
        yield "six_line", upper + lower
    yield "first_four", (0, *first)
    for row in ROWS:
        yield "street", row
    for upper, lower in pairwise(ROWS):
        for above, below in zip(pairwise(upper), pairwise(lower), strict=True):
            yield "corner", above + below
    for pair in pairwise(first):
        yield "trio", (0, *pair)
    for number in first:
        yield "split", (0, number)
    for row in ROWS:
        for pair in pairwise(row):
            yield "split", pair
    for upper, lower in pairwise(ROWS):
        for pair in zip(upper, lower, strict=True):
            yield "split", pair
    for number in POCKETS:
        yield "straight", (number,)


def _outside() -> Iterator[tuple[str, Iterable[int]]]:
    """Positions around the numbers, none of which has zero."""
    numbers = POCKETS[1:]
    for n, column in enumerate(zip(*ROWS, strict=True), 1):
        yield f"column:{n}", column
    yield "low", numbers[:18]
    yield "high", numbers[18:]
    yield "red", (n for n in numbers if COLOUR[n] == "red")
    yield "black", (n for n in numbers if COLOUR[n] == "black")
    yield "odd", numbers[::2]
    yield "even", numbers[1::2]
    for n in range(3):
        yield f"dozen:{n + 1}", numbers[12 * n : 12 * n + 12]


# Every position in the order of the layout, with the numbers it wins on.
COVERS = {position: frozenset(numbers) for position, numbers in _outside()} | {
    f"{name}:{'-'.join(map(str, numbers))}": frozenset(numbers) for name, numbers in _inside()
}
FACTS = tuple(
    frozenset(f"{position} wins" for position, numbers in COVERS.items() if pocket in numbers)
    for pocket in POCKETS
)
