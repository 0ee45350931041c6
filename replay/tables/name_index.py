"""The index of names: where each round and each wager lies, found without walking the house.

An index is no truth: whoever finds a round by it judges that round from the log. It says of each
table up to which event it knows every name; whatever lies beyond is looked for in what was derived
and in the log. So it may be lost, or be behind. One that is damaged could hide a round: its SHA-256
is compared before it is read, and where it differs there is no index until the next replay.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from ingest.disk import FILE_MODE
from replay.tables import parquet, proven_file
from replay.tables.parquet import DerivedCorrupt, Manifest

FILE = "derived/.names.sqlite"

_TABLES = """
    create table if not exists days (
        table_id text, start int, stop int, digest text, primary key (table_id, start)
    ) without rowid;
    create table if not exists names (
        name text, table_id text, start int, round_id text, wager_id text,
        primary key (name, table_id, start, round_id, wager_id)
    ) without rowid;
"""


class IndexEntry(NamedTuple):
    """Where an id leads: a table-day by its start in the log, a round, a wager or none."""

    table_id: str
    start: int
    round_id: str
    wager_id: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The id alone, and with what it belongs to."""
        if self.wager_id:
            return self.wager_id, f"{self.round_id}/{self.wager_id}"
        return self.round_id, f"{self.table_id}/{self.round_id}"


def add(home: Path, days: Iterable[tuple[Path, Manifest]]) -> None:
    """Bring the index up to the table-days that are there; what it has already costs nothing."""
    place = home / FILE
    if place.exists() and proven_file.fault(place):  # damaged, or a killed writer left it
        for path in place.parent.glob(f"{place.name}*"):
            path.unlink()
    with closing(sqlite3.connect(place)) as index:
        place.chmod(FILE_MODE)
        index.executescript(f"pragma synchronous = off; {_TABLES}")
        before = index.total_changes
        _add(index, days)
        changed = index.total_changes > before
    if changed or not proven_file.noted(place):
        note(home)


def note(home: Path) -> None:
    """Write down the hash of the index, whoever filled it."""
    proven_file.note(home / FILE, proven_file.sha256(home / FILE))


def _add(index: sqlite3.Connection, days: Iterable[tuple[Path, Manifest]]) -> None:
    found = index.execute("select table_id, start, stop, digest from days")
    known = {(table, start): rest for table, start, *rest in found}
    with index:
        for folder, manifest in days:
            key = manifest.table_id, manifest.start
            if known.pop(key, None) != [manifest.end, manifest.digest]:
                try:
                    found_here = list(entries(folder, manifest))
                except DerivedCorrupt:  # whoever replays or proves the table-day names it
                    index.execute("delete from days where table_id = ? and start = ?", key)
                    continue
                rows = sorted((name, *entry) for entry in found_here for name in entry.names)
                index.executemany("insert or ignore into names values (?, ?, ?, ?, ?)", rows)
                index.execute(
                    "insert or replace into days values (?, ?, ?, ?)",
                    (*key, manifest.end, manifest.digest),
                )
        index.executemany("delete from days where table_id = ? and start = ?", sorted(known))


def look_up(home: Path, name: str) -> list[IndexEntry]:
    """The rounds and wagers of a name; none where there is no index, or a damaged one."""
    asked = "select table_id, start, round_id, wager_id from names where name = ?"
    return [IndexEntry(*row) for row in _asked(home, asked, [name])]


def covered(home: Path) -> dict[str, int]:
    """Each table and the offset before which the index knows every name of it."""
    ends: dict[str, int] = {}
    days = _asked(home, "select table_id, start, stop from days order by table_id, start")
    for table, start, stop in days:
        if start == ends.get(table, 0):
            ends[table] = stop
    return ends


def neighbours(home: Path, name: str, most: int) -> list[str]:
    """Ids of rounds and wagers next to a name in their order, and the very first ones."""
    ids = "select name from names where name in (round_id, wager_id)"
    asked: tuple[tuple[str, list[str]], ...] = (
        (f"{ids} and name < ? order by name desc limit {most}", [name]),
        (f"{ids} and name > ? order by name limit {most}", [name]),
        (f"{ids} order by name limit {most}", []),
    )
    found = [row[0] for each in asked for row in _asked(home, *each)]
    return sorted(set(found))


def _asked(home: Path, query: str, values: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    place = home / FILE
    try:
        if proven_file.fault(place):
            return []
        with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as index:
            return index.execute(query, values).fetchall()
    except (FileNotFoundError, sqlite3.DatabaseError):  # none, or a replay writes to it
        return []


def entries(folder: Path, manifest: Manifest) -> Iterator[IndexEntry]:
    """Every round and wager of a table-day that was derived."""
    place = manifest.table_id, manifest.start
    for round_id in parquet.read(folder, manifest, "rounds").column("round_id").to_pylist():
        yield IndexEntry(*place, round_id)
    wagers = parquet.read(folder, manifest, "wagers")
    pairs = (wagers.column(name).to_pylist() for name in ("round_id", "wager_id"))
    for round_id, wager_id in zip(*pairs, strict=True):
        yield IndexEntry(*place, round_id, wager_id)
