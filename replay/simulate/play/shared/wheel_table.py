"""How both roulettes are played: the ball against the wheel, until it rests in a pocket."""

from random import Random

from replay.games.shared.roulette_layout import WHEEL
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared.plain_table import PlainTable
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e

DIRECTIONS = ("clockwise", "anticlockwise")
EVEN_CHANCES = ("red", "black", "odd", "even", "low", "high")

# The limit sign of the layout: bets, minimum and maximum.
LAYOUT = (
    ("straight", 50_000, 2_000_000),
    ("split trio street corner first_four six_line", 50_000, 5_000_000),
    ("column dozen low high red black odd even", 200_000, 50_000_000),
)


class WheelTable(PlainTable):
    """One table's wheel."""

    kinds: tuple[str, ...] = ("wheel",)

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.ball_direction = 0

    @property
    def starts_from(self) -> int | None:
        """The pocket the ball is spun from, where the rules name one."""
        return None

    def release(self, script: Script, same_direction: bool = False) -> None:
        """The ball against the wheel, the other way round than the time before."""
        self.ball_direction = 1 - self.ball_direction
        wheel = self.ball_direction if same_direction else 1 - self.ball_direction
        spun = e.BallReleased(DIRECTIONS[self.ball_direction], DIRECTIONS[wheel], self.starts_from)
        script.say("wheel", spun, 1_500, 4_000)

    def fall(self, script: Script, revolutions: int) -> int:
        """The ball leaves its track; the pocket it rests in."""
        pocket = int(script.rng.random() * len(WHEEL))
        script.say("wheel", e.BallTracked(revolutions), 4_000, 8_000)
        script.say("wheel", e.BallLanded(pocket), 2_000, 5_000)
        return pocket
