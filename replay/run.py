"""A replay: every table-day of the log judged on workers, what is finished left alone.

Table-days are independent (docs/decisions/0003), so any worker may take any of them, and a killed
replay goes on with those that are not there yet.
"""

import fcntl
import gc
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ingest.log import LogLocked
from replay import derived, plan, pool, rows, rulebooks, source
from replay.derived import Manifest
from replay.plan import Choice, Job


class Done(NamedTuple):
    """One table-day that a worker is through with."""

    job: Job
    gaming_day: str
    end: int
    last_hash: str
    rounds: int
    written: bool
    more: bool  # whether the log goes on after it


class Report(NamedTuple):
    """What a replay did."""

    done: int  # table-days derived
    kept: int  # table-days that were there and still fit the log
    rounds: int
    events: int
    chosen: int  # table-days among those done and kept that were asked for


def replay(
    home: Path,
    choice: Choice,
    *,
    workers: int = 1,
    tell: Callable[[int], None] = lambda _: None,
) -> Report:
    """Derive what the log holds and the derived files do not; `tell` hears of events read."""
    root = home / "derived"
    with _alone(root):
        derived.clear(root)
        plans = plan.plans(home, choice)
        if choice.source:
            source.remember(home, choice.source)
        jobs = [job for planned in plans for job in planned.jobs]
        done = list(_all_done(jobs, workers, tell))
        if choice.everything:
            _forget(root, plans, done)
    written = [item for item in done if item.written]
    return Report(
        len(written),
        sum(len(planned.kept) for planned in plans),
        sum(item.rounds for item in written),
        sum(item.end - item.job.start for item in written),
        len(written) + sum(_chosen(planned, choice) for planned in plans),
    )


def table_day(job: Job) -> Done:
    """Judge one table-day and put it on disk; a worker's whole task."""
    with _uncollected():
        return _table_day(job)


def _chosen(planned: plan.Plan, choice: Choice) -> int:
    return sum(choice.wants_day(kept.gaming_day) for kept, _ in planned.kept)


def _table_day(job: Job) -> Done:
    log = source.opened(job.home, job.choice.source)
    sealed, more = source.table_day(log, job.table_id, job.start)
    day, end = source.gaming_day(sealed), job.start + len(sealed)
    last_hash = sealed[-1][1]
    if not job.choice.wants_day(day):
        return Done(job, day, end, last_hash, 0, written=False, more=more)
    found = rows.derive(day, sealed, rulebooks.in_force)
    count = len(found.rows.get("rounds", ()))
    made = Manifest(
        job.table_id,
        day,
        job.start,
        end,
        last_hash,
        derived.maker(),
        count,
        found.digest,
        {},
    )
    derived.write(job.home / "derived", plan.folder(day, job.passed), found.rows, made)
    return Done(job, day, end, last_hash, count, written=True, more=more)


def _all_done(jobs: Sequence[Job], workers: int, tell: Callable[[int], None]) -> Iterator[Done]:
    """Every job done, and after a table's last one those that the log turns out to hold."""
    for item in pool.run(table_day, jobs, workers, _next):
        tell(item.end - item.job.start)
        yield item


def _next(item: Done) -> Job | None:
    job = item.job
    if not (item.more and job.goes_on):
        return None
    return job._replace(start=item.end, passed=(*job.passed, item.gaming_day))


def _forget(root: Path, plans: Sequence[plan.Plan], done: Sequence[Done]) -> None:
    """Remove table-days that the log does not hold any more."""
    known = {
        (planned.table_id, plan.folder(kept.gaming_day, passed))
        for planned in plans
        for kept, passed in planned.kept
    } | {(item.job.table_id, plan.folder(item.gaming_day, item.job.passed)) for item in done}
    for folder in derived.folders(root):
        if (folder.parent.name, folder.name) not in known:
            shutil.rmtree(folder)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Frozen values make no circles, so looking for some would only take time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One replay at a time in a house; the lock falls with the process that holds it."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LogLocked(f"{root}: another replay is at work here") from error
        yield
