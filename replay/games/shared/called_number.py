"""A roulette number as a dealer calls it, with what else was said of it. Arithmetic only."""

from collections.abc import Collection, Iterator

from replay.games.shared.roulette_layout import COVERS

# What may be called beside a number: each word with the numbers it is right for.
CHANCES = {chance: COVERS[chance] for chance in ("red", "black", "odd", "even", "low", "high")}
CHANCES |= {"green": frozenset({0})}
ZERO = "zero"
PLAIN = ("wins",)  # what says nothing more of it


def said(result: str, nothing: Collection[str]) -> str:
    """A called result as one word: `17` of `17 black`; empty where it says that nothing won.

    A number beside what it is not, such as `17 red` or `17 16`, stays as it is and names no pocket.
    """
    text = result.strip().lower()
    if text in nothing:
        return ""
    number, others = _parts(text)
    if not number:
        return text
    wrong = any(int(number) not in CHANCES[word] for word in others if word in CHANCES)
    wrong = wrong or any(word.isdigit() or word == ZERO for word in others)
    return text if wrong else str(int(number))


def strange(result: str) -> Iterator[str]:
    """The words beside a number that nobody says of one: `reddish` of `17 reddish`."""
    number, others = _parts(result.strip().lower())
    if number:
        known = (*CHANCES, *PLAIN, ZERO)
        yield from (word for word in others if word not in known and not word.isdigit())


def _parts(text: str) -> tuple[str, list[str]]:
    """The number and the words after it; no number where the text does not begin with one."""
    first, *others = text.split() or [""]
    number = "0" if first == ZERO else first
    return (number if number.isascii() and number.isdigit() else "", others)
