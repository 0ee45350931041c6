"""What can go wrong on purpose at a table of SA Gaming Baccarat."""

from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shoe import PLAIN, SCORE, UNTURNED, faults, last, raises, table
from replay.simulate.play.baccarat import CLOSES
from schemas import events as e


def give_one_more(hand: str) -> Hook:
    """A card too many on a hand."""

    def give(round: FaultyRound) -> None:
        held = sum(drawn.hand == hand for _, drawn in round.script.each(e.CardDrawn))
        table(round).draw(round.script, hand, held + 1)

    return give


def stop_short(round: FaultyRound) -> None:
    """The last card is not drawn."""
    for act in last(round):
        round.script.drop(act)
    table(round).out -= 1


def lacks_a_third(round: FaultyRound) -> bool:
    """The first four cards are there, and a third card is not."""
    return len(list(round.script.each(e.CardDrawn))) >= 4


def with_commission(round: FaultyRound) -> bool:
    """A wager of the traditional mode wins and owes commission."""
    return any(due.commission for due in round.judged.dues)


def forget_commission(round: FaultyRound) -> None:
    """The commission is not taken."""
    due = next(due for due in round.judged.dues if due.commission)
    round.subject = due.wager_id
    money.pay(round, due, paid=due.gross_win, commission=0)


def without_commission(round: FaultyRound) -> bool:
    """A wager of the other mode wins even money."""
    return any(due.bet == "banker:nc" and due.odds == "1" for due in round.judged.dues)


def take_commission(round: FaultyRound) -> None:
    """Commission is taken in the mode that has none."""
    won = (due for due in round.judged.dues if due.bet == "banker:nc" and due.odds == "1")
    due = next(won)
    round.subject = due.wager_id
    kept = due.paid // 20
    money.pay(round, due, paid=due.paid - kept, commission=kept)


def bet_without_commission(round: FaultyRound) -> None:
    """Somebody new bets on Banker without commission."""
    bets.one_more(round, "banker:nc", 400_000)


def half_on_six(round: FaultyRound) -> bool:
    """Banker wins with a six."""
    return "banker wins on 6" in round.judged.ruled.facts


def pay_six_in_full(round: FaultyRound) -> None:
    """A six is paid even money in the mode that pays half."""
    due = next(due for due in round.judged.dues if due.wager_id == round.subject)
    money.pay(round, due, paid=due.stake)


def a_push(round: FaultyRound) -> bool:
    """The hands tie and a main bet goes back."""
    return round.due("push") is not None


def take_the_push(round: FaultyRound) -> None:
    """A bet that goes back is collected."""
    due = money.picked(round, "push")
    money.pay(round, due, collected=due.stake, returned=0)


FAULTS = (
    *faults("player", "small_tiger", "tie", 1),
    SCORE,
    UNTURNED,
    SeededFault("DEAL-01", "Player is given a card too many", disturb=give_one_more("player"),
                needs=raises("THIRD_CARD_EXTRA")),
    SeededFault("DEAL-01/banker", "Banker is given a card too many",
                disturb=give_one_more("banker"), needs=raises("THIRD_CARD_EXTRA")),
    SeededFault("DEAL-01/short", "the last card is not drawn", ("IRR-04", "PAY-08"),
                disturb=stop_short, needs=lacks_a_third, settle=money.take_the_result),
    SeededFault("BET-14", "a bet type that has closed is taken",
                lead=(PLAIN,) * CLOSES["perfect_pair"], bets=bets.bet_on("perfect_pair")),
    SeededFault("PAY-04", "commission is forgotten", bets=bets.bet_on("banker"),
                needs=with_commission, settle=forget_commission),
    SeededFault("PAY-04/mode", "commission is taken in the other mode", bets=bet_without_commission,
                needs=without_commission, settle=take_commission),
    SeededFault("PAY-01/six", "a six is paid in full", bets=bet_without_commission,
                needs=half_on_six, settle=pay_six_in_full),
    SeededFault("PAY-07", "a push is collected", bets=bets.bet_on("player"), needs=a_push,
                settle=take_the_push),
)  # fmt: skip
