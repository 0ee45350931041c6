"""What can go wrong on purpose at a table of SA Gaming Baccarat."""

from replay.simulate.faults.fault import Fault, Hook, Scene
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shoe import PLAIN, SCORE, UNTURNED, faults, last, raises, table
from replay.simulate.play.baccarat import CLOSES
from schemas import events as e


def give_one_more(hand: str) -> Hook:
    """A card too many on a hand."""

    def give(scene: Scene) -> None:
        held = sum(drawn.hand == hand for _, drawn in scene.script.each(e.CardDrawn))
        table(scene).draw(scene.script, hand, held + 1)

    return give


def stop_short(scene: Scene) -> None:
    """The last card is not drawn."""
    for act in last(scene):
        scene.script.drop(act)
    table(scene).out -= 1


def lacks_a_third(scene: Scene) -> bool:
    """The first four cards are there, and a third card is not."""
    return len(list(scene.script.each(e.CardDrawn))) >= 4


def with_commission(scene: Scene) -> bool:
    """A wager of the traditional mode wins and owes commission."""
    return any(due.commission for due in scene.judged.dues)


def forget_commission(scene: Scene) -> None:
    """The commission is not taken."""
    due = next(due for due in scene.judged.dues if due.commission)
    scene.subject = due.wager_id
    money.pay(scene, due, paid=due.gross_win, commission=0)


def without_commission(scene: Scene) -> bool:
    """A wager of the other mode wins even money."""
    return any(due.bet == "banker:nc" and due.odds == "1" for due in scene.judged.dues)


def take_commission(scene: Scene) -> None:
    """Commission is taken in the mode that has none."""
    won = (due for due in scene.judged.dues if due.bet == "banker:nc" and due.odds == "1")
    due = next(won)
    scene.subject = due.wager_id
    kept = due.paid // 20
    money.pay(scene, due, paid=due.paid - kept, commission=kept)


def bet_without_commission(scene: Scene) -> None:
    """Somebody new bets on Banker without commission."""
    bets.one_more(scene, "banker:nc", 400_000)


def half_on_six(scene: Scene) -> bool:
    """Banker wins with a six."""
    return "banker wins on 6" in scene.judged.ruled.facts


def pay_six_in_full(scene: Scene) -> None:
    """A six is paid even money in the mode that pays half."""
    due = next(due for due in scene.judged.dues if due.wager_id == scene.subject)
    money.pay(scene, due, paid=due.stake)


def a_push(scene: Scene) -> bool:
    """The hands tie and a main bet goes back."""
    return scene.due("push") is not None


def take_the_push(scene: Scene) -> None:
    """A bet that goes back is collected."""
    due = money.picked(scene, "push")
    money.pay(scene, due, collected=due.stake, returned=0)


FAULTS = (
    *faults("player", "small_tiger", "tie", 1),
    SCORE,
    UNTURNED,
    Fault("DEAL-01", "Player is given a card too many", disturb=give_one_more("player"),
          needs=raises("THIRD_CARD_EXTRA")),
    Fault("DEAL-01/banker", "Banker is given a card too many", disturb=give_one_more("banker"),
          needs=raises("THIRD_CARD_EXTRA")),
    Fault("DEAL-01/short", "the last card is not drawn", ("IRR-04", "PAY-08"), disturb=stop_short,
          needs=lacks_a_third, settle=money.take_the_result),
    Fault("BET-14", "a bet type that has closed is taken",
          lead=(PLAIN,) * CLOSES["perfect_pair"], bets=bets.bet_on("perfect_pair")),
    Fault("PAY-04", "commission is forgotten", bets=bets.bet_on("banker"),
          needs=with_commission, settle=forget_commission),
    Fault("PAY-04/mode", "commission is taken in the other mode", bets=bet_without_commission,
          needs=without_commission, settle=take_commission),
    Fault("PAY-01/six", "a six is paid in full", bets=bet_without_commission, needs=half_on_six,
          settle=pay_six_in_full),
    Fault("PAY-07", "a push is collected", bets=bets.bet_on("player"), needs=a_push,
          settle=take_the_push),
)  # fmt: skip
