"""How games with one deck are played: shuffled for every round, nothing burned, nothing cut."""

from random import Random

from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import DECK


class DeckTable(ShoeTable):
    """One table's deck; a game says its limits, what players like, and how it is dealt."""

    decks = 1

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.finished = False  # a deck is shuffled, never changed

    def between(self, pause: Script, party: TablePlayers) -> None:
        """The used deck goes into the machine, a shuffled one comes out."""
        del party
        self.order = [str(card) for card in DECK]
        pause.rng.shuffle(self.order)
        self.out = 0
        pause.say("pit", e.CardsShuffled(f"{self.table_id}-deck", "machine"), 2_000, 4_000)

    def make_room(self) -> None:
        """A fresh deck has room for every round."""

    def deal(self, script: Script, honest: bool) -> None:
        """Betting is closed and the cards are dealt."""
        del honest
        betting.close(script)
        self.hands(script)
