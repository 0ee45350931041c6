"""How Teen Patti 20-20 is played: three cards to each of two hands, by turns."""

from random import Random

from replay.games import teen_patti as game
from replay.judge import Judgement
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.deck_table import DeckTable
from replay.simulate.script import Script
from schemas import events as e

SIDE_BETS = ("tie", "pair_plus_a", "pair_plus_b", "six_card_bonus")


class Play(DeckTable):
    """One table's deck."""

    limits = betting.limits(
        ("player_a player_b", 100_000, 30_000_000),
        ("pair_plus_a pair_plus_b six_card_bonus", 50_000, 2_000_000),
        ("tie", 50_000, 500_000),
    )

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the hands, and often a side bet or two."""
        return (rng.choice(game.HANDS), *rng.sample(SIDE_BETS, rng.choice((0, 1, 2))))

    def hands(self, script: Script) -> None:
        """Six cards, A and B by turns (SA-TP:9.2.2)."""
        self.draw_all(script, game.TURNS)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The class of each hand is entered, then the result."""
        for name in game.HANDS:
            for kind in game.CLASSES:
                if game.held(name, kind) in judged.ruled.facts:
                    script.say("console", e.ResultCalled(kind, box=name), 500, 900)
        super().announce(script, judged)
