"""What a check says, in the reader's language.

A finding is kept with the English that its check wrote, so its words are recovered where they are
shown: the text is held against the patterns of `words/vi.po`, such as `no chips added after
{time:time}`. A rule's own remark behind it is found by the sentences of the rules. What no pattern
fits stays as it stands.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

from audit.checks.phrases import Pattern, Phrases, patterns_of
from audit.checks.run import CheckFinding
from replay.words import LANGUAGES
from replay.words.catalogue import template, wordings

FOLDER = Path(__file__).parent / "words"
ENGLISH = LANGUAGES[0]
LONGEST = 4_000  # characters; what is longer is shown as it stands


def worded(text: str, language: str, game: str = "") -> str:
    """A text that a check wrote, in a language; as it is where no pattern fits."""
    if len(text) > LONGEST:
        return text
    return phrases(language, game).told(text)


def told(finding: CheckFinding, language: str) -> CheckFinding:
    """The finding with what it expected and found in a language."""
    game = game_of(finding.clauses)
    return finding._replace(
        expected=worded(finding.expected, language, game),
        found=worded(finding.found, language, game),
    )


def game_of(clauses: Sequence[str]) -> str:
    """The game that clauses are of; empty where they are of several or none."""
    books = {clause.partition(":")[0] for clause in clauses}
    return books.pop() if len(books) == 1 else ""


@cache
def phrases(language: str, game: str = "") -> Phrases:
    """Every pattern that a text may fit, for readers of a language."""
    return Phrases(of_checks(language), of_rules(language), language, game)


@cache
def of_checks(language: str) -> dict[str, list[Pattern]]:
    """What checks write, by its kind: empty for whole texts; the most literal first.

    English readers read it through the same patterns, so that codes have labels for them too.
    """
    found: dict[str, list[Pattern]] = {}
    for kind, sources, target in _entries(language):
        mine = found.setdefault(kind, [])
        mine += [Pattern(template(source), template(target or source)) for source in sources]
    return {kind: sorted(mine, key=Pattern.vague) for kind, mine in found.items()}


@cache
def of_rules(language: str) -> dict[str, list[Pattern]]:
    """What rules remark, and every label, by its kind: empty for whole sentences."""
    found: dict[str, list[Pattern]] = {}
    target = wordings(language)
    for key, wording in wordings(ENGLISH).items():
        family = key.partition(".")[0]
        kind = "" if family == "shared" or family.isupper() else family
        mine = found.setdefault(kind, [])
        mine += patterns_of(wording.forms, target[key].forms)
    return {kind: sorted(mine, key=Pattern.vague) for kind, mine in found.items()}


def _entries(language: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Each entry of the catalogue: its kind, its English forms, its words; none in English."""
    with (FOLDER / f"{LANGUAGES[-1] if language == ENGLISH else language}.po").open("rb") as file:
        for entry in read_po(file, language, abort_invalid=True):
            if entry.id:
                sources = (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)
                words = (
                    entry.string if isinstance(entry.string, str) else (entry.string or ("",))[0]
                )
                yield entry.context or "", sources, "" if language == ENGLISH else words
