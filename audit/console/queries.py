"""Saved queries: those that come with the console, and those that people of the house keep."""

import re
import secrets
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from audit.cli.errors import Code, Stopped
from audit.console.store import ConsoleStore

_HEADER = re.compile(r"^-- (title|about): +(.*)$", re.MULTILINE)


class SavedQuery(NamedTuple):
    """One query with its title."""

    name: str
    title: str
    about: str
    sql: str
    by: str = ""  # empty for one that comes with the console


@cache
def shipped() -> tuple[SavedQuery, ...]:
    """The queries that come with the console, by title."""
    found = []
    for file in sorted(files("audit.console").joinpath("queries_shipped").iterdir(), key=str):
        if file.name.endswith(".sql"):
            text = file.read_text("utf-8")
            header = dict(_HEADER.findall(text))
            sql = _HEADER.sub("", text).strip()
            name = file.name.removesuffix(".sql")
            found.append(SavedQuery(name, header["title"], header["about"], sql))
    return tuple(found)


def all_of(store: ConsoleStore) -> list[SavedQuery]:
    """Every saved query."""
    with store.reading() as db:
        rows = db.execute("select name, title, about, sql, by_whom from queries order by title")
        return [*shipped(), *(SavedQuery(*row) for row in rows)]


def find(store: ConsoleStore, name: str) -> SavedQuery:
    """One saved query."""
    for query in all_of(store):
        if query.name == name:
            return query
    raise Stopped(f"no saved query {name!r}", "/sql lists them", Code.NOT_FOUND)


def save(store: ConsoleStore, who: str, title: str, about: str, sql: str) -> str:
    """Keep a query; the name that was given to it."""
    name = secrets.token_hex(6)
    with store.writing() as db:
        db.execute("insert into queries values (?, ?, ?, ?, ?)", (name, title, about, sql, who))
    return name
