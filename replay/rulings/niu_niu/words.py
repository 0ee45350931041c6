"""Called hands in one word, and the classes of hands as people say them."""

import re

from replay.games.niu_niu import CLASSES
from replay.sentence import Sentence, say

STAND_OFFS = ("tie", "stand_off", "standoff", "push")
SHORT = {
    "HOIANA": "HOIANA_NIU_NIU",
    "ULTIMATE": "ULTIMATE_NIU_NIU",
    "NIU_10": "NIU_NIU",
    "NO_NIU": "NO_HAND",
    "NIU_0": "NO_HAND",
}


NAMED = {
    "NO_HAND": say("NN.class_no_hand"),
    "NIU_NIU": say("NN.class_niu_niu"),
    "ULTIMATE_NIU_NIU": say("NN.class_ultimate"),
    "HOIANA_NIU_NIU": say("NN.class_hoiana"),
}


def class_name(named: str) -> Sentence:
    """The class of a hand as people say it."""
    return NAMED.get(named) or say("NN.class_niu", points=named.removeprefix("NIU_"))


def said(result: str) -> str:
    """A called hand as its class: `Niu 9` and `9` are `NIU_9`; other words in lower case."""
    word = re.sub(r"[^A-Z0-9]+", "_", result.strip().upper()).strip("_")
    word = f"NIU_{word}" if word.isdigit() else word
    word = SHORT.get(word, word)
    return word if word in CLASSES else word.lower()
