"""How Andar Bahar is played: a Game Card, then cards by turns until one matches it."""

from random import Random

from replay.games import andar_bahar as game
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.deck_table import DeckTable
from replay.simulate.script import Script

SIDE_BETS = tuple(sorted(game.POSITIONS - {"andar", "bahar", "andar:nc", "bahar:nc"}))


class Play(DeckTable):
    """One table's deck."""

    limits = betting.limits(
        ("andar bahar", 100_000, 30_000_000),
        ("first_andar first_bahar first_3", 50_000, 2_000_000),
        (" ".join(game.COUNTS), 50_000, 3_000_000),
    )

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A side in one of the modes, and often a side bet or two."""
        mode = rng.choice(("", "", game.NO_COMMISSION))
        return (rng.choice(game.SIDES) + mode, *rng.sample(SIDE_BETS, rng.choice((0, 1, 2))))

    def opening(self, script: Script) -> None:
        """The Game Card starts the countdown (SA-AB:1.2.1)."""
        self.draw(script, game.GAME, 1)

    def hands(self, script: Script) -> None:
        """Cards to Andar and Bahar by turns until one matches (SA-AB:1.2.3, 1.2.4)."""
        rank = self.order[0][0]
        count, code = 0, ""
        while not code.startswith(rank):
            code = self.draw(script, game.SIDES[count % 2], count // 2 + 1)
            count += 1
