"""Makes the words of a sentence: finds its template and shows each value by its kind.

A kind is figures (`amount`, `signed`, `count`) or a family of labels (`bet`, `card`, `rank` ...). A
label of one game goes before that of all games. A word that nobody has a label for, such as one
that a person typed, is shown as it stands.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from replay.likelihood import posterior
from replay.sentence import Prose, Sentence, Value
from replay.words.catalogue import Template, Wording, wordings

ENGLISH = "en"
COUNT = "count"
PERCENT = "percent"  # of millionths
NTH = "nth"  # of an index: the first is 1
FIGURES = (COUNT, "amount", "signed")
NOTHING = "none"  # the label of an empty word, and of a card that nobody read
ANY = "word"  # the kind of a word that a person or a device entered, whatever it is about
OPEN = ("irregularity", "decision", "reason", "witness")
NO_COMMISSION = ":nc"  # a mode that the record puts behind a bet
SUBJECT = "subject"  # what a flag concerns: such a word, a hand, or an id that stays as it is
PLACES = re.compile("[-+]")  # split:27-30, double:fish+prawn
JOINTS = {"": ", ", ";": "; ", "-": "-", "_": " "}  # others are words of the catalogue


class Reader(NamedTuple):
    """Whoever reads: their language, and the rulebook of the game that they read about."""

    language: str = ENGLISH
    game: str = ""

    def text(self, said: Prose) -> str:
        """The words of a sentence."""
        return text(said, self.language, self.game)

    def label(self, kind: str, word: str | None) -> str:
        """What people call a thing that the record has a short word for."""
        return label(kind, word, self.language, self.game)

    def figures(self, number: int | str) -> str:
        """A number with its thousands apart; a fraction is exact."""
        return _figures(number, "amount", self.language)


def text(said: Prose, language: str = ENGLISH, game: str = "") -> str:
    """The words of a sentence, with the labels of the game that it is about."""
    if isinstance(said, str):
        return said
    book = said.key.partition(".")[0]
    if book.isupper():  # the sentence of one rulebook
        game = book
    values = dict(said.params)
    form = _form(wordings(language)[said.key], values)
    return _filled(form, values, language, game)


def label(kind: str, word: str | None, language: str = ENGLISH, game: str = "") -> str:
    """What people call a thing that the record has a short word for."""
    code, known = word or NOTHING, wordings(language)
    if code.endswith(NO_COMMISSION):
        base: dict[str, Value] = {"bet": code.removesuffix(NO_COMMISSION)}
        return _filled(known["bet.no_commission"].forms[0], base, language, game)
    if kind == SUBJECT:
        found = next(filter(known.__contains__, _subjects(code)), None)
        return _filled(known[found].forms[0], {}, language, game) if found else code
    for name, places in _names(code):
        ends = {"first": places[0], "last": places[-1]} if places else {}
        values: dict[str, Value] = {"at": places, **ends}
        for family in OPEN if kind == ANY else (kind,):
            for key in (f"{family}.{game}.{name}", f"{family}.{name}"):
                if key in known and (places or not known[key].fields):
                    return _filled(known[key].forms[0], values, language, game)
    return code.replace("_", " ").replace(":", " ")


def _subjects(code: str) -> Iterator[str]:
    return (f"{family}.{code}" for family in (*OPEN, "hand"))


def _names(code: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that a word may have a label by, each with the places that it leaves open.

    Those of `race:neighbours:17:2` are itself, then `race:neighbours` at 17 and 2, then `race`.
    """
    yield code, ()
    parts = code.split(":")
    for end in range(len(parts) - 1, 0, -1):
        places = (place for part in parts[end:] for place in PLACES.split(part))
        yield ":".join(parts[:end]), tuple(places)
    numbers = tuple(code.split("."))
    if all(number.isdigit() for number in numbers):
        yield "number" if len(numbers) == 1 else "numbers", numbers


def _form(wording: Wording, values: dict[str, Value]) -> Template:
    """The form that the count of a sentence asks for."""
    for name, kind, _ in sorted(wording.fields) if len(wording.forms) > 1 else ():
        count = values[name]
        if kind == COUNT and isinstance(count, int):
            return wording.forms[wording.plural(count)]
    return wording.forms[0]


def _filled(form: Template, values: dict[str, Value], language: str, game: str) -> str:
    parts = []
    for field in form:
        parts.append(field.before)
        if field.name:
            value = values[field.name]
            parts.append(_shown(value, field.kind, field.joint, language, game))
    return "".join(parts)


def _shown(value: Value, kind: str, joint: str, language: str, game: str) -> str:
    if isinstance(value, Sentence):
        return text(value, language, game)
    if isinstance(value, tuple):
        return _joined([_shown(at, kind, "", language, game) for at in value], joint, language)
    if kind in FIGURES:
        return _figures(value, kind, language)
    if kind == NTH:
        return str(int(value or 0) + 1)
    if kind == PERCENT:
        assert isinstance(value, int)
        return posterior.percent(value).replace(".", decimal_point(language))
    if kind:
        return label(kind, value if isinstance(value, str | None) else str(value), language, game)
    return str(value)


def _joined(parts: list[str], joint: str, language: str) -> str:
    if joint in JOINTS:
        return JOINTS[joint].join(parts)
    between = f" {label('joint', joint, language)} "
    return between.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _figures(value: str | int | None, kind: str, language: str) -> str:
    """A number with its thousands apart; a fraction is exact."""
    whole, _, parts = str(value).partition("/")
    grouped = f"{int(whole):+,}" if kind == "signed" else f"{int(whole):,}"
    grouped = grouped.replace(",", between_thousands(language))
    return f"{grouped}/{parts}" if parts else grouped


@cache
def between_thousands(language: str) -> str:
    """What a language writes between the thousands of a number."""
    from babel.numbers import get_group_symbol  # slow to import

    return get_group_symbol(language)


@cache
def decimal_point(language: str) -> str:
    """What a language writes before the parts of a number."""
    from babel.numbers import get_decimal_symbol  # slow to import

    return get_decimal_symbol(language)
