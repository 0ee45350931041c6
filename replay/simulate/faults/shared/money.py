"""Faults of the dealer's hands that every table can show: too much, too little, not at all."""

from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.script import BESIDE_MS
from schemas import events as e

SLIP = 50_000  # what a slip of the hand is worth


def a_winner(round: FaultyRound) -> bool:
    """Some wager wins more than a slip of the hand."""
    due = round.due("win")
    return due is not None and due.paid > SLIP


def a_loser(round: FaultyRound) -> bool:
    """Some wager loses."""
    return round.due("lose") is not None


def overpay(round: FaultyRound) -> None:
    """A winner is paid too much."""
    due = picked(round, "win")
    pay(round, due, paid=due.paid + SLIP)


def underpay(round: FaultyRound) -> None:
    """A winner is paid too little."""
    due = picked(round, "win")
    pay(round, due, paid=due.paid - SLIP)


def spare_a_loser(round: FaultyRound) -> None:
    """A losing stake is left with the player."""
    due = picked(round, "lose")
    pay(round, due, collected=0, returned=due.reserve_returned + due.stake)


def take_a_winner(round: FaultyRound) -> None:
    """A winner is paid, but the stake is taken."""
    due = picked(round, "win")
    pay(round, due, collected=due.stake, returned=due.reserve_returned)


def count_first(round: FaultyRound) -> None:
    """The tray is counted before the round, so that what is missing went in it."""
    round.pause.say("chips", e.TrayCounted(round.table.tray))


def lose_chips(round: FaultyRound) -> None:
    """Chips leave the tray with nothing to show for it, and the tray is counted."""
    round.table.tray -= 40 * SLIP
    round.costs("tray", 40 * SLIP)
    round.count_tray = True


def lay_chips_beside(round: FaultyRound) -> None:
    """More chips come to lie beside a winner's payment than were entered."""
    due = picked(round, "win")
    act, right = round.settled(due.wager_id)
    lying = right.paid + right.returned + SLIP
    round.script.insert(act, "chips", e.StakeRead(due.wager_id, lying), 3_000)
    round.costs(due.wager_id, SLIP)


def pay_before_play(round: FaultyRound) -> None:
    """A winner is paid as soon as betting is closed, as if somebody knew what comes."""
    act, _ = round.settled(picked(round, "win").wager_id)
    closed, _ = round.script.first(e.BettingClosed)
    act.at = closed.at + BESIDE_MS * 1_000
    round.script.sort()


def picked(round: FaultyRound, *outcomes: str) -> Due:
    """A wager due one of these outcomes; the fault is about it."""
    due = round.due(*outcomes)
    assert due is not None
    round.subject = due.wager_id
    return due


def pay(
    round: FaultyRound,
    due: Due,
    *,
    paid: int | None = None,
    commission: int | None = None,
    collected: int | None = None,
    reserve_taken: int | None = None,
    returned: int | None = None,
) -> None:
    """Settle a wager otherwise than due, in the amounts that are given."""
    act, right = round.settled(due.wager_id)
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
    round.costs(due.wager_id, won(wrong) - won(right) or handed)


def take_the_result(round: FaultyRound) -> None:
    """The round is settled as if nothing had been wrong with it."""
    as_if = round.table.judged(round.undisturbed)
    for kind in (e.WagerSettled, e.RoundVoided, e.ResultCalled):
        for act, _ in list(round.script.each(kind)):
            round.script.drop(act)
    round.play.announce(round.script, as_if)
    round.table.settle(round.script, as_if)
    round.status = "settled"
    # Once a result is called no card is awaited any more, and some bets need no more of them.
    over = round.table.judged(round.script.acts)
    right = {due.wager_id: won(due) for due in over.dues}
    for _, paid in round.script.each(e.WagerSettled):
        round.costs(paid.wager_id, won(paid) - right[paid.wager_id])


def nobody_is_short(round: FaultyRound) -> None:
    """The rules leave it as it was settled."""
    round.gaps.clear()


def won(paid: Due | e.WagerSettled) -> int:
    """What a player has more than before; less where it is negative."""
    return paid.paid - paid.collected - paid.reserve_taken


FAULTS = (
    SeededFault("PAY-01", "a winner is paid too much", needs=a_winner, settle=overpay),
    SeededFault("PAY-02", "a winner is paid too little", needs=a_winner, settle=underpay),
    SeededFault("PAY-03", "a loser is not collected", needs=a_loser, settle=spare_a_loser),
    SeededFault("PAY-03/winner", "a winner's stake is taken", needs=a_winner, settle=take_a_winner),
    SeededFault(
        "PAY-15", "more chips lie there than were paid", needs=a_winner, settle=lay_chips_beside
    ),
    SeededFault(
        "PAY-19",
        "a winner is paid before anything can be seen",
        also=("PAY-13",),
        needs=a_winner,
        settle=pay_before_play,
    ),
    SeededFault(
        "PAY-14", "chips leave the tray", pause=count_first, settle=lose_chips, of_table=True
    ),
)
