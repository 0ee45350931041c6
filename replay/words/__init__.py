"""The words of every sentence and label, in English and in Vietnamese (docs/words.md).

Rules never come here: they say what happened with a key and plain values (`replay/sentence.py`).
Words are made where somebody reads them: on a page, in the command line, in a table for SQL.
"""

from replay.words.catalogue import LANGUAGES
from replay.words.render import Reader, label, text

__all__ = ["LANGUAGES", "Reader", "label", "text"]
