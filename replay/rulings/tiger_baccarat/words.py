"""Called results in one word."""

import re

WORDS = {"b": "banker", "p": "player", "t": "tie", "standoff": "tie", "stand": "tie"}


def said(result: str) -> str:
    """A called or shown result as `banker`, `player` or `tie`; other words as they are."""
    lowered = result.strip().lower()
    first = re.match("[a-z]+", lowered)
    return WORDS.get(first[0], first[0]) if first else lowered
