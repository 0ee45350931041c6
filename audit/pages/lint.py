"""The results of lint on editions, as text and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from replay.lint import ERROR, KNOWN, NOTE, EditionComplaint, lint
from replay.rulebooks.edition import Edition

SPOKEN = {ERROR: "error", KNOWN: "known issue", NOTE: "note"}


class Linted(NamedTuple):
    """An edition and its complaints."""

    name: str
    complaints: tuple[EditionComplaint, ...]


def linted(edition: Edition) -> Linted:
    """Lint one edition; errors come first, each level in the order of the text."""
    order = list(SPOKEN)
    complaints = sorted(lint(edition), key=lambda each: order.index(each.level))
    return Linted(f"{edition.code} {edition.number}", tuple(complaints))


def unreadable(name: str, why: str) -> Linted:
    """The result for a file that is not an edition."""
    return Linted(name, (EditionComplaint(ERROR, "file", "", why),))


def told(found: Linted) -> Iterator[str]:
    """The complaints about one edition as lines of text."""
    yield f"{found.name}: {_counts(found.complaints)}"
    for each in found.complaints:
        where = f"{each.where}: " if each.where else ""
        issue = f" (rule issue {each.issue})" if each.issue else ""
        yield f"  {each.level:<5}  {each.check:<11}  {where}{each.text}{issue}"


def document(found: Linted) -> dict[str, Any]:
    """The complaints about one edition as JSON values."""
    return {"edition": found.name, "complaints": [each._asdict() for each in found.complaints]}


def wrong(found: Sequence[Linted]) -> int:
    """How many errors there are."""
    return sum(each.level == ERROR for one in found for each in one.complaints)


def _counts(complaints: Sequence[EditionComplaint]) -> str:
    count = Counter(each.level for each in complaints)
    parts = [f"{n} {name}{'s' * (n > 1)}" for level, name in SPOKEN.items() if (n := count[level])]
    return ", ".join(parts) or "no complaints"
