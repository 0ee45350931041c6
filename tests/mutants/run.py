"""Mutants by the thousand: made, judged and weighed in houses of a few hundred tables each."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from audit.checks.run import CheckFinding
from replay.batch import pool
from replay.tables.rows import Rows
from tests.mutants import house, reuse
from tests.mutants.kept import Kept
from tests.mutants.mutant import A_DAY, Mutant, day_of, mutant
from tests.mutants.tally import Job, Line, Tally
from tests.mutants.verdicts import BROKEN, FALSE, FOLLOWS, SILENT, Verdict, verdict

A_HOUSE = 20 * A_DAY  # mutants in one house: all checks look at all of them together
PROVEN = 100  # one of so many mutants is also taken through gateway, log and replay


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


def run(
    todo: Sequence[Job],
    workers: int,
    tell: Callable[[int], None] = lambda _: None,
    kept: Kept | None = None,
) -> Tally:
    """Work on every house that is not kept yet; `tell` hears of mutants that are done."""
    whole, known = Tally(), kept.done if kept else {}
    for job in todo:
        if job in known:
            whole.add(known[job])
            tell(len(job.numbers))
    for job, done in pool.run(_done, [job for job in todo if job not in known], workers, _nothing):
        if kept:
            kept.add(job, done)
        whole.add(done)
        tell(len(job.numbers))
    whole.lines.sort()
    return whole


def _done(job: Job) -> tuple[Job, Tally]:
    return job, tally(job)


def _nothing(_: tuple[Job, Tally]) -> None:
    """No house leads to another."""


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
    derived: list[tuple[Mutant, Rows]] = []
    for number in job.numbers:
        one = mutant(job.code, job.seed, number)
        try:
            rows = one.known.derive(one.readings)
        except Exception as error:
            yield Verdict(one, BROKEN, (f"replay: {type(error).__name__}: {error}",))
        else:
            derived.append((one, rows))
    for one, rows in derived[::PROVEN]:
        _prove(one, rows)
    controls = _honest_days(job)
    found, broken = _found({one.table_id: rows for one, rows in derived} | controls)
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
        found[f"H{n:07d}"] = house.derive(day_of(job.code, job.seed, n * A_DAY).day.readings)
    return found


def _prove(one: Mutant, rows: Rows) -> None:
    """Compare what was derived with what gateway, log and replay make of the same readings."""
    wrong = reuse.differences(rows, house.derive(one.readings))
    if wrong:
        raise AssertionError(
            f"{one.name}: rows of {', '.join(wrong)} are not what a replay derives"
        )


def _found(parts: Mapping[str, Rows]) -> tuple[dict[str, list[CheckFinding]], dict[str, str]]:
    """The findings of each table, and the error of a table that breaks a check."""
    try:
        return house.detect(parts), {}
    except Exception as error:
        if len(parts) == 1:
            (table_id,) = parts
            return {}, {table_id: f"detect: {type(error).__name__}: {error}"}
    names = list(parts)
    middle = len(names) // 2
    left, broke = _found({name: parts[name] for name in names[:middle]})
    right, also = _found({name: parts[name] for name in names[middle:]})
    return left | right, broke | also
