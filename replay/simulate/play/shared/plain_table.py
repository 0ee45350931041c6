"""How every game is played until it says otherwise: nothing to prepare, announce or use up."""

from random import Random
from typing import ClassVar

from replay.simulate.game_play import TableSetup
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e


class PlainTable:
    """One table; a game says its devices and limits, what players like, and how it is dealt."""

    kinds: tuple[str, ...]
    limits: ClassVar[tuple[e.Limit, ...]]
    decks: ClassVar[int] = 0  # no cards
    finished = False

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        del rng
        self.table_id, self.staff = setup.table_id, staff
        self.terms = e.TermsPosted(
            setup.code, "VND", paytable=setup.paytable, limits=self.limits, decks=self.decks
        )

    @property
    def takes_wagers(self) -> bool:
        """Every round is open for bets."""
        return True

    def between(self, pause: Script, party: TablePlayers) -> None:
        """Nothing is needed between two rounds."""

    def again(self, rng: Random) -> None:
        """Another round needs nothing but another chance."""

    def make_room(self) -> None:
        """Nothing is ever used up."""

    def opening(self, script: Script) -> None:
        """Nothing is announced before the bets."""

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """No wagers of a table break a rule together."""
