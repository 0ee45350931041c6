"""One hash over all derived rows: a table-day's, and the house's."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from replay.batch import first_digest, plan
from replay.batch.failures import Failure, TableDayFailed
from replay.tables import parquet, round_digest
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


def digest(home: Path, version: int = round_digest.VERSION) -> Digest:
    """The digest of a house's derived files, each compared with its own hash first.

    Of the first version it is that of table-days derived then, computed from their files anew.

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
    if version == first_digest.VERSION:
        old = tuple(day for day in found.days if day.version == version)
        failed += _first_faults(home)
        return Digest(first_digest.total(old), old, _behind(plans), (*found.failed, *failed))
    return Digest(total(found.days), found.days, _behind(plans), (*found.failed, *failed))


def _first_faults(home: Path) -> Iterator[Failure]:
    """Table-days of the first version whose files do not give their digests."""
    for folder, made in parquet.days(home / "derived", sound_only=True):
        if made.version == first_digest.VERSION and not parquet.file_faults(folder, made):
            fault = first_digest.fault(folder, made)
            if fault:
                yield Failure(made.table_id, made.gaming_day, fault)


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
    return round_digest.of_house((day.table_id, day.gaming_day, day.digest) for day in days)


def behind(home: Path) -> int:
    """How many table-days a replay would derive, as far as one can tell before it."""
    return _behind(plan.plans(home, plan.Choice()))


def _behind(plans: Sequence[plan.TablePlan]) -> int:
    return sum(len(planned.jobs) for planned in plans)
