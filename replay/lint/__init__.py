"""Lint: what is wrong or worth knowing in an edition before a house plays by it."""

from collections.abc import Iterator

from replay.lint import clauses, code, debris, paytables, returns
from replay.lint.complaint import ERROR, KNOWN, NOTE, EditionComplaint, TextConflict, weighed
from replay.rulebooks.edition import Edition

__all__ = ["ERROR", "KNOWN", "NOTE", "EditionComplaint", "lint"]


def lint(edition: Edition) -> Iterator[EditionComplaint]:
    """Everything there is to say of an edition, text first."""
    for each in _found(edition):
        yield weighed(edition, each) if isinstance(each, TextConflict) else each


def _found(edition: Edition) -> Iterator[EditionComplaint | TextConflict]:
    sources = code.sources(edition.game)
    yield from debris.found(edition)
    yield from clauses.found(edition)
    yield from paytables.found(edition)
    yield from returns.found(edition, sources)
    yield from code.found(edition, sources)
