"""The DuckDB file of a house: what was derived, put into a copy of it and swapped in whole.

Whoever reads the file keeps the one they opened; a writer never touches that (decision 0010). Only
table-days that are new, changed or gone are written. The file is built anew where there is none,
where other code built it, where it is damaged, and where too much of it is dead space. Its SHA-256
lies beside it, and readers open it by `proven_file.connected` alone.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from ingest.disk import FILE_MODE
from replay import rulebooks
from replay.tables import dictionary, duckdb_contents, parquet, proven_file, sql_rows
from replay.tables.duckdb_contents import Held, NotAsRemembered
from replay.tables.parquet import Manifest
from replay.tables.proven_file import FileChanged
from replay.theory import returns_on_file

FILE = "audit.duckdb"
BATCH = 50_000  # events of the table-days that are put in at once
SPARE = 16 << 20  # bytes of dead space that are always allowed

# The oldest form that DuckDB still writes: every DuckDB from 1.0 on opens the file.
STORAGE = "v1.0.0"
MODEST: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "400MB",
    "threads": 2,
    "preserve_insertion_order": True,  # by it the rows of a table-day are found again
    "storage_compatibility_version": STORAGE,
}

Day = tuple[Path, Manifest]
Also = Callable[[duckdb.DuckDBPyConnection], object]
Fault = Callable[[Manifest, parquet.DerivedCorrupt], object]


class Changes(NamedTuple):
    """How a file differs from what was derived."""

    held: Sequence[Held]
    gone: Sequence[Held]
    new: Sequence[Day]


class TooMuchDead(Exception):
    """A file that is better built anew than changed."""


def _raised(_: Manifest, error: parquet.DerivedCorrupt) -> None:
    raise error


def project(
    home: Path,
    tell: Callable[[int], None] = lambda _: None,
    also: Also = lambda _: None,
    *,
    whole: bool = False,
    fault: Fault = _raised,
) -> Path:
    """Bring the house's DuckDB file up to what was derived; `tell` hears of table-days.

    `also` puts into it what other rooms keep there, and finds nothing of theirs before. With
    `whole` the file that was there is not read, so one that is damaged is mended. A table-day with
    a damaged file is left out and `fault` hears of it, perhaps twice; without it, it is raised.
    """
    place = home / FILE
    with parquet.alone(home / "derived"):
        days = list(parquet.days(home / "derived", sound_only=fault is not _raised))
        if not (place.exists() and not whole and _changed(home, days, tell, also, fault)):
            _built(home, days, tell, also, fault)
    return place


def holds(home: Path, db: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file holds the very table-days that were derived, by the rules of today."""
    try:
        if not duckdb_contents.is_of_today(db):
            return False
        changes = _changes(db, list(parquet.days(home / "derived", sound_only=True)))
    except NotAsRemembered:
        return False
    return not (changes.gone or changes.new)


