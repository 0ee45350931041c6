"""Tiger Baccarat: the exact return of each bet over a full shoe."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from replay.games import tiger_baccarat as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from replay.theory.baccarat_deals import CountedDeal, deals, openings

PAIRS = ("player_pair", "banker_pair")


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return, in the order of the layout."""
    decks = edition.decks
    note = f"every card sequence of {decks} decks"
    for bet in game.BETS:
        outcomes = by_pairs(decks) if bet in PAIRS else by_points(decks)
        yield from counted(edition, paytable, [bet], outcomes, note)


@cache
def by_points(decks: int) -> tuple[Outcome, ...]:
    """What the points of the cards decide; a pair is a matter of ranks."""
    return _outcomes(deals(decks, lambda hands: game.next_hand(game.Deal(*hands))), pairs=False)


@cache
def by_pairs(decks: int) -> tuple[Outcome, ...]:
    """What the ranks of the first two cards decide."""
    return _outcomes(openings(decks), pairs=True)


def _outcomes(dealt: Iterable[CountedDeal], pairs: bool) -> tuple[Outcome, ...]:
    found: Counter[frozenset[str]] = Counter()
    for hands, ways in dealt:
        facts = game.facts(game.Deal(*hands))
        found[frozenset(fact for fact in facts if fact.endswith("pair") == pairs)] += ways
    return tuple(Outcome(facts, ways) for facts, ways in found.items())
