"""Table-days that failed in a replay, and the file that lists them.

Readers of the derived rows learn from the file which table-days are missing, so a damaged one
stops them: it could hide a table-day that failed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.disk import Disk
from replay.batch.plan import Choice
from replay.tables.parquet import DerivedCorrupt

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
    before = _before(home, choice)
    stands = {
        each[:2]: each
        for each in before
        if (choice.tables and each.table_id not in choice.tables)
        or not choice.wants_day(each.gaming_day)
    }
    found = {each[:2]: _missing(each) for each in failed}
    now = [each for _, each in sorted({**stands, **found}.items())]
    if now != before:
        Disk().create(home / FILE, _text([each._asdict() for each in now]))


def load(home: Path) -> list[Missing]:
    """The failures of the last replay; none where no replay ran.

    DerivedCorrupt where the file is damaged, or of an earlier version.
    """
    path = home / FILE
    try:
        body = path.read_bytes()
    except FileNotFoundError:
        return []
    try:
        rows = json.loads(body)["failed"]
        found = [Missing(**row | {"kinds": tuple(row["kinds"])}) for row in rows]
        whole = _text(rows) == body
    except (ValueError, TypeError, KeyError) as error:
        raise DerivedCorrupt(f"{path}: a list of table-days expected, {error!r} found") from error
    if not whole:
        raise DerivedCorrupt(f"{path}: its SHA-256 does not fit what it says")
    return found


def _before(home: Path, choice: Choice) -> list[Missing]:
    """What the file lists; a replay of everything needs none of it, so there it may be damaged."""
    try:
        return load(home)
    except DerivedCorrupt:
        if not choice.everything:
            raise
        (home / FILE).unlink()
        return []


def _text(rows: Sequence[Mapping[str, object]]) -> bytes:
    sha256 = hashlib.sha256(json.dumps(rows).encode()).hexdigest()
    return (json.dumps({"failed": rows, "sha256": sha256}, indent=1) + "\n").encode()


def _missing(failure: Failure) -> Missing:
    kinds = (f"{kind.__module__}.{kind.__name__}" for kind in type(failure.error).__mro__)
    return Missing(failure.table_id, failure.gaming_day, str(failure), tuple(kinds))
