"""Faults of the dealer's hands that every table can show: too much, too little, not at all."""

from replay.settle import Due
from replay.simulate.faults.fault import Fault, Scene
from replay.simulate.script import BESIDE_MS
from schemas import events as e

SLIP = 50_000  # what a slip of the hand is worth


def a_winner(scene: Scene) -> bool:
    """Some wager wins more than a slip of the hand."""
    due = scene.due("win")
    return due is not None and due.paid > SLIP


def a_loser(scene: Scene) -> bool:
    """Some wager loses."""
    return scene.due("lose") is not None


def overpay(scene: Scene) -> None:
    """A winner is paid too much."""
    due = picked(scene, "win")
    pay(scene, due, paid=due.paid + SLIP)


def underpay(scene: Scene) -> None:
    """A winner is paid too little."""
    due = picked(scene, "win")
    pay(scene, due, paid=due.paid - SLIP)


def spare_a_loser(scene: Scene) -> None:
    """A losing stake is left with the player."""
    due = picked(scene, "lose")
    pay(scene, due, collected=0, returned=due.reserve_returned + due.stake)


def take_a_winner(scene: Scene) -> None:
    """A winner is paid, but the stake is taken."""
    due = picked(scene, "win")
    pay(scene, due, collected=due.stake, returned=due.reserve_returned)


def count_first(scene: Scene) -> None:
    """The tray is counted before the round, so that what is missing went in it."""
    scene.pause.say("chips", e.TrayCounted(scene.table.tray))


def lose_chips(scene: Scene) -> None:
    """Chips leave the tray with nothing to show for it, and the tray is counted."""
    scene.table.tray -= 40 * SLIP
    scene.costs("tray", 40 * SLIP)
    scene.count_tray = True


def pay_before_play(scene: Scene) -> None:
    """A winner is paid as soon as betting is closed, as if somebody knew what comes."""
    act, _ = scene.settled(picked(scene, "win").wager_id)
    closed, _ = scene.script.first(e.BettingClosed)
    act.at = closed.at + BESIDE_MS * 1_000
    scene.script.sort()


def picked(scene: Scene, *outcomes: str) -> Due:
    """A wager due one of these outcomes; the fault is about it."""
    due = scene.due(*outcomes)
    assert due is not None
    scene.subject = due.wager_id
    return due


def pay(
    scene: Scene,
    due: Due,
    *,
    paid: int | None = None,
    commission: int | None = None,
    collected: int | None = None,
    reserve_taken: int | None = None,
    returned: int | None = None,
) -> None:
    """Settle a wager otherwise than due, in the amounts that are given."""
    act, right = scene.settled(due.wager_id)
    wrong = e.WagerSettled(
        due.wager_id,
        right.paid if paid is None else paid,
        right.commission if commission is None else commission,
        right.collected if collected is None else collected,
        right.reserve_taken if reserve_taken is None else reserve_taken,
        returned=right.returned if returned is None else returned,
    )
    act.payload = wrong
    handed = wrong.returned - right.returned
    scene.costs(due.wager_id, won(wrong) - won(right) or handed)


def take_the_result(scene: Scene) -> None:
    """The round is settled as if nothing had been wrong with it."""
    as_if = scene.table.judged(scene.undisturbed)
    for kind in (e.WagerSettled, e.RoundVoided, e.ResultCalled):
        for act, _ in list(scene.script.each(kind)):
            scene.script.drop(act)
    scene.play.announce(scene.script, as_if)
    scene.table.settle(scene.script, as_if)
    scene.status = "settled"
    # Once a result is called no card is awaited any more, and some bets need no more of them.
    over = scene.table.judged(scene.script.acts)
    right = {due.wager_id: won(due) for due in over.dues}
    for _, paid in scene.script.each(e.WagerSettled):
        scene.costs(paid.wager_id, won(paid) - right[paid.wager_id])


def nobody_is_short(scene: Scene) -> None:
    """The rules leave it as it was settled."""
    scene.gaps.clear()


def won(paid: Due | e.WagerSettled) -> int:
    """What a player has more than before; less where it is negative."""
    return paid.paid - paid.collected - paid.reserve_taken


FAULTS = (
    Fault("PAY-01", "a winner is paid too much", needs=a_winner, settle=overpay),
    Fault("PAY-02", "a winner is paid too little", needs=a_winner, settle=underpay),
    Fault("PAY-03", "a loser is not collected", needs=a_loser, settle=spare_a_loser),
    Fault("PAY-03/winner", "a winner's stake is taken", needs=a_winner, settle=take_a_winner),
    Fault(
        "PAY-19",
        "a winner is paid before anything can be seen",
        also=("PAY-13",),
        needs=a_winner,
        settle=pay_before_play,
    ),
    Fault("PAY-14", "chips leave the tray", pause=count_first, settle=lose_chips, of_table=True),
)
