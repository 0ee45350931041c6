"""Blackjack: what holds for every round, on rounds drawn at random and played by the rules."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import blackjack as game
from replay.judge import Judgement
from schemas.cards import DECK, Card, card
from tests.replay.blackjack_story import DECISIONS
from tests.tables import judged

SHOE = [str(one) for one in DECK] * 8
EDITION = rulebooks.in_force("SA-BJ", "2026-03-01")

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


def bets(seats: list[str], stakes: list[int], scale: int = 1) -> Events:
    """A main bet and a pair at every seat, and the same behind it."""
    placed: Events = []
    for n, seat in enumerate(seats):
        placed.append({"type": "SeatTaken", "player_id": f"p{seat}", "box": seat})
        for who in "pq":
            for bet in ("main", "pair"):
                stake = stakes[n % len(stakes)] * scale * (2 if who == "q" else 1)
                name = {"wager_id": f"{who}{seat}-{bet}", "player_id": f"{who}{seat}"}
                placed.append(
                    {"type": "WagerPlaced", **name, "bet": bet, "stake": stake, "box": seat}
                )
    return placed


def settled(placed: Events, play: Events, **terms: Any) -> Judgement:
    terms = {"game": "SA-BJ", "currency": "ZAR", **terms}
    return judged({"terms": terms, "events": [*placed, *play]})


orders = st.permutations(SHOE).map(lambda order: order[:120])
seatings = st.lists(st.sampled_from("1234567"), min_size=1, max_size=4, unique=True).map(sorted)
wishes = st.lists(st.integers(0, 5), min_size=3, max_size=11)
amounts = st.lists(st.integers(1, 10_001), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(orders, seatings, wishes, amounts)
def test_a_lawful_round_is_settled_without_a_remark_and_money_is_conserved(
    order: list[str], seats: list[str], choice: list[int], stakes: list[int]
) -> None:
    found = settled(bets(seats, stakes), Round(order, seats, choice).play())

    assert found.ruled.status == "settled"
    assert found.flags == ()
    assert len({due.wager_id for due in found.dues}) == len(found.dues)
    for due in found.dues:
        assert due.collected + due.returned == due.stake
        assert due.back == due.stake - due.collected + due.paid
        assert due.commission == due.reserve_taken == 0
        assert due.clauses
        assert set(due.clauses) <= set(EDITION.clauses)


@settings(max_examples=60, deadline=None)
@given(orders, seatings, wishes, amounts)
def test_the_order_of_wagers_changes_nothing_but_order(
    order: list[str], seats: list[str], choice: list[int], stakes: list[int]
) -> None:
    placed, play = bets(seats, stakes), Round(order, seats, choice).play()
    turned = [at for seat in reversed(seats) for at in placed if at["box"] == seat]

    assert sorted(settled(turned, play).dues) == sorted(settled(placed, play).dues)


@settings(max_examples=60, deadline=None)
@given(orders, seatings, wishes, amounts)
def test_twice_the_stakes_are_twice_the_dues(
    order: list[str], seats: list[str], choice: list[int], stakes: list[int]
) -> None:
    play = Round(order, seats, choice).play()
    even = [stake * 4 for stake in stakes]  # so that no half is left to round

    once, twice = settled(bets(seats, even), play), settled(bets(seats, even, 2), play)

    for due, doubled in zip(once.dues, twice.dues, strict=True):
        assert (doubled.paid, doubled.collected) == (2 * due.paid, 2 * due.collected)


@settings(max_examples=60, deadline=None)
@given(orders, seatings, wishes, amounts)
def test_one_more_wager_changes_no_other(
    order: list[str], seats: list[str], choice: list[int], stakes: list[int]
) -> None:
    placed, play = bets(seats, stakes), Round(order, seats, choice).play()
    more = {"type": "WagerPlaced", "wager_id": "z", "player_id": "z", "bet": "pair", "stake": 500}

    with_it = settled([*placed, more | {"box": seats[0]}], play)

    assert [due for due in with_it.dues if due.wager_id != "z"] == list(settled(placed, play).dues)


hands = st.sampled_from(("1", "2", "1.1", "1.2", "2.1", "2.2", "1.3", "9", "dealer", "dealer"))
anything = st.one_of(
    st.builds(
        lambda hand, code: {"type": "CardDrawn", "hand": hand, "card": code},
        hands,
        st.sampled_from([str(one) for one in DECK]),
    ),
    st.builds(
        lambda hand, who, decision, amount, ms: {
            "type": "DecisionMade", "player_id": who, "decision": decision, "hand": hand,
            "box": hand.partition(".")[0], "amount": amount, "response_ms": ms,
        },
        hands,
        st.sampled_from(("p1", "p2", "q1", "q2", "z")),
        st.sampled_from((*DECISIONS, "pray")),
        st.sampled_from((None, 0, 100, 50)),
        st.sampled_from((None, 100, 9_000)),
    ),
    st.sampled_from(({"type": "RoundClosed"}, {"type": "SeatLeft", "player_id": "p1", "box": "1"})),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(anything, max_size=40))
def test_whatever_is_recorded_there_is_an_answer(said: Events) -> None:
    """Nothing raises, every chip is accounted for, and no wager is told of twice."""
    drawn = 0
    for event in said:
        if event["type"] == "CardDrawn":
            drawn += 1
            event["position"] = drawn

    found = settled(bets(["1", "2"], [100]), [{"type": "BettingClosed"}, *said])

    names = [due.wager_id for due in found.dues]
    assert found.ruled.status in ("settled", "unsettled", "unknown")
    assert len(set(names)) == len(names)
    for due in found.dues:
        held = due.stake if due.outcome == "open" else 0
        assert due.collected + due.returned + held == due.stake
