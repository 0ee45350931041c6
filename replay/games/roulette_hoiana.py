"""Hoiana Roulette: the wheel, the layout with its 157 positions, and the spin as it was seen.

Rulebook RO, no. 01/13.06.2020, sections 4 to 6; section 7 is replay/rulings/roulette_hoiana.py.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar, cast

from schemas import events as e

# RO:4.1, clockwise from zero. The source's picture is lost: rule issue wheel_order.
WHEEL = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5),
    *(24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
POCKETS = range(len(WHEEL))

# RO:4.1.1.2. Red and black alternate round the wheel; zero is green (RO:4.1.1.1).
COLOUR = {0: "green"} | {n: ("red", "black")[at % 2] for at, n in enumerate(WHEEL[1:])}

# RO:3.1. Twelve rows of three, the first one next to zero.
ROWS = tuple((n, n + 1, n + 2) for n in range(1, 37, 3))

OUTSIDE = frozenset({"column", "dozen", "low", "high", "red", "black", "odd", "even"})

Word = TypeVar("Word", bound=e.Payload)


class Seen(NamedTuple, Generic[Word]):
    """One word of the log with its place in the table's order."""

    seq: int
    event_id: str
    word: Word


class Spin(NamedTuple):
    """What was seen and said of one spin, each kind in the table's order."""

    closed: tuple[Seen[e.BettingClosed], ...]
    released: tuple[Seen[e.BallReleased], ...]
    tracked: tuple[Seen[e.BallTracked], ...]
    disturbed: tuple[Seen[e.SpinDisturbed], ...]
    landed: tuple[Seen[e.BallLanded], ...]
    marked: tuple[Seen[e.DollyPlaced], ...]
    called: tuple[Seen[e.ResultCalled], ...]
    no_spins: tuple[Seen[e.NoSpinCalled], ...]
    examined: tuple[Seen[e.BallExamined], ...]
    returned: tuple[Seen[e.BallReturned], ...]
    voided: tuple[Seen[e.RoundVoided], ...]
    ended: tuple[Seen[e.RoundClosed], ...]

    @property
    def begun(self) -> bool:
        """Whether anybody saw the ball at work (RO:2.2)."""
        return bool(self.released or self.tracked or self.disturbed or self.landed)

    @property
    def pockets(self) -> tuple[int, ...]:
        """The pockets of this wheel in which the sensor saw the ball rest, each once."""
        read = (at.word.pocket for at in self.landed)
        return tuple(dict.fromkeys(pocket for pocket in read if pocket in COLOUR))


def read(events: Iterable[e.Event]) -> Spin:
    """The spin of a round, picked out of its events in one pass."""
    by_type: dict[type, list[e.Event]] = {}
    for event in events:
        by_type.setdefault(type(event.payload), []).append(event)

    def seen(kind: type[Word]) -> tuple[Seen[Word], ...]:
        found = by_type.get(kind, ())
        return tuple(Seen(at.seq, at.event_id, cast("Word", at.payload)) for at in found)

    return Spin(
        closed=seen(e.BettingClosed),
        released=seen(e.BallReleased),
        tracked=seen(e.BallTracked),
        disturbed=seen(e.SpinDisturbed),
        landed=seen(e.BallLanded),
        marked=seen(e.DollyPlaced),
        called=seen(e.ResultCalled),
        no_spins=seen(e.NoSpinCalled),
        examined=seen(e.BallExamined),
        returned=seen(e.BallReturned),
        voided=seen(e.RoundVoided),
        ended=seen(e.RoundClosed),
    )


def legal(position: str) -> bool:
    """Whether the layout has the position (RO:4.8, RO:6.1)."""
    return position in COVERS


def covers(position: str) -> frozenset[int]:
    """The numbers a position wins on."""
    return COVERS[position]


def kind(position: str) -> str:
    """The kind of bet a position belongs to: `split` of `split:17-20`."""
    return position.partition(":")[0]


def facts(pocket: int) -> frozenset[str]:
    """What happened, in the words of the paytable: every position that wins (RO:6.1, RO:6.2)."""
    return FACTS[pocket]


def shown(pocket: int) -> str:
    """The outcome for people: `17 black`."""
    return f"{pocket} {COLOUR[pocket]}"


def _inside() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Positions among the numbers, from the way the squares touch (RO:6.1.1 to 6.1.5, RO:6.2)."""
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
    """Positions around the numbers, none of which has zero (RO:6.1.6 to 6.1.13)."""
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
