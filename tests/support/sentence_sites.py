"""Every place of the code that says a sentence: `say("TB.natural", player=…)`."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ROOMS = ("replay", "audit")
IMPORTS = re.compile(r"from replay\.sentence import .*\bsay\b")


class Site(NamedTuple):
    """One such place."""

    where: str  # file and line
    key: str  # empty where it is not written out
    params: frozenset[str]


@cache
def sites() -> tuple[Site, ...]:
    """All of them."""
    files = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return tuple(site for path in files for site in _sites(path))


def _sites(path: Path) -> Iterator[Site]:
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if IMPORTS.search(text) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            names = frozenset(word.arg or "**" for word in node.keywords)
            yield Site(f"{path.relative_to(ROOT)}:{node.lineno}", _key(node), names)


def _key(call: ast.Call) -> str:
    match call.args:
        case [ast.Constant(value=str(key))]:
            return key
    return ""
