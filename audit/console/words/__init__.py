"""The console's own words. English stands in the templates; vi.po translates it.

What checks say is translated beside the checks; reports have their titles too.

Awaiting a native reader of the pit; the test of this room holds the two languages together.
"""

import gettext
import io
from functools import cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from audit.checks import titles

FOLDER = Path(__file__).parent
SOURCE = "en"  # the language of the templates


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The translations into a language; English is what the templates say."""
    if language == SOURCE:
        return gettext.NullTranslations()
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    for said, translated in (titles.titles(language) | titles.about(language)).items():
        catalogue.add(said, translated)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
