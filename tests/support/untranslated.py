"""What of a finding's text stays English for a reader of Vietnamese."""

import re
from collections.abc import Iterable, Iterator

from audit.checks.wording import worded

PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}")


def left(texts: Iterable[str], game: str = "") -> list[str]:
    """The texts, and the remarks behind a colon, that no pattern fits."""
    return sorted({piece for text in texts for piece in _left(text, game)})


def _left(text: str, game: str) -> Iterator[str]:
    said = worded(text, "vi", game)
    if said == text and PROSE.search(text):
        yield text
        return
    _, colon, note = text.partition(": ")
    if colon and said.endswith(f": {note}") and PROSE.search(note):
        yield note
