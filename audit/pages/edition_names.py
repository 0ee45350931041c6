"""Editions by the names that users type: `TB`, `TB@01/01.10.2024`, `TB:commission`, or a file."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from audit.cli.errors import Code, Stopped
from replay import rulebooks
from replay.rulebooks.edition import BadRulebook, Edition, UnknownRulebook, parse

FILE = ".toml"


class Named(NamedTuple):
    """An edition, and one of its paytables if the user named one."""

    edition: Edition
    paytable: str = ""

    def __str__(self) -> str:
        table = f":{self.paytable}" if self.paytable else ""
        return f"{self.edition.code}@{self.edition.number}{table}"


def named(name: str) -> Named:
    """The edition that a name stands for; without a number the newest one."""
    file, is_file, rest = name.partition(FILE)
    if is_file:
        return _with_table(read(Path(file + FILE)), rest.removeprefix(":"))
    head, _, table = name.partition(":")
    code, _, number = head.partition("@")
    return _with_table(newest(code, number), table)


def newest(code: str, number: str = "") -> Edition:
    """The newest edition of a rulebook, or the one with that number."""
    found = [edition for edition in rulebooks.editions() if edition.code == code]
    if not found:
        known = ", ".join(rulebooks.codes())
        raise UnknownRulebook(f"rulebook {code!r}: one of {known} expected")
    wanted = [edition for edition in found if number in ("", edition.number)]
    if not wanted:
        known = ", ".join(edition.number for edition in found)
        raise UnknownRulebook(f"rulebook {code}: edition {known} expected, {number!r} found")
    return wanted[-1]


def every(name: str) -> tuple[Edition, ...]:
    """The edition that a name stands for, or all editions for an empty name."""
    return (named(name).edition,) if name else rulebooks.editions()


def read(path: Path) -> Edition:
    """Read an edition from a user's file; an error names the file."""
    try:
        return parse(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRulebook(f"{path}: TOML expected, {error}") from error
    except KeyError as error:
        raise BadRulebook(f"{path}: {error.args[0]} expected, nothing found") from error
    except BadRulebook as error:
        raise BadRulebook(f"{path}: {error}") from error


def _with_table(edition: Edition, paytable: str) -> Named:
    if paytable and paytable not in edition.paytables:
        known = ", ".join(edition.paytables)
        what = f"rulebook {edition.code}: paytable {known} expected, {paytable!r} found"
        raise Stopped(what, f"roundproof rules show {edition.code}", Code.NOT_FOUND)
    return Named(edition, paytable)
