"""Which table-days a DuckDB file holds, and where their rows lie: the file's own memory.

Most tables do not say of which gaming day a row is. The rows of a table-day were put in together,
though, and DuckDB keeps rows in the order in which they came, deleted ones left out. So the file
remembers its table-days in that order and how many rows of every table each has: the rows of one
begin after those of all table-days before it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import accumulate
from typing import NamedTuple

import duckdb

from replay.tables import code_hash, dictionary
from replay.tables.parquet import Manifest
from replay.tables.rows import day_of

# Filled from the editions, not from any table-day.
OF_EDITIONS = ("clauses", "returns")

_TABLES = """
    create schema kept;
    create table kept.file (made_by varchar, bytes bigint, rows bigint);
    create table kept.days (
        place bigint, table_id varchar, start bigint, gaming_day varchar, digest varchar,
        sha256 varchar, counts bigint[]
    );
"""


class NotAsRemembered(Exception):
    """A file whose tables are not what it says of them itself."""


class Held(NamedTuple):
    """A table-day that a file holds."""

    place: int  # in the order in which they came in
    table_id: str
    start: int
    gaming_day: str
    digest: str
    sha256: str  # over the table-day's files
    counts: tuple[int, ...]  # rows of every table, in the order of the dictionary

    @property
    def key(self) -> tuple[str, int, str]:
        """What makes it the same table-day with the same rows."""
        return self.table_id, self.start, self.sha256

    @property
    def row(self) -> tuple[str, date | None, str]:
        """What the table of the table-days says of it."""
        return self.table_id, day_of(self.gaming_day), self.digest


def key(manifest: Manifest) -> tuple[str, int, str]:
    """The same of a table-day that was derived."""
    said = json.dumps([manifest.gaming_day, manifest.digest, sorted(manifest.files.items())])
    return manifest.table_id, manifest.start, hashlib.sha256(said.encode()).hexdigest()


def by_day() -> list[str]:
    """The tables whose rows come from table-days."""
    return [name for name in dictionary.dictionary() if name not in OF_EDITIONS]


def begin(db: duckdb.DuckDBPyConnection) -> None:
    """Give a new file its memory."""
    db.execute(_TABLES)


def finish(db: duckdb.DuckDBPyConnection, size: int) -> None:
    """Remember by whom a file was built anew, and how long it is without dead space."""
    rows = sum(sum(day.counts) for day in days(db))
    db.execute("insert into kept.file values (?, ?, ?)", [made_by(), size, rows])


def made_by() -> str:
    """The code, the rules and the DuckDB that build a file; another's is built anew."""
    return f"{code_hash.of_database()} {duckdb.__version__}"


def days(db: duckdb.DuckDBPyConnection) -> list[Held]:
    """The table-days of a file as they came in; NotAsRemembered where its tables differ."""
    rows = db.execute("from kept.days order by place").fetchall()
    found = [Held(*row)._replace(counts=tuple(row[-1])) for row in rows]
    said = db.execute("select table_id, gaming_day, digest from table_days").fetchall()
    if Counter(said) != Counter(day.row for day in found):
        raise NotAsRemembered(f"table_days: {len(found):,} table-days as put in expected")
    for n, table in enumerate(by_day()):
        ((count,),) = db.execute(f"select count(*) from {table}").fetchall()  # noqa: S608
        wanted = sum(day.counts[n] for day in found)
        if count != wanted:
            raise NotAsRemembered(f"{table}: {wanted:,} rows expected, {count:,} found")
    return found


def is_of_today(db: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file was built by this code, with the columns of today."""
    made = db.execute("select made_by from kept.file").fetchall()
    columns = {
        (table.name, column.name)
        for table in dictionary.dictionary().values()
        for column in table.columns
    }
    return made == [(made_by(),)] and _columns(db) == columns


def expected_bytes(db: duckdb.DuckDBPyConnection) -> int:
    """How long a file with these rows is when it is built anew, about."""
    ((size, rows),) = db.execute("select bytes, rows from kept.file").fetchall()
    live = sum(sum(day.counts) for day in days(db))
    return int(size * max(live, 1) // max(rows, 1))


def remember(db: duckdb.DuckDBPyConnection, new: Iterable[tuple[Manifest, Sequence[int]]]) -> None:
    """Remember table-days whose rows were just put in, in this order, and how many of each."""
    ((last,),) = db.execute("select coalesce(max(place), -1) from kept.days").fetchall()
    for place, (day, counts) in enumerate(new, last + 1):
        table_id, start, sha256 = key(day)
        values = [place, table_id, start, day.gaming_day, day.digest, sha256, list(counts)]
        db.execute("insert into kept.days values (?, ?, ?, ?, ?, ?, ?)", values)


def drop(db: duckdb.DuckDBPyConnection, held: Sequence[Held], gone: Sequence[Held]) -> None:
    """Delete the rows of table-days; NotAsRemembered where other rows lie there."""
    for day, firsts in sorted(zip(gone, _firsts(held, gone), strict=True), reverse=True):
        # From the last to the first, so that those still to come lie where they lay.
        for table, first, count in zip(by_day(), firsts, day.counts, strict=True):
            if count:
                _delete(db, table, first, count, day.table_id)
        db.execute("delete from kept.days where place = ?", [day.place])


def _firsts(held: Sequence[Held], gone: Sequence[Held]) -> Iterator[tuple[int, ...]]:
    """The place of each table-day's first row in every table."""
    begin = (0,) * len(by_day())
    firsts = accumulate(
        (day.counts for day in held),
        lambda before, counts: tuple(map(sum, zip(before, counts, strict=True))),
        initial=begin,
    )
    by_place = dict(zip((day.place for day in held), firsts, strict=False))
    return (by_place[day.place] for day in gone)


def _delete(
    db: duckdb.DuckDBPyConnection, table: str, first: int, count: int, table_id: str
) -> None:
    named = any(column.name == "table_id" for column in dictionary.dictionary()[table].columns)
    whose = "table_id" if named else "$table_id"
    least, most, rows, *whose_rows = db.execute(
        f"select min(rowid), max(rowid), count(*), min({whose}), max({whose}) from "  # noqa: S608
        f"(select rowid, * from {table} limit $count offset $first)",
        {"count": count, "first": first, **({} if named else {"table_id": table_id})},
    ).fetchall()[0]
    if (rows, *whose_rows) != (count, table_id, table_id):
        what = f"{count:,} rows of table {table_id} from {first:,} on expected"
        raise NotAsRemembered(f"{table}: {what}, {rows:,} of {whose_rows[0]} found")
    db.execute(f"delete from {table} where rowid between ? and ?", [least, most])  # noqa: S608


def _columns(db: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """The columns of a file's tables, but for those of other rooms."""
    found = db.execute(
        "select table_name, column_name from duckdb_columns() "
        "where not internal and schema_name = 'main'"
    )
    return {(table, name) for table, name in found.fetchall() if table in dictionary.dictionary()}
