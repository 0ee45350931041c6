"""Table-days that failed in a replay, and the file that lists them.

Readers of the derived rows learn from the file which table-days are missing.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ingest.disk import Disk
from replay.batch.plan import Choice

FILE = "derived/.failed.json"


class TableDayFailed(Exception):
    """A table-day that could not be derived, through no fault of the log."""


class Failure(NamedTuple):
    """A table or table-day of which nothing was derived, and why."""

    table_id: str
    gaming_day: str  # empty for a whole table, or where the day could not be read
    error: Exception

    def __str__(self) -> str:
        day = f" gaming day {self.gaming_day}" if self.gaming_day else ""
        said = str(self.error)
        return (
            said
            if said.startswith(f"table {self.table_id}")
            else f"table {self.table_id}{day}: {said}"
        )


class Missing(NamedTuple):
    """A failure of the last replay, as the file lists it."""

    table_id: str
    gaming_day: str
    said: str
    kinds: tuple[str, ...]  # the exception's class and those above it, with their modules


def save(home: Path, choice: Choice, failed: Iterable[Failure]) -> None:
    """Write the failures down; those of table-days that were not asked for stay as they are."""
    before = load(home)
    stands = {
        each[:2]: each
        for each in before
        if (choice.tables and each.table_id not in choice.tables)
        or not choice.wants_day(each.gaming_day)
    }
    found = {each[:2]: _missing(each) for each in failed}
    now = [each for _, each in sorted({**stands, **found}.items())]
    if now != before:
        body = json.dumps([each._asdict() for each in now], indent=1) + "\n"
        Disk().create(home / FILE, body.encode())


def load(home: Path) -> list[Missing]:
    """The failures of the last replay; none where no replay ran or the file is unreadable."""
    try:
        rows = json.loads((home / FILE).read_text("utf-8"))
        return [Missing(**row | {"kinds": tuple(row["kinds"])}) for row in rows]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _missing(failure: Failure) -> Missing:
    kinds = (f"{kind.__module__}.{kind.__name__}" for kind in type(failure.error).__mro__)
    return Missing(failure.table_id, failure.gaming_day, str(failure), tuple(kinds))
