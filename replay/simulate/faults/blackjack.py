"""What can go wrong on purpose at a Blackjack table: seats, bets and payments; cards are beside."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from replay.settle import Due
from replay.simulate.faults.blackjack_cards import CARDS, Wrong, dealt, only
from replay.simulate.faults.blackjack_people import PEOPLE, InsuresWrongly, behind
from replay.simulate.faults.fault import Fault, Scene
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


def call_another(scene: Scene) -> None:
    """The dealer enters another total of the own hand."""
    for act, said in scene.script.each(e.ResultCalled):
        if not said.box:
            act.payload = replace(said, result="17" if said.result != "17" else "20")


def call_another_hand(scene: Scene) -> None:
    """The dealer enters another result of a hand."""
    act, said = next((act, said) for act, said in scene.script.each(e.ResultCalled) if said.box)
    act.payload = replace(said, result="lost" if said.result != "lost" else "won")
    scene.subject = f"call {said.box}"


def a_stand_off(scene: Scene) -> bool:
    """Some main bet pushes."""
    return scene.due("push") is not None


def take_the_stand_off(scene: Scene) -> None:
    """A push is collected as if it had lost."""
    due = money.picked(scene, "push")
    money.pay(scene, due, collected=due.stake, returned=0)


def own(bet: str, *outcomes: str) -> Callable[[Scene], bool]:
    """The first seat's bet of a kind ends so, and nothing is remarked on."""

    def found(scene: Scene) -> bool:
        due = _own(scene, bet)
        fits = due is not None and due.outcome in outcomes
        scene.subject = due.wager_id if due else ""
        return fits and not scene.judged.flags

    return found


def pay_three_to_two(scene: Scene) -> None:
    """A split 21 is paid like a blackjack."""
    due = _subject(scene)
    money.pay(scene, due, paid=due.stake * 3 // 2)


def push_it(scene: Scene) -> None:
    """A plain 21 gets its stake back."""
    due = _subject(scene)
    money.pay(scene, due, collected=0, returned=due.stake)


def pay_the_insurance(scene: Scene) -> None:
    """An insurance is paid although the dealer has no blackjack."""
    due = _subject(scene)
    money.pay(scene, due, paid=2 * due.stake, collected=0, returned=due.stake)


def break_off(scene: Scene) -> None:
    """One card is dealt, nobody decides anything, and the round is rightly void."""
    for act in [act for act, _ in scene.script.each(e.DecisionMade)]:
        scene.script.drop(act)
    declare_void(scene)


def out_of_turn(scene: Scene) -> bool:
    """The cards came out of turn, and no hand that had to act was a blackjack before."""
    return only("DEAL_ORDER")(scene) and not scene.judged.ruled.memory["idle"]


def stack(scene: Scene) -> None:
    """The new shoe begins with nine twos of one suit, which every round draws."""
    play = _play(scene)
    play.order = ["2S"] * COPIES + play.order[COPIES:]
    scene.subject = "2S"


def _own(scene: Scene, bet: str) -> Due | None:
    seats = _play(scene).seats
    first = min(seats, key=int)
    mine = [due for due in scene.judged.dues if due.player_id == seats[first]]
    return next((due for due in mine if due.bet == bet), None)


def _subject(scene: Scene) -> Due:
    return next(due for due in scene.judged.dues if due.wager_id == scene.subject)


def _play(scene: Scene) -> Play:
    return cast("Play", scene.play)


FAULTS = (
    *CARDS,
    *PEOPLE,
    Fault("INT-06/unread", "nobody can read a card", disturb=read_nothing),
    Fault("INT-07", "a card comes in after the round", disturb=read_late, finish=arrive_late),
    Fault("INT-10", "the camera is covered", finish=cover_the_camera),
    Fault("REC-01", "the camera sees another card", disturb=see_another),
    Fault("REC-03", "the dealer enters another total", settle=call_another),
    Fault("REC-03/hand", "the dealer enters another hand", settle=call_another_hand),
    Fault("REC-05", "a card that never left the shoe", disturb=see_a_stranger),
    Fault("REC-06", "a card that nobody saw", disturb=overlook),
    Fault("REC-07", "two cards are crossed", disturb=cross, needs=out_of_turn),
    Fault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
    Fault("DEAL-07", "a round after the cut card's", lead=(CUT,), before=deal_on,
          finish=another_shoe),
    Fault("SHOE-01", "more copies than the decks hold", ("REC-09",), before=another_shoe,
          pause=stack, finish=another_shoe),
    Fault("PAY-01/split", "a split 21 is paid like a blackjack", deal=dealt(SplitsAces),
          needs=own("main", "win"), settle=pay_three_to_two),
    Fault("PAY-01/insurance", "an insurance is paid without a blackjack", deal=dealt(Insures),
          needs=own("insurance", "lose"), settle=pay_the_insurance),
    Fault("PAY-03/plain_21", "a plain 21 pushes with a dealer blackjack", deal=dealt(Plain21),
          needs=own("main", "lose"), settle=push_it),
    Fault("PAY-07", "a push is collected", needs=a_stand_off, settle=take_the_stand_off),
    *bets.late("main"),
    Fault("BET-05", "a wager below the minimum", bets=behind("main", MINIMUM // 2)),
    Fault("BET-06", "a wager above the maximum", bets=behind("main", 10_500_000)),
    Fault("BET-20", "a bet that is not offered", bets=bets.bet_on("tie")),
    Fault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
    *UNRULED,
    Fault("PAY-08", "a void stake is collected", disturb=break_off, settle=take_anyway),
    Fault("INT-06/kept", "a void stake is kept", disturb=break_off, settle=keep_a_stake),
)  # fmt: skip
