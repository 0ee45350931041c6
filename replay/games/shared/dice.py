"""Three ordinary dice: points as a shaker, a camera or a dealer writes them."""

import re
from itertools import combinations_with_replacement

from replay.games.shared.shakes import Faces

Dice = tuple[int, ...]  # three points in ascending order: the order of the dice never matters

POINTS = range(1, 7)
OUTCOMES: tuple[Dice, ...] = tuple(combinations_with_replacement(POINTS, 3))  # 56 of them
TIMES = {1: "once", 2: "twice", 3: "three times"}

FACES = {str(n): n for n in POINTS}
ENTRY = re.compile(r"([1-6])[\s,+/-]*([1-6])[\s,+/-]*([1-6])(?:\s*\((\d+)\))?")


def points(faces: Faces) -> Dice | None:
    """Three faces as points in ascending order; None where they are not three dice."""
    if len(faces) != 3 or any(face not in FACES for face in faces):
        return None
    return tuple(sorted(FACES[face] for face in faces))


def entered(result: str) -> Faces | None:
    """The faces of a dealer's entry, in the order entered; None where it names no three dice.

    Nor does one whose total is not that of its dice: nobody can tell which was meant.
    """
    found = ENTRY.fullmatch(result.strip())
    if found is None:
        return None
    *faces, total = found.groups()
    wrong = total is not None and int(total) != sum(map(int, faces))
    return None if wrong else tuple(faces)
