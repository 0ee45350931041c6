"""The words of reports in the reader's language; English stands in the reports themselves."""

from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent / "words"


def worded(text: str, language: str) -> str:
    """A title, head or sentence of a report in a language; as it is where there are no words."""
    return known(language).get(text, text)


@cache
def known(language: str) -> dict[str, str]:
    """Every wording of a language by its English one; none in English."""
    path = FOLDER / f"{language}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {str(each.id): str(each.string) for each in read_po(file, language) if each.id}
