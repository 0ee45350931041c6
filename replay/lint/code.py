"""An edition against the code that honours it: anchors that exist, readings that are asked for."""

import ast
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from replay.lint.complaint import ERROR, EditionComplaint
from replay.rulebooks.edition import Edition
from schemas.ranks import LADDER

ROOMS = ("games", "rulings", "theory")
# How the code asks for a reading: `terms.readings["x"]`, `edition.issues["x"]`.
ASKED = re.compile(r"""(?:readings|issues)(?:\[|\.get\()["'](\w+)["']""")


def found(edition: Edition, sources: Mapping[str, str]) -> Iterator[EditionComplaint]:
    """Where the modules of the edition's game and the edition part ways."""
    yield from _anchors(edition, sources)
    yield from _readings(edition, sources)


def sources(game: str) -> dict[str, str]:
    """The modules of a game and all they draw on in the same rooms, by name."""
    every = dict(_modules())
    own = [name for name in every if re.match(rf"\w+/{game}[_./]", name)]
    taken: dict[str, str] = {}
    while own:
        name = own.pop()
        if name not in taken:
            taken[name] = every[name]
            own += [each for each in _imported(every[name]) if each in every]
    return taken


def _anchors(edition: Edition, sources: Mapping[str, str]) -> Iterator[EditionComplaint]:
    cited = re.compile(rf"(?<![\w-]){re.escape(edition.code)}:\d+(?:\.\w+)*")
    for issue in edition.issues.values():
        if issue.anchor not in edition.clauses:
            text = f"rule issue {issue.name} points at a clause that is not there"
            yield EditionComplaint(ERROR, "anchor", issue.anchor, text)
    for name, text in sources.items():
        for anchor in sorted(set(cited.findall(text)) - edition.clauses.keys()):
            yield EditionComplaint(
                ERROR, "anchor", anchor, f"{name} cites it, and it is not in the text"
            )


def _readings(edition: Edition, sources: Mapping[str, str]) -> Iterator[EditionComplaint]:
    """Issues the code asks for that the edition lacks, and readings that nobody honours."""
    own = {name: text for name, text in sources.items() if f"/{edition.game}" in name}
    for name, text in own.items():
        for asked in sorted(set(ASKED.findall(text)) - edition.issues.keys()):
            said = f"{name} asks for its reading, and the edition has no such issue"
            yield EditionComplaint(ERROR, "issue", asked, said)
    words = {word for text in sources.values() for word in strings(text)} | set(LADDER)
    for issue in edition.issues.values():
        # What is no plain word is a figure or a list, which the code reads and need not know.
        readings = [each for each in (issue.reading, *issue.alternatives) if each.isidentifier()]
        unknown = [reading for reading in readings if reading not in words]
        # With n readings, n - 1 have to be told apart by name; the last is what remains.
        if len(readings) > 1 and (issue.name not in words or len(unknown) > 1):
            said = f"no module tells {' from '.join(unknown or readings)}"
            yield EditionComplaint(ERROR, "reading", issue.name, said)


def strings(text: str) -> Iterator[str]:
    """The strings of a module, and the names it gives arguments by."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def _imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("replay."):
            room = node.module.removeprefix("replay.").replace(".", "/")
            yield from (f"{room}.py", f"{room}/__init__.py")
            for alias in node.names:
                yield from (f"{room}/{alias.name}.py", f"{room}/{alias.name}/__init__.py")


def _modules() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        yield from _below(files("replay") / room, room)


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.is_dir() and each.name != "__pycache__":
            yield from _below(each, f"{name}/{each.name}")
        elif each.name.endswith(".py"):
            yield f"{name}/{each.name}", each.read_text("utf-8")
