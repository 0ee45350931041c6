"""A result called as a side and its score, in one order: `banker 6 to 5`, the winner's first.

A call may say less: the side alone, or the winner's score alone.
"""

import re
from collections.abc import Mapping, Sequence

SIDE = re.compile("[a-z]+")
SCORE = re.compile("[0-9]+")
BY_SIDES = re.compile(r"[0-9]\s*[-:/]\s*[0-9]")  # both scores in the order of the sides


def written(side: str, won: int, lost: int) -> str:
    """A result as it is compared with calls."""
    return f"{side} {won} to {lost}"


def said(called: str, sides: Sequence[str], words: Mapping[str, str]) -> str:
    """What a call says, as far as it goes; other words as they are.

    `B 5-6` has the scores in the order of the sides, `banker 6 to 5` has the winner's first.
    """
    lowered = called.strip().lower()
    first, scores = SIDE.match(lowered), [int(found) for found in SCORE.findall(lowered)]
    if first is None or len(scores) > len(sides):
        return lowered
    side = words.get(first[0], first[0])
    if side == sides[1] and BY_SIDES.search(lowered):
        scores.reverse()
    return " to ".join((f"{side} {scores[0]}", *map(str, scores[1:]))) if scores else side
