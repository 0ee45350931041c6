"""How games with three dice in a shaker are played: shaken again where the rules want it."""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from replay.judge import Judgement
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.plain_table import PlainTable
from replay.simulate.script import Script
from schemas import events as e

DICE = 3
TUMBLES = 3  # fewer of them do not count
SHAKEN_AGAIN = 0.02  # shakes that do not count, and are rightly repeated


class Shaker(PlainTable):
    """One table's shaker; a game says what its dice show, its limits, and what players like."""

    kinds: tuple[str, ...] = ("shaker", "camera")
    faces: ClassVar[tuple[str, ...]]
    simple: ClassVar[tuple[str, ...]]  # bets of which everybody likes one
    long_shots: ClassVar[tuple[str, ...]]

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the simple bets and some long shots."""
        return (rng.choice(self.simple), *rng.sample(self.long_shots, rng.choice((1, 2, 3))))

    def deal(self, script: Script, honest: bool) -> None:
        """Betting is closed, the dice are shaken until a shake counts."""
        betting.close(script)
        while honest and script.rng.random() < SHAKEN_AGAIN:
            FAILS[int(script.rng.random() * len(FAILS))](self, script)
        self.shake(script)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer enters the faces of the dice."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 1_500, 3_000)

    def shake(
        self, script: Script, tumbles: int | None = None, flat: bool = True, overlap: bool = False
    ) -> None:
        """One shake, as the shaker and the camera see it."""
        rng = script.rng
        if tumbles is None:
            tumbles = TUMBLES + int(rng.random() * 7)
        faces = tuple(self.faces[int(rng.random() * len(self.faces))] for _ in range(DICE))
        script.say("shaker", e.ShakerStarted(), 1_500, 2_500)
        script.say("shaker", e.ShakerStopped(tumbles), 4_000, 6_000)
        script.say("shaker", e.ShakerOpened(faces, flat, overlap), 1_500, 2_500)
        sure = 0.95 + int(rng.random() * 500) / 10_000
        guess = e.Guess("-".join(faces), sure)
        script.say("camera", e.DiceObserved((guess,), flat, overlap, script.clock // 40_000))


def too_few_tumbles(play: Shaker, script: Script) -> None:
    """Fewer than three tumbles: shaken again, all bets standing."""
    play.shake(script, tumbles=int(script.rng.random() * TUMBLES))
    script.say("console", e.ReshakeOrdered("tumbles"), 900, 1_500)


def not_flat(play: Shaker, script: Script) -> None:
    """A die that leans: shaken again, all bets standing."""
    play.shake(script, flat=False)
    script.say("console", e.ReshakeOrdered("not_flat"), 900, 1_500)


def overlapping(play: Shaker, script: Script) -> None:
    """A die on another: shaken again, all bets standing."""
    play.shake(script, overlap=True)
    script.say("console", e.ReshakeOrdered("overlap"), 900, 1_500)


FAILS: tuple[Callable[[Shaker, Script], None], ...] = (too_few_tumbles, not_flat, overlapping)
