"""Which test shows which clause, read from the source of the tests.

A test of a game shows a clause if it names it, `TB:7.9`, in its body, in its table of cases or in a
table that it uses; a case may give the number alone, `7.9 cards out of order`.
`tests/clauses/<CODE>.toml` lists tests that show a clause without naming it, and clauses that no
event can show, with the reason.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from audit.cli.errors import Code, Stopped
from replay.rulebooks.edition import BadRulebook, Edition

ANCHOR = re.compile(r"(?<![\w-])([A-Z]{2}(?:-[A-Z]+)?:\d+(?:\.\w+)*)(?!\w)")
NUMBER = re.compile(r"\d+(?:\.\w+)+")
CASE_BEGINS = re.compile(rf"(?:{NUMBER.pattern}(?:,| and| to)? ?)+")


class ClauseTest(NamedTuple):
    """One test that shows a clause, by one of its cases or as a whole."""

    test: str  # file and function: test_sic_bo.py::test_the_worked_examples
    case: str = ""

    def __str__(self) -> str:
        return f"{self.test}[{self.case}]" if self.case else self.test


class Proof(NamedTuple):
    """The tests of the clauses of one edition."""

    shown: Mapping[str, tuple[ClauseTest, ...]]  # by anchor
    unseen: Mapping[str, str]  # anchor to the reason why no event shows it


class _Test(NamedTuple):
    name: str
    texts: tuple[str, ...]  # its own lines, and those of the tables it uses


def proof(edition: Edition, tests: Path) -> Proof:
    """The tests that show an edition's clauses, and the reasons for clauses without one."""
    if not (tests / "replay").is_dir():
        raise Stopped(
            f"{tests}: the project's tests expected, nothing found",
            "run the command in the project's folder, or name their folder with --tests",
            Code.NOT_FOUND,
        )
    known = _functions(tests)
    written = _written(edition, tests, {test.name for test in known})
    found: dict[str, list[ClauseTest]] = {}
    for test in known:
        for anchor, case in _named(edition, test):
            found.setdefault(anchor, []).append(ClauseTest(test.name, case))
    for anchor, shown in written.shown.items():
        found.setdefault(anchor, []).extend(shown)
    return Proof({at: tuple(dict.fromkeys(shown)) for at, shown in found.items()}, written.unseen)


def _named(edition: Edition, test: _Test) -> Iterator[tuple[str, str]]:
    """The clauses a test names, each with the case that names it."""
    if not test.name.startswith(f"{edition.game}/"):
        return  # other tests name clauses only as examples
    for text in test.texts:
        for line in text.splitlines():
            case = line.rpartition("|")[2].strip() if "|" in line else ""
            case = case if ANCHOR.sub("", case).strip() else ""  # the cell holds only clauses
            for anchor in ANCHOR.findall(line):
                if anchor in edition.clauses:
                    yield anchor, case
            begins = CASE_BEGINS.match(case)
            for number in NUMBER.findall(begins[0]) if begins else ():
                if f"{edition.code}:{number}" in edition.clauses:
                    yield f"{edition.code}:{number}", case


@cache
def _functions(tests: Path) -> tuple[_Test, ...]:
    files = sorted(tests.rglob("test_*.py"))
    return tuple(test for path in files for test in _of_file(path))


def _of_file(path: Path) -> Iterator[_Test]:
    name, text = f"{path.parent.name}/{path.name}", path.read_text("utf-8")
    lines = text.splitlines()
    body = ast.parse(text).body
    parts = {defined: node for node in body for defined in _defined(node)}
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            given = [_lines(parts[each], lines) for each in _needed(node, parts)]
            yield _Test(f"{name}::{node.name}", (_lines(node, lines), *given))


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement of the module defines, except tests."""
    if isinstance(node, ast.FunctionDef):
        return [] if node.name.startswith("test_") else [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _needed(node: ast.stmt, parts: Mapping[str, ast.stmt]) -> list[str]:
    """The parts of the module that a test uses, directly or through others."""
    found: dict[str, None] = {}
    waiting = [node]
    while waiting:
        walked = ast.walk(waiting.pop())
        used = {each.id for each in walked if isinstance(each, ast.Name)} & parts.keys()
        waiting += [parts[each] for each in sorted(used - found.keys())]
        found |= dict.fromkeys(sorted(used))
    return list(found)


def _lines(node: ast.stmt, lines: list[str]) -> str:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return "\n".join(lines[first - 1 : node.end_lineno])


def _written(edition: Edition, tests: Path, known: Iterable[str]) -> Proof:
    """What `tests/clauses/<CODE>.toml` adds; every test and clause it names must exist."""
    path = tests / "clauses" / f"{edition.code}.toml"
    if not path.is_file():
        return Proof({}, {})
    raw = tomllib.loads(path.read_text("utf-8"))
    shown: dict[str, tuple[ClauseTest, ...]] = {}
    for test, numbers in raw.get("shown", {}).items():
        if test not in known:
            raise BadRulebook(
                f"{path}: a test such as game/test_x.py::test_y expected, {test!r} found"
            )
        for anchor in _anchors(edition, path, numbers):
            shown[anchor] = (*shown.get(anchor, ()), ClauseTest(test))
    unseen = {}
    for reason, numbers in raw.get("unseen", {}).items():
        unseen.update(dict.fromkeys(_anchors(edition, path, numbers), reason))
    return Proof(shown, unseen)


def _anchors(edition: Edition, path: Path, numbers: str) -> Iterator[str]:
    for number in numbers.split():
        anchor = f"{edition.code}:{number}"
        if anchor not in edition.clauses:
            raise BadRulebook(f"{path}: a clause of {edition.code} expected, {number!r} found")
        yield anchor
