"""Texas Hold'em Bonus Poker: the exact return of each bet, made on every hand and never folded.

A player who chooses when to fold and to bet does better. The best choice weighs every board for
every hand, three thousand million of them: bench/holdem_best_play.py counts it, and holds it to
what is stated here.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from replay.games import holdem_bonus as game
from replay.rulebooks.edition import Edition
from replay.settle import deciding
from replay.theory import Outcome, Return, Stated, back, counted
from replay.theory.holdem_boards import HANDS, boards, compared
from schemas.cards import DECK, Card

BEST_PLAY_LOSS = Fraction(578_107_733, 28_381_438_800)  # of an Ante, with all that is added to it
BEST_PLAY_STAKE = "3.8181 Antes"  # the mean of all bets of a hand
# What a bet brings back in the order of `showdowns` where best play was counted.
COUNTED_AT = {"ante": "2 1 1 0"} | dict.fromkeys(("flop", "turn", "river"), "2 2 1 0")


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return, in the order of the layout."""
    every = "every hand and board of one deck, the bet always made"
    holes = "every pair of hole cards against every pair of the Dealer"
    for bet in game.BETS:
        outcomes, note = (hole_cards(), holes) if bet == "bonus" else (showdowns(), every)
        play = "" if bet == "bonus" else "the bet is always made"
        for found in counted(edition, paytable, [bet], outcomes, note):
            yield found._replace(play=play)


def stated(edition: Edition, paytable: str) -> Iterator[Stated]:
    """What best play returns, where the bets are paid as they were when it was counted."""
    for bet, counted_at in COUNTED_AT.items():
        lines = (deciding(bet, facts, edition, paytable) for facts, _ in showdowns())
        if " ".join(str(back(line.odds)) for line in lines) != counted_at:
            return
    what = f"best play, of the Ante (mean stake {BEST_PLAY_STAKE})"
    yield Stated(what, 1 - BEST_PLAY_LOSS, "bench/holdem_best_play.py, every hand and board")


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
