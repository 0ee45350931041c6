"""How Blackjack is played: seats and followers, basic strategy with a will of its own."""

from fractions import Fraction
from random import Random

from replay.games import blackjack as game
from replay.games.blackjack.order import clockwise
from replay.judge import Judgement
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from replay.theory.blackjack_strategy import BASIC
from schemas import events as e
from schemas.cards import Card, card
from schemas.money import whole

MINIMUM = 100_000

STANDS_BEHIND = 0.4  # of those who come, where somebody sits already
OWN_WILL = 0.06  # first decisions that no strategy advises
SLEEPS, INSURES, FOLLOWS = 0.01, 0.25, 0.6
ANSWER_MS = (600, 4_900)  # a decision that comes in time


class Play(ShoeTable):
    """One table's shoe, who sits, and who stands behind."""

    limits = betting.limits(("main", MINIMUM, 10_000_000), ("pair", 50_000, 1_000_000))

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.seats: dict[str, str] = {}  # seat to player
        self.idle: tuple[str, ...] = ()  # seats to be vacated before the next round
        self.sleeps = False  # whether somebody may sleep through a turn
        self.dealing = Dealing  # how the next round is dealt

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """The main bet, and mostly a pair with it."""
        return rng.choice((("main",), ("main", "pair"), ("main", "pair")))

    def burn_first(self, pause: Script) -> None:
        """SA-BJ:3.1.1. The report knows no burn in this game."""

    def between(self, pause: Script, party: TablePlayers) -> None:
        """Another shoe where the last round of this one is over; seats are left and taken."""
        super().between(pause, party)
        seats = dict(self.seats)
        gone = {player.player_id for player in party.left}
        for seat, player in self.seats.items():
            if player in gone or seat in self.idle:  # SA-BJ:3.4.6
                del seats[seat]
                pause.say("console", e.SeatLeft(player, seat))
        newcomers = list(party.joined) if seats or party.joined else list(party.seated)
        for comer in newcomers:
            if not seats or pause.rng.random() >= STANDS_BEHIND:
                seats[str(comer.seat)] = comer.player_id
                pause.say("console", e.SeatTaken(comer.player_id, str(comer.seat)))
        self.seats, self.idle = seats, ()

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """A main bet for every seat, then its pair; everybody else bets behind one of them."""
        asked: dict[str, dict[str, int]] = {}
        for wager in wagers:
            asked.setdefault(wager.player_id, {})[wager.bet] = wager.stake
        prefix = wagers[0].wager_id.rpartition("-")[0]
        wagers.clear()
        sitting = {player: seat for seat, player in self.seats.items()}
        seats = sorted(self.seats, key=clockwise)
        for player in {**sitting, **asked}:
            stakes = asked.get(player, {})
            behind = seats[sum(stakes.values()) // MINIMUM % len(seats)]
            if player in sitting:
                stakes = {"main": MINIMUM} | stakes
            for bet in sorted(stakes):  # the main bet before its pair (SA-BJ:3.3.2)
                name = f"{prefix}-{len(wagers) + 1}"
                box = sitting.get(player, behind)
                wagers.append(e.WagerPlaced(name, player, bet, stakes[bet], box))

    def deal(self, script: Script, honest: bool) -> None:
        """As at every shoe; an honest seat may sleep through its turn."""
        self.sleeps = honest
        super().deal(script, honest)

    def hands(self, script: Script) -> None:
        """The opening deal, insurance, every seat in turn, the dealer (SA-BJ:3.4)."""
        self.dealing(self, script).all()

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer enters the own hand and then every other one."""
        _, *hands = judged.ruled.outcome.split("; ")
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 900, 1_500)
            for told in hands:
                hand, word = told.split(" ")
                script.say("console", e.ResultCalled(word, box=hand), 300, 600)


class Dealing:
    """One round under way."""

    def __init__(self, play: Play, script: Script) -> None:
        self.play, self.script, self.rng = play, script, script.rng
        self.cards: dict[str, list[Card]] = {}
        self.drawn: dict[str, int] = {}
        placed = [wager for _, wager in script.each(e.WagerPlaced) if wager.bet == "main"]
        self.mains = {(wager.player_id, wager.box): wager.stake for wager in placed}
        self.seats = sorted(
            (seat for seat, player in play.seats.items() if (player, seat) in self.mains),
            key=clockwise,
        )

    def all(self) -> None:
        """The round from its first card to the dealer's last."""
        for hand in (*self.seats, game.DEALER, *self.seats):
            self.draw(hand)
        if self.up.rank == "A":
            self.insurance()
        for seat in self.seats:
            self.turn(seat)
        while game.dealer_draws(self.cards[game.DEALER]):
            self.draw(game.DEALER)

    @property
    def up(self) -> Card:
        """The dealer's first card."""
        return self.cards[game.DEALER][0]

    def draw(self, hand: str) -> None:
        """The next card of the shoe onto a hand."""
        self.drawn[hand] = self.drawn.get(hand, 0) + 1
        code = self.play.draw(self.script, hand, self.drawn[hand])
        self.cards.setdefault(hand, []).append(card(code))

    def insurance(self) -> None:
        """SA-BJ:3.4.3. Offered to every seat."""
        for seat in self.seats:
            if self.rng.random() < INSURES:
                half = whole(Fraction(self.mains[self.play.seats[seat], seat], 2))
                self.decide(seat, "insure", half)
            else:
                self.decide(seat, "decline")

    def turn(self, seat: str) -> None:
        """SA-BJ:3.5. What a seat does with its hand."""
        two = self.cards[seat]
        if game.is_blackjack(two):
            return
        if self.play.sleeps and self.rng.random() < SLEEPS:
            self.play.idle = (*self.play.idle, seat)
            self.sleep(seat)
            return
        first, second = (game.VALUE[held.rank] for held in two)
        play = BASIC.first((first, second), game.VALUE[self.up.rank])
        if self.rng.random() < OWN_WILL:
            play = "R" if game.may_surrender(self.up) else "D"
        {"R": self.surrender, "D": self.double, "P": self.split}.get(play, self.hit)(seat)

    def sleep(self, seat: str) -> None:
        """SA-BJ:3.5.6. The system plays."""
        self.decide(seat, "timeout")
        while game.timeout_draws(self.cards[seat]):
            self.draw(seat)

    def surrender(self, seat: str) -> None:
        """SA-BJ:3.5.5, where the dealer's card allows it."""
        if game.may_surrender(self.up):
            self.decide(seat, "surrender")
        else:
            self.hit(seat)

    def double(self, seat: str) -> None:
        """SA-BJ:3.5.2. Twice the bet for one card."""
        self.decide(seat, "double", self.mains[self.play.seats[seat], seat])
        self.follow(seat, "follow_double")
        self.draw(seat)

    def split(self, seat: str) -> None:
        """SA-BJ:3.5.3, 3.5.4. Two hands, a card each, then one after the other."""
        self.decide(seat, "split", self.mains[self.play.seats[seat], seat])
        self.follow(seat, "follow_split")
        hands = (f"{seat}.1", f"{seat}.2")
        for hand, held in zip(hands, self.cards[seat], strict=True):
            self.cards[hand] = [held]
        for hand in hands:
            self.draw(hand)
        if self.cards[seat][0].rank != "A":
            for hand in hands:
                self.hit(hand)

    def hit(self, hand: str) -> None:
        """SA-BJ:3.5.1. Hit while the strategy says so, then stand."""
        up = game.VALUE[self.up.rank]
        while game.total(self.cards[hand]) <= 21:
            if not BASIC.draws([game.VALUE[held.rank] for held in self.cards[hand]], up):
                self.decide(hand, "stand")
                return
            self.decide(hand, "hit")
            self.draw(hand)

    def follow(self, seat: str, decision: str) -> None:
        """SA-BJ:3.6.1, 3.6.2. Everybody behind the seat answers in time, or not at all."""
        for (player, box), stake in self.mains.items():
            if box == seat and player != self.play.seats[seat] and self.rng.random() < FOLLOWS:
                answer = e.DecisionMade(player, decision, seat, seat, stake, self.answer_ms())
                self.script.say("console", answer, 300, 900)

    def decide(self, hand: str, decision: str, amount: int | None = None) -> None:
        """A decision of the seat's own player."""
        seat = hand.partition(".")[0]
        asleep = decision == "timeout"
        made = e.DecisionMade(
            self.play.seats[seat], decision, seat, hand, amount,
            None if asleep else self.answer_ms(),
        )  # fmt: skip
        self.script.say("console", made, 800, 1_800)

    def answer_ms(self) -> int:
        """How long an answer takes."""
        least, most = ANSWER_MS
        return least + int(self.rng.random() * (most - least))
