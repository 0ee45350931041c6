"""How Roulette is played: an honest wheel, colour chips, and now and then a spin called off."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from replay.games import roulette_hoiana as game
from replay.judge import Judgement
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.wheel_table import EVEN_CHANCES, LAYOUT, WheelTable
from replay.simulate.players import Player, TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e

COLOURS = ("", "blue", "pink", "brown", "green", "orange", "violet")  # of each seat, from 1
CHIP_VALUES = (50_000, 50_000, 100_000)  # what a set may be worth; the table's minimum first
PLAYS_COLOUR = 0.6
CALLED_OFF = 0.006  # spins that go wrong and are rightly called off

EVERY_POSITION = tuple(game.COVERS)
INSIDE = tuple(name for name in EVERY_POSITION if game.kind(name) not in game.OUTSIDE)


class Play(WheelTable):
    """One table's wheel and the colour chips in use."""

    limits = betting.limits(*LAYOUT)

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.previous = int(rng.random() * len(game.WHEEL))  # the last winning pocket
        self.chips: dict[str, tuple[str, int]] = {}  # player to colour and value

    @property
    def starts_from(self) -> int:
        """The last winning pocket."""
        return self.previous

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A few numbers with what lies around them, or the outside of the layout."""
        if rng.random() < 0.4:
            return tuple(
                rng.sample((*EVEN_CHANCES, "column:1", "column:3", "dozen:1", "dozen:2"), 3)
            )
        loved = rng.choice(game.WHEEL)
        near = [name for name in INSIDE if loved in game.covers(name)]
        return tuple(rng.sample(near, 3)) + tuple(rng.sample(EVEN_CHANCES, 1))

    def between(self, pause: Script, party: TablePlayers) -> None:
        """Colour chips for who sat down, and theirs turned back in by who left."""
        chips = dict(self.chips)
        for player in party.left:
            if player.player_id in chips:
                colour, _ = chips.pop(player.player_id)
                pause.say("pit", self._redeemed(player, colour))
        for player in party.joined:
            if pause.rng.random() < PLAYS_COLOUR:
                value = pause.rng.choice(CHIP_VALUES)
                colour = COLOURS[player.seat]
                chips[player.player_id] = (colour, value)
                marker = value > CHIP_VALUES[0]
                issue = e.ColourChipsIssued(player.player_id, colour, value, marker)
                pause.say("console", issue)
        self.chips = chips

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """Stakes in colour chips where the player has some; piles from the top down."""
        piles: dict[str, int] = {}
        for n, wager in enumerate(wagers):
            stack = piles[wager.bet] = piles.get(wager.bet, -1) + 1
            if wager.player_id in self.chips:
                colour, value = self.chips[wager.player_id]
                count = max(1, wager.stake // value)
                chips = e.Chips(self.table_id, colour, count, value)
                wagers[n] = replace(wager, stake=count * value, chips=chips, stack=stack)
            elif stack:
                wagers[n] = replace(wager, stack=stack)

    def deal(self, script: Script, honest: bool) -> None:
        """The ball is spun, betting is closed, the ball falls (RO:4.5 to 4.10)."""
        if honest and script.rng.random() < CALLED_OFF:
            CALLS[int(script.rng.random() * len(CALLS))](self, script)
            return
        self.release(script)
        betting.close(script)
        self.fall(script, 8 + int(script.rng.random() * 13))

    def fall(self, script: Script, revolutions: int) -> int:
        """The next ball is spun from where this one rests."""
        self.previous = super().fall(script, revolutions)
        return self.previous

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer marks and calls the number, and the board shows it."""
        if judged.ruled.result:
            number = int(judged.ruled.result)
            script.say("console", e.ResultCalled(game.shown(number)), 700, 1_200)
            script.say("console", e.DollyPlaced(number), 700, 1_200)
            script.say("wheel", e.ResultCalled(str(number), "board"))

    def call_off(self, script: Script, reason: str, rank: str = "dealer") -> None:
        """No spin, the ball back to where it last won, and the round void (RO:7.9, 7.10)."""
        person = self.staff.person(rank)
        script.say("console", e.NoSpinCalled(rank, reason, "spinning", person), 800, 1_500)
        if reason == "ball_out":
            inspector = self.staff.person("dealer_inspector")
            script.say("console", e.BallExamined("dealer_inspector", inspector), 4_000, 8_000)
        script.say("wheel", e.BallReturned(self.previous), 3_000, 6_000)
        script.say("console", e.RoundVoided("RO:7.10", "no_spin"), 800, 1_500)

    def _redeemed(self, player: Player, colour: str) -> e.RulingMade:
        rank = "pit_supervisor"
        person = self.staff.person(rank)
        return e.RulingMade("RO:4.7.4", "redeemed", rank, person, player.player_id, colour)


def with_the_wheel(play: Play, script: Script) -> None:
    """RO:7.1, called by the dealer."""
    play.release(script, same_direction=True)
    betting.close(script)
    play.call_off(script, "same_direction")


def too_slow(play: Play, script: Script) -> None:
    """RO:7.2, called by the dealer."""
    play.release(script)
    betting.close(script)
    script.say("wheel", e.BallTracked(2), 2_000, 3_000)
    play.call_off(script, "few_revolutions")


def disturbed(kind: str) -> Callable[[Play, Script], None]:
    """RO:7.3, 7.5 to 7.7, seen by the wheel and called by the dealer."""

    def call(play: Play, script: Script) -> None:
        play.release(script)
        betting.close(script)
        script.say("wheel", e.SpinDisturbed(kind), 2_000, 3_000)
        play.call_off(script, kind)

    return call


def suspected(play: Play, script: Script) -> None:
    """RO:7.8, called by the inspector, who alone may act on suspicion."""
    play.release(script)
    betting.close(script)
    play.call_off(script, "suspected", "dealer_inspector")


CALLS = (
    with_the_wheel,
    too_slow,
    suspected,
    disturbed("foreign_object"),
    disturbed("ball_out"),
    disturbed("interference"),
)
