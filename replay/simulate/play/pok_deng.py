"""How Pok Deng is played: five hands against the Banker's, and as much withheld as is bet."""

from dataclasses import replace
from random import Random

from replay.games import pok_deng as game
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Script
from schemas import events as e


class Play(ShoeTable):
    """One table's shoe."""

    limits = betting.limits(
        (" ".join(game.SEATS), 100_000, 10_000_000), (" ".join(game.PAIRS), 50_000, 2_000_000)
    )

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One or two hands, and often a pair."""
        return (*rng.sample(game.SEATS, rng.choice((1, 2))), rng.choice(game.PAIRS))

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """The stake is withheld once more with every bet on a hand (SA-PD:6.2.2)."""
        wagers[:] = [
            replace(wager, reserve=wager.stake if wager.bet in game.SEATS else 0)
            for wager in wagers
        ]

    def hands(self, script: Script) -> None:
        """One card burned, then two cards for everybody (SA-PD:6.1.4, SA-PD:6.3.2)."""
        self.burn_one(script)
        self.draw_all(script, game.ORDER)
