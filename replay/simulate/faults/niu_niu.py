"""What can go wrong on purpose at a Niu Niu table: chips, payments, people; cards are beside."""

from dataclasses import replace
from typing import cast

from replay.settle import Due
from replay.simulate.faults.fault import Fault, Hook, Scene
from replay.simulate.faults.niu_niu_cards import CARDS
from replay.simulate.faults.shared import bets, money, record
from replay.simulate.play.niu_niu import Play, faced
from replay.simulate.play.shared.box_table import called_off, foreign, ruled
from schemas import events as e

MINIMUM = 200_000


def with_commission(scene: Scene) -> bool:
    """A winning wager owes commission."""
    return any(due.commission for due in scene.judged.dues)


def forget_commission(scene: Scene) -> None:
    """The commission is not taken."""
    due = next(due for due in scene.judged.dues if due.commission)
    scene.subject = due.wager_id
    money.pay(scene, due, paid=due.gross_win, commission=0)


def a_loser_with_reserve(scene: Scene) -> bool:
    """A wager with a Reserve loses."""
    return _insured(scene, "lose") is not None


def a_winner_with_reserve(scene: Scene) -> bool:
    """A wager with a Reserve wins."""
    return _insured(scene, "win") is not None


def take_the_wrong_reserve(scene: Scene) -> None:
    """All of the Reserve is taken where less is due, else nothing of it."""
    due = _own_insured(scene, "lose")
    reserve = due.reserve_taken + due.reserve_returned
    taken = reserve if due.reserve_returned else 0
    back = due.returned + reserve - taken
    money.pay(scene, due, reserve_taken=taken, returned=back)


