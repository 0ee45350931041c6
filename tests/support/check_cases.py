"""The examples of a check: small tables in, findings out (tests/audit/checks/*.toml).

A column that a case does not name is null or empty, as the dictionary says, or what all cases
share. `null` is written out; a time without a day is on the cases' own day.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from audit.checks import case_rows
from audit.checks import run as run_checks
from audit.checks.catalogue import Check
from replay import witnesses
from replay.tables import dictionary
from tests.support import settlements

FOLDER = Path(__file__).parents[1] / "audit" / "checks"
DAY = "2026-03-01"
SHARED: dict[str, str | None] = {
    "table_id": "T1",
    "round_id": "R1",
    "gaming_day": DAY,
    "game": "TB",
    "currency": "VND",
}

DIFFERING = {
    "cards": ("position", "shoe_card", "camera_card", "camera_probability", "dealer_card"),
    "shakes": ("faces", "camera_faces", "camera_probability"),
}

Row = dict[str, str]


class Case(NamedTuple):
    """One example of one check."""

    check_id: str
    name: str
    filled: Mapping[str, str]  # table to its rows, as text
    finds: list[Row]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that have rows: those it fills, and the settlements made of them."""
        return (*self.filled, "settlements")


@cache
def examples() -> tuple[Case, ...]:
    """Every example of every check."""
    return tuple(
        Case(path.stem, case.pop("name"), case, finds)
        for path in sorted(FOLDER.glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
        for finds in [rows(case.pop("finds", ""))]
    )


def rows(text: str) -> list[Row]:
    """The rows of a table of text; the first line names the columns."""
    lines = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def database(
    filled: Mapping[str, str], path: str = ":memory:", checks: Iterable[Check] = ()
) -> duckdb.DuckDBPyConnection:
    """A database with the dictionary's tables, filled, and the views that checks read.

    What several of the named checks read is worked out once.
    """
    connection = duckdb.connect(path)
    connection.execute(dictionary.sql())
    connection.execute(case_rows.sql())
    for table, text in filled.items():
        for row in rows(text):
            _insert(connection, table, row)
    _derive(connection)
    run_checks.prepare(connection, checks)
    return connection


@contextmanager
def filled(tables_of: Mapping[str, str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same in memory, for one case: tables and views are made once, the rows are taken back."""
    connection = _empty()
    connection.begin()
    try:
        for table, text in tables_of.items():
            for row in rows(text):
                _insert(connection, table, row)
        _derive(connection)
        yield connection
    finally:
        connection.rollback()


@cache
def _empty() -> duckdb.DuckDBPyConnection:
    return database({})


def _derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Write what a replay works out of other columns: settlements, and witnesses that differ."""
    settlements.fill(connection)
    for table, columns in DIFFERING.items():
        names = ", ".join(columns)
        found = connection.execute(f"select rowid, {names} from {table}").fetchall()
        for rowid, *values in found:
            witnesses_that_differ = list((_of_card if table == "cards" else _of_shake)(*values))
            connection.execute(
                f"update {table} set differing = ? where rowid = ?", [witnesses_that_differ, rowid]
            )


def _of_shake(faces: str | None, camera: str | None, probability: float | None) -> tuple[str, ...]:
    return ("camera",) if witnesses.faces_differ(faces, camera, probability or 0) else ()


def _of_card(
    position: int | None,
    shoe: str | None,
    camera: str | None,
    probability: float | None,
    dealer: str | None,
) -> tuple[str, ...]:
    return witnesses.differing(position or 0, shoe, camera, probability or 0, dealer)


def spoken(value: Any) -> str:
    """A value the way the examples write it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(spoken, value))}]"
    return str(value)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, row: Row) -> None:
    columns = {**dictionary.dictionary(), **case_rows.about()}[table].columns
    unknown = set(row) - {column.name for column in columns}
    assert not unknown, f"{table} has no column {', '.join(sorted(unknown))}"
    values = [_value(column, row.get(column.name)) for column in columns]
    casts = ", ".join(f"cast(? as {column.kind})" for column in columns)
    connection.execute(f"insert into {table} values ({casts})", values)


def _value(column: dictionary.Column, cell: str | None) -> Any:
    if cell is None:
        return SHARED.get(column.name, _absent(column))
    if cell == "null":
        return None
    if column.kind.endswith("[]"):
        return [item.strip() for item in cell.strip("[]").split(",") if item.strip()]
    if column.kind == "timestamp" and cell[2] == ":":
        return f"{DAY} {cell}"
    return cell


def _absent(column: dictionary.Column) -> Any:
    if "null" in column.about:
        return None
    return {"varchar": "", "varchar[]": [], "boolean": False}.get(column.kind)
