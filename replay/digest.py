"""One hash over all derived rows: a table-day's, and the house's."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from replay import derived, plan
from replay.derived import Manifest


class Digest(NamedTuple):
    """The hash of everything derived, and those of its table-days in order."""

    total: str
    days: tuple[Manifest, ...]
    behind: int  # table-days that the log or the rules have left behind, or that are not there yet


def digest(home: Path) -> Digest:
    """The digest of a house's derived files, each compared with its own hash first."""
    found = proven(home)
    return Digest(total(found), tuple(found), behind(home))


def proven(home: Path) -> list[Manifest]:
    """Every derived table-day; DerivedCorrupt where a file is not what the replay wrote."""
    found = []
    for folder, manifest in derived.days(home / "derived"):
        for name, sha256 in sorted(manifest.files.items()):
            derived.verified(folder / name, sha256)
        found.append(manifest)
    return found


def total(days: Sequence[Manifest]) -> str:
    """The hash over table-days, which depends on what they hold and on nothing else."""
    whole = hashlib.sha256()
    for day in days:
        whole.update(f"{day.table_id} {day.gaming_day} {day.digest}\n".encode())
    return whole.hexdigest()


def behind(home: Path) -> int:
    """How many table-days a replay would derive, as far as one can tell before it."""
    plans = plan.plans(home, plan.Choice())
    plan.must_be_whole(plans)
    return sum(len(planned.jobs) for planned in plans)
