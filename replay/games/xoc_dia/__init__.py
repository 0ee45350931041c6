"""Xoc Dia: the layout with its ten positions, and what four tokens mean on it.

Rulebook SA-XD, report SAB.SAES.1001.01, game 11; `xoc_dia_throws` reads what happened to the
tokens, 11.4 is replay/rulings/xoc_dia.
"""

import re
from collections.abc import Sequence

from replay.play_events import TOKENS_UNDER_A_BOWL

PLAYED_WITH = TOKENS_UNDER_A_BOWL

Faces = tuple[str, ...]  # a letter for each token: R or W

TOKENS = 4  # SA-XD:11.2.1
# SA-XD:11.3.1 to 11.3.10: each position with the numbers of reds it wins on.
POSITIONS = {
    "4R": {4},
    "3R1W": {3},
    "2R2W": {2},
    "1R3W": {1},
    "4W": {0},
    "4R_or_4W": {0, 4},
    "odd": {1, 3},
    "even": {0, 2, 4},
    "big": {3, 4},
    "small": {0, 1},
}
RESULT = ("4W", "1R3W", "2R2W", "3R1W", "4R")  # by the number of reds

LETTER = {"r": "R", "red": "R", "●": "R", "w": "W", "white": "W", "○": "W"}
SIDE = re.compile(r"red|white|[rw●○]")
ENTRY = re.compile(rf"(?:(?:{SIDE.pattern})[\s,+/-]*)+")


def legal(position: str) -> bool:
    """Whether the layout has the position (SA-XD:11.3)."""
    return position in POSITIONS


def facts(reds: int) -> frozenset[str]:
    """What happened, in the words of the paytables."""
    won = {f"{position} wins" for position, numbers in POSITIONS.items() if reds in numbers}
    return frozenset(won | {"two and two"} if reds == TOKENS // 2 else won)


def tokens(sides: Sequence[str]) -> Faces | None:
    """The sides of four tokens as letters; None where they are not that."""
    letters = tuple(LETTER.get(side.lower(), "") for side in sides)
    return letters if len(letters) == TOKENS and all(letters) else None


def entered(result: str) -> Faces | None:
    """The tokens of an entry: `RRRW`, `R-R-R-W`, `3R1W`; None where it names no four tokens."""
    word = result.strip().lower()
    for reds, name in enumerate(RESULT):
        if word == name.lower():
            return ("R",) * reds + ("W",) * (TOKENS - reds)
    return tokens(SIDE.findall(word)) if ENTRY.fullmatch(word) else None


def reds(faces: Faces) -> int:
    """How many tokens show red: all that matters (rule issue observation)."""
    return faces.count("R")


# What the equipment can show, in words and as the game reads it; None where it cannot.
SHOWS = ("four tokens of R and W such as R-R-W-W", tokens)
