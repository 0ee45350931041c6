"""After how many results the checks of chance tell of a bias: the median of several seeded runs.

python bench/chance_power.py [RUNS]     by default 9 runs a bias

The evidence is that of the macros in audit/checks/views.sql and, for arcs, of RNG-02's own query; a
device is looked at after every step, as a house looks at it every day. The budgets in the headers
of RNG-01, RNG-02, RNG-05 and RNG-07 state these figures.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import comb, inf, log
from random import Random
from statistics import median

import duckdb

from audit.checks import views
from replay.tables import dictionary

TOLD = log(100_000)
RUNS = int(sys.argv[1]) if sys.argv[1:] else 9
LIFTS = (1.2, 1.3, 1.5, 2.0)  # of RNG-02

Evidence = Callable[[Sequence[int]], float]


def main() -> None:
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        views.lend(db)
        even, tokens = [1] * 37, [1, 4, 6, 4, 1]
        show("RNG-01, a pocket at 1/30", lifted(37, 1, 37 / 30), 2_000, biased(db, even))
        show("RNG-01, a pocket twice as often", lifted(37, 1, 2), 200, biased(db, even))
        show("RNG-02, five pockets 30 % too often", lifted(37, 5, 1.3), 200, by_arcs(db))
        die = [(each + 1 / 3) / 3 for each in lifted(6, 1, 1.2)]
        show("RNG-05, one die of three, a face a fifth too often", die, 500, biased(db, [1] * 6), 3)
        red = [comb(4, n) * 0.55**n * 0.45 ** (4 - n) for n in range(5)]
        show("RNG-07, tokens red 55 % of the time", red, 20, biased(db, tokens))


def show(what: str, chances: Sequence[float], step: int, evidence: Evidence, dice: int = 1) -> None:
    """The median number of results until a bias is told."""
    found = [first(Random(f"{what} {run}"), chances, step, evidence, dice) for run in range(RUNS)]
    print(f"{what}: told after {median(found):,.0f} results, median of {RUNS}", flush=True)


def first(rng: Random, chances: Sequence[float], step: int, evidence: Evidence, dice: int) -> float:
    """After how many results the evidence is enough."""
    counts = Counter[int]()
    for looks in range(1, 200):
        counts.update(rng.choices(range(len(chances)), chances, k=step * dice))
        if evidence([counts[n] for n in range(len(chances))]) >= TOLD:
            return looks * step
    return inf


def lifted(size: int, few: int, lift: float) -> list[float]:
    """Chances of which the first few are larger than even ones."""
    return [lift / size] * few + [(size - few * lift) / size / (size - few)] * (size - few)


def biased(db: duckdb.DuckDBPyConnection, weights: Sequence[int]) -> Evidence:
    """The evidence of `bias_evidence`."""
    query = "select bias_evidence($1, $2)"
    return lambda counts: value(db, query, [list(counts), list(weights)])


def by_arcs(db: duckdb.DuckDBPyConnection) -> Evidence:
    """The evidence over every arc of three to nine places, as RNG-02 weighs it."""
    query = """
        select log_mean(list_transform($1, lambda arc: log_mean(list_transform($2, lambda lift:
            arc[1] * ln(lift) + ($3 - arc[1]) * ln((37 - arc[2] * lift) / (37 - arc[2]))))))
    """

    def evidence(counts: Sequence[int]) -> float:
        round_about = [*counts, *counts]
        arcs = [
            [float(sum(round_about[begin : begin + width])), float(width)]
            for begin in range(37)
            for width in range(3, 10)
        ]
        return value(db, query, [arcs, list(LIFTS), sum(counts)])

    return evidence


def value(db: duckdb.DuckDBPyConnection, query: str, values: Sequence[object]) -> float:
    found = db.execute(query, list(values)).fetchone()
    assert found is not None
    return float(found[0])


if __name__ == "__main__":
    main()
