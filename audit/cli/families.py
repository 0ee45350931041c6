"""The commands by the module that holds them, so that a command line loads one module, not all."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import NamedTuple

import typer


class Family(NamedTuple):
    """A module, and the words of the command line that lead to it."""

    module: str
    words: tuple[str, ...]
    is_group: bool = False  # whether the one word is the name of a group of commands


def _root(module: str, *words: str) -> Family:
    return Family(f"audit.commands.{module}", words)


def _group(module: str, word: str) -> Family:
    return Family(f"audit.commands.{module}", (word,), is_group=True)


# In the order of the help.
FAMILIES = (
    _root("demo", "demo"),
    _root("simulate", "simulate"),
    _group("ingest", "ingest"),
    _group("dlq", "dlq"),
    _group("archive", "archive"),
    _group("log", "log"),
    _group("keys", "keys"),
    _group("witness", "witness"),
    _group("vision.pictures", "vision"),
    _root("watch", "watch"),
    _root("replay", "replay", "digest"),
    _root("rounds", "explain", "whatif"),
    _root("settle", "settle"),
    _root("reaudit", "reaudit", "diff"),
    _group("rules", "rules"),
    _root("detect", "detect", "checks"),
    _root("findings", "findings", "find"),
    _group("pack", "pack"),
    _root("sql", "sql"),
    _root("report", "report"),
    _group("case.mounted", "case"),
    _group("access", "access"),
    _group("schemas", "schemas"),
    _group("kafka", "kafka"),
    _root("console", "console"),
    _root("house", "doctor", "config"),
)


def leading_to(word: str) -> Iterator[Family]:
    """The family of a command; all of them where no command has that name."""
    found = [family for family in FAMILIES if word in family.words]
    yield from found or FAMILIES


def mount(root: typer.Typer, families: Iterable[Family]) -> None:
    """Load families and put their commands on the root."""
    for family in families:
        root.add_typer(
            import_module(family.module).app, name=family.words[0] if family.is_group else None
        )
