"""Replays the log: workers derive every table-day that is not derived yet.

Table-days are independent (docs/decisions/0003), so any worker may take any of them, and a killed
replay goes on with those that are not there yet.
"""

import gc
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ingest.log import LogCorrupt
from replay import rulebooks
from replay.batch import derived_memory, failures, log_memory, plan, pool, source
from replay.batch.failures import Failure, TableDayFailed
from replay.batch.plan import Choice, Job
from replay.tables import (
    code_hash,
    derive,
    name_index,
    parquet,
    round_digest,
    round_rows,
    round_starts,
)
from replay.tables.parquet import DerivedCorrupt, Manifest


class Done(NamedTuple):
    """One table-day that a worker has finished."""

    job: Job
    gaming_day: str
    end: int
    last_hash: str
    rounds: int
    written: bool
    more: bool  # whether the log goes on after it
    failed: Exception | None = None  # why nothing was derived of it


class ReplayReport(NamedTuple):
    """What a replay did."""

    done: int  # table-days derived
    kept: int  # table-days that were there and still fit the log
    rounds: int
    events: int
    chosen: int  # table-days among those done and kept that were asked for
    failed: tuple[Failure, ...] = ()
    mended: tuple[str, ...] = ()  # derived files that were damaged, whose table-days were derived
    whole: frozenset[Path] = frozenset()  # folders whose files it wrote, or found whole


def replay(
    home: Path,
    choice: Choice,
    *,
    workers: int = 1,
    tell: Callable[[int], None] = lambda _: None,
    plans: Sequence[plan.TablePlan] | None = None,
) -> ReplayReport:
    """Derive what the log holds and the derived files do not; `tell` gets the events read so far.

    A table or a table-day that fails is named in the report, and the others are derived all the
    same. A derived file is a copy of what the log says: where one is damaged, its table-day is
    derived again. A caller that has planned already passes its `plans`.
    """
    root = home / "derived"
    with parquet.alone(root):
        parquet.clear(root)
        if plans is None:
            plans = plan.plans(home, choice)
        if all(planned.failed for planned in plans):
            failures.save(home, choice, _failed(plans, ()))
            plan.must_be_whole(plans)
        kept = _kept(root, plans, choice)
        plans = kept.plans
        if choice.source:
            source.remember(home, choice.source)
        jobs = [job for planned in plans for job in planned.jobs]
        done = list(_all_done(jobs, workers, tell))
        if choice.everything:
            _forget(root, plans, done)
        _remember(home, choice, plans, done)
        derived_memory.remember(home, kept.whole, alone=choice.everything)
        name_index.add(home, parquet.days(root, sound_only=True))
        failed = _failed(plans, done)
        failures.save(home, choice, failed)
    written = [item for item in done if item.written]
    return ReplayReport(
        len(written),
        sum(len(planned.kept) for planned in plans),
        sum(item.rounds for item in written),
        sum(item.end - item.job.start for item in written),
        len(written) + sum(_chosen(planned, choice) for planned in plans),
        tuple(failed),
        tuple(map(str, kept.damaged)),
        frozenset((*kept.whole, *(_folder(item.job, item.gaming_day) for item in written))),
    )


def table_day(job: Job) -> Done:
    """Judge one table-day and put it on disk; a worker's whole task."""
    with _uncollected():
        return _table_day(job)


def _failed(plans: Sequence[plan.TablePlan], done: Sequence[Done]) -> list[Failure]:
    failed = [Failure(made.table_id, "", made.failed) for made in plans if made.failed]
    failed += [
        Failure(item.job.table_id, item.gaming_day, item.failed) for item in done if item.failed
    ]
    return sorted(failed, key=lambda each: (each.table_id, each.gaming_day))


class Kept(NamedTuple):
    """What a replay keeps: plans, files that are damaged, and the stamps of folders that are not.

    Damaged table-days are among the jobs of the plans.
    """

    plans: list[plan.TablePlan]
    damaged: list[DerivedCorrupt]
    whole: derived_memory.Whole


def _kept(root: Path, plans: Sequence[plan.TablePlan], choice: Choice) -> Kept:
    """The table-days that stay; only those that were asked for are looked at."""
    known = derived_memory.load(root.parent)
    kept = Kept([], [], {})
    for made in plans:
        broken = set[int]()
        folders = {
            root / made.table_id / plan.folder(manifest.gaming_day, passed): manifest
            for manifest, passed in made.kept
        }
        # The plan has a job for what cannot be read.
        kept.damaged.extend(_unreadable(root, made.table_id, folders))
        for folder, manifest in folders.items():
            if not choice.wants_day(manifest.gaming_day):
                continue
            stamp, faults = derived_memory.look(known, folder)
            if faults:
                kept.damaged.extend(faults)
                broken.add(manifest.start)
            else:
                kept.whole[folder] = stamp
        kept.plans.append(_with_jobs(root.parent, made, broken, choice))
    return kept


