"""What can go wrong on purpose at a Niu Niu table: chips, payments, people; cards are beside."""

from dataclasses import replace
from typing import cast

from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.niu_niu_cards import CARDS
from replay.simulate.faults.shared import bets, money, record
from replay.simulate.play.niu_niu import Play, faced
from replay.simulate.play.shared.box_table import called_off, foreign, ruled
from schemas import events as e

MINIMUM = 200_000


def with_commission(round: FaultyRound) -> bool:
    """A winning wager owes commission."""
    return any(due.commission for due in round.judged.dues)


def forget_commission(round: FaultyRound) -> None:
    """The commission is not taken."""
    due = next(due for due in round.judged.dues if due.commission)
    round.subject = due.wager_id
    money.pay(round, due, paid=due.gross_win, commission=0)


def a_loser_with_reserve(round: FaultyRound) -> bool:
    """A wager with a Reserve loses."""
    return _insured(round, "lose") is not None


def a_winner_with_reserve(round: FaultyRound) -> bool:
    """A wager with a Reserve wins."""
    return _insured(round, "win") is not None


def take_the_wrong_reserve(round: FaultyRound) -> None:
    """All of the Reserve is taken where less is due, else nothing of it."""
    due = _own_insured(round, "lose")
    reserve = due.reserve_taken + due.reserve_returned
    taken = reserve if due.reserve_returned else 0
    back = due.returned + reserve - taken
    money.pay(round, due, reserve_taken=taken, returned=back)


