"""Rounds of Blackjack drawn at random and played by the rules."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from replay.games import blackjack as game
from schemas.cards import DECK, Card, card
from tests.support.any_round import Game, Json, extra, placed, shuffles

SHOE = [str(one) for one in DECK] * 8

ORDERS = shuffles(SHOE, 120)
SEATINGS = st.lists(st.sampled_from("1234567"), min_size=1, max_size=4, unique=True).map(sorted)
WISHES = st.lists(st.integers(0, 5), min_size=3, max_size=11)
AMOUNTS = st.lists(st.integers(1, 10_001), min_size=1, max_size=4)

Events = list[dict[str, Any]]


class Round:
    """A lawful round from a list of cards; `choice` says what each player would like to do."""

    def __init__(self, order: list[str], seats: list[str], choice: list[int]) -> None:
        self.order, self.choice = iter(order), choice
        self.turn = self.position = 0
        self.events: Events = []
        self.hands: dict[str, list[Card]] = {}
        self.seats = seats

    def play(self) -> Events:
        """The round's events from the close of betting on."""
        self.events.append({"type": "BettingClosed"})
        for hand in (*self.seats, "dealer", *self.seats):
            self.draw(hand)
        for seat in self.seats:
            if self.hands["dealer"][0].rank == "A" and self.wish() == 0:
                self.decide(seat, "insure")
        for seat in self.seats:
            self.act(seat)
        while game.dealer_draws(self.hands["dealer"]):
            self.draw("dealer")
        return self.events

    def draw(self, hand: str) -> None:
        self.position += 1
        code = next(self.order)
        self.hands.setdefault(hand, []).append(card(code))
        drawn = {"type": "CardDrawn", "position": self.position, "hand": hand, "card": code}
        self.events.append(drawn)

    def act(self, seat: str) -> None:
        two = self.hands[seat]
        if game.is_blackjack(two):
            return
        wish = self.wish()
        if wish == 0 and game.may_surrender(self.hands["dealer"][0]):
            self.decide(seat, "surrender")
        elif wish == 1:
            self.decide(seat, "double")
            self.draw(seat)
        elif wish in (2, 3) and game.alike(two, "same_value"):
            self.split(seat)
        else:
            self.hit(seat)

    def split(self, seat: str) -> None:
        self.decide(seat, "split")
        first, second = self.hands.pop(seat)
        hands = (f"{seat}.1", f"{seat}.2")
        self.hands |= dict(zip(hands, ([first], [second]), strict=True))
        for hand in hands:
            self.draw(hand)
        if first.rank != "A":
            for hand in hands:
                self.hit(hand)

    def hit(self, hand: str) -> None:
        while game.total(self.hands[hand]) < 21 and self.wish() < 3:
            self.decide(hand, "hit")
            self.draw(hand)
        if game.total(self.hands[hand]) < 21:
            self.decide(hand, "stand")

    def decide(self, hand: str, decision: str) -> None:
        seat = hand.partition(".")[0]
        made = {"type": "DecisionMade", "player_id": f"p{seat}", "decision": decision}
        self.events.append(made | {"box": seat, "hand": hand})
        if decision in ("double", "split") and self.wish() < 4:
            follow = {"player_id": f"q{seat}", "decision": f"follow_{decision}"}
            self.events.append({"type": "DecisionMade", **follow, "box": seat, "response_ms": 4000})

    def wish(self) -> int:
        self.turn += 1
        return self.choice[self.turn % len(self.choice)]


def bets(seats: Sequence[str], stakes: Sequence[int]) -> Events:
    """A main bet and a pair at every seat, and the same behind it."""
    placed: Events = []
    for n, seat in enumerate(seats):
        placed.append({"type": "SeatTaken", "player_id": f"p{seat}", "box": seat})
        for who in "pq":
            for bet in ("main", "pair"):
                stake = stakes[n % len(stakes)] * (2 if who == "q" else 1)
                name = {"wager_id": f"{who}{seat}-{bet}", "player_id": f"{who}{seat}"}
                placed.append(
                    {"type": "WagerPlaced", **name, "bet": bet, "stake": stake, "box": seat}
                )
    return placed


def sheet(events: Events) -> Json:
    """A round of these events."""
    return {"terms": {"game": "SA-BJ", "currency": "ZAR"}, "events": events}


def written(order: list[str], seats: list[str], choice: list[int], stakes: Sequence[int]) -> Json:
    """A lawful round with wagers at and behind every seat."""
    return sheet([*bets(seats, stakes), *Round(order, seats, choice).play()])


def _behind(found: Json) -> list[Json]:
    """A pair of somebody who stands behind a seat."""
    return [extra("pair", 500, box=box) for box in sorted({bet["box"] for bet in placed(found)})]


GAMES = (
    Game(
        "SA-BJ",
        # Stakes of which a half is whole, so that an insurance grows with its bet.
        st.builds(written, ORDERS, SEATINGS, WISHES, AMOUNTS.map(lambda at: [2 * n for n in at])),
        _behind,
        seat=lambda wager: str(wager["box"]),
    ),
)
