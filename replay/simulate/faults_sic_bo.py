"""What can go wrong on purpose at a Sic Bo table."""

from dataclasses import replace

from replay.simulate import betting, faults_bets
from replay.simulate.faults import Fault, Scene
from replay.simulate.play_sic_bo import shake
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
    act.payload = replace(seen, guesses=(e.Guess(_other(seen.guesses[0].seen), 0.98),))


def enter_another(scene: Scene) -> None:
    """The dealer enters other faces than the dice show."""
    act, said = scene.script.first(e.ResultCalled)
    act.payload = e.ResultCalled(_other(said.result))


def shake_early(scene: Scene) -> None:
    """The shaker starts before betting is closed."""
    closed, _ = scene.script.first(e.BettingClosed)
    started, _ = scene.script.first(e.ShakerStarted)
    started.at = closed.at - 1_500_000
    scene.script.sort()


def shake_twice(scene: Scene) -> None:
    """A valid shake is repeated."""
    betting.close(scene.script)
    shake(scene.script)
    scene.script.say("console", e.ReshakeOrdered("tumbles"), 900, 1_500)
    shake(scene.script)


def take_back(scene: Scene) -> None:
    """A player wants a wager back after betting was closed."""
    _, placed = scene.script.first(e.WagerPlaced)
    scene.subject = placed.wager_id
    scene.script.say("console", e.WagerWithdrawn(placed.wager_id), 800, 1_500)


def shake_too_little(scene: Scene) -> None:
    """Two tumbles only."""
    act, _ = scene.script.first(e.ShakerStopped)
    act.payload = e.ShakerStopped(2)


def take_the_result(scene: Scene) -> None:
    """The round is settled as if the shake had counted."""
    as_if = scene.table.judged(scene.undisturbed)
    scene.play.announce(scene.script, as_if)
    scene.table.settle(scene.script, as_if)
    scene.status = "settled"


def _other(faces: str) -> str:
    """The same dice with the first one turned on."""
    first, *rest = faces.split("-")
    return "-".join((str(int(first) % 6 + 1), *rest))


FAULTS = (
    Fault("INT-06/unread", "nobody can read the dice", disturb=read_nothing, settle=enter_nothing),
    Fault("INT-10", "the camera is covered", finish=cover_the_camera),
    Fault("REC-01", "the camera sees other dice", disturb=see_another),
    Fault("REC-02", "the dealer enters other dice", settle=enter_another),
    Fault("DEAL-05", "the dice are shaken before betting is closed", disturb=shake_early),
    Fault("BET-02", "chips are taken off late", disturb=faults_bets.shrink),
    Fault("BET-06", "a wager above the maximum", bets=faults_bets.bet_above("big")),
    Fault("BET-16", "a wager is placed late", disturb=faults_bets.bet_late("big")),
    Fault("BET-20", "a place the layout does not have", bets=faults_bets.bet_on("total:3")),
    Fault("IRR-02", "a valid shake is repeated", deal=shake_twice),
    Fault("IRR-02/withdrawal", "a wager is to be taken back", disturb=take_back),
    Fault(
        "IRR-08",
        "a shake that does not count is taken",
        also=("PAY-08", "REC-02"),
        disturb=shake_too_little,
        settle=take_the_result,
    ),
)
