"""What can go wrong on purpose at a table with three dice in a shaker: faults that games share."""

from dataclasses import replace

from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import bets
from replay.simulate.faults.shared.money import take_the_result
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shaking import Shaker
from schemas import events as e


def read_nothing(round: FaultyRound) -> None:
    """Neither shaker nor camera can read the dice."""
    opened, _ = round.script.first(e.ShakerOpened)
    round.script.drop(opened)
    act, seen = round.script.first(e.DiceObserved)
    act.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def enter_nothing(round: FaultyRound) -> None:
    """The dealer enters no result."""
    for act, _ in list(round.script.each(e.ResultCalled)):
        round.script.drop(act)


def cover_the_camera(round: FaultyRound) -> None:
    """Something covers the camera in an open round."""
    opened, _ = round.script.first(e.BettingOpened)
    round.script.insert(opened, "camera", e.CameraDisturbed("covered", 0.3))


def see_another(round: FaultyRound) -> None:
    """The camera is sure of other faces than the shaker read."""
    act, seen = round.script.first(e.DiceObserved)
    act.payload = replace(seen, guesses=(e.Guess(_other(round, seen.guesses[0].seen), 0.98),))


def enter_another(round: FaultyRound) -> None:
    """The dealer enters other faces than the dice show."""
    act, said = round.script.first(e.ResultCalled)
    act.payload = e.ResultCalled(_other(round, said.result))


def enter_another_total(round: FaultyRound) -> None:
    """The dealer enters the right dice with a total they do not make."""
    act, said = round.script.first(e.ResultCalled)
    total = sum(map(int, said.result.split("-")))
    act.payload = e.ResultCalled(f"{said.result} ({total + 1})")


def shake_early(round: FaultyRound) -> None:
    """The shaker starts before betting is closed."""
    closed, _ = round.script.first(e.BettingClosed)
    started, _ = round.script.first(e.ShakerStarted)
    started.at = closed.at - 1_500_000
    round.script.sort()


def shake_twice(round: FaultyRound) -> None:
    """A valid shake is repeated."""
    play = _shaker(round)
    betting.close(round.script)
    play.shake(round.script)
    round.script.say("console", e.ReshakeOrdered("tumbles"), 900, 1_500)
    play.shake(round.script)


def shake_too_little(round: FaultyRound) -> None:
    """Two tumbles only."""
    act, _ = round.script.first(e.ShakerStopped)
    act.payload = e.ShakerStopped(2)


def lean(round: FaultyRound) -> None:
    """A die does not lie flat."""
    _lie(round, flat=False, overlap=False)


def overlap(round: FaultyRound) -> None:
    """A die lies on another."""
    _lie(round, flat=True, overlap=True)


def _lie(round: FaultyRound, *, flat: bool, overlap: bool) -> None:
    act, opened = round.script.first(e.ShakerOpened)
    act.payload = replace(opened, flat=flat, overlap=overlap)
    eye, seen = round.script.first(e.DiceObserved)
    eye.payload = replace(seen, flat=flat, overlap=overlap)


def _other(round: FaultyRound, faces: str) -> str:
    """The same dice with the first one turned on."""
    known = _shaker(round).faces
    first, *rest = faces.split("-")
    return "-".join((known[(known.index(first) + 1) % len(known)], *rest))


def _shaker(round: FaultyRound) -> Shaker:
    play = round.play
    assert isinstance(play, Shaker)
    return play


TOTAL = SeededFault(
    "REC-02/total", "the dice are entered with another total", settle=enter_another_total
)
TAKEN = ("PAY-08", "REC-02")  # what else speaks where a shake that does not count is taken


def faults(bet: str, nowhere: str) -> tuple[SeededFault, ...]:
    """The faults of a game, shown by one of its bets and by a place its layout has not."""
    missed = SeededFault("IRR-08", "two tumbles are taken", TAKEN, settle=take_the_result)
    return (
        SeededFault(
            "INT-06/unread", "nobody can read the dice", disturb=read_nothing, settle=enter_nothing
        ),
        SeededFault("INT-06/alone", "nobody but the dealer reads the dice", disturb=read_nothing),
        SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
        SeededFault("REC-01", "the camera sees other dice", disturb=see_another),
        SeededFault("REC-02", "the dealer enters other dice", settle=enter_another),
        SeededFault("DEAL-05", "the dice are shaken before betting is closed", disturb=shake_early),
        *bets.late(bet),
        *bets.unclosed(bet),
        SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above(bet)),
        SeededFault("BET-20", "a place the layout does not have", bets=bets.bet_on(nowhere)),
        SeededFault("IRR-02", "a valid shake is repeated", deal=shake_twice),
        SeededFault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
        missed._replace(disturb=shake_too_little),
        missed._replace(name="IRR-08/flat", does="a leaning die is taken", disturb=lean),
        missed._replace(name="IRR-08/overlap", does="overlapping dice are taken", disturb=overlap),
    )
