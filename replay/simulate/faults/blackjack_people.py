"""What can go wrong on purpose around the seats of a Blackjack table: bets and who follows."""

from dataclasses import replace
from typing import cast

from replay.simulate.faults.blackjack_cards import Wrong, dealt, only
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, record
from replay.simulate.faults.shared.shoe import deal_early
from replay.simulate.play.blackjack import MINIMUM, Play
from schemas import events as e

SPARE = "7"  # a seat the players leave free


class FollowsLate(Wrong):
    """The first seat doubles, and the newcomer behind it answers wrongly."""

    first, shows, then = "65", "6", "9"
    amount, response_ms = MINIMUM, 6_200

    def wrong(self, seat: str) -> None:
        """The answer comes too late."""
        self.decide(seat, "double", self.mains[self.play.seats[seat], seat])
        guest = newest(self)
        answer = e.DecisionMade(guest, "follow_double", seat, seat, self.amount, self.response_ms)
        self.script.say("console", answer, 300, 900)
        self.draw(seat)


class FollowsForLess(FollowsLate):
    """The answer comes in time, for less than the bet."""

    amount, response_ms = MINIMUM // 2, 2_000


class Meddles(Wrong):
    """The newcomer behind the first seat decides for it."""

    first, shows, then = "T2", "9", "3"

    def wrong(self, seat: str) -> None:
        """The hand is hit by somebody who does not sit there."""
        made = e.DecisionMade(newest(self), "hit", seat, seat, None, 2_000)
        self.script.say("console", made, 800, 1_800)
        self.draw(seat)
        self.decide(seat, "stand")


