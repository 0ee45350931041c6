"""How SA Gaming Baccarat is played: both modes at one table, bet types that close in time."""

from dataclasses import replace
from random import Random

from replay.games import baccarat as game
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import card

MAIN = ("player", "banker", "banker:nc")
SIDE = tuple(bet for bet in game.BETS if bet not in MAIN)
CLOSES = {"player_pair": 45, "banker_pair": 45, "any_pair": 30, "perfect_pair": 4}


class Play(ShoeTable):
    """One table's shoe and the rounds after which its bets close (SA-BC:2.5)."""

    limits = betting.limits(
        ("player banker", 200_000, 30_000_000), (" ".join(SIDE), 100_000, 3_000_000)
    )

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        posted = ", ".join(f"{bet} {rounds}" for bet, rounds in CLOSES.items())
        self.terms = replace(self.terms, readings={"max_round_availability": posted})

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the main bets, and often side bets."""
        return (rng.choice(MAIN), *rng.sample(SIDE, rng.choice((0, 1, 2, 2))))

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """Bets of a type that has closed are not taken."""
        number = self.dealt + 1
        wagers[:] = [wager for wager in wagers if number <= CLOSES.get(wager.bet, number)]

    def hands(self, script: Script) -> None:
        """Both hands by the order of the shoe (SA-BC:2.2.2, SA-BC:2.3)."""
        deal = game.Deal()
        while name := game.next_hand(deal):
            held = getattr(deal, name)
            drawn = self.draw(script, name, len(held) + 1)
            deal = deal._replace(**{name: (*held, card(drawn))})
