"""The clauses of the rulebooks, each with its tests or the reason why no event can show it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit.pages import clause_text
from audit.pages.clause_tests import ClauseTest, proof
from replay.rulebooks.edition import Clause, Edition

SHOWN, HEAD, UNSEEN, MISSING = "shown", "head", "unseen", "missing"
HOIANA_SECTIONS = ("4", "5", "6", "7")  # how to play, what wins, what pays, irregularities
HEADING_WORDS = 14  # a longer opening is a rule of its own
TESTS_NAMED = 3  # the other tests are counted
CLAUSE_WIDTH = 110  # characters of a clause that the page prints

PAGE = """\
# Clauses

Every clause of sections 4 to 7 of the Hoiana rulebooks and every rule sentence of the SA Gaming
report, with the test that shows it or the reason why no event can. `roundproof rules show TB 7.17`
prints a clause in full, with its hash, its rule issues and all its tests. `tests/clauses/` lists
the clauses that no test names. `roundproof rules clauses --markdown` writes this page from the
editions and the tests.

"""


class Row(NamedTuple):
    """One clause, whether a test shows it, and the tests or the reason."""

    clause: Clause
    status: str
    shown: tuple[ClauseTest, ...] = ()
    why: str = ""


def rows(edition: Edition, tests: Path) -> list[Row]:
    """Every clause that governs play, in the order of the text."""
    known = proof(edition, tests)
    return [
        _row(edition, clause, known.shown.get(clause.anchor, ()), known.unseen)
        for clause in edition.clauses.values()
        if _rules(edition, clause)
    ]


def counts(found: Iterable[Row]) -> Counter[str]:
    """How many clauses are shown by a test, are headings, cannot be shown, or are open."""
    return Counter(row.status for row in found)


def told(edition: Edition, found: Sequence[Row]) -> Iterator[str]:
    """How many clauses of an edition have a test, and which are open."""
    yield f"{edition.code} {edition.number}: {spoken(counts(found))}"
    for row in found:
        if row.status == MISSING:
            yield f"  {row.clause.anchor}  {_short(clause_text.one_line(row.clause.text))}"


def document(edition: Edition, found: Sequence[Row]) -> dict[str, Any]:
    """An edition's clauses as JSON values."""
    return {
        "code": edition.code,
        "edition": edition.number,
        "clauses": [
            {
                "anchor": row.clause.anchor,
                "status": row.status,
                "tests": [str(test) for test in row.shown],
                "why": row.why,
            }
            for row in found
        ],
    }


def page(books: Sequence[tuple[Edition, Sequence[Row]]]) -> str:
    """All editions as Markdown."""
    parts = [PAGE, "| rulebook | clauses | shown by a test | heads | no event can show | open |\n"]
    parts.append("|---|--:|--:|--:|--:|--:|\n")
    for edition, found in books:
        count = counts(found)
        figures = [len(found), *(count[status] for status in (SHOWN, HEAD, UNSEEN, MISSING))]
        name = f"[{edition.code}](#{edition.code.lower()}) {edition.title}"
        parts.append(f"| {name} | {' | '.join(map(str, figures))} |\n")
    for edition, found in books:
        parts.append(f"\n## {edition.code}\n\n{edition.title}, {edition.number}, ")
        parts.append(
            f"in force from {edition.effective}.\n\n| clause | text | shown by |\n|---|---|---|\n"
        )
        parts += [_line(row) for row in found]
    return "".join(parts)


def spoken(count: Counter[str]) -> str:
    """The counts of one edition in words."""
    return (
        f"{count.total()} clauses, {count[SHOWN]} shown by a test, {count[HEAD]} heads, "
        f"{count[UNSEEN]} that no event can show, {count[MISSING]} open"
    )


def _row(
    edition: Edition, clause: Clause, shown: tuple[ClauseTest, ...], unseen: Mapping[str, str]
) -> Row:
    if shown:
        return Row(clause, SHOWN, shown)
    if clause.anchor in unseen:
        return Row(clause, UNSEEN, why=unseen[clause.anchor])
    under = [anchor for anchor in edition.clauses if anchor.startswith(f"{clause.anchor}.")]
    if under and _is_head(clause_text.one_line(clause.text)):
        first, last = (anchor.partition(":")[2] for anchor in (under[0], under[-1]))
        return Row(clause, HEAD, why=f"opens {first}" + (f" to {last}" if first != last else ""))
    return Row(clause, MISSING)


def _rules(edition: Edition, clause: Clause) -> bool:
    section = clause.anchor.partition(":")[2].split(".")[0]
    return edition.code.startswith("SA-") or section in HOIANA_SECTIONS


def _is_head(text: str) -> bool:
    """Whether a clause is only a heading: a title, or a short opening with a colon."""
    opens = text.endswith((":", ";")) and len(text.split()) <= HEADING_WORDS
    return text.isupper() or opens or (len(text.split()) <= 5 and not text.endswith("."))


def _line(row: Row) -> str:
    shown_by = {
        SHOWN: "<br>".join(_tests(row.shown)),
        HEAD: row.why,
        UNSEEN: f"*{row.why}*",
        MISSING: "**open**",
    }
    text = _short(clause_text.one_line(row.clause.text)).replace("|", "\\|")
    return f"| {row.clause.anchor} | {text} | {shown_by[row.status]} |\n"


def _tests(shown: Sequence[ClauseTest]) -> Iterator[str]:
    """The first tests, each by its function and one of its cases."""
    functions: dict[str, list[str]] = {}
    for test in shown:
        functions.setdefault(test.test, []).append(test.case)
    for name, cases in list(functions.items())[:TESTS_NAMED]:
        case = f": {cases[0]}" if cases[0] else ""
        yield f"`{name}`{case}"
    if len(functions) > TESTS_NAMED:
        yield f"and {len(functions) - TESTS_NAMED} more"


def _short(text: str) -> str:
    if len(text) <= CLAUSE_WIDTH:
        return text
    return text[: text.rindex(" ", 0, CLAUSE_WIDTH)] + " …"