class DoublesForLess(Wrong):
    """The first seat doubles for less than the bet."""

    first, shows, then = "65", "6", "9"

    def wrong(self, seat: str) -> None:
        """Half the bet is added."""
        self.decide(seat, "double", self.mains[self.play.seats[seat], seat] // 2)
        self.draw(seat)


class InsuresWrongly(Wrong):
    """The first seat insures for all of its bet."""

    first, shows = "T8", "A"

    def insurance(self) -> None:
        """Twice what may be insured."""
        seat = self.seats[0]
        self.decide(seat, "insure", self.mains[self.play.seats[seat], seat])

    def wrong(self, seat: str) -> None:
        """The rest is played as usual."""
        self.hit(seat)


class InsuresBehind(InsuresWrongly):
    """The newcomer behind the first seat insures."""

    def insurance(self) -> None:
        """Insurance is for seats alone."""
        seat = self.seats[0]
        made = e.DecisionMade(newest(self), "insure", seat, seat, MINIMUM // 2, 2_000)
        self.script.say("console", made, 800, 1_800)


class InsuresLate(InsuresWrongly):
    """The first seat insures when the dealer's second card is out."""

    def insurance(self) -> None:
        """Nobody insures in time."""

    def all(self) -> None:
        """The insurance comes last."""
        super().all()
        seat = self.seats[0]
        self.decide(seat, "insure", self.mains[self.play.seats[seat], seat] // 2)


class InsuresInTurn(InsuresWrongly):
    """The last seat insures when the first has played its hand."""

    def insurance(self) -> None:
        """Nobody insures in time."""

    def wrong(self, seat: str) -> None:
        """The insurance is taken in the middle of the turns."""
        self.hit(seat)
        other = self.seats[-1]
        self.decide(other, "insure", self.mains[self.play.seats[other], other] // 2)


class FollowsNothing(FollowsLate):
    """The newcomer follows a double that nobody has made yet."""

    def wrong(self, seat: str) -> None:
        """The answer comes before the double."""
        guest = newest(self)
        answer = e.DecisionMade(guest, "follow_double", seat, seat, self.amount, 100)
        self.script.say("console", answer, 300, 900)
        self.decide(seat, "double", self.mains[self.play.seats[seat], seat])
        self.draw(seat)


class Waves(Wrong):
    """The first seat decides in a word that is none."""

    first, shows = "T8", "9"

    def wrong(self, seat: str) -> None:
        """Nobody can act on it, and the seat decides again."""
        self.decide(seat, "wave")
        self.decide(seat, "stand")


class Sleeps(Wrong):
    """The first seat decides nothing."""

    first, shows = "54", "9"

    def wrong(self, seat: str) -> None:
        """The system plays its hand."""
        self.sleep(seat)


def newest(dealing: Wrong) -> str:
    """Who came last and bets behind the first seat."""
    return [player for player, seat in dealing.mains if seat == dealing.seats[0]][-1]


def behind(bet: str, stake: int) -> Hook:
    """A newcomer bets behind the first seat."""

    def place(round: FaultyRound) -> None:
        bets.one_more(round, bet, stake)
        first = min(_play(round).seats, key=int)
        round.wagers[-1] = replace(round.wagers[-1], box=first)

    return place


def bet_once_dealt(round: FaultyRound) -> None:
    """The first card is out before no more bets, and a newcomer bets behind the first seat."""
    deal_early(round)
    behind("main", MINIMUM)(round)
    drawn, _ = round.script.first(e.CardDrawn)
    round.script.insert(drawn, "console", round.wagers[-1])
    round.costs(round.wagers[-1].wager_id, MINIMUM)


def insured_too_late(round: FaultyRound) -> None:
    """What was insured when more was known than may be."""
    due = next(due for due in round.judged.dues if due.wager_id == round.subject)
    round.costs(due.wager_id, due.stake)


def pair_first(round: FaultyRound) -> None:
    """A seat places a pair before its main bet."""
    seat = min(_play(round).seats, key=int)
    bets.one_more(round, "pair", MINIMUM, _play(round).seats[seat])
    round.wagers.insert(0, replace(round.wagers.pop(), box=seat))


def bet_twice(round: FaultyRound) -> None:
    """A seat places a second main bet."""
    seat = min(_play(round).seats, key=int)
    bets.one_more(round, "main", MINIMUM, _play(round).seats[seat])
    round.wagers[-1] = replace(round.wagers[-1], box=seat)


def sit_down(round: FaultyRound) -> None:
    """A newcomer takes a seat."""
    play, guest = _play(round), round.table.party.guest()
    round.pause.say("console", e.SeatTaken(guest, SPARE))
    play.seats = play.seats | {SPARE: guest}


def bet_elsewhere(round: FaultyRound) -> None:
    """The newcomer bets behind another seat too."""
    seat = min(_play(round).seats, key=int)
    bets.one_more(round, "main", MINIMUM, _play(round).seats[SPARE])
    round.wagers[-1] = replace(round.wagers[-1], box=seat)


def sit_twice(round: FaultyRound) -> None:
    """A seated player takes a second seat."""
    player = min(_play(round).seats.items())[1]
    round.pause.say("console", e.SeatTaken(player, SPARE))
    round.subject = SPARE


def sit_on_a_lap(round: FaultyRound) -> None:
    """A newcomer takes the seat that another has just taken."""
    for guest in (round.table.party.guest(), round.table.party.guest()):
        round.pause.say("console", e.SeatTaken(guest, SPARE))
    round.subject = SPARE


def sit_in_play(round: FaultyRound) -> None:
    """Somebody takes a seat during the round."""
    last, _ = list(round.script.each(e.StakeRead))[-1]
    round.script.insert(last, "console", e.SeatTaken(round.table.party.guest(), SPARE))


def get_up(round: FaultyRound) -> None:
    """The spare seat is free again."""
    play = _play(round)
    taken = [*round.pause.each(e.SeatTaken), *round.script.each(e.SeatTaken)]
    player = [at.player_id for _, at in taken if at.box == SPARE][-1]
    round.script.say("console", e.SeatLeft(player, SPARE), 1_000, 1_500)
    play.seats = {seat: player for seat, player in play.seats.items() if seat != SPARE}


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


ASLEEP = SeededFault("", "", deal=dealt(Sleeps), needs=lambda round: not round.judged.flags)

PEOPLE = (
    SeededFault("INT-06/word", "a decision in a word that is none", deal=dealt(Waves),
                needs=only("WORD_UNKNOWN")),
    SeededFault("BET-10", "an insurance of the whole bet", deal=dealt(InsuresWrongly),
                needs=only("INSURANCE_AMOUNT")),
    SeededFault("BET-10/double", "a double for less", deal=dealt(DoublesForLess),
                needs=only("ADDED_BET_AMOUNT")),
    SeededFault("BET-11", "a pair before the main bet", bets=pair_first),
    SeededFault("BET-12", "a second main bet of a seat", bets=bet_twice,
                needs=only("SECOND_MAIN_BET")),
    SeededFault("BET-15", "a follower answers too late", bets=behind("main", MINIMUM),
                deal=dealt(FollowsLate), needs=only("FOLLOW_LATE")),
    SeededFault("BET-15/unequal", "a follower puts up less", bets=behind("main", MINIMUM),
                deal=dealt(FollowsForLess), needs=only("FOLLOW_LATE")),
    SeededFault("BET-15/decides", "a follower decides for the seat", bets=behind("main", MINIMUM),
                deal=dealt(Meddles), needs=only("NOT_THE_SEATS_DECISION")),
    SeededFault("BET-15/insures", "a follower insures", bets=behind("main", MINIMUM),
                deal=dealt(InsuresBehind), needs=only("INSURANCE_NOT_SEATED")),
    SeededFault("BET-15/seated", "a seated player bets behind", pause=sit_down, bets=bet_elsewhere,
                needs=only("SEATED_BET_BEHIND"), finish=get_up),
    SeededFault("BET-15/empty", "a bet behind an empty seat", bets=bets.bet_on("main")),
    SeededFault("BET-15/two_seats", "a player takes two seats", pause=sit_twice, finish=get_up),
    SeededFault("BET-15/taken", "a seat is taken that somebody holds", pause=sit_on_a_lap,
                finish=get_up),
    SeededFault("BET-15/in_play", "a seat is taken during play", disturb=sit_in_play,
                finish=get_up),
    SeededFault("BET-15/idle", "a seat is kept after a round without action", lead=(ASLEEP,),
                before=record.nobody_moves),
    SeededFault("BET-16/insurance", "an insurance after the second card", deal=dealt(InsuresLate),
                needs=only("LATE_BET"), settle=insured_too_late),
    SeededFault("BET-16/in_turn", "an insurance once a seat has acted", deal=dealt(InsuresInTurn),
                needs=only("LATE_BET"), settle=insured_too_late),
    SeededFault("BET-16/dealt", "a bet once the first card is out", also=("DEAL-05",),
                disturb=bet_once_dealt),
    SeededFault("DEAL-09/follow", "a follower answers before the offer", bets=behind("main",
                MINIMUM), deal=dealt(FollowsNothing), needs=only("ACTION_NOT_OPEN")),
)  # fmt: skip
