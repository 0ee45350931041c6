"""A result called as a side and its score, in one order: `banker 6 to 5`, the winner's first.

A call may say less: the side alone, or the winner's score alone. A word that means nothing here,
such as a second side, is left in it, so that it is like no result.
"""

import re
from collections.abc import Mapping, Sequence

from replay.rulings.shared.dealt_round import Called
from replay.sentence import say

TOKEN = re.compile("[a-z]+|[0-9]+")
BY_SIDES = re.compile(r"[0-9]\s*[-:/]\s*[0-9]")  # both scores in the order of the sides
FILLERS = frozenset(
    ["wins", "win", "won", "with", "to", "against", "over", "by", "points", "point"]
)


def result(side: str, won: int, lost: int) -> Called:
    """A result as it is compared with calls, and as people read it."""
    word = f"{side} {won} to {lost}"
    if won == lost:
        return Called(word, say("shared.tied_at", score=won))
    return Called(word, say("shared.won_by", winner=side, won=won, lost=lost))


def said(
    called: str, sides: Sequence[str], words: Mapping[str, str], ranks: Mapping[str, int]
) -> str:
    """What a call says, as far as it goes; other words as they are.

    `B 5-6` has the scores in the order of the sides, `banker 6 to 5` has the winner's first.
    """
    lowered = called.strip().lower()
    first = TOKEN.match(lowered)
    if first is None or first[0].isdigit():
        return lowered
    rest = _in_figures(lowered[first.end() :], ranks)
    told = [token for token in TOKEN.findall(rest) if token not in FILLERS]
    scores = [int(token) for token in told if token.isdigit()]
    if len(scores) < len(told) or len(scores) > len(sides):
        return lowered
    side = words.get(first[0], first[0])
    if side == sides[1] and BY_SIDES.search(rest):
        scores.reverse()
    return " to ".join((f"{side} {scores[0]}", *map(str, scores[1:]))) if scores else side


def figure(called: str, ranks: Mapping[str, int]) -> str:
    """The score that is called for one hand; other words as they are."""
    told = [at for at in TOKEN.findall(_in_figures(called.lower(), ranks)) if at not in FILLERS]
    return str(int(told[0])) if len(told) == 1 and told[0].isdigit() else called.strip().lower()


def _in_figures(text: str, ranks: Mapping[str, int]) -> str:
    return TOKEN.sub(lambda token: str(ranks.get(token[0], token[0])), text)
