"""One hash over all derived rows: a table-day's, and the house's."""

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from replay.batch import plan
from replay.batch.failures import Failure, TableDayFailed
from replay.tables import parquet
from replay.tables.parquet import DerivedCorrupt, Manifest


class Proven(NamedTuple):
    """The derived table-days whose files are as they were written, and the files that are not."""

    days: tuple[Manifest, ...]
    failed: tuple[Failure, ...]


class Digest(NamedTuple):
    """The hash of everything derived, and those of its table-days in order."""

    total: str
    days: tuple[Manifest, ...]
    behind: int  # table-days that the log or the rules have left behind, or that are not there yet
    failed: tuple[Failure, ...] = ()  # what is damaged, or could not be derived


def digest(home: Path) -> Digest:
    """The digest of a house's derived files, each compared with its own hash first.

    It reads every byte of the log and of what was derived. What is damaged is named and left out,
    as a replay does it, so both say the same.
    """
    found = proven(home)
    plans = plan.plans(home, plan.Choice(), prove=True)
    failed = [Failure(made.table_id, "", made.failed) for made in plans if made.failed]
    failed += [
        Failure(day.table_id, day.gaming_day, TableDayFailed(day.failed))
        for day in found.days
        if day.failed
    ]
    return Digest(total(found.days), found.days, _behind(plans), (*found.failed, *failed))


def proven(home: Path, whole: Collection[Path] = ()) -> Proven:
    """Every derived table-day, apart from those with a file that is not what the replay wrote.

    Of the folders in `whole` only the manifest is read: the caller knows that their files are.
    """
    days, failed = list[Manifest](), list[Failure]()
    for folder in parquet.folders(home / "derived"):
        try:
            manifest = parquet.manifest(folder)
            faults = [] if folder in whole else parquet.file_faults(folder, manifest)
        except DerivedCorrupt as error:
            faults = [error]
        if not faults:
            days.append(manifest)
        failed += [Failure(folder.parent.name, folder.name, fault) for fault in faults]
    days.sort(key=lambda day: (day.table_id, day.start))
    return Proven(tuple(days), tuple(failed))


def total(days: Sequence[Manifest]) -> str:
    """The hash over table-days, which depends on what they hold and on nothing else."""
    whole = hashlib.sha256()
    for day in days:
        whole.update(f"{day.table_id} {day.gaming_day} {day.digest}\n".encode())
    return whole.hexdigest()


def behind(home: Path) -> int:
    """How many table-days a replay would derive, as far as one can tell before it."""
    return _behind(plan.plans(home, plan.Choice()))


def _behind(plans: Sequence[plan.TablePlan]) -> int:
    return sum(len(planned.jobs) for planned in plans)
