"""Rounds of the games with a shaker, each outcome as likely as any other."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from hypothesis import strategies as st

from replay.games import fish_prawn_crab, sic_bo, thai_hilo, xoc_dia
from tests.support.any_round import Game, Json, anywhere
from tests.support.shaker_story import sheet

DICE = ["-".join(roll) for roll in product("123456", repeat=3)]
SYMBOLS = ["-".join(roll) for roll in product(fish_prawn_crab.SYMBOLS, repeat=3)]
TOKENS = ["-".join(throw) for throw in product("RW", repeat=4)]
STAKES = st.integers(1, 10**12)

Bets = Sequence[tuple[str, int]]


class Shaken(NamedTuple):
    """A game with a shaker: its positions, its outcomes, and how one comes about."""

    code: str
    positions: Sequence[str]
    outcomes: Sequence[str]
    play: str = "close, shake {}"

    def sheet(self, bets: Bets, outcome: str) -> Json:
        """A round with these bets and this outcome."""
        placed = [f"bet b{n} {place} {stake}" for n, (place, stake) in enumerate(bets)]
        shown = outcome if self.code != "SA-XD" else outcome.replace("-", "")
        return sheet("\n".join([*placed, self.play.format(shown)]), game=self.code)

    @property
    def bets(self) -> st.SearchStrategy[list[tuple[str, int]]]:
        """Some wagers."""
        return st.lists(st.tuples(st.sampled_from(self.positions), STAKES), min_size=1, max_size=6)


SHAKEN = (
    Shaken("SA-SB", tuple(sic_bo.POSITIONS), DICE),
    Shaken("SA-FPC", fish_prawn_crab.POSITIONS, SYMBOLS),
    Shaken("SA-HL", thai_hilo.POSITIONS, DICE),
    Shaken("SA-XD", tuple(xoc_dia.POSITIONS), TOKENS, "start, stop 0, close, bowl, tokens {}"),
)
GAMES = tuple(
    Game(
        game.code,
        st.builds(game.sheet, game.bets, st.sampled_from(game.outcomes)),
        anywhere(game.positions),
    )
    for game in SHAKEN
)
