"""Texas Hold'em Bonus Poker: the exact return of each bet, made on every hand and never folded.

A player who chooses when to fold and to bet does better. The best choice weighs every board for
every hand, three thousand million of them: bench/holdem_best_play.py counts it, a loss of
578,107,733/28,381,438,800 of an Ante (2.0369 %) on a mean stake of 3.8181 Antes.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb

from replay.book import Edition
from replay.games import holdem_bonus as game
from replay.theory import Outcome, Return, counted
from replay.theory.holdem_boards import HANDS, boards, compared
from schemas.cards import DECK, Card


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return, in the order of the layout."""
    every = "every hand and board of one deck, the bet always made"
    holes = "every pair of hole cards against every pair of the Dealer"
    for bet in game.BETS:
        outcomes, note = (hole_cards(), holes) if bet == "bonus" else (showdowns(), every)
        yield from counted(edition, paytable, [bet], outcomes, note)


@cache
def hole_cards() -> tuple[Outcome, ...]:
    """What the Bonus is settled by, over all hole cards of both sides."""
    found: Counter[frozenset[str]] = Counter()
    for hole in combinations(DECK, game.HOLE):
        line = game.bonus(hole)
        twice = _aces_left(hole) if line == "A-A" else 0
        found[frozenset({line, "A-A against A-A"})] += twice
        found[frozenset({line})] += comb(len(DECK) - game.HOLE, game.HOLE) - twice
    return tuple(Outcome(facts, ways) for facts, ways in found.items() if ways)


@cache
def showdowns() -> tuple[Outcome, ...]:
    """How often two hands compare which way, winners by whether they have a Straight or better."""
    ties = straights = total = 0
    for board in boards():
        own, high = compared(board)
        ties += board.ways * own
        straights += board.ways * high
        total += board.ways * HANDS
    wins = (total - ties) // 2  # before the deal both sides are alike
    better = frozenset({"player higher", "player higher, a straight or better"})
    return (
        Outcome(better, straights),
        Outcome(frozenset({"player higher"}), wins - straights),
        Outcome(frozenset({"stand-off"}), ties),
        Outcome(frozenset({"dealer higher"}), wins),
    )


def _aces_left(hole: tuple[Card, ...]) -> int:
    """The ways in which the Dealer can hold aces as well."""
    return comb(sum(card.rank == "A" and card not in hole for card in DECK), game.HOLE)
