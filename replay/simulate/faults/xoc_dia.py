"""What can go wrong on purpose at a Xoc Dia table."""

from dataclasses import replace

from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.money import take_the_result
from replay.simulate.faults.shared.shaking import cover_the_camera, enter_nothing
from replay.simulate.play.shared import betting
from replay.simulate.play.xoc_dia import reveal, shake
from replay.simulate.play.xoc_dia import touched as touch_and_void
from schemas import events as e

OTHER = {"R": "W", "W": "R"}


def read_nothing(round: FaultyRound) -> None:
    """Neither sensor nor camera can read the tokens."""
    act, revealed = round.script.first(e.TokensRevealed)
    act.payload = replace(revealed, faces=())
    eye, seen = round.script.first(e.TokensObserved)
    eye.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def see_another(round: FaultyRound) -> None:
    """The camera is sure of another side than the sensor read."""
    act, seen = round.script.first(e.TokensObserved)
    turned = "-".join(_turned(seen.guesses[0].seen.split("-")))
    act.payload = replace(seen, guesses=(e.Guess(turned, 0.98),))


def enter_another(round: FaultyRound) -> None:
    """The dealer enters other sides than lie there."""
    act, said = round.script.first(e.ResultCalled)
    act.payload = e.ResultCalled("".join(_turned(said.result)))


def throw_twice(round: FaultyRound) -> None:
    """A valid throw is repeated."""
    shake(round.script)
    betting.close(round.script)
    reveal(round.script)
    round.script.say("console", e.ReshakeOrdered("standing"), 900, 1_500)
    shake(round.script)
    reveal(round.script)


def stand(round: FaultyRound) -> None:
    """A token stands on its edge."""
    act, revealed = round.script.first(e.TokensRevealed)
    act.payload = replace(revealed, standing=1)


def fall(round: FaultyRound) -> None:
    """A token falls while the bowl is being shaken."""
    started, _ = round.script.first(e.ShakerStarted)
    round.script.insert(started, "shaker", e.EquipmentDropped(("token",)))


def touch(round: FaultyRound) -> None:
    """The bowl touches a token."""
    act, _ = round.script.first(e.BowlRemoved)
    act.payload = e.BowlRemoved(touched_token=True)


def forget_to_shake(round: FaultyRound) -> None:
    """Nothing was shaken."""
    for kind in (e.ShakerStarted, e.ShakerStopped):
        act, _ = round.script.first(kind)
        round.script.drop(act)


def lift_early(round: FaultyRound) -> None:
    """The bowl comes off while bets are still taken."""
    closed, _ = round.script.first(e.BettingClosed)
    bowl, _ = round.script.first(e.BowlRemoved)
    bowl.at = closed.at - 1_500_000
    round.script.sort()


def play_on(round: FaultyRound) -> None:
    """A round is void, and the tokens are shaken again all the same."""
    touch_and_void(round.script)
    shake(round.script)
    reveal(round.script)


def overlap(round: FaultyRound) -> None:
    """Tokens lie on one another, and nobody parts them."""
    act, revealed = round.script.first(e.TokensRevealed)
    act.payload = replace(revealed, overlapping=True)


def part_for_nothing(round: FaultyRound) -> None:
    """The stick moves tokens that did not overlap."""
    _part(round, list(round.script.first(e.TokensRevealed)[1].faces))


def turn_a_token(round: FaultyRound) -> None:
    """The stick turns a token over."""
    overlap(round)
    _part(round, _turned(round.script.first(e.TokensRevealed)[1].faces))


def a_push(round: FaultyRound) -> bool:
    """A wager on Big or Small goes back."""
    return round.due("push") is not None


def take_the_push(round: FaultyRound) -> None:
    """A wager that goes back is collected."""
    due = money.picked(round, "push")
    money.pay(round, due, collected=due.stake, returned=0)


def pay_the_push(round: FaultyRound) -> None:
    """A wager that goes back is paid."""
    due = money.picked(round, "push")
    money.pay(round, due, paid=due.stake)


def throw_void(round: FaultyRound) -> None:
    """A round that is rightly void."""
    touch_and_void(round.script)


def take_a_void_stake(round: FaultyRound) -> None:
    """A stake of a void round is collected."""
    due = money.picked(round, "void")
    money.pay(round, due, collected=due.stake, returned=0)


def _part(round: FaultyRound, faces: list[str]) -> None:
    seen, _ = round.script.first(e.TokensObserved)
    round.script.insert(seen, "console", e.TokensRearranged(tuple(faces)), 500)


def _turned(faces: "str | list[str] | tuple[str, ...]") -> list[str]:
    """The same tokens with the first one turned over."""
    return [OTHER[faces[0]], *faces[1:]]


MISSED = SeededFault(
    "IRR-08", "a standing token is taken", ("PAY-08", "REC-02"), settle=take_the_result
)
KEPT = SeededFault(
    "IRR-09", "the bowl touched a token", ("PAY-08", "REC-02"), settle=take_the_result
)

FAULTS = (
    SeededFault(
        "INT-06/unread", "nobody can read the tokens", disturb=read_nothing, settle=enter_nothing
    ),
    SeededFault("INT-06/alone", "nobody but the dealer reads the tokens", disturb=read_nothing),
    SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
    SeededFault("REC-01", "the camera sees other tokens", disturb=see_another),
    SeededFault("REC-02", "the dealer enters other tokens", settle=enter_another),
    *bets.late("big"),
    *bets.unclosed("big"),
    SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above("big")),
    SeededFault("BET-20", "a place the layout does not have", bets=bets.bet_on("5R")),
    SeededFault("IRR-02", "a valid throw is repeated", deal=throw_twice),
    SeededFault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
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
    SeededFault("IRR-09/played_on", "a void round is played on", deal=play_on),
    SeededFault("IRR-17", "overlapping tokens are left so", disturb=overlap),
    SeededFault("IRR-17/unfounded", "tokens are moved for nothing", disturb=part_for_nothing),
    SeededFault("IRR-17/turned", "the stick turns a token over", disturb=turn_a_token),
    SeededFault(
        "PAY-07",
        "a push is collected",
        bets=bets.bet_on("big"),
        needs=a_push,
        settle=take_the_push,
    ),
    SeededFault(
        "PAY-07/paid",
        "a push is paid",
        bets=bets.bet_on("small"),
        needs=a_push,
        settle=pay_the_push,
    ),
    SeededFault("PAY-08", "a void stake is collected", deal=throw_void, settle=take_a_void_stake),
)
