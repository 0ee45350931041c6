"""Baccarat of SA Gaming: the exact return of each bet over a full shoe."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from replay.games import baccarat as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from replay.theory.baccarat_deals import CountedDeal, deals, openings

PAIRS = ("player_pair", "banker_pair", "any_pair", "perfect_pair")
POSITIONS = ("player", "banker", "banker:nc", *game.BETS[2:])

Words = Callable[[game.Deal], Iterable[str]]


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return, the Banker bet in both modes, by the edition's reading of a natural tie.

    Max Round Availability (SA-BC:2.5) closes bets; it changes no chance of those that are open.
    """
    decks, push = edition.decks, edition.issues["natural_tie"].reading == "push"
    note = f"every card sequence of {decks} decks"
    for bet in POSITIONS:
        outcomes = by_pairs(decks) if bet in PAIRS else by_points(decks, push)
        yield from counted(edition, paytable, [bet], outcomes, note)


@cache
def by_points(decks: int, natural_tie_pushes: bool) -> tuple[Outcome, ...]:
    """What the points of the cards decide."""
    complete = deals(decks, lambda hands: game.next_hand(game.Deal(*hands)))
    left_out = frozenset[str]() if natural_tie_pushes else frozenset({"natural tie"})
    return tuple(Outcome(facts - left_out, ways) for facts, ways in _by(complete, game.scores))


@cache
def by_pairs(decks: int) -> tuple[Outcome, ...]:
    """What the first two cards of each hand decide."""
    return tuple(Outcome(facts, ways) for facts, ways in _by(openings(decks), game.pairs))


def _by(dealt: Iterable[CountedDeal], words: Words) -> Iterable[tuple[frozenset[str], int]]:
    found: Counter[frozenset[str]] = Counter()
    for hands, ways in dealt:
        found[frozenset(words(game.Deal(*hands)))] += ways
    return found.items()
