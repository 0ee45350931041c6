"""How Sic Bo is played: three honest dice, shaken again where the rules want it."""

from random import Random

from replay.judge import Judgement
from replay.simulate import betting
from replay.simulate.players import Party
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from replay.simulate.table import Seat
from schemas import events as e

DICE, FACES = 3, 6
TUMBLES = 3  # fewer of them do not count
SHAKEN_AGAIN = 0.02  # shakes that do not count, and are rightly repeated

EVEN_MONEY = ("small", "big", "odd", "even")
LONG_SHOTS = (
    "any_triple", "triple:1", "triple:6", "total:7", "total:9", "total:10", "total:12", "total:14",
    "number:1", "number:3", "number:4", "number:6", "double:1+2", "double:3+4", "double:5+6",
    "pair:2", "pair:5", "all_odd", "all_even", "two_odd_one_even", "two_even_one_odd",
    "single3:1-2-3", "single3:4-5-6", "dsingle:1-1-2", "dsingle:6-6-5", "four:1-2-3-4",
    "four:3-4-5-6",
)  # fmt: skip
KINDS = (
    "any_triple triple total number double pair all_odd all_even two_odd_one_even "
    "two_even_one_odd single3 dsingle four"
)


class Play:
    """One table's shaker."""

    kinds = ("shaker", "camera")
    takes_wagers = True
    finished = False

    def __init__(self, seat: Seat, staff: Staff, rng: Random) -> None:
        del staff, rng
        self.terms = e.TermsPosted(
            seat.code,
            "VND",
            paytable=seat.paytable,
            limits=betting.limits(
                (" ".join(EVEN_MONEY), 100_000, 40_000_000), (KINDS, 50_000, 2_000_000)
            ),
        )

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the even chances and some long shots."""
        return (rng.choice(EVEN_MONEY), *rng.sample(LONG_SHOTS, rng.choice((1, 2, 3))))

    def between(self, pause: Script, party: Party) -> None:
        """Nothing is needed between two shakes."""
        del pause, party

    def again(self, rng: Random) -> None:
        """Another shake needs nothing but another chance."""
        del rng

    def tame(self, wagers: list[e.WagerPlaced]) -> None:
        """No wagers of a table break a rule together."""
        del wagers

    def make_room(self) -> None:
        """A shaker is never used up."""

    def opening(self, script: Script) -> None:
        """Nothing is announced before the bets."""
        del script

    def deal(self, script: Script, honest: bool) -> None:
        """Betting is closed, the dice are shaken until a shake counts."""
        betting.close(script)
        while honest and script.rng.random() < SHAKEN_AGAIN:
            FAILS[int(script.rng.random() * len(FAILS))](script)
        shake(script)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer enters the faces of the dice."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 1_500, 3_000)


def shake(
    script: Script, tumbles: int | None = None, flat: bool = True, overlap: bool = False
) -> None:
    """One shake, as the shaker and the camera see it."""
    rng = script.rng
    if tumbles is None:
        tumbles = TUMBLES + int(rng.random() * 7)
    faces = tuple(str(1 + int(rng.random() * FACES)) for _ in range(DICE))
    script.say("shaker", e.ShakerStarted(), 1_500, 2_500)
    script.say("shaker", e.ShakerStopped(tumbles), 4_000, 6_000)
    script.say("shaker", e.ShakerOpened(faces, flat, overlap), 1_500, 2_500)
    sure = 0.95 + int(rng.random() * 500) / 10_000
    guess = e.Guess("-".join(faces), sure)
    script.say("camera", e.DiceObserved((guess,), flat, overlap, script.clock // 40_000))


def too_few_tumbles(script: Script) -> None:
    """Fewer than three tumbles: shaken again, all bets standing."""
    shake(script, tumbles=int(script.rng.random() * TUMBLES))
    script.say("console", e.ReshakeOrdered("tumbles"), 900, 1_500)


def not_flat(script: Script) -> None:
    """A die that leans: shaken again, all bets standing."""
    shake(script, flat=False)
    script.say("console", e.ReshakeOrdered("not_flat"), 900, 1_500)


def overlapping(script: Script) -> None:
    """A die on another: shaken again, all bets standing."""
    shake(script, overlap=True)
    script.say("console", e.ReshakeOrdered("overlap"), 900, 1_500)


FAILS = (too_few_tumbles, not_flat, overlapping)
