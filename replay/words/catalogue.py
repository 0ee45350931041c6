"""Reads the catalogue: one gettext file for each language and rulebook, as Babel reads them."""

import gettext
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import NamedTuple

LANGUAGES = ("en", "vi")


class Field(NamedTuple):
    """A piece of a template: fixed text, and the value that follows it."""

    before: str
    name: str  # empty after the last value
    kind: str  # how the value is shown, such as amount; empty for the value itself
    joint: str  # what stands between the values of a list: empty, and, or, ;


Template = tuple[Field, ...]


class Wording(NamedTuple):
    """What a language says for a key: one template, or one for each plural form."""

    forms: tuple[Template, ...]
    plural: Callable[[int], int]  # a count to its form

    @property
    def fields(self) -> frozenset[tuple[str, str, str]]:
        """Every value that the words use, with its kind and what joins a list of it."""
        return frozenset(
            (field.name, field.kind, field.joint)
            for form in self.forms
            for field in form
            if field.name
        )


@cache
def wordings(language: str) -> Mapping[str, Wording]:
    """Every wording of a language, by its key."""
    return {key: wording for _, key, wording in entries(language)}


def entries(language: str) -> Iterator[tuple[str, str, Wording]]:
    """Every wording of a language: the name of its file, its key, its words."""
    from babel.messages.pofile import read_po  # slow to import

    folder = resources.files(__package__) / language
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language, abort_invalid=True)
        plural = gettext.c2py(catalogue.plural_expr)
        for entry in catalogue:
            if entry.id:
                key = entry.id if isinstance(entry.id, str) else entry.id[0]
                forms = (entry.string,) if isinstance(entry.string, str) else entry.string
                yield path.name, key, Wording(tuple(map(template, forms or ())), plural)


def template(text: str) -> Template:
    """A text with its values named, such as `{stake:amount} on {bet:bet}`, taken apart."""
    return tuple(
        Field(before, name or "", *_spec(spec or ""))
        for before, name, spec, _ in Formatter().parse(text)
    )


def _spec(spec: str) -> tuple[str, str]:
    kind, _, joint = spec.partition(" ")
    return kind, joint
