"""The titles of the checks in the reader's language; English stands in the checks themselves."""

from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent


def title(text: str, language: str) -> str:
    """A check's title in a language; as it is where that language has no words for it."""
    return titles(language).get(text, text)


@cache
def titles(language: str) -> dict[str, str]:
    """Every title in a language by its English one; none in English."""
    path = FOLDER / f"titles.{language}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {str(each.id): str(each.string) for each in read_po(file, language) if each.id}
