"""Fish Prawn Crab: the layout with its 23 positions, and what three dice mean on it.

Rulebook SA-FPC, report SAB.SAES.1001.01, game 5; 5.5 is replay/rulings/fish_prawn_crab.py.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from replay.games.shared.shakes import Faces
from replay.play_events import DICE_IN_A_SHAKER

PLAYED_WITH = DICE_IN_A_SHAKER

Dice = tuple[str, ...]  # three symbols in the order of SYMBOLS: the order of the dice never matters

SYMBOLS = ("fish", "prawn", "calabash", "tiger", "crab", "rooster")  # SA-FPC:5.3.1
TUMBLES = 3  # SA-FPC:5.5.2. Fewer do not count.
TIMES = {1: "once", 2: "twice", 3: "three times"}  # SA-FPC:5.3.1
COLORS = "fish+rooster/prawn+crab/calabash+tiger"  # rule issue colors: red, green, blue

APART = re.compile(r"[\s,+/-]+")


def legal(position: str) -> bool:
    """Whether the layout has the position (SA-FPC:5.3)."""
    return position in POSITIONS


def symbols(faces: Faces) -> Dice | None:
    """Three faces in the order of the symbols; None where they are not three dice of this game."""
    found = [face.lower() for face in faces]
    if len(found) != 3 or any(face not in SYMBOLS for face in found):
        return None
    return tuple(sorted(found, key=SYMBOLS.index))


def entered(result: str) -> Faces | None:
    """The symbols of a dealer's entry, in the order entered; None where it names no three dice."""
    faces = tuple(APART.split(result.strip().lower()))
    return faces if symbols(faces) else None


@cache
def facts(
    dice: Dice, colors: str = COLORS, symbol_triple: str = "counts_as_color"
) -> frozenset[str]:
    """What happened, in the words of the paytables, by the posted readings of 5.3.3."""
    return frozenset(_facts(dice, colors, symbol_triple))


def _facts(dice: Dice, colors: str, symbol_triple: str) -> Iterator[str]:
    shown = [symbol for symbol in SYMBOLS if symbol in dice]
    for symbol in shown:  # SA-FPC:5.3.1
        yield f"symbol:{symbol} shows {TIMES[dice.count(symbol)]}"
    for first, second in combinations(shown, 2):  # SA-FPC:5.3.2
        yield f"double:{first}+{second} wins"
    one_symbol = len(shown) == 1
    if one_symbol:  # SA-FPC:5.3.4
        yield "any_triple_symbol wins"
    if any({*shown} <= {*pair.split("+")} for pair in colors.split("/")):  # SA-FPC:5.3.3
        if symbol_triple == "counts_as_color":
            yield "any_triple_color wins"
        elif not one_symbol:
            yield "any_triple_color wins without a symbol triple"


def _layout() -> Iterator[str]:
    for symbol in SYMBOLS:
        yield f"symbol:{symbol}"
    for first, second in combinations(SYMBOLS, 2):
        yield f"double:{first}+{second}"
    yield "any_triple_color"
    yield "any_triple_symbol"


POSITIONS = tuple(_layout())
# What the equipment can show, in words and as the game reads it; None where it cannot.
SHOWS = (f"three dice of {', '.join(SYMBOLS)} such as fish-crab-crab", symbols)
