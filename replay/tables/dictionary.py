"""The auditor's dictionary, read from tables.sql: every table, its columns, their meaning."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_TABLE = re.compile(
    r"((?:^-- [^\n]*\n)*)create table (\w+) \(\n(.*?)\n\);", re.MULTILINE | re.DOTALL
)
_COLUMN = re.compile(r"^\s+(\w+)\s+([\w\[\]]+)\s*,?\s*-- (.*)$")


IN_WORDS = "in words: "  # how the comment of a column begins that the derived files do not have


class Column(NamedTuple):
    """One column: its name, its SQL type, what it means."""

    name: str
    kind: str
    about: str

    @property
    def in_words(self) -> bool:
        """Whether it is made from a sentence where rows come into SQL."""
        return self.about.startswith(IN_WORDS)


class Table(NamedTuple):
    """One table and what its rows are."""

    name: str
    about: str
    columns: tuple[Column, ...]

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns of its rows before they come into SQL: without those in words."""
        return tuple(column for column in self.columns if not column.in_words)


@cache
def dictionary() -> Mapping[str, Table]:
    """Every table by name, in the order of the file."""
    return parsed(sql())


def parsed(text: str) -> Mapping[str, Table]:
    """The tables that such statements create, by name."""
    return {
        name: Table(name, _about(above), _columns(name, body))
        for above, name, body in _TABLE.findall(text)
    }


def sql() -> str:
    """The statements that create the tables."""
    return (files("replay.tables") / "tables.sql").read_text("utf-8")


def _about(above: str) -> str:
    return " ".join(line.removeprefix("--").strip() for line in above.splitlines())


def _columns(table: str, body: str) -> tuple[Column, ...]:
    columns = []
    for line in body.splitlines():
        found = _COLUMN.match(line)
        assert found, f"table {table}: a column with its comment expected, {line!r} found"
        columns.append(Column(*found.groups()))
    return tuple(columns)
