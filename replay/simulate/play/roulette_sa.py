"""How Roulette of SA Gaming is played: a countdown, an honest wheel, re-spins where due."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from replay.games.shared import roulette_layout as layout
from replay.games.shared.roulette_racetrack import RACE, SECTIONS, chips
from replay.judge import Judgement
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.wheel_table import EVEN_CHANCES, LAYOUT, WheelTable
from replay.simulate.players import CHIP
from replay.simulate.script import Script
from schemas import events as e

REVOLUTIONS = 5  # fewer of them do not count (SA-RO:7.3.b)
SPUN_AGAIN = 0.02  # spins that do not count, and are rightly repeated

INSIDE = tuple(name for name in layout.COVERS if layout.kind(name) not in layout.OUTSIDE)


class Play(WheelTable):
    """One table's wheel."""

    limits = betting.limits(*LAYOUT, ("race", 400_000, 20_000_000))

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """A section of the wheel, a number with what lies around it, or the outside."""
        mood = rng.random()
        if mood < 0.35:
            return tuple(rng.sample((*EVEN_CHANCES, "column:2", "dozen:1", "dozen:3"), 3))
        loved = rng.choice(layout.WHEEL)
        if mood < 0.65:
            reach = rng.choice((1, 2, 2, 3, 9))
            return (rng.choice(tuple(SECTIONS)), f"race:neighbours:{loved}:{reach}")
        near = [name for name in INSIDE if loved in layout.covers(name)]
        return (*rng.sample(near, 3), rng.choice(EVEN_CHANCES))

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """A racetrack bet has one value a chip (SA-RO:7.5)."""
        for n, wager in enumerate(wagers):
            if wager.bet in RACE:
                count = chips(wager.bet)
                value = -(-wager.stake // (count * CHIP)) * CHIP
                wagers[n] = replace(wager, stake=count * value)

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
