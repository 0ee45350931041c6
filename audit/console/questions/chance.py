"""How strongly a wheel, dice or tokens speak against chance, and how that came over time.

The evidence is that of the checks of chance (`bias_evidence`, audit/checks/views.sql): an e-value,
valid however often somebody looks. What it could have seen is worked out with the same macros.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import exp, log, sqrt
from typing import NamedTuple

import duckdb

LOOKS = 120  # places at which the evidence is worked out
ALARM = 100_000  # odds against chance at which the checks tell (told_evidence)
CHANCES = {"wheel": [1] * 37, "dice": [1] * 6, "tokens": [1, 4, 6, 4, 1]}
TENTH = 1.2816  # standard deviations below the mean that nine of ten counts exceed
ARCS = (1, 3, 5, 9)
MOST_LIFT = 300  # per cent


class ChanceEvidence(NamedTuple):
    """The evidence after so many results; logarithms of odds against chance."""

    kind: str  # wheel, dice or tokens
    results: tuple[int, ...]
    evidence: tuple[float, ...]

    @property
    def now(self) -> float:
        """The odds against chance after the last result."""
        return exp(min(self.evidence[-1], 700.0)) if self.evidence else 1.0

    @property
    def highest(self) -> float:
        """The highest odds so far."""
        return exp(min(max(self.evidence, default=0.0), 700.0))

    @property
    def speaks(self) -> bool:
        """Whether the odds were ever high enough to be told."""
        return max(self.evidence, default=0.0) >= log(ALARM)


class SeenBias(NamedTuple):
    """The smallest bias on neighbouring pockets that nine of ten such wheels would have shown."""

    pockets: int
    lift: int | None  # per cent; None where even a fourfold share would not show


def evidence(db: duckdb.DuckDBPyConnection, table_id: str) -> ChanceEvidence | None:
    """The evidence over a table's whole life; None where it has no such device."""
    rows = db.execute(
        """
        with placed as (
            select device, result,
                row_number() over (order by gaming_day, seen_seq) as n, count(*) over () as total
            from chance_results where table_id = $1
        )
        select device, (n * $2 + total - 1) // total as look, result, count(*) as times
        from placed group by all order by all
        """,
        [table_id, LOOKS],
    ).fetchall()
    if not rows:
        return None
    kind = rows[0][0]
    places = _places(kind, [result for _, _, result, _ in rows])
    counts, seen = [0] * len(CHANCES[kind]), 0
    looks = dict[int, tuple[int, list[int]]]()
    for _, look, result, times in rows:
        for place in _faces(kind, result):
            if place in places:
                counts[places[place]] += times
        seen += times
        looks[look] = (seen, counts[:])
    weighed = _weighed(db, [counted for _, counted in looks.values()], CHANCES[kind])
    return ChanceEvidence(kind, tuple(n for n, _ in looks.values()), tuple(weighed))


def could_have_seen(db: duckdb.DuckDBPyConnection, spins: int) -> list[SeenBias]:
    """For arcs of a wheel, the smallest surplus that would very likely have been told by now."""
    return [SeenBias(arc, _least_lift(db, spins, arc)) for arc in ARCS]


def _least_lift(db: duckdb.DuckDBPyConnection, spins: int, arc: int) -> int | None:
    """The first surplus of the arc, in per cent, whose tenth-lowest count would be told."""
    shows = partial(_shows, db, spins, arc)
    most = min(MOST_LIFT, (3699 // arc) - 100)
    found = bisect_left(range(1, most + 1), True, key=shows) + 1
    return found if found <= most else None


def _shows(db: duckdb.DuckDBPyConnection, spins: int, arc: int, lift: int) -> bool:
    share = arc * (1 + lift / 100) / 37
    hits = max(0.0, spins * share - TENTH * sqrt(spins * share * (1 - share)))
    if arc > 1:
        return _of_arc(db, hits, spins, arc) >= log(ALARM)
    counts = [hits, *[(spins - hits) / 36] * 36]
    return _weighed(db, [counts], CHANCES["wheel"])[0] >= log(ALARM)


def _of_arc(db: duckdb.DuckDBPyConnection, hits: float, spins: int, arc: int) -> float:
    """The evidence of RNG-02, had only this arc more than its share; it tries 259 arcs."""
    found = db.execute(
        "select log_mean(list_transform([1.2, 1.3, 1.5, 2.0], lambda lift: $1 * ln(lift)"
        " + ($2 - $1) * ln((37 - $3 * lift) / (37 - $3)))) - ln(259)",
        [hits, spins, arc],
    ).fetchone()
    assert found
    return float(found[0])


def _weighed(
    db: duckdb.DuckDBPyConnection, counts: Sequence[Sequence[float]], chances: Sequence[int]
) -> list[float]:
    rows = db.execute(
        "select bias_evidence(counts, $2) from (select unnest($1) as counts,"
        " generate_subscripts($1, 1) as n) order by n",
        [[list(map(float, each)) for each in counts], list(chances)],
    ).fetchall()
    return [float(value) for (value,) in rows]


def _places(kind: str, results: Sequence[str]) -> dict[str, int]:
    """Where each outcome is counted."""
    if kind == "wheel":
        return {str(pocket): pocket for pocket in range(37)}
    if kind == "tokens":
        return {str(reds): reds for reds in range(5)}
    faces = Counter(face for result in results for face in _faces(kind, result) if face != "?")
    return {face: place for place, face in enumerate(sorted(faces)[:6])}


def _faces(kind: str, result: str) -> list[str]:
    if kind == "tokens":
        return [str(result.count("R"))]
    return result.split("-") if kind == "dice" else [result]
