"""How often a ball went round, by what its sensor reported of it. Arithmetic only."""

from collections.abc import Iterable
from itertools import groupby


def standing(reports: Iterable[int]) -> tuple[int, ...]:
    """The counts of one ball that stand: one, or several that contradict each other.

    The same count sent again is one count. A sensor that reports while it counts begins with the
    first revolution and goes on one by one; its last report is the count.
    """
    counts = [count for count, _ in groupby(reports)]
    running = counts[:1] in ([0], [1]) and counts == [*range(counts[0], counts[0] + len(counts))]
    return tuple(counts[-1:]) if running else tuple(sorted(set(counts)))
