"""What can go wrong on purpose with the hands of a Blackjack table: cards and decisions."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import cast

from replay.games import blackjack as game
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared.money import take_the_result
from replay.simulate.play.blackjack import Dealing, Play
from schemas import events as e


class Wrong(Dealing, ABC):
    """A round in which something is done to the hand of the first seat."""

    first = ".."  # ranks of that seat's two cards; a point stands for any
    shows = "."  # rank of the dealer's first card
    then = ""  # ranks of the cards that follow the opening deal

    def all(self) -> None:
        """The cards come as they are wanted; they are all of the same shoe."""
        seats = len(self.seats)
        self.bring(0, self.first[0])
        self.bring(seats, self.shows)
        self.bring(seats + 1, self.first[1])
        for n, rank in enumerate(self.then):
            self.bring(2 * seats + 1 + n, rank)
        super().all()

    def bring(self, ahead: int, rank: str) -> None:
        """Let a card of a rank come out after so many others."""
        order, place = list(self.play.order), self.play.out + ahead
        wanted = (n for n in range(place, len(order)) if order[n][0] == rank)
        found = next(wanted, place) if rank != "." else place
        order[place], order[found] = order[found], order[place]
        self.play.order = order

    def turn(self, seat: str) -> None:
        """The first seat's turn goes wrong, the others' do not."""
        if seat == self.seats[0]:
            self.wrong(seat)
        else:
            super().turn(seat)

    @abstractmethod
    def wrong(self, seat: str) -> None:
        """What is done wrong."""


class AceWithTwoCards(Wrong):
    """A split Ace is given a second card (SA-BJ:3.5.4)."""

    first, shows, then = "AA", "9", "56"

    def wrong(self, seat: str) -> None:
        """One card too many on hand 1."""
        self.split(seat)
        self.draw(f"{seat}.1")


def split_again(table: Wrong, seat: str) -> None:
    """A split, both hands dealt to, and another one of the first."""
    main = table.mains[table.play.seats[seat], seat]
    table.decide(seat, "split", main)
    for hand in (f"{seat}.1", f"{seat}.2"):
        table.draw(hand)
    table.decide(f"{seat}.1", "split", main)


class SplitTwice(Wrong):
    """A hand of a split is split again (SA-BJ:3.5.3)."""

    first, shows, then = "88", "6", "89"

    def wrong(self, seat: str) -> None:
        """A third hand."""
        split_again(self, seat)
        for hand in (f"{seat}.1", f"{seat}.3"):
            self.draw(hand)


class AsksForAThirdHand(Wrong):
    """A second split is entered and not granted (SA-BJ:3.5.3)."""

    first, shows, then = "88", "6", "89"

    def wrong(self, seat: str) -> None:
        """The hand stands instead."""
        split_again(self, seat)
        for hand in (f"{seat}.1", f"{seat}.2"):
            self.decide(hand, "stand")


class UnequalSplit(Wrong):
    """Two cards of different values are split (SA-BJ:3.5.3)."""

    first, shows = "98", "6"

    def wrong(self, seat: str) -> None:
        """The split is granted."""
        self.split(seat)


class DoubleAfterSplit(Wrong):
    """A hand of a split is doubled (SA-BJ:3.5.3)."""

    first, shows, then = "88", "6", "39"

    def wrong(self, seat: str) -> None:
        """Hand 1 is doubled."""
        main = self.mains[self.play.seats[seat], seat]
        self.decide(seat, "split", main)
        for hand in (f"{seat}.1", f"{seat}.2"):
            self.draw(hand)
        self.decide(f"{seat}.1", "double", main)
        self.draw(f"{seat}.1")


class DoubleWithTwoCards(Wrong):
    """A doubled hand is given two cards (SA-BJ:3.5.2)."""

    first, shows, then = "65", "6", "22"

    def wrong(self, seat: str) -> None:
        """One card too many."""
        self.double(seat)
        self.draw(seat)


class DoubleWithoutCard(Wrong):
    """A doubled hand is given no card (SA-BJ:3.5.2)."""

    first, shows = "65", "6"

    def wrong(self, seat: str) -> None:
        """The card is forgotten."""
        self.decide(seat, "double", self.mains[self.play.seats[seat], seat])


class DoubleOnThree(Wrong):
    """A double after a hit (SA-BJ:3.5.2)."""

    first, shows, then = "32", "6", "69"

    def wrong(self, seat: str) -> None:
        """The double is granted."""
        self.decide(seat, "hit")
        self.draw(seat)
        self.double(seat)


class CardAfterBust(Wrong):
    """A card is given to a hand over 21 (SA-BJ:3.5.7)."""

    first, shows, then = "T6", "9", "T"

    def wrong(self, seat: str) -> None:
        """The hand is hit on."""
        self.decide(seat, "hit")
        self.draw(seat)
        self.draw(seat)


class CardAfterBlackjack(Wrong):
    """A card is given to a blackjack (SA-BJ:3.4.4)."""

    first, shows = "AT", "9"

    def wrong(self, seat: str) -> None:
        """The hand is hit."""
        self.decide(seat, "hit")
        self.draw(seat)


class CardAfterStand(Wrong):
    """A card is given to a hand that stood (SA-BJ:3.5.1)."""

    first, shows = "T8", "9"

    def wrong(self, seat: str) -> None:
        """The hand is hit all the same."""
        self.decide(seat, "stand")
        self.draw(seat)


class CardUnasked(Wrong):
    """A card is given to a hand that nobody hit (SA-BJ:3.5.1)."""

    first, shows, then = "T4", "9", "2"

    def wrong(self, seat: str) -> None:
        """The hand stands afterwards."""
        self.draw(seat)
        self.decide(seat, "stand")


class HitUnanswered(Wrong):
    """A hand is hit and given no card (SA-BJ:3.5.1)."""

    first, shows = "T4", "9"

    def wrong(self, seat: str) -> None:
        """The card is forgotten."""
        self.decide(seat, "hit")


class StandsLast(Wrong):
    """The first seat decides after all others (SA-BJ:3.4.4)."""

    first, shows = "T8", "9"

    def wrong(self, seat: str) -> None:
        """Nothing is said in its turn."""

    def turn(self, seat: str) -> None:
        """It stands after the last turn."""
        super().turn(seat)
        if seat == self.seats[-1]:
            self.decide(self.seats[0], "stand")


class SurrenderToAnAce(Wrong):
    """A surrender against an Ace (SA-BJ:3.5.5)."""

    first, shows = "T6", "A"

    def wrong(self, seat: str) -> None:
        """It is granted."""
        self.decide(seat, "surrender")


class LateSurrender(Wrong):
    """A surrender after a hit (SA-BJ:3.5.5)."""

    first, shows, then = "T2", "9", "3"

    def wrong(self, seat: str) -> None:
        """It is granted."""
        self.decide(seat, "hit")
        self.draw(seat)
        self.decide(seat, "surrender")


class CardAfterSurrender(Wrong):
    """A card is given to a hand that was given up (SA-BJ:3.5.5)."""

    first, shows = "T6", "9"

    def wrong(self, seat: str) -> None:
        """The hand is hit all the same."""
        self.decide(seat, "surrender")
        self.draw(seat)


class InsuredForNothing(Wrong):
    """An insurance without an Ace (SA-BJ:3.4.3)."""

    first, shows = "T8", "9"

    def wrong(self, seat: str) -> None:
        """It is taken."""
        self.decide(seat, "insure", self.mains[self.play.seats[seat], seat] // 2)
        self.hit(seat)


class SystemStands(Wrong):
    """The system stands on nine (SA-BJ:3.5.6)."""

    first, shows = "54", "9"

    def wrong(self, seat: str) -> None:
        """No card is drawn after the timeout."""
        self.play.idle = (seat,)
        self.decide(seat, "timeout")


class SystemHits(Wrong):
    """The system hits a hand of twelve or more (SA-BJ:3.5.6)."""

    first, shows = "T5", "9"

    def wrong(self, seat: str) -> None:
        """A card is drawn after the timeout."""
        self.play.idle = (seat,)
        self.decide(seat, "timeout")
        self.draw(seat)


def dealt(kind: type[Dealing]) -> Hook:
    """A round dealt in this way."""

    def deal(round: FaultyRound) -> None:
        play = cast("Play", round.play)
        play.dealing = kind
        play.deal(round.script, honest=False)
        play.dealing = Dealing

    return deal


def draw_on(round: FaultyRound) -> None:
    """The dealer draws on a hand that stands (SA-BJ:3.4.5)."""
    held = [drawn for _, drawn in round.script.each(e.CardDrawn) if drawn.hand == game.DEALER]
    cast("Play", round.play).draw(round.script, game.DEALER, len(held) + 1)


def stop_short(round: FaultyRound) -> None:
    """The dealer's last card is not drawn (SA-BJ:3.4.5)."""
    acts = [act for act, drawn in round.script.each(e.CardDrawn) if drawn.hand == game.DEALER]
    seen = [act for act, at in round.script.each(e.CardsObserved) if at.zone == game.DEALER]
    round.script.drop(acts[-1])
    round.script.drop(seen[-1])
    cast("Play", round.play).out -= 1


