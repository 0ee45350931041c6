"""What the checks say in the reader's language; English stands in the checks themselves."""

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
    return _read("titles", language)


@cache
def about(language: str) -> dict[str, str]:
    """Why, benign, budget and unseen of every check by the English; none in English."""
    return _read("about", language)


def _read(name: str, language: str) -> dict[str, str]:
    path = FOLDER / f"{name}.{language}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {str(each.id): str(each.string) for each in read_po(file, language) if each.id}
