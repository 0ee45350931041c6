"""How Roulette of SA Gaming is played: a countdown, an honest wheel, re-spins where due."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from replay.games import roulette_layout as layout
from replay.games.roulette_racetrack import RACE, SECTIONS, chips
from replay.judge import Judgement
from replay.simulate import betting
from replay.simulate.players import CHIP, Party
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from replay.simulate.table import Seat
from schemas import events as e

DIRECTIONS = ("clockwise", "anticlockwise")
REVOLUTIONS = 5  # fewer of them do not count (SA-RO:7.3.b)
SPUN_AGAIN = 0.02  # spins that do not count, and are rightly repeated

OUTSIDE = ("red", "black", "odd", "even", "low", "high")
INSIDE = tuple(name for name in layout.COVERS if layout.kind(name) not in layout.OUTSIDE)


class Play:
    """One table's wheel."""

    kinds = ("wheel",)
    takes_wagers = True
    finished = False

    def __init__(self, seat: Seat, staff: Staff, rng: Random) -> None:
        del staff, rng
        self.terms = e.TermsPosted(
            seat.code,
            "VND",
            paytable=seat.paytable,
            limits=betting.limits(
                ("straight", 50_000, 2_000_000),
                ("split trio street corner first_four six_line", 50_000, 5_000_000),
                ("column dozen low high red black odd even", 200_000, 50_000_000),
                ("race", 400_000, 20_000_000),
            ),
        )
        self.ball_direction = 0

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A section of the wheel, a number with what lies around it, or the outside."""
        mood = rng.random()
        if mood < 0.35:
            return tuple(rng.sample((*OUTSIDE, "column:2", "dozen:1", "dozen:3"), 3))
        loved = rng.choice(layout.WHEEL)
        if mood < 0.65:
            reach = rng.choice((1, 2, 2, 3, 9))
            return (rng.choice(tuple(SECTIONS)), f"race:neighbours:{loved}:{reach}")
        near = [name for name in INSIDE if loved in layout.covers(name)]
        return (*rng.sample(near, 3), rng.choice(OUTSIDE))

    def between(self, pause: Script, party: Party) -> None:
        """Nothing is needed between two spins."""
        del pause, party

    def again(self, rng: Random) -> None:
        """Another spin needs nothing but another chance."""
        del rng

    def tame(self, wagers: list[e.WagerPlaced]) -> None:
        """A racetrack bet has one value a chip (SA-RO:7.5)."""
        for n, wager in enumerate(wagers):
            if wager.bet in RACE:
                count = chips(wager.bet)
                value = -(-wager.stake // (count * CHIP)) * CHIP
                wagers[n] = replace(wager, stake=count * value)

    def make_room(self) -> None:
        """A wheel is never used up."""

    def opening(self, script: Script) -> None:
        """Nothing is announced before the bets."""
        del script

    def deal(self, script: Script, honest: bool) -> None:
        """The countdown ends and the ball is spun until a spin counts (SA-RO:7.2.2, 7.3)."""
        betting.close(script)
        while honest and script.rng.random() < SPUN_AGAIN:
            FAILS[int(script.rng.random() * len(FAILS))](self, script)
        self.spin(script)

    def spin(self, script: Script, revolutions: int | None = None) -> None:
        """One spin that comes to rest."""
        self.release(script)
        if revolutions is None:
            revolutions = REVOLUTIONS + int(script.rng.random() * 16)
        self.fall(script, revolutions)

    def release(self, script: Script, same_direction: bool = False) -> None:
        """The ball against the wheel, the other way round than the time before."""
        self.ball_direction = 1 - self.ball_direction
        wheel = self.ball_direction if same_direction else 1 - self.ball_direction
        word = e.BallReleased(DIRECTIONS[self.ball_direction], DIRECTIONS[wheel])
        script.say("wheel", word, 1_500, 4_000)

    def fall(self, script: Script, revolutions: int) -> None:
        """The ball leaves its track and rests in a pocket."""
        pocket = int(script.rng.random() * len(layout.WHEEL))
        script.say("wheel", e.BallTracked(revolutions), 4_000, 8_000)
        script.say("wheel", e.BallLanded(pocket), 2_000, 5_000)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The number is confirmed and shown on the screen."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.outcome), 700, 1_200)
            script.say("wheel", e.ResultCalled(judged.ruled.result, "board"))


def too_slow(play: Play, script: Script) -> None:
    """SA-RO:7.3.b. Fewer than five revolutions."""
    play.spin(script, int(script.rng.random() * REVOLUTIONS))


def never_falls(play: Play, script: Script) -> None:
    """SA-RO:7.3.c. The ball runs along the edge."""
    play.release(script)
    script.say("wheel", e.SpinDisturbed("floater"), 9_000, 12_000)


def with_the_wheel(play: Play, script: Script) -> None:
    """SA-RO:7.3.d. Ball and wheel go the same way."""
    play.release(script, same_direction=True)
    play.fall(script, 9)


def disturbed(kind: str) -> Callable[[Play, Script], None]:
    """SA-RO:7.3.a, 7.3.e and 7.3.f. The ball does not come to rest."""

    def fail(play: Play, script: Script) -> None:
        play.release(script)
        script.say("wheel", e.SpinDisturbed(kind), 2_000, 3_000)

    return fail


FAILS = (
    too_slow,
    never_falls,
    with_the_wheel,
    disturbed("ball_out"),
    disturbed("malfunction"),
    disturbed("wheel_stopped"),
)
