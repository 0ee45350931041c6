"""What can go wrong on purpose at a Xoc Dia table."""

from dataclasses import replace

from replay.simulate.faults.fault import Fault, Scene
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.money import take_the_result
from replay.simulate.faults.shared.shaking import cover_the_camera, enter_nothing
from replay.simulate.play.shared import betting
from replay.simulate.play.xoc_dia import reveal, shake
from replay.simulate.play.xoc_dia import touched as touch_and_void
from schemas import events as e

OTHER = {"R": "W", "W": "R"}


def read_nothing(scene: Scene) -> None:
    """Neither sensor nor camera can read the tokens."""
    act, revealed = scene.script.first(e.TokensRevealed)
    act.payload = replace(revealed, faces=())
    eye, seen = scene.script.first(e.TokensObserved)
    eye.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def see_another(scene: Scene) -> None:
    """The camera is sure of another side than the sensor read."""
    act, seen = scene.script.first(e.TokensObserved)
    turned = "-".join(_turned(seen.guesses[0].seen.split("-")))
    act.payload = replace(seen, guesses=(e.Guess(turned, 0.98),))


def enter_another(scene: Scene) -> None:
    """The dealer enters other sides than lie there."""
    act, said = scene.script.first(e.ResultCalled)
    act.payload = e.ResultCalled("".join(_turned(said.result)))


def throw_twice(scene: Scene) -> None:
    """A valid throw is repeated."""
    shake(scene.script)
    betting.close(scene.script)
    reveal(scene.script)
    scene.script.say("console", e.ReshakeOrdered("standing"), 900, 1_500)
    shake(scene.script)
    reveal(scene.script)


def stand(scene: Scene) -> None:
    """A token stands on its edge."""
    act, revealed = scene.script.first(e.TokensRevealed)
    act.payload = replace(revealed, standing=1)


def fall(scene: Scene) -> None:
    """A token falls while the bowl is being shaken."""
    started, _ = scene.script.first(e.ShakerStarted)
    scene.script.insert(started, "shaker", e.EquipmentDropped(("token",)))


def touch(scene: Scene) -> None:
    """The bowl touches a token."""
    act, _ = scene.script.first(e.BowlRemoved)
    act.payload = e.BowlRemoved(touched_token=True)


def forget_to_shake(scene: Scene) -> None:
    """Nothing was shaken."""
    for kind in (e.ShakerStarted, e.ShakerStopped):
        act, _ = scene.script.first(kind)
        scene.script.drop(act)


def lift_early(scene: Scene) -> None:
    """The bowl comes off while bets are still taken."""
    closed, _ = scene.script.first(e.BettingClosed)
    bowl, _ = scene.script.first(e.BowlRemoved)
    bowl.at = closed.at - 1_500_000
    scene.script.sort()


def play_on(scene: Scene) -> None:
    """A round is void, and the tokens are shaken again all the same."""
    touch_and_void(scene.script)
    shake(scene.script)
    reveal(scene.script)


def overlap(scene: Scene) -> None:
    """Tokens lie on one another, and nobody parts them."""
    act, revealed = scene.script.first(e.TokensRevealed)
    act.payload = replace(revealed, overlapping=True)


def part_for_nothing(scene: Scene) -> None:
    """The stick moves tokens that did not overlap."""
    _part(scene, list(scene.script.first(e.TokensRevealed)[1].faces))


def turn_a_token(scene: Scene) -> None:
    """The stick turns a token over."""
    overlap(scene)
    _part(scene, _turned(scene.script.first(e.TokensRevealed)[1].faces))


def a_push(scene: Scene) -> bool:
    """A wager on Big or Small goes back."""
    return scene.due("push") is not None


def take_the_push(scene: Scene) -> None:
    """A wager that goes back is collected."""
    due = money.picked(scene, "push")
    money.pay(scene, due, collected=due.stake, returned=0)


def pay_the_push(scene: Scene) -> None:
    """A wager that goes back is paid."""
    due = money.picked(scene, "push")
    money.pay(scene, due, paid=due.stake)


def throw_void(scene: Scene) -> None:
    """A round that is rightly void."""
    touch_and_void(scene.script)


def take_a_void_stake(scene: Scene) -> None:
    """A stake of a void round is collected."""
    due = money.picked(scene, "void")
    money.pay(scene, due, collected=due.stake, returned=0)


def _part(scene: Scene, faces: list[str]) -> None:
    seen, _ = scene.script.first(e.TokensObserved)
    scene.script.insert(seen, "console", e.TokensRearranged(tuple(faces)), 500)


def _turned(faces: "str | list[str] | tuple[str, ...]") -> list[str]:
    """The same tokens with the first one turned over."""
    return [OTHER[faces[0]], *faces[1:]]


MISSED = Fault("IRR-08", "a standing token is taken", ("PAY-08", "REC-02"), settle=take_the_result)
KEPT = Fault("IRR-09", "the bowl touched a token", ("PAY-08", "REC-02"), settle=take_the_result)

FAULTS = (
    Fault(
        "INT-06/unread", "nobody can read the tokens", disturb=read_nothing, settle=enter_nothing
    ),
    Fault("INT-06/alone", "nobody but the dealer reads the tokens", disturb=read_nothing),
    Fault("INT-10", "the camera is covered", finish=cover_the_camera),
    Fault("REC-01", "the camera sees other tokens", disturb=see_another),
    Fault("REC-02", "the dealer enters other tokens", settle=enter_another),
    *bets.late("big"),
    *bets.unclosed("big"),
    Fault("BET-06", "a wager above the maximum", bets=bets.bet_above("big")),
    Fault("BET-20", "a place the layout does not have", bets=bets.bet_on("5R")),
    Fault("IRR-02", "a valid throw is repeated", deal=throw_twice),
    Fault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
    MISSED._replace(disturb=stand),
    KEPT._replace(disturb=touch),
    KEPT._replace(name="IRR-09/dropped", does="a drop while shaking is ignored", disturb=fall),
    KEPT._replace(name="IRR-09/forgotten", does="nothing was shaken", disturb=forget_to_shake),
    KEPT._replace(
        name="IRR-09/early",
        does="the bowl came off early",
        also=(*KEPT.also, "DEAL-05"),
        disturb=lift_early,
    ),
    Fault("IRR-09/played_on", "a void round is played on", deal=play_on),
    Fault("IRR-17", "overlapping tokens are left so", disturb=overlap),
    Fault("IRR-17/unfounded", "tokens are moved for nothing", disturb=part_for_nothing),
    Fault("IRR-17/turned", "the stick turns a token over", disturb=turn_a_token),
    Fault(
        "PAY-07",
        "a push is collected",
        bets=bets.bet_on("big"),
        needs=a_push,
        settle=take_the_push,
    ),
    Fault(
        "PAY-07/paid",
        "a push is paid",
        bets=bets.bet_on("small"),
        needs=a_push,
        settle=pay_the_push,
    ),
    Fault("PAY-08", "a void stake is collected", deal=throw_void, settle=take_a_void_stake),
)
