"""Blackjack: the exact return of the main bet, of insurance and of the pair, from a full shoe.

Hands are counted by what they are made of. Cards that leave the shoe unseen change no chance, so
each hand of a split is counted alone, with the first card of the other one out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import lcm, perm
from typing import NamedTuple

from replay.games import blackjack as game
from replay.rulebooks.edition import Edition
from replay.settle import deciding
from replay.theory import Outcome, Return, back, counted
from replay.theory.blackjack_dealer import (
    ENDINGS,
    LONGEST,
    Values,
    endings,
    full_shoe,
    left,
    shown,
)  # fmt: skip
from replay.theory.blackjack_strategy import BASIC, Strategy
from schemas.cards import RANKS, SUITS, Card

VALUES = range(1, 11)
NO_CHANCE = "no one chance of winning, since a hand may be split, doubled or surrendered"

Reached = Mapping[Values, int]  # hands, whatever the order of their cards, and in how many ways


class Rules(NamedTuple):
    """What the return of the main bet depends on."""

    edition: Edition
    paytable: str
    readings: Mapping[str, str]
    strategy: Strategy = BASIC
    surrender: bool = True


class HandSituation(NamedTuple):
    """Where a hand stands: against which card, which other cards are out, and what was done."""

    up: int
    apart: Values = ()  # cards of the seat's other hand
    made: game.BlackjackHand = game.BlackjackHand()


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """The return of every bet, by the readings the edition has."""
    readings = {name: issue.reading for name, issue in edition.issues.items()}
    shoe = f"a full shoe of {edition.decks} decks"
    main = main_return(Rules(edition, paytable, readings))
    play = f"of the first bet, basic strategy by totals, {shoe}"
    yield Return("main", main, f"{play}; {NO_CHANCE}", play="basic strategy by totals is played")
    without_ace = f"an Ace out of {shoe}"
    yield from counted(edition, paytable, ["insurance"], _insurance(edition), without_ace)
    yield from counted(edition, paytable, ["pair"], _pairs(edition, readings["pair"]), shoe)


def main_return(rules: Rules) -> Fraction:
    """What one unit on the main bet brings back, with all that is added to it."""
    count, shoe = Count(rules), full_shoe(rules.edition.decks)
    total = Fraction(0)
    for two, up in product(combinations_with_replacement(VALUES, 2), VALUES):
        ways = (2 - (two[0] == two[1])) * _ways(shoe, (up, *two))
        total += ways * count.opening(two, up)
    return 1 + total / perm(sum(shoe), 3)


class Count:
    """Expected winnings of hands, in units of the main bet; counted in whole numbers of ways."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        lines = rules.edition.lines(rules.paytable, "main")
        self.scale = lcm(*(back(line.odds).denominator for line in lines))
        self.nets: dict[tuple[int, int, game.BlackjackHand], Mapping[str, int]] = {}

    def opening(self, two: Values, up: int) -> Fraction:
        """What two cards win against the dealer's first."""
        spot, play = HandSituation(up), self.rules.strategy.first(two, up)
        if game.points(two) == 21:
            return self._finished({two: 1}, spot)
        if play == "R" and self.rules.surrender:
            return self._finished(
                {two: 1}, spot._replace(made=game.BlackjackHand(surrendered=True))
            )
        if play == "D":
            return self._doubled({two: 1}, spot)
        if play == "P":
            return self._split(two[0], up)
        return self._plays_on({two: 1}, spot)

    def _split(self, value: int, up: int) -> Fraction:
        """Both hands of a split: a card for each, and then as the strategy goes on."""
        total = Fraction(0)
        for second in (False, True):
            spot = HandSituation(up, (value,), game.BlackjackHand(split=True, second=second))
            total += self._plays_on(self._one_more({(value,): 1}, spot), spot)
        return total

    def _plays_on(self, reached: Reached, spot: HandSituation) -> Fraction:
        """Hands that are hit and stood, and doubled where that is open after a split."""
        total = Fraction(0)
        while reached:
            played: dict[str, dict[Values, int]] = {"stand": {}, "double": {}, "hit": {}}
            for hand, ways in reached.items():
                played[self._goes_on(hand, spot)][hand] = ways
            total += self._finished(played["stand"], spot) + self._doubled(played["double"], spot)
            reached = self._one_more(played["hit"], spot)
        return total

    def _goes_on(self, hand: Values, spot: HandSituation) -> str:
        """How the strategy goes on; a split Ace and a hand over 21 are finished."""
        strategy, after_split = self.rules.strategy, spot.made.split and len(hand) == 2
        if game.points(hand) > 21 or spot.apart == (1,):
            return "stand"
        offered = after_split and self.rules.readings["double_after_split"] == "offered"
        if offered and strategy.doubles(hand, spot.up):
            return "double"
        return "hit" if strategy.draws(hand, spot.up) else "stand"

    def _doubled(self, reached: Reached, spot: HandSituation) -> Fraction:
        """One card more, for twice the bet."""
        doubled = spot._replace(made=spot.made._replace(doubled=True))
        return self._finished(self._one_more(reached, doubled), doubled)

    def _one_more(self, reached: Reached, spot: HandSituation) -> Reached:
        """Every hand with one card more."""
        made: dict[Values, int] = {}
        for hand, ways in reached.items():
            rest = left(self.rules.edition.decks, (spot.up, *spot.apart, *hand))
            for value in VALUES:
                drawn = tuple(sorted((*hand, value)))
                made[drawn] = made.get(drawn, 0) + ways * rest[value]
        return made

    def _finished(self, reached: Reached, spot: HandSituation) -> Fraction:
        """What finished hands of one size win on the average of all that can be drawn."""
        if not reached:
            return Fraction(0)
        drawn = len(next(iter(reached))) + len(spot.apart) - 2  # since the three opening cards
        cards_left = sum(full_shoe(self.rules.edition.decks)) - 3
        won = sum(ways * self._won(hand, spot) for hand, ways in reached.items())
        return Fraction(won, perm(cards_left, drawn + LONGEST) * self.scale)

    def _won(self, hand: Values, spot: HandSituation) -> int:
        """What a finished hand wins over all that the dealer can draw."""
        decks, nets = self.rules.edition.decks, self._nets(hand, spot.made)
        out = tuple(sorted((*hand, *spot.apart)))
        if len(set(nets.values())) == 1:
            return nets["bust"] * perm(sum(left(decks, (spot.up, *out))), LONGEST)
        return sum(nets[word] * ways for word, ways in endings(decks, spot.up, out).items())

    def _nets(self, hand: Values, made: game.BlackjackHand) -> Mapping[str, int]:
        """What a hand wins against each ending, by the rules and the paytable themselves."""
        key = game.points(hand), len(hand), made
        if key not in self.nets:
            held = made._replace(cards=shown(hand))
            self.nets[key] = {word: self._net(held, dealer) for word, dealer in ENDINGS.items()}
        return self.nets[key]

    def _net(self, hand: game.BlackjackHand, dealer: tuple[Card, ...]) -> int:
        rules = self.rules
        fact = game.fact(hand, dealer, rules.readings)
        line = deciding("main", frozenset({fact}), rules.edition, rules.paytable)
        action = 2 if hand.doubled and fact != game.ORIGINAL_ONLY else 1
        return int(action * (back(line.odds) - 1) * self.scale)


def _ways(shoe: Values, values: Values) -> int:
    """The ways in which cards of these values come one after another."""
    rest, ways = list(shoe), 1
    for value in values:
        ways *= rest[value]
        rest[value] -= 1
    return ways


def _insurance(edition: Edition) -> Iterator[Outcome]:
    """The dealer's second card decides, the Ace being out (SA-BJ:3.7.6)."""
    rest = left(edition.decks, (1,))
    for value in VALUES:
        hit = game.is_blackjack(shown((1, value)))
        yield Outcome(frozenset({game.DEALER_BLACKJACK} if hit else ()), rest[value])


def _pairs(edition: Edition, by: str) -> Iterator[Outcome]:
    """Every two cards of the shoe (SA-BJ:3.7.7)."""
    deck = Counter(Card(rank, suit) for rank in RANKS for suit in SUITS * edition.decks)
    for (first, copies), (second, others) in product(deck.items(), repeat=2):
        facts = frozenset({game.PAIR} if game.alike((first, second), by) else ())
        yield Outcome(facts, copies * (others - (first == second)))
