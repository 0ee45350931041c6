"""Called hands in one word."""

import re

from replay.games.niu_niu import CLASSES

STAND_OFFS = ("tie", "stand_off", "standoff", "push")
SHORT = {
    "HOIANA": "HOIANA_NIU_NIU",
    "ULTIMATE": "ULTIMATE_NIU_NIU",
    "NIU_10": "NIU_NIU",
    "NO_NIU": "NO_HAND",
    "NIU_0": "NO_HAND",
}


def said(result: str) -> str:
    """A called hand as its class: `Niu 9` and `9` are `NIU_9`; other words in lower case."""
    word = re.sub(r"[^A-Z0-9]+", "_", result.strip().upper()).strip("_")
    word = f"NIU_{word}" if word.isdigit() else word
    word = SHORT.get(word, word)
    return word if word in CLASSES else word.lower()
