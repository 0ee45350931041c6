"""How the seeded house plays a game: the table it is given, and what the game's module offers.

The class `Play` of `replay/simulate/play/<game>.py` satisfies `GamePlay`; `play_of` finds it by the
name of the game alone.
"""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import NamedTuple, Protocol, cast

from replay.judge import Judgement
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e

# How a shoe is filled: well shuffled, in the order of new decks, or with a packet of the last one.
SHUFFLES = ("fair", "none", "false")


class TableSetup(NamedTuple):
    """A table to simulate: its name, rulebook and paytable, and how its shoe is filled."""

    table_id: str
    code: str
    paytable: str = ""
    shuffle: str = "fair"  # one of SHUFFLES


class GamePlay(Protocol):
    """What a game's `Play(setup, staff, rng)` offers: the steps of a round, in their order."""

    kinds: tuple[str, ...]  # the devices of the game
    terms: e.TermsPosted
    finished: bool  # whether the equipment is changed before the next round

    @property
    def takes_wagers(self) -> bool:
        """Whether the round is open for bets."""
        ...

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """The bets a new player likes."""
        ...

    def between(self, pause: Script, party: TablePlayers) -> None:
        """What the game needs before its next round."""
        ...

    def again(self, rng: Random) -> None:
        """Let what is still to come turn out another way."""
        ...

    def make_room(self) -> None:
        """See to it that nothing has to be changed during the next rounds."""
        ...

    def opening(self, script: Script) -> None:
        """What is announced before the bets."""
        ...

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """Change wagers that together break a rule of the table, as players are asked to."""
        ...

    def deal(self, script: Script, honest: bool) -> None:
        """From the last bets to the outcome; an honest round may still go wrong lawfully."""
        ...

    def announce(self, script: Script, judged: Judgement) -> None:
        """What is called and shown of the result."""
        ...


def play_of(game: str) -> Callable[[TableSetup, Staff, Random], GamePlay]:
    """How a game is played; a new one is found by its name alone."""
    return cast(
        "Callable[[TableSetup, Staff, Random], GamePlay]",
        import_module(f"replay.simulate.play.{game}").Play,
    )
