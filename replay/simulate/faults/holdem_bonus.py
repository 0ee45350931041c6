"""What can go wrong on purpose at a Texas Hold'em Bonus table: chips, payments and people."""

from dataclasses import replace
from typing import cast

from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.holdem_bonus_cards import CARDS, change_the_deck
from replay.simulate.faults.shared import bets, money
from replay.simulate.play.holdem_bonus import BONUS, Play, boxes, wager_of
from replay.simulate.play.shared.box_table import called_off, foreign, goes_on, ruled
from replay.simulate.script import Act
from schemas import events as e

CHIP = 10_000


def an_ante_stands_off(round: FaultyRound) -> bool:
    """Some Ante is neither paid nor taken."""
    return _pushed_ante(round) is not None


def pay_the_ante(round: FaultyRound) -> None:
    """An Ante is paid though the hand is below a Straight."""
    due = _pushed_ante(round)
    assert due is not None
    round.subject = due.wager_id
    money.pay(round, due, paid=due.stake)


def take_the_ante(round: FaultyRound) -> None:
    """An Ante that only comes back is collected."""
    due = _pushed_ante(round)
    assert due is not None
    round.subject = due.wager_id
    money.pay(round, due, collected=due.stake, returned=0)


def a_straight_wins(round: FaultyRound) -> bool:
    """Some Ante wins with a Straight or better."""
    return any(due.bet == "ante" and due.outcome == "win" for due in round.judged.dues)


def ask_the_dealer_to_qualify(round: FaultyRound) -> None:
    """A winning Ante only comes back, as if the Dealer had had to qualify."""
    won = next(due for due in round.judged.dues if due.bet == "ante" and due.outcome == "win")
    round.subject = won.wager_id
    money.pay(round, won, paid=0)


def a_bonus_is_folded(round: FaultyRound) -> bool:
    """A folded hand had a Bonus."""
    return _folded_bonus(round) is not None


def pay_the_folded_bonus(round: FaultyRound) -> None:
    """The Bonus of a folded hand is paid."""
    due = _folded_bonus(round)
    assert due is not None
    round.subject = due.wager_id
    money.pay(round, due, paid=3 * due.stake, collected=0, returned=due.stake)


def with_a_bonus(round: FaultyRound) -> None:
    """Everybody has a Bonus."""
    for wager in [wager for wager in round.wagers if wager.bet == "ante"]:
        if not any(at.box == wager.box and at.bet == "bonus" for at in round.wagers):
            name = f"{wager.wager_id}-bonus"
            round.wagers.append(replace(wager, wager_id=name, bet="bonus", stake=BONUS))


def call_off(round: FaultyRound) -> None:
    """The round is rightly void after a disruption."""
    called_off(_play(round), round.script)


def take_anyway(round: FaultyRound) -> None:
    """A stake that must go back is collected."""
    due = money.picked(round, "returned")
    money.pay(round, due, collected=due.stake, returned=0)


def decided(round: FaultyRound) -> bool:
    """The wager in question wins or loses."""
    return _own(round).outcome in ("win", "lose")


def settle_in_full(round: FaultyRound) -> None:
    """The whole stake is settled, as if there were no limit."""
    due = _own(round)
    if due.outcome == "win":
        money.pay(round, due, paid=due.stake)
    else:
        money.pay(round, due, collected=due.stake, returned=0)


def call_another(round: FaultyRound) -> None:
    """The Dealer calls another hand than the cards show."""
    for act, called in round.script.each(e.ResultCalled):
        other = "FLUSH" if called.result != "FLUSH" else "STRAIGHT"
        act.payload = replace(called, result=other)


def somebody_plays(round: FaultyRound) -> bool:
    """Some hand is compared with the Dealer's."""
    return bool(round.judged.ruled.result)


def flop_of(share: int) -> Hook:
    """A Flop bet is more or less than twice the Ante by so much."""

    def change(round: FaultyRound) -> None:
        act, wager = _flop(round)
        act.payload = replace(wager, stake=wager.stake + share)
        for read_act, read in round.script.each(e.StakeRead):
            if read.wager_id == wager.wager_id:
                read_act.payload = replace(read, amount=wager.stake + share)
        round.subject = wager.wager_id

    return change


def no_flop(round: FaultyRound) -> None:
    """A player stays in without a Flop bet."""
    act, wager = _flop(round)
    round.script.drop(act)
    for read_act, read in list(round.script.each(e.StakeRead)):
        if read.wager_id == wager.wager_id:
            round.script.drop(read_act)
    round.subject = wager_of(round.script, wager.box, "ante")[1].wager_id


def decide_first(decision: str) -> Hook:
    """A player folds or is away, and a Flop bet comes all the same."""

    def tell(round: FaultyRound) -> None:
        act, wager = _flop(round)
        made = e.DecisionMade(wager.player_id, decision, wager.box)
        round.script.insert(act, "console", made, -200)
        round.subject = wager.wager_id

    return tell


