"""Pok Deng: the exact return of each bet over every four cards of a full shoe."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

from replay.games import pok_deng as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted, summed
from schemas.cards import DECK, SUITS, Card

SEAT, PAIR = game.SEATS[0], game.PAIRS[0]  # every seat is dealt alike


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return; that of a Player bet is of the amount deducted, twice the bet."""
    reading = edition.issues["banker_0_or_6"].reading
    known = outcomes(edition.decks, reading)
    note = f"every four cards of {edition.decks} decks"
    of_bet, pair = counted(edition, paytable, [SEAT, PAIR], known, note)
    # The withheld half comes back, less what a loss takes of it.
    deducted = tuple(each._replace(back=(1 + each.back) / 2) for each in of_bet.chances)
    base = f"{note}; of the amount deducted, {of_bet.value} of the bet amount"
    yield from (summed(seat, deducted, base) for seat in game.SEATS)
    yield from (pair._replace(bet=bet) for bet in game.PAIRS)


@cache
def outcomes(decks: int, reading: str) -> tuple[Outcome, ...]:
    """One seat against Banker, each with the ways the shoe makes it."""
    found: Counter[frozenset[str]] = Counter()
    for hand, alike in _kinds():
        left = Counter(dict.fromkeys(DECK, decks))
        own = alike * left[hand[0]] * (left[hand[1]] - (hand[0] == hand[1]))
        left.subtract(hand)
        for banker, ways in _bankers(left):
            facts = frozenset(game.facts(SEAT, hand, banker, reading))
            found[facts] += own * ways
    return tuple(Outcome(facts, ways) for facts, ways in found.items())


def _bankers(left: Counter[Card]) -> Iterator[tuple[game.Hand, int]]:
    """Banker's two cards out of those left, one hand for all that are worth the same."""
    for alike in WORTH.values():
        ways = 0
        for one, two in alike:
            ways += left[one] * (left[two] - 1) if one == two else 2 * left[one] * left[two]
        yield alike[0], ways


def _kinds() -> Iterator[tuple[tuple[Card, Card], int]]:
    """A seat's ordered first two cards, one for all that differ in the names of suits alone."""
    first, second = SUITS[0], SUITS[1]
    for one in DECK[: len(DECK) // len(SUITS)]:
        for two in DECK[: len(DECK) // len(SUITS)]:
            yield (Card(one.rank, first), Card(two.rank, first)), len(SUITS)
            suits = len(SUITS) * (len(SUITS) - 1)
            yield (Card(one.rank, first), Card(two.rank, second)), suits


def _worth() -> dict[tuple[game.Value, int], list[tuple[Card, Card]]]:
    """Every two cards by all that a comparison asks of Banker: their value and their points."""
    found: dict[tuple[game.Value, int], list[tuple[Card, Card]]] = {}
    for hand in combinations_with_replacement(DECK, 2):
        found.setdefault((game.value(hand), game.points(hand)), []).append(hand)
    return found


WORTH = _worth()
