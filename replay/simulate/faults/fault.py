"""What can go wrong on purpose: the shape of a fault, and where the faults of a game are found."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import NamedTuple, Protocol

from replay.judge import Judgement
from replay.settle import Due
from replay.simulate.devices import TableDevices
from replay.simulate.game_play import GamePlay, TableSetup
from replay.simulate.players import TablePlayers
from replay.simulate.script import Act, Script
from replay.simulate.staff import Staff
from schemas import events as e

EVERY_GAME = ("shared.devices", "shared.money", "shared.record")


class FaultyTable(Protocol):
    """What a fault may see and change of the table it happens at."""

    setup: TableSetup
    staff: Staff
    party: TablePlayers
    rack: TableDevices
    play: GamePlay
    terms: e.TermsPosted
    post_terms: bool  # whether the terms go up in the next pause
    tray: int  # chips in the tray, in minor units

    def judged(self, acts: list[Act]) -> Judgement:
        """What the rules say of the round so far."""
        ...

    def settle(self, script: Script, judged: Judgement) -> None:
        """Take and pay what is due; an open wager stays where it is."""
        ...


@dataclass(slots=True)
class FaultyRound:
    """One fault under way at a table: what its hooks may see and change."""

    table: FaultyTable
    rng: Random
    kept: dict[str, str] = field(default_factory=dict)  # from the rounds that lead up to it
    pause: Script = field(init=False)
    wagers: list[e.WagerPlaced] = field(default_factory=list)
    script: Script = field(init=False)
    undisturbed: list[Act] = field(default_factory=list)  # the acts before the fault's own
    judged: Judgement = field(init=False)
    subject: str = ""
    status: str = ""  # the status to record, where it is not the one the rules give
    count_tray: bool = False  # count the tray at the end of this round in any case
    gaps: dict[str, int] = field(default_factory=dict)  # what the fault costs, by wager

    @property
    def play(self) -> GamePlay:
        """The game as this round finds it."""
        return self.table.play

    def settled(self, wager_id: str) -> tuple[Act, e.WagerSettled]:
        """How a wager was settled."""
        found = ((act, paid) for act, paid in self.script.each(e.WagerSettled))
        return next((act, paid) for act, paid in found if paid.wager_id == wager_id)

    def costs(self, about: str, gap: int) -> None:
        """The fault leaves the house short of so much, or the player where it is negative."""
        self.gaps[about] = self.gaps.get(about, 0) + gap

    def due(self, *outcomes: str) -> Due | None:
        """The first wager due one of these outcomes."""
        return next((due for due in self.judged.dues if due.outcome in outcomes), None)


Hook = Callable[[FaultyRound], None]


def nothing(round: FaultyRound) -> None:
    """Leave everything as it is."""
    del round


def anything(round: FaultyRound) -> bool:
    """Any round will do."""
    del round
    return True


class SeededFault(NamedTuple):
    """A named disturbance of exactly one round, in the steps of that round."""

    name: str  # the check that must find it, with a variant behind a slash
    does: str
    also: tuple[str, ...] = ()  # other checks that may speak because of it
    games: tuple[str, ...] = ()  # rulebook codes; empty for every game
    paytables: tuple[str, ...] = ()  # paytables that can show it; empty for any
    before: Hook = nothing  # before the pause that leads to the round
    pause: Hook = nothing  # the pause is written
    bets: Hook = nothing  # the wagers are chosen and not yet placed
    deal: Hook | None = None  # how the round is dealt, where not as usual
    disturb: Hook = nothing  # the round is dealt and not yet settled
    needs: Callable[[FaultyRound], bool] = anything  # deal again until this holds
    settle: Hook = nothing  # the round is settled and not yet closed
    finish: Hook = nothing  # the round is closed
    lead: "tuple[SeededFault, ...]" = ()  # what must happen in the rounds right before
    lasts: int = 1  # rounds to keep free of other faults, this one included
    runs_on: int = 0  # rounds of the day that must follow it
    first_round: bool = False  # it can only happen in the first round of the day
    of_table: bool = False  # the truth names the table, not the round
    unjudged: bool = False  # no edition can judge the round, so nothing is carried from it
    tries: int = 400

    @property
    def check(self) -> str:
        """The id of the check."""
        return self.name.split("/", maxsplit=1)[0]

    @property
    def explains(self) -> tuple[str, ...]:
        """Every check that may speak because of it."""
        return tuple(dict.fromkeys((self.check, *self.also)))


class Truth(NamedTuple):
    """What was done wrong on purpose, and where."""

    fault: str
    table_id: str
    round_id: str | None
    subject: str
    explains: tuple[str, ...]
    does: str
    clauses: tuple[str, ...]  # what it breaks; a finding cites one of them, or one beneath it
    house_minor: int | None  # what the house is short of by it; None where no money is at stake
    player_minor: int | None  # the same for the players
    costs: Mapping[str, int]  # by wager: what the house is short of, the player where negative


class UnknownFault(LookupError):
    """No fault of that name can be shown by the tables there are."""


@cache
def of_game(code: str, game: str) -> Mapping[str, SeededFault]:
    """The faults that a game can show, by name."""
    found: dict[str, SeededFault] = {}
    for fault in _all(game):
        if not fault.games or code in fault.games:
            assert fault.name not in found, f"{code} {fault.name} is there twice"
            found[fault.name] = fault
    return dict(sorted(found.items()))


def _all(game: str) -> Iterable[SeededFault]:
    for name in (*EVERY_GAME, game):
        module = f"replay.simulate.faults.{name}"
        if find_spec(module):
            yield from import_module(module).FAULTS
