"""What checks and auditors share, read from views.sql: macros, and views with their meaning."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import duckdb

from replay import game_modules, rulebooks
from replay.tables import dictionary as tables
from replay.tables.dictionary import Column, Table

_VIEW = re.compile(
    r"((?:^--[^\n]*\n)*)create or replace temp view (\w+) as\n(.*?);\n", re.MULTILINE | re.DOTALL
)
_OWN = re.compile(r"--     (\w+): (.*)")
_MORE = "--         "  # goes on with the line above
_TRIGGER = (
    "-- trigger: "  # what a round must show for the view to have rows (audit/checks/triggers.py)
)


VERSION = "views_version"  # the macro by which a file says whose views it holds
# What a game's rulings say of it by name (replay/game_modules.py), and checks ask for.
FACTS = (
    "BURNS_BY_CARD", "DEALS_TO_SIDES", "LIMITS_BY_RULING", "RULES_ON_JAMS", "VOID_AFTER_CALL",
)  # fmt: skip
KEYS = {"table_id": "the table", "round_id": "the round", "wager_id": "the wager"}


class View(NamedTuple):
    """One view: its name, what its rows are, what its own columns mean, its query."""

    name: str
    about: str
    own: Mapping[str, str]
    sql: str
    trigger: str  # empty where it has rows wherever the tables do that it reads


@cache
def views() -> tuple[View, ...]:
    """Every view; one may read those before it."""
    return tuple(_view(*found) for found in _VIEW.findall(text()))


@cache
def dictionary() -> Mapping[str, Table]:
    """Every view by name as a page of the dictionary, its columns with their types."""
    with duckdb.connect(":memory:") as connection:
        connection.execute(tables.sql())
        connection.execute(text())
        pages: dict[str, Table] = {}
        for view in views():
            described = connection.execute(f"describe {view.name}").fetchall()
            columns = tuple(
                Column(name, kind.lower(), _meaning(view, name, pages))
                for name, kind, *_ in described
            )
            pages[view.name] = Table(view.name, view.about, columns)
    return pages


def lend(
    connection: duckdb.DuckDBPyConnection,
    once: Collection[str] = (),
    made: Callable[[str], object] = str,
) -> None:
    """Give a connection the views and macros for as long as it lasts.

    A view that is named in `once` becomes a table, worked out here and not by each reader. Each
    name is told to `made` when its view is there.
    """
    connection.execute("set timezone = 'UTC'")
    connection.execute(macros())
    for view in views():
        kind = "table" if view.name in once else "view"
        connection.execute(f"create or replace temp {kind} {view.name} as {view.sql}")
        made(view.name)


def put(connection: duckdb.DuckDBPyConnection) -> None:
    """Put the views and macros into a file, for readers that are not ours."""
    connection.execute(re.sub(r"\btemp (macro|view)\b", r"\1", text()))
    connection.execute(game_facts().replace("temp macro", "macro"))
    connection.execute(f"create or replace macro {VERSION}() as '{_version()}'")
    for page in dictionary().values():
        connection.execute(f"comment on view {page.name} is {_quoted(page.about)}")
        for column in page.columns:
            where = f"{page.name}.{column.name}"
            connection.execute(f"comment on column {where} is {_quoted(column.about)}")


def are_there(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file holds the views of today."""
    found = connection.execute(
        "select macro_definition from duckdb_functions() where function_name = ?", [VERSION]
    )
    return found.fetchall() == [(f"'{_version()}'",)]


def macros() -> str:
    """The statements that make the macros."""
    return _VIEW.sub("", text()) + game_facts()


@cache
def game_facts() -> str:
    """The statements that make a macro of each fact of a game that checks ask for."""
    games = {edition.code: game_modules.rulings(edition.game) for edition in rulebooks.editions()}
    return "".join(_of_games(fact, games) for fact in FACTS)


def text() -> str:
    """All statements."""
    return (files("audit.checks") / "views.sql").read_text("utf-8")


def _version() -> str:
    return hashlib.sha256((text() + game_facts()).encode()).hexdigest()


def _of_games(fact: str, games: Mapping[str, game_modules.Rulings]) -> str:
    """The macro that says of a rulebook's code whether its game is so."""
    codes = ", ".join(_quoted(code) for code, rulings in games.items() if getattr(rulings, fact))
    macro = f"create or replace temp macro {fact.lower()}(game)"
    return f"{macro} as list_contains([{codes}]::varchar[], game);\n"


def _view(above: str, name: str, sql: str) -> View:
    lines = above.splitlines()
    own: dict[str, str] = {}
    about, trigger = [], ""
    for line in lines:
        if found := _OWN.fullmatch(line):
            own[found[1]] = found[2]
        elif line.startswith(_MORE):
            own[next(reversed(own))] += " " + line.removeprefix(_MORE)
        elif line.startswith(_TRIGGER):
            trigger = line.removeprefix(_TRIGGER)
        else:
            about.append(line[2:].strip())
    return View(name, " ".join(about), own, sql, trigger)


def _meaning(view: View, column: str, pages: Mapping[str, Table]) -> str:
    """What the view says of a column, or else the table or view it was taken from."""
    if column in view.own or column in KEYS:
        return view.own.get(column) or KEYS[column]
    found = next(_said(view, column, {**tables.dictionary(), **pages}), None)
    assert found, f"{view.name}: a line `--     {column}: meaning` expected above the view"
    return found


def _said(view: View, column: str, pages: Mapping[str, Table]) -> Iterator[str]:
    """What the tables that a view reads say of a column, the first it reads first."""
    for read in re.findall(r"\b(?:from|join) (\w+)", view.sql):
        if read in pages:
            yield from (about for name, _, about in pages[read].columns if name == column)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
