"""How One Card is played: one card, face up."""

from random import Random

from replay.games import one_card as game
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Script


class Play(ShoeTable):
    """One table's shoe."""

    limits = betting.limits(("red black", 100_000, 30_000_000))

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A colour, and sometimes both."""
        return tuple(rng.sample(game.POSITIONS, rng.choice((1, 1, 2))))

    def burn_first(self, pause: Script) -> None:
        """No card is burned (OC:1.1)."""

    def hands(self, script: Script) -> None:
        """One card (OC:2.2)."""
        self.draw_all(script, game.HANDS)