def draw_once_closed(round: FaultyRound) -> None:
    """The dealer draws on when the round is closed (SA-BJ:3.4.5)."""
    draw_on(round)
    act, _ = list(round.script.each(e.CardDrawn))[-1]
    act.round_id = round.script.round_id  # a shoe that is told which round is on
    round.subject = game.DEALER


def show_early(round: FaultyRound) -> None:
    """The dealer's second card is out before the last hand stands (SA-BJ:3.4.5)."""
    stands = [act for act, made in round.script.each(e.DecisionMade) if made.decision == "stand"]
    second = [act for act, at in round.script.each(e.CardDrawn) if at.hand == game.DEALER][1]
    if stands:
        stands[-1].at = second.at + 80_000
        round.script.sort()


def only(code: str, status: str = "settled") -> Callable[[FaultyRound], bool]:
    """The rules remark on this and on nothing else; the fault is about what they name."""

    def just(round: FaultyRound) -> bool:
        flags = [flag for flag in round.judged.flags if flag.code == code]
        round.subject = flags[0].subject if flags else ""
        alone = len(flags) == len(round.judged.flags) == 1
        return alone and round.judged.ruled.status == status and not round.play.finished

    return just


def _played(variant: str, kind: type[Wrong], code: str, status: str = "settled") -> SeededFault:
    said = str(kind.__doc__).partition(" (")[0]
    does = said[0].lower() + said[1:]
    return SeededFault(f"DEAL-09/{variant}", does, deal=dealt(kind), needs=only(code, status))