@contextmanager
def changing(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of the house's file to write to; it takes the file's place if all went well.

    FileChanged where the file is not as it was written.
    """
    place = home / FILE
    with _drafted(home) as draft:
        with proven_file.connected(place):  # nobody writes to it meanwhile
            shutil.copyfile(place, draft)
        with _opened(draft) as db:
            yield db
            db.execute("checkpoint")


def _changed(
    home: Path, days: Sequence[Day], tell: Callable[[int], None], also: Also, fault: Fault
) -> bool:
    """Whether the file could be brought up to what was derived by what differs alone."""
    try:
        with changing(home) as db:
            if not duckdb_contents.is_of_today(db):
                raise NotAsRemembered(home / FILE)
            changes = _changes(db, days)
            stays = _rows(changes.held) - _rows(changes.gone)
            if stays < _rows(changes.gone):
                raise TooMuchDead(home / FILE)
            tell(len(days) - len(changes.new))
            with _at_once(db):
                duckdb_contents.drop(db, changes.held, changes.gone)
            _put(db, changes.new, tell, fault)
            with _at_once(db):
                _drop_others(db)
                also(db)
            db.execute("checkpoint")
            _must_be_short(db, home)
    except (duckdb.Error, NotAsRemembered, TooMuchDead, FileChanged):
        return False
    return True


def _built(
    home: Path, days: Sequence[Day], tell: Callable[[int], None], also: Also, fault: Fault
) -> None:
    """Build the file anew, whatever was there."""
    with _drafted(home) as draft, _opened(draft) as db:
        with _at_once(db):
            db.execute(dictionary.sql())
            duckdb_contents.begin(db)
            _comment(db)
        _put(db, days, tell, fault)
        with _at_once(db):
            _insert(db, "clauses", [_clauses()])
            _insert(db, "returns", [_returns()])
            also(db)
        db.execute("checkpoint")
        duckdb_contents.finish(db, draft.stat().st_size)
        db.execute("checkpoint")


def _changes(db: duckdb.DuckDBPyConnection, days: Sequence[Day]) -> Changes:
    held = duckdb_contents.days(db)
    wanted = {duckdb_contents.key(manifest): (folder, manifest) for folder, manifest in days}
    there = {day.key for day in held}
    return Changes(
        held,
        [day for day in held if day.key not in wanted],
        [day for key, day in wanted.items() if key not in there],
    )


def _put(
    db: duckdb.DuckDBPyConnection, days: Sequence[Day], tell: Callable[[int], None], fault: Fault
) -> None:
    """Put the rows of table-days behind those that are there."""
    for batch in _batches(days):
        found = list(_read(batch, fault))
        if found:
            with _at_once(db):
                for place, table in enumerate(duckdb_contents.by_day()):
                    _insert(db, table, [parts[place] for _, parts in found])
                counts = ((day, [part.num_rows for part in parts]) for day, parts in found)
                duckdb_contents.remember(db, counts)
        tell(len(batch))


def _read(batch: Sequence[Day], fault: Fault) -> Iterator[tuple[Manifest, list[Any]]]:
    """The tables of each table-day; one with a damaged file is left out whole."""
    for folder, manifest in batch:
        try:
            parts = [
                sql_rows.worded(table, parquet.read(folder, manifest, table))
                for table in duckdb_contents.by_day()
            ]
        except parquet.DerivedCorrupt as error:
            fault(manifest, error)
        else:
            yield manifest, parts


def _must_be_short(db: duckdb.DuckDBPyConnection, home: Path) -> None:
    """Half of the file may be dead space, and a little more in a small one."""
    size = _draft(home).stat().st_size
    if size > 2 * duckdb_contents.expected_bytes(db) + SPARE:
        raise TooMuchDead(home / FILE)


def _rows(days: Sequence[Held]) -> int:
    return sum(sum(day.counts) for day in days)


def _drop_others(db: duckdb.DuckDBPyConnection) -> None:
    """Take away what other rooms keep in the file: they put it there again."""
    for kind, named in (
        ("view", "select view_name from duckdb_views() where not internal"),
        ("macro", "select distinct function_name from duckdb_functions() where not internal"),
        ("macro table", "select distinct function_name from duckdb_functions() where not internal"),
        ("table", "select table_name from duckdb_tables() where schema_name = 'main'"),
    ):
        for (name,) in db.execute(named).fetchall():
            if name not in dictionary.dictionary():
                db.execute(f'drop {kind} if exists "{name}"')


@contextmanager
def _drafted(home: Path) -> Iterator[Path]:
    """Where a file is written before it takes its place; nothing is left where that fails."""
    draft = _draft(home)
    _remove(draft)  # a killed process left one
    try:
        yield draft
        _into_place(draft, home / FILE)
    except BaseException:
        _remove(draft)
        raise


def _into_place(draft: Path, place: Path) -> None:
    """Put a whole file where readers look for it, in one step and for good.

    What a writer that was killed left beside the old file would make the new one unreadable.
    """
    _force(draft)
    sha256 = proven_file.sha256(draft)
    proven_file.note(place, *proven_file.noted(place), sha256)
    _wal(place).unlink(missing_ok=True)
    draft.replace(place)
    _force(place.parent)
    proven_file.note(place, sha256)


def _draft(home: Path) -> Path:
    return home / f"{FILE}.new"


def _remove(draft: Path) -> None:
    for left in (draft, _wal(draft)):
        left.unlink(missing_ok=True)


def _wal(path: Path) -> Path:
    """What DuckDB writes beside a file until the file itself has it."""
    return path.with_name(path.name + ".wal")


@contextmanager
def _opened(draft: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(draft), config=MODEST) as db:
        draft.chmod(FILE_MODE)
        db.execute("set timezone = 'UTC'")
        yield db


@contextmanager
def _at_once(db: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Statements that reach the disk together rather than each for itself."""
    db.begin()
    yield
    db.commit()


def _comment(db: duckdb.DuckDBPyConnection) -> None:
    """Put the dictionary's words beside each table and column, where `describe` finds them."""
    for table in dictionary.dictionary().values():
        db.execute(f"comment on table {table.name} is {_quoted(table.about)}")
        for column in table.columns:
            db.execute(f"comment on column {table.name}.{column.name} is {_quoted(column.about)}")


def _insert(db: duckdb.DuckDBPyConnection, table: str, parts: Sequence[Any]) -> None:
    whole = pa.concat_tables(parts)
    if whole.num_rows:
        db.register("part", whole)
        db.execute(f"insert into {table} select * from part")  # noqa: S608  (our own names)
        db.unregister("part")


def _clauses() -> Any:
    rows = [
        (clause.anchor, edition.code, edition.number, clause.text, clause.sha256)
        for edition in rulebooks.editions()
        for clause in edition.clauses.values()
    ]
    return parquet.arrow("clauses", rows)


def _returns() -> Any:
    rows = [
        (*where, value and value.numerator, value and value.denominator, note)
        for *where, value, note in returns_on_file.figures()
    ]
    return parquet.arrow("returns", rows)


def _batches(days: Sequence[Day]) -> Iterator[list[Day]]:
    """Table-days that are held in memory together, by how many events they have."""
    batch: list[Day] = []
    for day in days:
        batch.append(day)
        if sum(manifest.end - manifest.start for _, manifest in batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _force(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
