"""What a step, a flag or a remark says, in English, so that a test reads like a page."""

from replay import words
from replay.sentence import Prose


def english(said: Prose | None, game: str = "") -> str:
    """The English words of a sentence; empty where there is none."""
    return "" if said is None else words.text(said, game=game)