CARDS = (
    SeededFault("DEAL-09", "the dealer draws on 17 or more", disturb=draw_on,
                needs=only("DEALER_OVERDREW")),
    SeededFault("DEAL-09/stopped", "the dealer stops on 16 or less", also=("PAY-08",),
                disturb=stop_short, needs=only("DEALER_STOPPED_EARLY", "unsettled"),
                settle=take_the_result),
    SeededFault("DEAL-09/second", "the dealer's second card comes early", disturb=show_early,
                needs=only("DEALER_SECOND_CARD_EARLY")),
    SeededFault("DEAL-09/closed", "a card once the round is closed", finish=draw_once_closed),
    _played("ace", AceWithTwoCards, "SPLIT_ACE_CARDS"),
    _played("twice", SplitTwice, "SECOND_SPLIT", "unsettled"),
    _played("again", AsksForAThirdHand, "SECOND_SPLIT"),
    _played("unequal", UnequalSplit, "SPLIT_UNEQUAL_VALUES"),
    _played("split_double", DoubleAfterSplit, "DOUBLE_AFTER_SPLIT"),
    _played("double", DoubleWithTwoCards, "DOUBLE_CARDS"),
    _played("double_short", DoubleWithoutCard, "DOUBLE_CARDS", "unsettled"),
    _played("double_late", DoubleOnThree, "ACTION_NOT_OPEN"),
    _played("bust", CardAfterBust, "CARD_AFTER_BUST"),
    _played("blackjack", CardAfterBlackjack, "CARD_AFTER_BLACKJACK"),
    _played("stood", CardAfterStand, "CARD_AFTER_STAND"),
    _played("unasked", CardUnasked, "CARD_WITHOUT_HIT"),
    _played("no_card", HitUnanswered, "HIT_WITHOUT_CARD", "unsettled"),
    _played("last", StandsLast, "DECISION_ORDER"),
    _played("surrender", SurrenderToAnAce, "SURRENDER_REFUSED_UPCARD"),
    _played("surrender_late", LateSurrender, "SURRENDER_AFTER_ACTION"),
    _played("surrendered", CardAfterSurrender, "CARD_AFTER_SURRENDER"),
    _played("insurance", InsuredForNothing, "INSURANCE_WITHOUT_ACE"),
    _played("auto_short", SystemStands, "AUTO_STOOD_EARLY", "unsettled"),
    _played("auto", SystemHits, "AUTO_OVERDREW"),
)  # fmt: skip
