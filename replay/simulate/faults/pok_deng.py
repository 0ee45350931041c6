"""What can go wrong on purpose at a Pok Deng table."""

from dataclasses import replace

from replay.games import pok_deng as game
from replay.settle import Due
from replay.simulate.faults.fault import Fault, Hook, Scene
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shoe import ROUND_BURN, faults, last, table
from schemas import events as e


def withhold(bet: str, reserve: int) -> Hook:
    """Somebody new bets 200,000 and so much is withheld."""

    def place(scene: Scene) -> None:
        bets.one_more(scene, bet, 200_000)
        scene.wagers[-1] = replace(scene.wagers[-1], reserve=reserve)

    return place


def report_the_balance(scene: Scene) -> None:
    """The account system reports that the newcomer's bet was not covered."""
    told = e.IrregularityReported("insufficient_balance", "SA-PD:6.2.2", scene.subject)
    scene.script.say("console", told, 500, 900)


def one_short(scene: Scene) -> None:
    """The last card is not dealt: Banker has one card."""
    for act in last(scene):
        scene.script.drop(act)
    table(scene).out -= 1


def one_more(scene: Scene) -> None:
    """Player 1 is given a third card, which does not count."""
    table(scene).draw(scene.script, game.SEATS[0], 3)


def single_loss(scene: Scene) -> bool:
    """A bet on a hand loses once, so what was withheld goes back."""
    return _single(scene) is not None


def keep_the_withheld(scene: Scene) -> None:
    """What was withheld is kept after a single loss."""
    due = _single(scene)
    assert due is not None
    scene.subject = due.wager_id
    money.pay(scene, due, reserve_taken=due.stake, returned=0)


def bet_on_all(scene: Scene) -> None:
    """Somebody new bets on every hand, so that a note is likely to decide one of them."""
    for seat in game.SEATS:
        bets.one_more(scene, seat, 200_000)
        scene.wagers[-1] = replace(scene.wagers[-1], reserve=200_000)


def decided_by(scene: Scene, clause: str) -> Due | None:
    """The first bet that a clause decides."""
    return next((due for due in scene.judged.dues if clause in due.clauses), None)


def pay_times(clause: str, times: int) -> Hook:
    """A bet that a note decides is paid at other odds."""

    def settle(scene: Scene) -> None:
        due = decided_by(scene, clause)
        assert due is not None
        scene.subject = due.wager_id
        money.pay(scene, due, paid=times * due.stake)

    return settle


def _single(scene: Scene) -> Due | None:
    lost = (due for due in scene.judged.dues if due.outcome == "lose")
    return next((due for due in lost if due.reserve_returned == due.stake), None)


NOTE_5, NOTE_6, TIE = "SA-PD:6.5.3", "SA-PD:6.5.4", "SA-PD:6.5.7"
OPEN = ("IRR-04", "PAY-08")

FAULTS = (
    *faults("player_1_pair", "player_6", "9 9 9 9 9 9", 0),
    *ROUND_BURN,
    Fault("DEAL-02", "the last card is not dealt", OPEN, disturb=one_short,
          settle=money.take_the_result),
    Fault("DEAL-02/more", "a third card is dealt", disturb=one_more),
    Fault("BET-09", "too little is withheld", bets=withhold("player_1", 50_000)),
    Fault("BET-09/pair", "a pair is withheld for", bets=withhold("player_2_pair", 10_000)),
    Fault("BET-09/balance", "a bet is not covered", bets=withhold("player_3", 200_000),
          disturb=report_the_balance),
    Fault("PAY-06", "a withheld amount is kept", needs=single_loss, settle=keep_the_withheld),
    Fault("PAY-01/note_5", "note 5 is forgotten", bets=bet_on_all,
          needs=lambda scene: decided_by(scene, NOTE_5) is not None, settle=pay_times(NOTE_5, 2)),
    Fault("PAY-02/note_6", "note 5 is applied against note 6", bets=bet_on_all,
          needs=lambda scene: decided_by(scene, NOTE_6) is not None, settle=pay_times(NOTE_6, 1)),
    Fault("PAY-07", "a tied hand is paid", bets=bet_on_all,
          needs=lambda scene: decided_by(scene, TIE) is not None, settle=pay_times(TIE, 2)),
)  # fmt: skip
