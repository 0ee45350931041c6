"""How Xoc Dia is played: four honest tokens, shaken while bets are taken."""

from collections.abc import Callable
from random import Random

from replay.games.xoc_dia import TOKENS
from replay.judge import Judgement
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.plain_table import PlainTable
from replay.simulate.script import Script
from schemas import events as e

SPECIAL = 0.03  # rounds with a case of special handling, rightly handled

SIMPLE = ("big", "small", "odd", "even")
LONG_SHOTS = ("4R", "3R1W", "2R2W", "1R3W", "4W", "4R_or_4W")


class Play(PlainTable):
    """One table's plate, bowl and tokens."""

    kinds: tuple[str, ...] = ("shaker", "camera")
    limits = betting.limits(
        (" ".join(SIMPLE), 100_000, 40_000_000), (" ".join(LONG_SHOTS), 50_000, 2_000_000)
    )

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One or two of the simple bets and a long shot."""
        return (*rng.sample(SIMPLE, rng.choice((1, 2))), rng.choice(LONG_SHOTS))

    def deal(self, script: Script, honest: bool) -> None:
        """The tokens are shaken, betting is closed, the bowl comes off."""
        if honest and script.rng.random() < SPECIAL:
            CASES[int(script.rng.random() * len(CASES))](script)
            return
        shake(script)
        betting.close(script)
        reveal(script)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer enters the sides, or declares the round void."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.outcome), 1_500, 3_000)
        elif judged.ruled.status == "void":
            clause = judged.ruled.clauses[0]
            script.say("console", e.RoundVoided(clause, "special handling"), 1_500, 3_000)


def shake(script: Script) -> None:
    """Bowl over plate, and shaken."""
    script.say("shaker", e.ShakerStarted(), 1_500, 2_500)
    script.say("shaker", e.ShakerStopped(3 + int(script.rng.random() * 5)), 4_000, 6_000)


def reveal(
    script: Script, touched: bool = False, standing: int = 0, overlapping: bool = False
) -> None:
    """The bowl comes off; sensor and camera look at the plate, and the stick parts tokens."""
    rng = script.rng
    faces = tuple("RW"[int(rng.random() * 2)] for _ in range(TOKENS))
    read = faces[: TOKENS - standing]
    script.say("shaker", e.BowlRemoved(touched), 1_500, 2_500)
    script.say("shaker", e.TokensRevealed(read, standing, overlapping), 900, 1_500)
    sure = 0.95 + int(rng.random() * 500) / 10_000
    guess = e.Guess("-".join(read), sure)
    script.say("camera", e.TokensObserved((guess,), script.clock // 40_000))
    if overlapping:
        script.say("console", e.TokensRearranged(faces), 1_500, 3_000)


def dropped(script: Script) -> None:
    """A token falls while shaking: all is put together and shaken again."""
    script.say("shaker", e.ShakerStarted(), 1_500, 2_500)
    script.say("shaker", e.EquipmentDropped(("token",)), 900, 1_500)
    script.say("console", e.ReshakeOrdered("dropped"), 900, 1_500)
    shake(script)
    betting.close(script)
    reveal(script)


def stood(script: Script) -> None:
    """A token stands on its edge: shaken again, all bets standing."""
    shake(script)
    betting.close(script)
    reveal(script, standing=1)
    script.say("console", e.ReshakeOrdered("standing"), 900, 1_500)
    shake(script)
    reveal(script)


def overlapped(script: Script) -> None:
    """Tokens lie on one another: the stick parts them."""
    shake(script)
    betting.close(script)
    reveal(script, overlapping=True)


def touched(script: Script) -> None:
    """The bowl touches a token: the round is void."""
    shake(script)
    betting.close(script)
    reveal(script, touched=True)


def forgotten(script: Script) -> None:
    """Nothing was shaken: the round is void."""
    betting.close(script)
    reveal(script)


CASES: tuple[Callable[[Script], None], ...] = (
    dropped, stood, overlapped, overlapped, touched, forgotten,
)  # fmt: skip