def fold_after_all(round: FaultyRound) -> None:
    """A player folds after the Flop bet."""
    act, wager = _flop(round)
    made = e.DecisionMade(wager.player_id, "fold", wager.box)
    round.script.insert(act, "console", made, 600)
    round.subject = wager.wager_id


def a_flop_bet(round: FaultyRound) -> bool:
    """Some player stays in."""
    return any(wager.bet == "flop" for _, wager in round.script.each(e.WagerPlaced))


def decide_for_another(round: FaultyRound) -> None:
    """A player folds the hand of another box."""
    act, wager = _flop(round)
    placed = [at for _, at in round.script.each(e.WagerPlaced)]
    other = next((at.player_id for at in placed if at.player_id != wager.player_id), "nobody")
    round.script.insert(act, "console", e.DecisionMade(other, "fold", wager.box), -200)
    round.subject = wager.box


def say_nonsense(round: FaultyRound) -> None:
    """A decision is entered in a word that is none."""
    act, wager = _flop(round)
    made = e.DecisionMade(wager.player_id, "folded", wager.box)
    round.script.insert(act, "console", made, -200)
    round.subject = wager.box


def raise_an_ante(round: FaultyRound) -> None:
    """The console records a higher Ante after no more bets."""
    act, _ = list(round.script.each(e.CardHandled))[-1]
    _, ante = wager_of(round.script, boxes(round.script)[0], "ante")
    round.script.insert(act, "console", e.WagerChanged(ante.wager_id, stake=ante.stake * 2))
    round.subject = ante.wager_id


def bonus_alone(round: FaultyRound) -> None:
    """A newcomer lays a Bonus and no Ante."""
    bets.one_more(round, "bonus", BONUS)


def share_a_box(round: FaultyRound) -> None:
    """Somebody bets on the box of another player."""
    box = round.wagers[0].box
    bets.one_more(round, "bonus", BONUS)
    round.wagers[-1] = replace(round.wagers[-1], box=box)


def look_twice(round: FaultyRound) -> None:
    """A player looks at the hand of another box."""
    looks = [look for _, look in round.script.each(e.CardHandled)]
    act, _ = list(round.script.each(e.CardHandled))[-1]
    second = e.CardHandled(looks[1].hand, looks[0].player_id, "look")
    round.script.insert(act, "console", second)
    round.subject = looks[0].player_id


def two_looks(round: FaultyRound) -> bool:
    """Two players look at their hands."""
    return len(boxes(round.script)) > 1


def two_looks_and_a_flop(round: FaultyRound) -> bool:
    """Two players look at their hands, and one of them stays in."""
    return two_looks(round) and a_flop_bet(round)


def report(kind: str, clause: str = "") -> Hook:
    """Something is reported, and nobody rules on it."""

    def tell(round: FaultyRound) -> None:
        round.script.say("console", e.IrregularityReported(kind, clause), 800, 1_500)

    return tell


def void_undecided(round: FaultyRound) -> None:
    """A disruption voids the round and nobody of the House decides."""
    report("disruption", "TH:7.1.4")(round)
    round.script.say("console", e.RoundVoided("TH:7.1.4", "disruption"), 800, 1_500)


def void_too_low(round: FaultyRound) -> None:
    """A pit supervisor decides what takes a pit manager."""
    report("disruption", "TH:7.1.4")(round)
    ruled(_play(round), round.script, "TH:7.1.4", "void", "pit_supervisor")
    round.script.say("console", e.RoundVoided("TH:7.1.4", "disruption"), 800, 1_500)


def overrule_from_below(round: FaultyRound) -> None:
    """The pit manager lets the round go on, and a pit supervisor voids it."""
    goes_on(_play(round), round.script)
    ruled(_play(round), round.script, "TH:7.1.4", "void", "pit_supervisor")


def decide_too_low(round: FaultyRound) -> None:
    """A shift manager decides what takes an assistant director."""
    report("power_cut")(round)
    ruled(_play(round), round.script, "TH:7.13", "continue", "shift_manager")


def restrict_too_low(round: FaultyRound) -> None:
    """A pit supervisor keeps a player to one hand."""
    ruled(_play(round), round.script, "TH:4.7.3", "refuse", "pit_supervisor")


def withdraw(round: FaultyRound) -> None:
    """A player takes an Ante back and nothing allows it."""
    _, placed = round.script.first(e.WagerPlaced)
    round.subject = placed.wager_id
    back = e.WagerWithdrawn(placed.wager_id, "TH:7.6.1", "pit_manager", "house-pit_manager")
    round.script.say("console", back, 800, 1_500)


def reopen(round: FaultyRound) -> None:
    """A ruling opens an earlier round again."""
    ruled(_play(round), round.script, "TH:7.2", "reopen", "pit_manager")


def find_a_foreign_card(round: FaultyRound) -> None:
    """A foreign card voids the round, rightly, and the deck stays, wrongly."""
    foreign(_play(round), round.script)
    _play(round).sets -= 1


def _flop(round: FaultyRound) -> tuple[Act, e.WagerPlaced]:
    placed = ((act, wager) for act, wager in round.script.each(e.WagerPlaced))
    flops = ((act, wager) for act, wager in placed if wager.bet == "flop")
    return next(flops, round.script.first(e.WagerPlaced))  # `a_flop_bet` asks for one


