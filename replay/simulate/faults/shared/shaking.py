"""What can go wrong on purpose at a table with three dice in a shaker: faults that games share."""

from dataclasses import replace

from replay.simulate.faults.fault import Fault, Scene
from replay.simulate.faults.shared import bets
from replay.simulate.faults.shared.money import take_the_result
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shaking import Shaker
from schemas import events as e


def read_nothing(scene: Scene) -> None:
    """Neither shaker nor camera can read the dice."""
    opened, _ = scene.script.first(e.ShakerOpened)
    scene.script.drop(opened)
    act, seen = scene.script.first(e.DiceObserved)
    act.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def enter_nothing(scene: Scene) -> None:
    """The dealer enters no result."""
    for act, _ in list(scene.script.each(e.ResultCalled)):
        scene.script.drop(act)


def cover_the_camera(scene: Scene) -> None:
    """Something covers the camera in an open round."""
    opened, _ = scene.script.first(e.BettingOpened)
    scene.script.insert(opened, "camera", e.CameraDisturbed("covered", 0.3))


def see_another(scene: Scene) -> None:
    """The camera is sure of other faces than the shaker read."""
    act, seen = scene.script.first(e.DiceObserved)
    act.payload = replace(seen, guesses=(e.Guess(_other(scene, seen.guesses[0].seen), 0.98),))


def enter_another(scene: Scene) -> None:
    """The dealer enters other faces than the dice show."""
    act, said = scene.script.first(e.ResultCalled)
    act.payload = e.ResultCalled(_other(scene, said.result))


def enter_another_total(scene: Scene) -> None:
    """The dealer enters the right dice with a total they do not make."""
    act, said = scene.script.first(e.ResultCalled)
    total = sum(map(int, said.result.split("-")))
    act.payload = e.ResultCalled(f"{said.result} ({total + 1})")


def shake_early(scene: Scene) -> None:
    """The shaker starts before betting is closed."""
    closed, _ = scene.script.first(e.BettingClosed)
    started, _ = scene.script.first(e.ShakerStarted)
    started.at = closed.at - 1_500_000
    scene.script.sort()


def shake_twice(scene: Scene) -> None:
    """A valid shake is repeated."""
    play = _shaker(scene)
    betting.close(scene.script)
    play.shake(scene.script)
    scene.script.say("console", e.ReshakeOrdered("tumbles"), 900, 1_500)
    play.shake(scene.script)


def shake_too_little(scene: Scene) -> None:
    """Two tumbles only."""
    act, _ = scene.script.first(e.ShakerStopped)
    act.payload = e.ShakerStopped(2)


def lean(scene: Scene) -> None:
    """A die does not lie flat."""
    _lie(scene, flat=False, overlap=False)


def overlap(scene: Scene) -> None:
    """A die lies on another."""
    _lie(scene, flat=True, overlap=True)


def _lie(scene: Scene, *, flat: bool, overlap: bool) -> None:
    act, opened = scene.script.first(e.ShakerOpened)
    act.payload = replace(opened, flat=flat, overlap=overlap)
    eye, seen = scene.script.first(e.DiceObserved)
    eye.payload = replace(seen, flat=flat, overlap=overlap)


def _other(scene: Scene, faces: str) -> str:
    """The same dice with the first one turned on."""
    known = _shaker(scene).faces
    first, *rest = faces.split("-")
    return "-".join((known[(known.index(first) + 1) % len(known)], *rest))


def _shaker(scene: Scene) -> Shaker:
    play = scene.play
    assert isinstance(play, Shaker)
    return play


TOTAL = Fault("REC-02/total", "the dice are entered with another total", settle=enter_another_total)
TAKEN = ("PAY-08", "REC-02")  # what else speaks where a shake that does not count is taken


def faults(bet: str, nowhere: str) -> tuple[Fault, ...]:
    """The faults of a game, shown by one of its bets and by a place its layout has not."""
    missed = Fault("IRR-08", "two tumbles are taken", TAKEN, settle=take_the_result)
    return (
        Fault(
            "INT-06/unread", "nobody can read the dice", disturb=read_nothing, settle=enter_nothing
        ),
        Fault("INT-06/alone", "nobody but the dealer reads the dice", disturb=read_nothing),
        Fault("INT-10", "the camera is covered", finish=cover_the_camera),
        Fault("REC-01", "the camera sees other dice", disturb=see_another),
        Fault("REC-02", "the dealer enters other dice", settle=enter_another),
        Fault("DEAL-05", "the dice are shaken before betting is closed", disturb=shake_early),
        *bets.late(bet),
        *bets.unclosed(bet),
        Fault("BET-06", "a wager above the maximum", bets=bets.bet_above(bet)),
        Fault("BET-20", "a place the layout does not have", bets=bets.bet_on(nowhere)),
        Fault("IRR-02", "a valid shake is repeated", deal=shake_twice),
        Fault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
        missed._replace(disturb=shake_too_little),
        missed._replace(name="IRR-08/flat", does="a leaning die is taken", disturb=lean),
        missed._replace(name="IRR-08/overlap", does="overlapping dice are taken", disturb=overlap),
    )
