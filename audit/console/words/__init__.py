"""The console's own words. English stands in the templates; vi.po translates it.

Titles of checks are translated beside the checks, as reports have them too.

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
    for title, translated in titles.titles(language).items():
        catalogue.add(title, translated)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
