"""The DuckDB file of a house, built from derived files and swapped in whole."""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from replay import derived, rulebooks, tables
from replay.derived import Manifest

FILE = "audit.duckdb"
BATCH = 64  # table-days that are put in at once

# Filled from the editions, not from any table-day.
OF_EDITIONS = "clauses"


def project(home: Path, tell: Callable[[int], None] = lambda _: None) -> Path:
    """Build the house's DuckDB file anew from what was derived; `tell` hears of table-days."""
    place, draft = home / FILE, home / f"{FILE}.new"
    for left in (draft, draft.with_name(draft.name + ".wal")):
        left.unlink(missing_ok=True)
    days = list(derived.days(home / "derived"))
    with duckdb.connect(str(draft)) as db:
        db.execute("set timezone = 'UTC'")
        db.execute(tables.sql())
        _comment(db)
        for batch in _batches(days):
            for table in tables.dictionary():
                if table != OF_EDITIONS:
                    _insert(db, table, [derived.read(*day, table) for day in batch])
            tell(len(batch))
        _insert(db, OF_EDITIONS, [_clauses()])
        if place.exists():
            _carry_over(db, place)
        db.execute("checkpoint")
    _force(draft)
    draft.replace(place)
    return place


def _comment(db: duckdb.DuckDBPyConnection) -> None:
    """Put the dictionary's words beside each table and column, where `describe` finds them."""
    for table in tables.dictionary().values():
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
    schema = derived.schema(OF_EDITIONS)
    columns = zip(*rows, strict=True) if rows else [[] for _ in schema]
    return pa.Table.from_arrays(
        [pa.array(list(column), pa.string()) for column in columns], schema=schema
    )


def _carry_over(db: duckdb.DuckDBPyConnection, old: Path) -> None:
    """Take along what was added to the file before: findings and their life."""
    db.execute(f"attach {_quoted(str(old))} as old (read_only)")
    found = db.execute(
        "select table_name, sql from duckdb_tables() where database_name = 'old' order by 1"
    ).fetchall()
    for name, made in found:
        if name not in tables.dictionary():
            db.execute(made)
            db.execute(f'insert into main."{name}" select * from old.main."{name}"')  # noqa: S608
    db.execute("detach old")


def _batches(days: Sequence[tuple[Path, Manifest]]) -> Iterator[list[tuple[Path, Manifest]]]:
    rest = iter(days)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _force(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
