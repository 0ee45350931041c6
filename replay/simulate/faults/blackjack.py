"""What can go wrong on purpose at a Blackjack table: seats, bets and payments; cards are beside."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from replay.settle import Due
from replay.simulate.faults.blackjack_cards import CARDS, Wrong, dealt, only
from replay.simulate.faults.blackjack_people import PEOPLE, InsuresWrongly, behind
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shaking import cover_the_camera
from replay.simulate.faults.shared.shoe import (  # fmt: skip
    CUT,
    UNRULED,
    another_shoe,
    arrive_late,
    cross,
    deal_early,
    deal_on,
    declare_void,
    keep_a_stake,
    overlook,
    read_late,
    read_nothing,
    see_a_stranger,
    see_another,
    take_anyway,
)
from replay.simulate.play.blackjack import MINIMUM, Play
from schemas import events as e

COPIES = 9  # of one card, in a shoe of eight decks


class Insures(InsuresWrongly):
    """The first seat insures, as it may."""

    def insurance(self) -> None:
        """Half the bet."""
        seat = self.seats[0]
        self.decide(seat, "insure", self.mains[self.play.seats[seat], seat] // 2)


class SplitsAces(Wrong):
    """Split Aces with a ten on hand 1."""

    first, shows, then = "AA", "9", "T5"

    def wrong(self, seat: str) -> None:
        """It is 21, and no blackjack."""
        self.split(seat)


class Plain21(Wrong):
    """A plain 21 against a dealer blackjack."""

    first, shows, then = "77", "T", "7"

    def wrong(self, seat: str) -> None:
        """Three sevens."""
        self.decide(seat, "hit")
        self.draw(seat)
        self.decide(seat, "stand")

    def turn(self, seat: str) -> None:
        """After the last turn an Ace comes for the dealer."""
        super().turn(seat)
        if seat == self.seats[-1]:
            self.bring(0, "A")


def call_another(round: FaultyRound) -> None:
    """The dealer enters another total of the own hand."""
    for act, said in round.script.each(e.ResultCalled):
        if not said.box:
            act.payload = replace(said, result="17" if said.result != "17" else "20")


def call_another_hand(round: FaultyRound) -> None:
    """The dealer enters another result of a hand."""
    act, said = next((act, said) for act, said in round.script.each(e.ResultCalled) if said.box)
    act.payload = replace(said, result="lost" if said.result != "lost" else "won")
    round.subject = f"call {said.box}"


def a_stand_off(round: FaultyRound) -> bool:
    """Some main bet pushes."""
    return round.due("push") is not None


def take_the_stand_off(round: FaultyRound) -> None:
    """A push is collected as if it had lost."""
    due = money.picked(round, "push")
    money.pay(round, due, collected=due.stake, returned=0)


def own(bet: str, *outcomes: str) -> Callable[[FaultyRound], bool]:
    """The first seat's bet of a kind ends so, and nothing is remarked on."""

    def found(round: FaultyRound) -> bool:
        due = _own(round, bet)
        fits = due is not None and due.outcome in outcomes
        round.subject = due.wager_id if due else ""
        return fits and not round.judged.flags

    return found


def pay_three_to_two(round: FaultyRound) -> None:
    """A split 21 is paid like a blackjack."""
    due = _subject(round)
    money.pay(round, due, paid=due.stake * 3 // 2)


def push_it(round: FaultyRound) -> None:
    """A plain 21 gets its stake back."""
    due = _subject(round)
    money.pay(round, due, collected=0, returned=due.stake)


def pay_the_insurance(round: FaultyRound) -> None:
    """An insurance is paid although the dealer has no blackjack."""
    due = _subject(round)
    money.pay(round, due, paid=2 * due.stake, collected=0, returned=due.stake)


def break_off(round: FaultyRound) -> None:
    """One card is dealt, nobody decides anything, and the round is rightly void."""
    for act in [act for act, _ in round.script.each(e.DecisionMade)]:
        round.script.drop(act)
    declare_void(round)


def out_of_turn(round: FaultyRound) -> bool:
    """The cards came out of turn, and no hand that had to act was a blackjack before."""
    return only("DEAL_ORDER")(round) and not round.judged.ruled.memory["idle"]


def stack(round: FaultyRound) -> None:
    """The new shoe begins with nine twos of one suit, which every round draws."""
    play = _play(round)
    play.order = ["2S"] * COPIES + play.order[COPIES:]
    round.subject = "2S"


def _own(round: FaultyRound, bet: str) -> Due | None:
    seats = _play(round).seats
    first = min(seats, key=int)
    mine = [due for due in round.judged.dues if due.player_id == seats[first]]
    return next((due for due in mine if due.bet == bet), None)


def _subject(round: FaultyRound) -> Due:
    return next(due for due in round.judged.dues if due.wager_id == round.subject)


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


FAULTS = (
    *CARDS,
    *PEOPLE,
    SeededFault("INT-06/unread", "nobody can read a card", disturb=read_nothing),
    SeededFault("INT-07", "a card comes in after the round", disturb=read_late, finish=arrive_late),
    SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
    SeededFault("REC-01", "the camera sees another card", disturb=see_another),
    SeededFault("REC-03", "the dealer enters another total", settle=call_another),
    SeededFault("REC-03/hand", "the dealer enters another hand", settle=call_another_hand),
    SeededFault("REC-05", "a card that never left the shoe", disturb=see_a_stranger),
    SeededFault("REC-06", "a card that nobody saw", disturb=overlook),
    SeededFault("REC-07", "two cards are crossed", disturb=cross, needs=out_of_turn),
    SeededFault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
    SeededFault("DEAL-07", "a round after the cut card's", lead=(CUT,), before=deal_on,
                finish=another_shoe),
    SeededFault("SHOE-01", "more copies than the decks hold", ("REC-09",), before=another_shoe,
                pause=stack, finish=another_shoe),
    SeededFault("PAY-01/split", "a split 21 is paid like a blackjack", deal=dealt(SplitsAces),
                needs=own("main", "win"), settle=pay_three_to_two),
    SeededFault("PAY-01/insurance", "an insurance is paid without a blackjack", deal=dealt(Insures),
                needs=own("insurance", "lose"), settle=pay_the_insurance),
    SeededFault("PAY-03/plain_21", "a plain 21 pushes with a dealer blackjack", deal=dealt(Plain21),
                needs=own("main", "lose"), settle=push_it),
    SeededFault("PAY-07", "a push is collected", needs=a_stand_off, settle=take_the_stand_off),
    *bets.late("main"),
    SeededFault("BET-05", "a wager below the minimum", bets=behind("main", MINIMUM // 2)),
    SeededFault("BET-06", "a wager above the maximum", bets=behind("main", 10_500_000)),
    SeededFault("BET-20", "a bet that is not offered", bets=bets.bet_on("tie")),
    SeededFault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
    *UNRULED,
    SeededFault("PAY-08", "a void stake is collected", disturb=break_off, settle=take_anyway),
    SeededFault("INT-06/kept", "a void stake is kept", disturb=break_off, settle=keep_a_stake),
)  # fmt: skip
