"""Teen Patti 20-20: the exact return of each bet.

Hands are ranked by the rules and counted: equal hands pair by pair for the tie, three cards one by
one for Pair +, six cards by their ranks and by which of them share a suit.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from replay.games import teen_patti as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from schemas.cards import DECK, RANKS, SUITS, Card

HANDS = comb(len(DECK), game.HELD)
PAIRS = HANDS * comb(len(DECK) - game.HELD, game.HELD)
SIXES = comb(len(DECK), 2 * game.HELD)


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """Every bet's return, by the readings that the edition has."""
    tie = edition.issues["tie"].reading
    low_straight = edition.issues["low_straight"].reading
    rows = (
        (("player_a", "player_b", "tie"), _compared(tie), f"all {PAIRS:,} pairs of hands"),
        (("pair_plus_a",), _held("player_a"), f"all {HANDS:,} hands"),
        (("pair_plus_b",), _held("player_b"), f"all {HANDS:,} hands"),
        (("six_card_bonus",), _in_six(low_straight), f"all {SIXES:,} sets of six cards"),
    )
    for bets, outcomes, note in rows:
        yield from counted(edition, paytable, bets, outcomes, note)


@cache
def hands() -> Mapping[str, int]:
    """How many of all hands are of each class."""
    return Counter(game.rank(hand).named for hand in combinations(DECK, game.HELD))


@cache
def ties(tie: str) -> int:
    """Ordered pairs of hands without a common card that tie, by a reading of what a tie is."""
    equal: dict[object, list[frozenset[Card]]] = {}
    for hand in combinations(DECK, game.HELD):
        ranks = tuple(sorted(card.rank for card in hand))
        key = ranks if tie == "ranks_alone" else game.rank(hand)
        equal.setdefault(key, []).append(frozenset(hand))
    return sum(
        one.isdisjoint(other) for alike in equal.values() for one in alike for other in alike
    )


@cache
def six_cards(low_straight: str = "counts") -> Mapping[str, int]:
    """How many sets of six cards make each class, those that make none under no name."""
    found: Counter[str] = Counter()
    for cards, ways in _sixes():
        found[game.six_cards(cards, low_straight)] += ways
    return found


def _compared(tie: str) -> Iterator[Outcome]:
    """Neither hand is better placed than the other, so they share what is no tie."""
    even = ties(tie)
    yield Outcome(frozenset({game.won("tie")}), even)
    for name in game.HANDS:
        yield Outcome(frozenset({game.won(name)}), (PAIRS - even) // 2)


def _held(name: str) -> Iterator[Outcome]:
    for kind, ways in hands().items():
        yield Outcome(frozenset({game.held(name, kind)}), ways)


def _in_six(low_straight: str) -> Iterator[Outcome]:
    for kind, ways in six_cards(low_straight).items():
        yield Outcome(frozenset({game.in_six(kind)}), ways)


def _sixes() -> Iterator[tuple[list[Card], int]]:
    """Six cards of every kind that can matter, and how many sets are of that kind."""
    for ranks in combinations_with_replacement(RANKS, 2 * game.HELD):
        copies = Counter(ranks)
        if max(copies.values()) > len(SUITS):
            continue
        rest = prod(comb(len(SUITS), n) for n in copies.values())
        for suited in (*combinations(copies, 5), *combinations(copies, 6)):
            ways = len(SUITS) * prod(_others(n, rank in suited) for rank, n in copies.items())
            rest -= ways
            yield _cards(copies, suited), ways
        yield _cards(copies, ()), rest


def _others(copies: int, suited: bool) -> int:
    """The ways to choose the other suits of a rank, with or without its card of the flush."""
    free = len(SUITS) - 1
    return comb(free, copies - 1) if suited else comb(free, copies)


def _cards(copies: Mapping[str, int], suited: tuple[str, ...]) -> list[Card]:
    """Such cards: spades where they share the suit, and no five of one suit elsewhere."""
    others = SUITS[1:] if suited else SUITS
    cards: list[Card] = []
    for n, (rank, count) in enumerate(copies.items()):
        own = [Card(rank, SUITS[0])] if rank in suited else []
        turned = others[n % len(others) :] + others[: n % len(others)]
        cards += [*own, *(Card(rank, suit) for suit in turned[: count - len(own)])]
    return cards
