"""Patterns of sentences: a text is taken apart by one template and put together by another.

A pattern is matched from left to right and never twice at one place: a value of figures by its own
form, any other up to the next fixed words. A text that somebody made long or strange costs no more
than its length.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from replay import words
from replay.words.catalogue import Field, Template, wordings
from replay.words.outcome import spoken_outcome
from replay.words.render import ANY, ENGLISH, JOINTS, OPEN, between_thousands, decimal_point

A_CARD = "a card"  # one that nobody read
FIGURE = re.compile(r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?")
SHAPES = {
    "money": re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)? (?:of an unknown currency|[A-Z0-9]{2,12}\b)"),
    "time": re.compile(
        r"(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC| ?[+-]\d\d:\d\d)?"
    ),
    "card": re.compile(r"[2-9TJQKA][SHDC]\b|" + A_CARD),
    **dict.fromkeys(("amount", "count", "signed", "nth", "figure"), FIGURE),
    "percent": re.compile(r"(?:[<>] )?\d+(?:,\d{3})*(?:\.\d+)? %"),
}
WORD = re.compile(r"[a-z]{2}")
RAW = ("bet", "hand", "status", "rank", "irregularity", "decision", "event", "witness")
FIXED = 8  # letters that a pattern must have where a value of it may be any text
LABEL = 40  # letters that such a value may have
PLACES = 8  # of the words behind a value: how many are tried as its end
TRIALS = 60_000  # of patterns on one text; what takes more stays as it stands
DEPTH = 3  # of sentences within sentences


class WrittenBy(Enum):
    """Who wrote a text: a check has codes in it, a rule has labels."""

    CHECK = "check"
    RULE = "rule"
    LOOSE = "rule, about something that has no label"


CHECK, RULE, LOOSE = WrittenBy


class Pattern(NamedTuple):
    """An English template, and the one that says the same to a reader."""

    source: Template
    target: Template

    @property
    def letters(self) -> int:
        """How many letters of it are fixed."""
        return sum(letter.isalpha() for field in self.source for letter in field.before)

    def vague(self) -> tuple[int, int]:
        """The less of it is fixed, the later it is tried."""
        return -sum(len(field.before) for field in self.source), len(self.source)


def patterns_of(sources: tuple[Template, ...], targets: tuple[Template, ...]) -> list[Pattern]:
    """A pattern for each form of a wording; a language with fewer forms says its last one."""
    return [Pattern(each, targets[min(n, len(targets) - 1)]) for n, each in enumerate(sources)]


class Phrases:
    """The patterns of checks and rules, for readers of one language and game."""

    def __init__(
        self,
        checks: Mapping[str, list[Pattern]],
        rules: Mapping[str, list[Pattern]],
        language: str,
        game: str,
    ) -> None:
        self.checks, self.rules = checks, rules
        self.language, self.game = language, game
        self.trials = TRIALS
        self.known: dict[tuple[WrittenBy, str, str, int], str | None] = {}
        self.told = lru_cache(maxsize=4096)(self._told)

    def _told(self, text: str) -> str:
        self._afresh()
        said = self._whole(text, 0)
        note = text.partition(": ")[2]
        if said and note and said.endswith(note):  # a loose pattern took the remark as it stood
            said = self._noted(text, whole=True) or said
        return said or self._noted(text) or self._parts(text, 0) or text

    def _afresh(self) -> None:
        """Give the next text its own trials: what was cut short before it stands for nothing."""
        self.trials = TRIALS
        self.known = {}

    def _whole(self, text: str, depth: int) -> str | None:
        """A text as one sentence of a check or of a rule."""
        found = self._by(CHECK, "", text, depth)
        if found or self.language == ENGLISH:
            return found
        return (
            self._by(RULE, "", text, depth)
            or self._named(ANY, text, RULE, depth)
            or self._by(LOOSE, "", text, depth)
        )

    def _noted(self, text: str, *, whole: bool = False) -> str | None:
        """What a check says, and behind a colon what a rule remarked; only `whole` if asked."""
        said, colon, note = text.partition(": ")
        self._afresh()
        head = self._whole(said, 0) if colon else None
        if head is None:
            return None
        self._afresh()
        told = self._whole(note, 0) or self._parts(note, 0)
        return f"{head}: {told or note}" if told or not whole else None

    def _parts(self, text: str, depth: int) -> str | None:
        """Several sentences in a row, if one of them is known; all of a list with commas."""
        said = text.split("; ")
        known = [self._whole(part, depth) or self._listed(part, depth) for part in said]
        if not any(known):
            return None
        return "; ".join(ours or part for ours, part in zip(known, said, strict=True))

    def _listed(self, text: str, depth: int) -> str | None:
        known = [self._whole(part, depth) for part in text.split(", ")]
        return ", ".join(filter(None, known)) if len(known) > 1 and all(known) else None

    def _by(self, origin: WrittenBy, kind: str, text: str, depth: int) -> str | None:
        """What the first pattern of a kind that fits says; worked out once for each text."""
        asked = (origin, kind, text, depth)
        if asked not in self.known:
            self.known[asked] = self._first(*asked)
        return self.known[asked]

    def _first(self, origin: WrittenBy, kind: str, text: str, depth: int) -> str | None:
        if depth > DEPTH:
            return None
        known = self.checks if origin is CHECK else self.rules
        for pattern in known.get(kind, ()):
            self.trials -= 1
            if self.trials < 0:
                return None
            if origin is LOOSE and pattern.letters < FIXED:
                continue
            if origin is not CHECK and not kind and not pattern.letters and len(pattern.source) < 2:
                continue  # any text would fit
            values = self._values(pattern.source, text, origin, depth)
            if values is not None:
                said = "".join(at.before + values.get(at.name, "") for at in pattern.target)
                if origin is CHECK or (
                    said != text and (pattern.letters or _all_told(values, text))
                ):
                    return said
        return None

    def _values(
        self, source: Template, text: str, origin: WrittenBy, depth: int
    ) -> dict[str, str] | None:
        """What stands at the places of a template; None if the text does not fit."""
        values: dict[str, str] = {}
        at = 0
        if source[-1].name == "" and not text.endswith(source[-1].before):
            return None
        for n, field in enumerate(source):
            if not text.startswith(field.before, at):
                return None
            at += len(field.before)
            if not field.name:
                break
            behind = source[n + 1] if n + 1 < len(source) else None
            for end in _ends(field, behind, text, at):
                shown = self._value(field, text[at:end], origin, depth)
                if shown is not None:
                    break
            else:
                return None
            values[field.name] = shown
            at = end
        return values if at == len(text) else None

    def _value(self, field: Field, text: str, origin: WrittenBy, depth: int) -> str | None:
        kind = field.kind
        if kind in SHAPES:
            whole = SHAPES[kind].fullmatch(text)
            return self._figures(kind, text) if whole else self._list(field, text, origin, depth)
        if not kind:
            return (" " in text and self._inner(text, origin, depth)) or text
        if kind == "outcome" and origin is CHECK:
            return spoken_outcome(text, self.language, self.game)
        if kind in RAW and origin is CHECK:
            return None if " " in text else self._label(kind, text)
        return self._list(field, text, origin, depth)

    def _label(self, kind: str, code: str) -> str:
        """What people call a code; by the one game that has it where no game is known."""
        if kind == "event" and self.language == ENGLISH:
            return code  # the name of a message, where nobody has a better noun for it
        game = self.game or _only_game(kind, code)
        return words.label(kind, code, self.language, game)

    def _inner(self, text: str, origin: WrittenBy, depth: int) -> str | None:
        """A sentence within a sentence of the rules."""
        if origin is CHECK:
            return None
        return self._whole(text, depth + 1) or self._parts(text, depth + 1)

    def _list(self, field: Field, text: str, origin: WrittenBy, depth: int) -> str | None:
        """A value of a kind with patterns of its own, or several of them."""
        if one := self._named(field.kind, text, origin, depth):
            return one
        if origin is LOOSE and len(text) <= LABEL:
            return text
        parts = _split(text, field.joint)
        if field.kind == "moved":
            parts = [part for part in parts if not re.match(r"0(\.0+)? ", part)]
            if not parts:
                return self._named("moved", "nothing", origin, depth)
        elif len(parts) < 2:
            return None
        known = [self._named(field.kind, part, origin, depth) for part in parts]
        if not all(known):
            return None
        if field.joint in JOINTS:
            return JOINTS[field.joint].join(filter(None, known))
        last = words.label("joint", field.joint, self.language)
        return f"{', '.join(filter(None, known[:-1]))} {last} {known[-1]}"

    def _named(self, kind: str, text: str, origin: WrittenBy, depth: int) -> str | None:
        if kind in SHAPES and SHAPES[kind].fullmatch(text):
            return self._figures(kind, text)
        if found := self._by(CHECK, kind, text, depth + 1):
            return found
        families = OPEN if kind == ANY else (kind,)
        if origin is CHECK:
            return None
        return next(filter(None, (self._by(RULE, at, text, depth + 1) for at in families)), None)

    def _figures(self, kind: str, text: str) -> str:
        """Figures as the reader groups them; a time and a card stay."""
        if text == A_CARD:
            return words.label("card", None, self.language)
        if kind in ("time", "card"):
            return text
        number, space, unit = (text, "", "") if kind == "percent" else text.partition(" ")
        swapped = {",": between_thousands(self.language), ".": decimal_point(self.language)}
        number = "".join(swapped.get(letter, letter) for letter in number)
        unit = self._by(CHECK, "currency", unit, 0) or unit
        return f"{number}{space}{unit}"


def _ends(field: Field, behind: Field | None, text: str, at: int) -> list[int]:
    """Where a value may end: by its own form, else before the words behind it."""
    if field.kind in SHAPES and not field.joint and (found := SHAPES[field.kind].match(text, at)):
        return [found.end()]
    if behind is None:
        return [len(text)]
    if not behind.name:
        return [len(text) - len(behind.before)]
    ends: list[int] = []
    start = at
    while len(ends) < PLACES and (end := text.find(behind.before, start)) > 0:
        ends.append(end)
        start = end + 1
    return ends


@cache
def _only_game(kind: str, code: str) -> str:
    """The game of the only label of a code; empty where all games share it, or several have it."""
    known = wordings(ENGLISH)
    if f"{kind}.{code}" in known:
        return ""
    end = f".{code.partition(':')[0]}"
    games = [key.split(".")[1] for key in known if key.startswith(f"{kind}.") and key.endswith(end)]
    same = {known[f"{kind}.{game}{end}"] for game in games if f"{kind}.{game}{end}" in known}
    return games[0] if games and len(same) == 1 and games[0].isupper() else ""


def _all_told(values: dict[str, str], text: str) -> bool:
    """Whether no word of a text stands in its values as it was."""
    return not any(WORD.search(value) and value in text for value in values.values())


def _split(text: str, joint: str) -> list[str]:
    if joint in JOINTS:
        return text.split(JOINTS[joint])
    head, between, last = text.rpartition(f" {joint} ")
    return [*head.split(", "), last] if between else [text]
