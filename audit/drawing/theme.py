"""The colours of a felt: dark for screens, white cloth and dark print for paper."""

from collections.abc import Mapping
from typing import NamedTuple

from replay import words
from replay.sentence import Prose


class Theme(NamedTuple):
    """Every colour that a part draws with."""

    cloth: Mapping[str, str]  # by what the game is played with: cards, wheel, dice
    ground: str  # under the cloth
    line: str  # lines printed on the cloth
    ink: str  # words printed on the cloth
    zone: str  # the fill of a zone or cell
    zone_opacity: float
    line_opacity: float
    capsule: str  # behind the amount of a pile
    capsule_opacity: float
    amount: str  # the amount itself
    tints: Mapping[str, str]  # bands of bets, by family
    tint_opacity: float
    tray: str  # the inside of a tray or bowl
    derived: str  # what the rules say: green, solid
    called: str  # what a person called: pink, dashed
    unknown: str  # witnesses differ, or nobody could read it: violet, dashed
    what_if: str  # hypothetical: cyan, dashed
    flagged: str  # the wager of the finding


class Ink(NamedTuple):
    """What every part needs to draw: the theme, the language and the prefix of its ids."""

    theme: Theme
    language: str = "en"
    prefix: str = "felt"

    def words(self, said: Prose) -> str:
        """A sentence in the picture's language."""
        return words.text(said, self.language)


TINTS = {
    "amber": "#e0a83c",
    "plain": "#ffffff",
    "green": "#3fae7a",
    "red": "#c2453d",
    "blue": "#3f7fd0",
}

DARK = Theme(
    cloth={"cards": "#155244", "wheel": "#12475a", "dice": "#58222f"},
    ground="#0a1512",
    line="#d9e6d6",
    ink="#eaf2e8",
    zone="#000000",
    zone_opacity=0.16,
    line_opacity=0.5,
    capsule="#06100c",
    capsule_opacity=0.74,
    amount="#f4f6f3",
    tints=TINTS | {"plain": "#ffffff"},
    tint_opacity=0.2,
    tray="#1d0b11",
    derived="#63d19a",
    called="#f2a2c4",
    unknown="#c6abff",
    what_if="#4bd2d8",
    flagged="#ff7d73",
)

PAPER = Theme(
    cloth={"cards": "#ffffff", "wheel": "#ffffff", "dice": "#ffffff"},
    ground="#ffffff",
    line="#5d6772",
    ink="#16191d",
    zone="#5d6772",
    zone_opacity=0.05,
    line_opacity=0.75,
    capsule="#ffffff",
    capsule_opacity=0.9,
    amount="#16191d",
    tints=TINTS,
    tint_opacity=0.15,
    tray="#e6e8e4",
    derived="#146c3e",
    called="#a8326a",
    unknown="#6741b8",
    what_if="#0b6b73",
    flagged="#b3261e",
)
