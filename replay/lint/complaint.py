"""One thing that lint has to say of an edition, and how much it matters."""

import re
from typing import NamedTuple

from replay.rulebooks.edition import Edition, Issue

ERROR, KNOWN, NOTE = "error", "known", "note"


class EditionComplaint(NamedTuple):
    """`error`: the edition is wrong; `known`: the text is, and an issue says how it is read."""

    level: str
    check: str
    where: str  # an anchor, or a paytable and its bet
    text: str
    issue: str = ""


class TextConflict(NamedTuple):
    """A place where the text is at odds with itself, whether or not an issue speaks of it."""

    check: str
    anchors: tuple[str, ...]
    text: str
    words: str = ""  # a pattern: an issue that speaks of this knows it
    near: tuple[str, ...] = ()  # clauses whose issues may speak of it as well


def weighed(edition: Edition, found: TextConflict) -> EditionComplaint:
    """A contradiction is known where a rule issue says how it is read, else it is an error."""
    issue, where = _issue(edition, found), " ".join(found.anchors)
    if issue:
        return EditionComplaint(KNOWN, found.check, where, found.text, issue.name)
    missing = f"{found.text}; no rule issue says how it is read"
    return EditionComplaint(ERROR, found.check, where, missing)


def _issue(edition: Edition, found: TextConflict) -> Issue | None:
    """The issue that speaks of it: at one of its clauses, with its words, or both."""
    issues = list(edition.issues.values())
    if found.words:
        pattern = re.compile(found.words, re.IGNORECASE)
        by_name = [each for each in issues if pattern.search(each.name.replace("_", " "))]
        issues = by_name + [each for each in issues if pattern.search(each.what)]
    if not found.anchors:
        return issues[0] if issues else None
    inside = (each for at in found.anchors for each in issues if _under(each.anchor, at))
    beside = (each for at in found.near for each in issues if each.anchor == at)
    return next(inside, None) or next(beside, None)


def _under(anchor: str, above: str) -> bool:
    return f"{anchor}.".startswith(f"{above}.")