def _pushed_ante(round: FaultyRound) -> Due | None:
    dues = (due for due in round.judged.dues if due.bet == "ante")
    return next((due for due in dues if due.outcome == "push"), None)


def _folded_bonus(round: FaultyRound) -> Due | None:
    dues = (due for due in round.judged.dues if due.bet == "bonus")
    return next((due for due in dues if "TH:4.11.2.i" in due.clauses), None)


def _own(round: FaultyRound) -> Due:
    return next(due for due in round.judged.dues if due.wager_id == round.subject)


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


FOREIGN = SeededFault("", "", disturb=find_a_foreign_card)

FAULTS = (
    *CARDS,
    SeededFault("PAY-01/fold", "the Bonus of a folded hand is paid", bets=with_a_bonus,
                needs=a_bonus_is_folded, settle=pay_the_folded_bonus),
    SeededFault("PAY-02/qualify", "the Dealer is held to have had to qualify",
                needs=a_straight_wins, settle=ask_the_dealer_to_qualify),
    SeededFault("PAY-07", "an Ante that comes back is collected", needs=an_ante_stands_off,
                settle=take_the_ante),
    SeededFault("PAY-07/paid", "an Ante is paid below a Straight", needs=an_ante_stands_off,
                settle=pay_the_ante),
    SeededFault("PAY-08", "a stake of a void round is collected", disturb=call_off,
                settle=take_anyway),
    SeededFault("PAY-09", "an Ante above the maximum is settled whole", also=("BET-06", "BET-10"),
                bets=bets.bet_above("ante"), needs=decided, settle=settle_in_full),
    SeededFault("PAY-09/multiple", "a Flop above its multiple is settled whole", also=("BET-10",),
                disturb=flop_of(CHIP), needs=decided, settle=settle_in_full),
    SeededFault("INT-06/word", "a decision in a word that is none", disturb=say_nonsense,
                needs=a_flop_bet),
    SeededFault("REC-03", "another hand is called", needs=somebody_plays, settle=call_another),
    SeededFault("BET-01", "chips are added late", disturb=bets.grow),
    SeededFault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    SeededFault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("ante")),
    SeededFault("BET-02", "chips are taken off late", disturb=bets.shrink),
    SeededFault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    SeededFault("BET-03/changed", "a wager is changed late", disturb=raise_an_ante),
    SeededFault("BET-05", "an Ante below the minimum", bets=bets.bet_below("ante")),
    SeededFault("BET-06", "an Ante above the maximum", also=("BET-10",),
                bets=bets.bet_above("ante")),
    SeededFault("BET-10", "a Flop above twice the Ante", disturb=flop_of(CHIP), needs=a_flop_bet),
    SeededFault("BET-10/under", "a Flop below twice the Ante", disturb=flop_of(-CHIP),
                needs=a_flop_bet),
    SeededFault("BET-10/missing", "a player stays in without a Flop", disturb=no_flop,
                needs=decided),
    SeededFault("BET-11", "a Bonus without an Ante", bets=bonus_alone),
    SeededFault("BET-12", "two players bet on one box", bets=share_a_box),
    SeededFault("BET-15", "a player folds for another box", disturb=decide_for_another,
                needs=two_looks_and_a_flop),
    SeededFault("BET-17", "a Flop bet after a fold", disturb=decide_first("fold"),
                needs=a_flop_bet),
    SeededFault("BET-17/absent", "a Flop bet for an absent player", disturb=decide_first("absent"),
                needs=a_flop_bet),
    SeededFault("BET-17/late_fold", "a fold after the Flop bet", disturb=fold_after_all,
                needs=a_flop_bet),
    SeededFault("BET-20", "a bet the layout does not have", bets=bets.bet_on("pairs")),
    SeededFault("IRR-01", "a disruption and nobody decides", disturb=void_undecided),
    SeededFault("IRR-01/referred", "something new is reported and nobody decides",
                disturb=report("power_cut")),
    SeededFault("IRR-01/count", "a doubtful deck is not counted", disturb=report("count_doubt")),
    SeededFault("IRR-01/deck", "a deck with a foreign card is dealt again", lead=(FOREIGN,),
                finish=change_the_deck),
    SeededFault("IRR-02", "an Ante is taken back and no hand was removed", disturb=withdraw),
    SeededFault("IRR-03", "a pit supervisor voids the round", disturb=void_too_low),
    SeededFault("IRR-03/overruled", "a pit supervisor voids what a pit manager let go on",
                disturb=overrule_from_below),
    SeededFault("IRR-03/referred", "a shift manager decides what is not covered",
                disturb=decide_too_low),
    SeededFault("IRR-03/boxes", "a pit supervisor refuses a second hand", disturb=restrict_too_low),
    SeededFault("IRR-05/ruling", "a ruling opens an earlier round again", disturb=reopen),
    SeededFault("IRR-18", "a player looks at two hands", disturb=look_twice, needs=two_looks),
)  # fmt: skip
