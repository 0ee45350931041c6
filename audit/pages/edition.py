"""An edition with its paytables and readings, or one clause, as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.cli import columns
from audit.pages import clause_text
from audit.pages.clause_tests import ClauseTest
from replay.rulebooks.edition import Clause, Edition, Issue, Line, cell

TESTS_NAMED = 5  # the other tests are counted


def told(edition: Edition) -> Iterator[str]:
    """An edition's paytables and readings as lines of text."""
    yield f"{edition.title} ({edition.code} {edition.number}), in force from {edition.effective}"
    for name, table in edition.paytables.items():
        posted = " (unless another is posted)" if name == edition.paytable else ""
        yield f"\npaytable {name}{posted}"
        rows = [
            (line.bet, line.fact, cell(line.odds), line.source, " ".join(line.clauses))
            for line in _lines(table)
        ]
        yield from (
            f"  {line}"
            for line in columns.lines(("bet", "fact", "odds", "source", "clauses"), rows)
        )
    if edition.issues:
        yield "\nreadings of unclear clauses"
    for issue in edition.issues.values():
        yield f"  {issue.name} ({issue.anchor}): {_reading(issue)}"


def document(edition: Edition) -> dict[str, Any]:
    """An edition as JSON values."""
    return {
        "code": edition.code,
        "edition": edition.number,
        "effective": edition.effective,
        "title": edition.title,
        "source": edition.source,
        "default_paytable": edition.paytable,
        "paytables": {
            name: [_line(line) for line in _lines(table)]
            for name, table in edition.paytables.items()
        },
        "readings": {issue.name: _issue(issue) for issue in edition.issues.values()},
        "clauses": {anchor: clause.text for anchor, clause in edition.clauses.items()},
    }


def clause_told(edition: Edition, clause: Clause, shown: Sequence[ClauseTest]) -> Iterator[str]:
    """One clause word for word, with its rule issues, paytable lines and tests."""
    first, *rest = clause_text.lines(clause.text)
    yield f"{clause.anchor}  {first}"
    yield from rest
    yield ""
    yield f"edition  {edition.title} {edition.number}, in force from {edition.effective}"
    yield f"source   {edition.source}"
    yield f"sha256   {clause.sha256}"
    for issue in concerning(edition, clause.anchor):
        yield f"issue    {issue.name}: {issue.what}"
        yield f"         read as {_reading(issue)}"
    for name, line in citing(edition, clause.anchor):
        yield f"pays     {name}: {line.bet} | {line.fact} | {cell(line.odds)} | {line.source}"
    for test in shown[:TESTS_NAMED]:
        yield f"test     {test}"
    if len(shown) > TESTS_NAMED:
        yield f"         and {len(shown) - TESTS_NAMED} more"


def clause_document(
    edition: Edition, clause: Clause, shown: Sequence[ClauseTest]
) -> dict[str, Any]:
    """One clause with its rule issues, paytable lines and tests as JSON values."""
    return clause._asdict() | {
        "edition": edition.number,
        "effective": edition.effective,
        "source": edition.source,
        "issues": {issue.name: _issue(issue) for issue in concerning(edition, clause.anchor)},
        "lines": [
            {"paytable": name} | _line(line) for name, line in citing(edition, clause.anchor)
        ],
        "tests": [str(test) for test in shown],
    }


def concerning(edition: Edition, anchor: str) -> list[Issue]:
    """The rule issues about a clause."""
    return [issue for issue in edition.issues.values() if issue.anchor == anchor]


def citing(edition: Edition, anchor: str) -> list[tuple[str, Line]]:
    """The paytable lines that cite a clause."""
    every = ((name, line) for name, table in edition.paytables.items() for line in _lines(table))
    return [(name, line) for name, line in every if anchor in line.clauses]


def _lines(table: Mapping[str, tuple[Line, ...]]) -> Iterator[Line]:
    for lines in table.values():
        yield from lines


def _reading(issue: Issue) -> str:
    form = f"; or of the form {issue.form}" if issue.form else ""
    others = f"; or {', '.join(issue.alternatives)}" if issue.alternatives else ""
    return f"{issue.reading}{others}{form}"


def _issue(issue: Issue) -> dict[str, Any]:
    return {
        "anchor": issue.anchor,
        "what": issue.what,
        "reading": issue.reading,
        "alternatives": list(issue.alternatives),
        "form": issue.form,
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "bet": line.bet,
        "fact": line.fact,
        "odds": cell(line.odds),
        "clauses": list(line.clauses),
        "source": line.source,
        "provenance": line.provenance,
    }
