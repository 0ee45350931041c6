"""The flags that the rulings raise, as the code spells them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).parents[2]
RAISES = ("*.py", "games/**/*.py", "rulings/**/*.py", "disputes/*.py", "likelihood/*.py")

CODE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9.]+)+_?|[A-Z]{5,}_?")

# Words in capitals that are no flags: classes of hands, constants looked up by name, runs of ranks.
NO_FLAGS = {
    *("NO_HAND", "NO_NIU", "NIU_0", "NIU_10", "NIU_NIU", "HOIANA", "HOIANA_NIU_NIU"),
    *("ULTIMATE", "ULTIMATE_NIU_NIU", "FOUR_OF_A_KIND", "FOUR_OF_KIND"),
    *("THREE_OF_A_KIND", "THREE_OF_KIND"),
    *("TWO_PAIR", "TWO_PAIRS", "ONE_PAIR", "HIGH_CARD", "FIVE_ODD_CARDS"),
    *("UNNAMED", "ZERO_BETS", "SHOWING"),
    *("COLOUR", "COVERS", "OUTSIDE", "POCKETS", "WHEEL"),
}


@cache
def raised() -> set[str]:
    """The flags of the rulings; one that ends in an underscore is the first part of several."""
    return set(capitals()) - NO_FLAGS


def capitals() -> Iterator[str]:
    """Every word in capitals that looks like a flag."""
    for pattern in RAISES:
        for path in sorted((HOUSE / "replay").glob(pattern)):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                value = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, str) and CODE.fullmatch(value):
                    yield value
