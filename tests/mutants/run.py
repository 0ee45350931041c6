"""Mutants by the thousand: made, judged and weighed in houses of a few hundred tables each."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from audit.run_checks import Finding
from replay import pool
from replay.rows import Rows
from tests.mutants import house
from tests.mutants.mutant import A_DAY, Mutant, day_of, mutant
from tests.mutants.verdicts import BROKEN, FALSE, FOLLOWS, SILENT, Verdict, verdict

A_HOUSE = 10 * A_DAY  # mutants in one house
KEPT = 10_000  # verdicts of a kind that are worth a line


class Job(NamedTuple):
    """Mutants that share a house."""

    code: str
    seed: str
    numbers: tuple[int, ...]


class Line(NamedTuple):
    """A verdict that somebody should look at, small enough to send home."""

    name: str
    kind: str  # mutation and way
    verdict: str
    why: tuple[str, ...]
    did: tuple[str, ...]


@dataclass
class Tally:
    """How many mutants of each mutation came to what, and the lines worth a look."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # game, kind, verdict
    lines: list[Line] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count another part in."""
        self.counts += other.counts
        self.lines += other.lines[: max(0, KEPT - len(self.lines))]


class Dishonest(AssertionError):
    """An honest day in which something is found: no mutant of it means anything."""


def jobs(codes: Sequence[str], seed: str, count: int, first: int = 0) -> list[Job]:
    """The houses that so many mutants of each game fill, games taking turns."""
    starts = range(first, first + count, A_HOUSE)
    return [
        Job(code, seed, tuple(range(start, min(start + A_HOUSE, first + count))))
        for start in starts
        for code in codes
    ]


def run(todo: Sequence[Job], workers: int, tell: Callable[[int], None] = lambda _: None) -> Tally:
    """Work on every house; `tell` hears of mutants that are done."""
    whole = Tally()
    for done in pool.run(tally, todo, workers, lambda _: None):
        whole.add(done)
        tell(done.counts.total())
    whole.lines.sort()
    return whole


def tally(job: Job) -> Tally:
    """One house of mutants, counted."""
    done = Tally()
    for found in verdicts(job):
        made = found.mutant
        done.counts[made.code, made.kind, found.kind] += 1
        if found.kind in (SILENT, FALSE, BROKEN, FOLLOWS):
            done.lines.append(Line(made.name, made.kind, found.kind, found.why, made.did))
    return done


def verdicts(job: Job) -> Iterator[Verdict]:
    """The verdict on each mutant of a house."""
    made = [mutant(job.code, job.seed, number) for number in job.numbers]
    derived: list[tuple[Mutant, Rows]] = []
    for one in made:
        try:
            derived.append((one, house.derive(one.readings, one.table_id)))
        except Exception as error:
            yield Verdict(one, BROKEN, (f"replay: {type(error).__name__}: {error}",))
    controls = _honest_days(job)
    found, broken = _found([rows for _, rows in derived] + list(controls.values()))
    for name in controls:
        if name in found:
            raise Dishonest(f"{job.code} {job.seed} {name}: {found[name][0]}")
    for one, rows in derived:
        if one.table_id in broken:
            yield Verdict(one, BROKEN, (broken[one.table_id],))
        else:
            yield verdict(one, rows, found.get(one.table_id, ()))


def _honest_days(job: Job) -> dict[str, Rows]:
    """The honest days behind the mutants, at tables of their own."""
    found = {}
    for n in sorted({number // A_DAY for number in job.numbers}):
        name = f"H{n:07d}"
        found[name] = house.derive(day_of(job.code, job.seed, n * A_DAY).readings, name)
    return found


def _found(parts: Sequence[Rows]) -> tuple[dict[str, list[Finding]], dict[str, str]]:
    """The findings of each table, and the error of a table that breaks a check."""
    try:
        return house.detect(parts), {}
    except Exception as error:
        if len(parts) == 1:
            table_id = parts[0]["table_days"][0][0]
            return {}, {table_id: f"detect: {type(error).__name__}: {error}"}
    middle = len(parts) // 2
    (left, broke), (right, also) = _found(parts[:middle]), _found(parts[middle:])
    return left | right, broke | also
