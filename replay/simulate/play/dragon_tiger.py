"""How Dragon Tiger is played: one card burned, one for Dragon, one for Tiger."""

from random import Random

from replay.games import dragon_tiger as game
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Script


class Play(ShoeTable):
    """One table's shoe."""

    limits = betting.limits(("dragon tiger", 100_000, 30_000_000), ("tie", 50_000, 3_000_000))

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A side, and sometimes the tie or the other side."""
        return tuple(rng.sample(game.POSITIONS, rng.choice((1, 2, 2))))

    def opening(self, script: Script) -> None:
        """Every round starts by burning one card (SA-DT:4.1.4)."""
        self.burn_one(script)

    def hands(self, script: Script) -> None:
        """One card a side (SA-DT:4.2.2)."""
        self.draw_all(script, game.SIDES)
