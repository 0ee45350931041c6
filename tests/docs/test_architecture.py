"""docs/architecture.md lists every room, in an order that no import breaks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = Path("docs/architecture.md").read_text("utf-8")
PACKAGES = ("ingest", "replay", "vision", "audit")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_has_its_row(package: str) -> None:
    there = {path.parent.name for path in Path(package).glob("*/__init__.py")}

    assert set(_rooms(package)) == there
    assert len(there) > 4


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "vision"])
def test_a_room_imports_only_rooms_below_it(package: str) -> None:
    order = _rooms(package)

    assert [
        f"{room} imports {other}"
        for room in order
        for other in sorted(_imported(package, room))
        if other in order and order.index(other) < order.index(room)
    ] == []


def _rooms(package: str) -> list[str]:
    """The rooms of a package as the page orders them."""
    return re.findall(rf"^\| `{package}/(\w+)/` \|", PAGE, re.MULTILINE)


def _imported(package: str, room: str) -> set[str]:
    """What the modules of a room import from their own package, by the name after the package."""
    found = set()
    for path in Path(package, room).rglob("*.py"):
        found |= {
            parts[1]
            for name in _names(ast.parse(path.read_text("utf-8")))
            if (parts := name.split("."))[0] == package
        }
    return found


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