def _with_jobs(
    home: Path, made: plan.TablePlan, broken: Collection[int], choice: Choice
) -> plan.TablePlan:
    """A plan that derives again the table-days that begin at these events."""
    again = [each for each in made.kept if each[0].start in broken]
    jobs = [
        Job(home, made.table_id, manifest.start, passed, choice, goes_on=False)
        for manifest, passed in again
    ]
    return made._replace(
        kept=tuple(each for each in made.kept if each[0].start not in broken),
        jobs=(*jobs, *made.jobs),
        events=made.events + sum(manifest.end - manifest.start for manifest, _ in again),
    )


def _unreadable(root: Path, table_id: str, read: Collection[Path]) -> list[DerivedCorrupt]:
    """What is wrong with the manifests of a table that cannot be read."""
    found = []
    for folder in parquet.folders(root, table_id):
        if folder in read:
            continue
        try:
            parquet.manifest(folder)
        except DerivedCorrupt as error:
            found.append(error)
    return found


def _chosen(planned: plan.TablePlan, choice: Choice) -> int:
    return sum(choice.wants_day(kept.gaming_day) for kept, _ in planned.kept)


def _table_day(job: Job) -> Done:
    try:
        log = source.opened(job.home, job.choice.source)
        sealed, more = source.table_day(log, job.table_id, job.start)
    except Exception as error:  # any error stops this table alone
        return _unread(job, error)
    day, end, last_hash = source.gaming_day(sealed), job.start + len(sealed), sealed[-1][1]
    done = Done(job, day, end, last_hash, 0, written=False, more=more)
    if not job.choice.wants_day(day):
        return done
    maker = code_hash.of_rows()
    made = Manifest(job.table_id, day, job.start, end, last_hash, maker, 0, "", files={})
    made = made._replace(version=round_digest.VERSION)
    root, name = job.home / "derived", _folder(job, day).name
    try:
        found = derive.derive(day, sealed, rulebooks.in_force)
        parts = parquet.parquet(found.rows) | {round_starts.FILE: found.starts}
    except Exception as error:  # any error stops this table-day alone
        why = f"{type(error).__name__}: {error}"
        parts = parquet.parquet(round_rows.of_failed(day, sealed, why))
        parquet.write(root, name, parts, made._replace(failed=why))
        return done._replace(failed=TableDayFailed(why))
    count = len(found.rows.get("rounds", ()))
    parquet.write(root, name, parts, made._replace(rounds=count, digest=found.digest))
    return done._replace(rounds=count, written=True)


def _folder(job: Job, day: str) -> Path:
    return job.home / "derived" / job.table_id / plan.folder(day, job.passed)


def _unread(job: Job, error: Exception) -> Done:
    """A table-day that cannot be read; where the next one begins is not known then."""
    why = (
        error
        if isinstance(error, LogCorrupt | source.Trimmed)
        else TableDayFailed(f"{type(error).__name__}: {error}")
    )
    return Done(job, "", job.start, "", 0, written=False, more=False, failed=why)


def _killed(job: Job) -> Done:
    """A table-day in which a worker's process ended."""
    why = "the process that derived it was ended from outside, or ran out of memory"
    return _unread(job, RuntimeError(why))


def _all_done(jobs: Sequence[Job], workers: int, tell: Callable[[int], None]) -> Iterator[Done]:
    """Run every job, and after a table's last one the table-days that follow it in the log."""
    for item in pool.run(table_day, jobs, workers, _next, _killed):
        tell(item.end - item.job.start)
        yield item


def _next(item: Done) -> Job | None:
    job = item.job
    if not (item.more and job.goes_on):
        return None
    return job._replace(start=item.end, passed=(*job.passed, item.gaming_day))


def _remember(
    home: Path, choice: Choice, plans: Sequence[plan.TablePlan], done: Sequence[Done]
) -> None:
    """Remember the log of every table that was read to the end, or kept and found whole."""
    kind = choice.source or source.remembered(home)
    before = log_memory.load(home, kind)
    known = dict(before)
    for made in plans:
        mine = [item for item in done if item.job.table_id == made.table_id]
        if made.failed or made.sums is None or any(not item.last_hash for item in mine):
            known.pop(made.table_id, None)
            continue
        ends = [(kept.end, kept.start, kept.last_hash) for kept, _ in made.kept]
        ends += [(item.end, item.job.start, item.last_hash) for item in mine]
        if ends:
            end, day, last_hash = max(ends)
            known[made.table_id] = log_memory.Known(made.sums, day, end, last_hash)
    if known != before:
        log_memory.save(home, kind, known)


def _forget(root: Path, plans: Sequence[plan.TablePlan], done: Sequence[Done]) -> None:
    """Remove table-days that the log does not hold any more."""
    known = {
        (planned.table_id, plan.folder(kept.gaming_day, passed))
        for planned in plans
        for kept, passed in planned.kept
    } | {(item.job.table_id, plan.folder(item.gaming_day, item.job.passed)) for item in done}
    # A table that could not be read to its end may still hold every table-day.
    unread = {made.table_id for made in plans if made.failed}
    unread |= {
        item.job.table_id
        for item in done
        if isinstance(item.failed, Exception) and not item.last_hash
    }
    for folder in parquet.folders(root):
        if folder.parent.name in unread:
            continue
        if (folder.parent.name, folder.name) not in known:
            shutil.rmtree(folder)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switch the garbage collector off: frozen values make no reference cycles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