def pay_the_reserve(scene: Scene) -> None:
    """The Reserve earns odds as if it were a bet."""
    due = _own_insured(scene, "win")
    money.pay(scene, due, paid=due.paid + due.paid * due.reserve_returned // due.stake)


def call_off(scene: Scene) -> None:
    """The round is rightly void after a disruption."""
    called_off(_play(scene), scene.script)


def take_anyway(scene: Scene) -> None:
    """A stake that must go back is collected."""
    due = money.picked(scene, "returned")
    money.pay(scene, due, collected=due.stake, returned=due.reserve_returned)


def settle_in_full(scene: Scene) -> None:
    """The whole stake is settled, as if there were no limit."""
    due = next(due for due in scene.judged.dues if due.wager_id == scene.subject)
    if due.outcome == "win":
        money.pay(scene, due, paid=due.paid + due.stake - int(due.action))
    else:
        money.pay(scene, due, collected=due.stake, returned=0)


def two_boxes(scene: Scene) -> bool:
    """Two boxes are compared."""
    return len({due.box for due in scene.judged.dues if due.outcome in ("win", "lose")}) > 1


def settle_backwards(scene: Scene) -> None:
    """Boxes are settled from left to right."""
    acts = [act for act, _ in scene.script.each(e.WagerSettled)]
    turned = [act.payload for act in reversed(acts)]
    for act, payload in zip(acts, turned, strict=True):
        act.payload = payload


def lay(even: int, bet: str, stake: int, reserve: int) -> Hook:
    """A newcomer lays an Even and an optional bet with a Reserve; an Even of 0 is left out."""

    def place(scene: Scene) -> None:
        player = scene.table.party.guest()
        if even:
            bets.one_more(scene, "even", even, player)
        bets.one_more(scene, bet, stake, player)
        scene.wagers[-1] = replace(scene.wagers[-1], reserve=reserve)

    return place


def share_a_box(scene: Scene) -> None:
    """Somebody bets on the box of another player."""
    box = scene.wagers[0].box
    bets.one_more(scene, "even", MINIMUM)
    scene.wagers[-1] = replace(scene.wagers[-1], box=box)


def call_a_tie(scene: Scene) -> None:
    """The Dealer records a tie, which cannot be."""
    scene.script.say("console", e.ResultCalled("tie"), 500, 900)


def report(kind: str, clause: str) -> Hook:
    """Something is reported, and nobody rules on it."""

    def tell(scene: Scene) -> None:
        scene.script.say("console", e.IrregularityReported(kind, clause), 800, 1_500)

    return tell


def void_undecided(scene: Scene) -> None:
    """A disruption voids the round and nobody of the House decides."""
    report("disruption", "NN:7.1.4")(scene)
    scene.script.say("console", e.RoundVoided("NN:7.1.4", "disruption"), 800, 1_500)


def jam_undecided(scene: Scene) -> None:
    """The device jams, the round is voided, and nobody of the House decides."""
    scene.script.say("shoe", e.DeviceJammed("E4"), 800, 1_500)
    scene.script.say("console", e.RoundVoided("NN:7.1.2", "jam"), 800, 1_500)


def void_too_low(scene: Scene) -> None:
    """A pit supervisor decides what is for the House to decide."""
    report("disruption", "NN:7.1.4")(scene)
    ruled(_play(scene), scene.script, "NN:7.1.4", "void", "pit_supervisor")
    scene.script.say("console", e.RoundVoided("NN:7.1.4", "disruption"), 800, 1_500)


def overrule_from_below(scene: Scene) -> None:
    """The pit manager lets a disrupted round go on, and a pit supervisor voids it."""
    report("disruption", "NN:7.1.4")(scene)
    ruled(_play(scene), scene.script, "NN:7.1.4", "continue", "pit_manager")
    ruled(_play(scene), scene.script, "NN:7.1.4", "void", "pit_supervisor")


def restrict_too_low(scene: Scene) -> None:
    """A pit supervisor keeps a player to one box."""
    ruled(_play(scene), scene.script, "NN:4.6.2", "restrict", "pit_supervisor")


def rule(clause: str, decision: str) -> Hook:
    """A pit manager rules in this word."""

    def tell(scene: Scene) -> None:
        ruled(_play(scene), scene.script, clause, decision, "pit_manager")

    return tell


def find_a_foreign_card(scene: Scene) -> None:
    """A foreign card voids the round, rightly."""
    foreign(_play(scene), scene.script)
    _play(scene).sets -= 1  # and the deck stays, against the rules


def keep_the_deck(scene: Scene) -> None:
    """The deck is not changed before the round."""
    _play(scene).keeps_deck = True


def face_a_card(scene: Scene) -> None:
    """A card is faced while it is dealt."""
    faced(_play(scene), scene.script)


def _insured(scene: Scene, outcome: str) -> Due | None:
    dues = (due for due in scene.judged.dues if due.outcome == outcome)
    return next((due for due in dues if due.reserve_taken + due.reserve_returned), None)


def _own_insured(scene: Scene, outcome: str) -> Due:
    due = _insured(scene, outcome)
    assert due is not None
    scene.subject = due.wager_id
    return due


def _play(scene: Scene) -> Play:
    return cast("Play", scene.play)


FOREIGN = Fault("", "", disturb=find_a_foreign_card)

# Somebody has a Reserve, whatever the others are in the habit of betting.
INSURED = lay(MINIMUM, "double", MINIMUM, 2 * MINIMUM)

FAULTS = (
    *CARDS,
    Fault("PAY-01/reserve", "a Reserve earns odds", bets=INSURED, needs=a_winner_with_reserve,
          settle=pay_the_reserve),
    Fault("PAY-04", "commission is forgotten", needs=with_commission, settle=forget_commission),
    Fault("PAY-06", "a Reserve is taken wrongly", bets=INSURED, needs=a_loser_with_reserve,
          settle=take_the_wrong_reserve),
    Fault("PAY-08", "a stake of a void round is collected", disturb=call_off, settle=take_anyway),
    Fault("PAY-09", "a stake above the maximum is settled whole", also=("BET-06",),
          bets=bets.bet_above("even"), settle=settle_in_full),
    Fault("PAY-13", "boxes are settled from left to right", needs=two_boxes,
          settle=settle_backwards),
    Fault("INT-06/word", "a ruling in a word that is none", disturb=rule("NN:7.1", "contine")),
    Fault("REC-03", "a tie is called", settle=call_a_tie),
    Fault("BET-01", "chips are added late", disturb=bets.grow),
    Fault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    Fault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("even")),
    Fault("BET-02", "chips are taken off late", disturb=bets.shrink),
    Fault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    Fault("BET-03/changed", "a wager is changed late", disturb=bets.change_late),
    Fault("BET-05", "a wager below the minimum", bets=bets.bet_below("even")),
    Fault("BET-06", "a wager above the maximum", bets=bets.bet_above("even")),
    Fault("BET-09", "a Reserve is short", bets=lay(MINIMUM, "double", MINIMUM, MINIMUM),
          disturb=rule("NN:4.5.3.i", "continue")),
    Fault("BET-09/excess", "a Reserve is too large",
          bets=lay(MINIMUM, "super_niu", MINIMUM, 12 * MINIMUM)),
    Fault("BET-10", "a Double above Even",
          bets=lay(MINIMUM, "double", 2 * MINIMUM, 4 * MINIMUM)),
    Fault("BET-11", "a Double without Even", bets=lay(0, "double", MINIMUM, 2 * MINIMUM)),
    Fault("BET-12", "two players bet on one box", bets=share_a_box),
    Fault("BET-20", "a bet the layout does not have", bets=bets.bet_on("pairs")),
    Fault("IRR-01", "a disruption and nobody decides", disturb=void_undecided),
    Fault("IRR-01/jam", "a jam and nobody decides", disturb=jam_undecided),
    Fault("IRR-01/deck", "a deck with a foreign card is dealt again", lead=(FOREIGN,),
          before=keep_the_deck),
    Fault("IRR-03", "a pit supervisor voids the round", disturb=void_too_low),
    Fault("IRR-03/boxes", "a pit supervisor refuses a second box", disturb=restrict_too_low),
    Fault("IRR-03/overruled", "a pit supervisor voids what a pit manager let go on",
          disturb=overrule_from_below),
    Fault("IRR-05/ruling", "a ruling opens an earlier round again",
          disturb=rule("NN:7.2", "reopen")),
    Fault("IRR-04/faced", "a round is voided for a faced card",
          also=("PAY-02", "PAY-03", "PAY-06"), disturb=face_a_card,
          needs=record.a_round_with_wagers, settle=record.void_for_nothing),
)  # fmt: skip