def pay_the_reserve(round: FaultyRound) -> None:
    """The Reserve earns odds as if it were a bet."""
    due = _own_insured(round, "win")
    money.pay(round, due, paid=due.paid + due.paid * due.reserve_returned // due.stake)


def call_off(round: FaultyRound) -> None:
    """The round is rightly void after a disruption."""
    called_off(_play(round), round.script)


def take_anyway(round: FaultyRound) -> None:
    """A stake that must go back is collected."""
    due = money.picked(round, "returned")
    money.pay(round, due, collected=due.stake, returned=due.reserve_returned)


def settle_in_full(round: FaultyRound) -> None:
    """The whole stake is settled, as if there were no limit."""
    due = next(due for due in round.judged.dues if due.wager_id == round.subject)
    if due.outcome == "win":
        money.pay(round, due, paid=due.paid + due.stake - int(due.action))
    else:
        money.pay(round, due, collected=due.stake, returned=0)


def two_boxes(round: FaultyRound) -> bool:
    """Two boxes are compared."""
    return len({due.box for due in round.judged.dues if due.outcome in ("win", "lose")}) > 1


def settle_backwards(round: FaultyRound) -> None:
    """Boxes are settled from left to right."""
    acts = [act for act, _ in round.script.each(e.WagerSettled)]
    turned = [act.payload for act in reversed(acts)]
    for act, payload in zip(acts, turned, strict=True):
        act.payload = payload


def lay(even: int, bet: str, stake: int, reserve: int) -> Hook:
    """A newcomer lays an Even and an optional bet with a Reserve; an Even of 0 is left out."""

    def place(round: FaultyRound) -> None:
        player = round.table.party.guest()
        if even:
            bets.one_more(round, "even", even, player)
        bets.one_more(round, bet, stake, player)
        round.wagers[-1] = replace(round.wagers[-1], reserve=reserve)

    return place


def share_a_box(round: FaultyRound) -> None:
    """Somebody bets on the box of another player."""
    box = round.wagers[0].box
    bets.one_more(round, "even", MINIMUM)
    round.wagers[-1] = replace(round.wagers[-1], box=box)


def call_a_tie(round: FaultyRound) -> None:
    """The Dealer records a tie, which cannot be."""
    round.script.say("console", e.ResultCalled("tie"), 500, 900)


def report(kind: str, clause: str) -> Hook:
    """Something is reported, and nobody rules on it."""

    def tell(round: FaultyRound) -> None:
        round.script.say("console", e.IrregularityReported(kind, clause), 800, 1_500)

    return tell


def void_undecided(round: FaultyRound) -> None:
    """A disruption voids the round and nobody of the House decides."""
    report("disruption", "NN:7.1.4")(round)
    round.script.say("console", e.RoundVoided("NN:7.1.4", "disruption"), 800, 1_500)


def jam_undecided(round: FaultyRound) -> None:
    """The device jams, the round is voided, and nobody of the House decides."""
    round.script.say("shoe", e.DeviceJammed("E4"), 800, 1_500)
    round.script.say("console", e.RoundVoided("NN:7.1.2", "jam"), 800, 1_500)


def void_too_low(round: FaultyRound) -> None:
    """A pit supervisor decides what is for the House to decide."""
    report("disruption", "NN:7.1.4")(round)
    ruled(_play(round), round.script, "NN:7.1.4", "void", "pit_supervisor")
    round.script.say("console", e.RoundVoided("NN:7.1.4", "disruption"), 800, 1_500)


def overrule_from_below(round: FaultyRound) -> None:
    """The pit manager lets a disrupted round go on, and a pit supervisor voids it."""
    report("disruption", "NN:7.1.4")(round)
    ruled(_play(round), round.script, "NN:7.1.4", "continue", "pit_manager")
    ruled(_play(round), round.script, "NN:7.1.4", "void", "pit_supervisor")


def restrict_too_low(round: FaultyRound) -> None:
    """A pit supervisor keeps a player to one box."""
    ruled(_play(round), round.script, "NN:4.6.2", "restrict", "pit_supervisor")


def rule(clause: str, decision: str) -> Hook:
    """A pit manager rules in this word."""

    def tell(round: FaultyRound) -> None:
        ruled(_play(round), round.script, clause, decision, "pit_manager")

    return tell


def find_a_foreign_card(round: FaultyRound) -> None:
    """A foreign card voids the round, rightly."""
    foreign(_play(round), round.script)
    _play(round).sets -= 1  # and the deck stays, against the rules


def keep_the_deck(round: FaultyRound) -> None:
    """The deck is not changed before the round."""
    _play(round).keeps_deck = True


def face_a_card(round: FaultyRound) -> None:
    """A card is faced while it is dealt."""
    faced(_play(round), round.script)


def _insured(round: FaultyRound, outcome: str) -> Due | None:
    dues = (due for due in round.judged.dues if due.outcome == outcome)
    return next((due for due in dues if due.reserve_taken + due.reserve_returned), None)


def _own_insured(round: FaultyRound, outcome: str) -> Due:
    due = _insured(round, outcome)
    assert due is not None
    round.subject = due.wager_id
    return due


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


FOREIGN = SeededFault("", "", disturb=find_a_foreign_card)

# Somebody has a Reserve, whatever the others are in the habit of betting.
INSURED = lay(MINIMUM, "double", MINIMUM, 2 * MINIMUM)

FAULTS = (
    *CARDS,
    SeededFault("PAY-01/reserve", "a Reserve earns odds", bets=INSURED, needs=a_winner_with_reserve,
                settle=pay_the_reserve),
    SeededFault("PAY-04", "commission is forgotten", needs=with_commission,
                settle=forget_commission),
    SeededFault("PAY-06", "a Reserve is taken wrongly", bets=INSURED, needs=a_loser_with_reserve,
                settle=take_the_wrong_reserve),
    SeededFault("PAY-08", "a stake of a void round is collected", disturb=call_off,
                settle=take_anyway),
    SeededFault("PAY-09", "a stake above the maximum is settled whole", also=("BET-06",),
                bets=bets.bet_above("even"), settle=settle_in_full),
    SeededFault("PAY-13", "boxes are settled from left to right", needs=two_boxes,
                settle=settle_backwards),
    SeededFault("INT-06/word", "a ruling in a word that is none", disturb=rule("NN:7.1",
                "contine")),
    SeededFault("REC-03", "a tie is called", settle=call_a_tie),
    SeededFault("BET-01", "chips are added late", disturb=bets.grow),
    SeededFault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    SeededFault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("even")),
    SeededFault("BET-02", "chips are taken off late", disturb=bets.shrink),
    SeededFault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    SeededFault("BET-03/changed", "a wager is changed late", disturb=bets.change_late),
    SeededFault("BET-05", "a wager below the minimum", bets=bets.bet_below("even")),
    SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above("even")),
    SeededFault("BET-09", "a Reserve is short", bets=lay(MINIMUM, "double", MINIMUM, MINIMUM),
                disturb=rule("NN:4.5.3.i", "continue")),
    SeededFault("BET-09/excess", "a Reserve is too large", bets=lay(MINIMUM, "super_niu", MINIMUM,
                12 * MINIMUM)),
    SeededFault("BET-10", "a Double above Even", bets=lay(MINIMUM, "double", 2 * MINIMUM,
                4 * MINIMUM)),
    SeededFault("BET-11", "a Double without Even", bets=lay(0, "double", MINIMUM, 2 * MINIMUM)),
    SeededFault("BET-12", "two players bet on one box", bets=share_a_box),
    SeededFault("BET-20", "a bet the layout does not have", bets=bets.bet_on("pairs")),
    SeededFault("IRR-01", "a disruption and nobody decides", disturb=void_undecided),
    SeededFault("IRR-01/jam", "a jam and nobody decides", disturb=jam_undecided),
    SeededFault("IRR-01/deck", "a deck with a foreign card is dealt again", lead=(FOREIGN,),
                before=keep_the_deck),
    SeededFault("IRR-03", "a pit supervisor voids the round", disturb=void_too_low),
    SeededFault("IRR-03/boxes", "a pit supervisor refuses a second box", disturb=restrict_too_low),
    SeededFault("IRR-03/overruled", "a pit supervisor voids what a pit manager let go on",
                disturb=overrule_from_below),
    SeededFault("IRR-05/ruling", "a ruling opens an earlier round again", disturb=rule("NN:7.2",
                "reopen")),
    SeededFault("IRR-04/faced", "a round is voided for a faced card", also=("PAY-02", "PAY-03",
                "PAY-06"), disturb=face_a_card, needs=record.a_round_with_wagers,
                settle=record.void_for_nothing),
)  # fmt: skip
