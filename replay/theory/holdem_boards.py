"""Five community cards and all pairs of hands over them, counted exactly.

Boards that differ only in suits that cannot matter are one board with so many ways. Hole cards
are told apart by rank and by whether they are of the suit that can flush.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from typing import NamedTuple

from replay.games.shared.poker_hands import RANK, PokerClass, PokerHand, best
from schemas.cards import SUITS, Card

RANKS = range(len(RANK))
HOLES = tuple(combinations_with_replacement(RANKS, 2))
THEIRS = comb(45, 2)  # hands of the Dealer beside one of the player
HANDS = comb(47, 2) * THEIRS


class Board(NamedTuple):
    """Boards that are alike: their ranks, the ranks of a suit that can flush, and how many."""

    ranks: tuple[int, ...]
    suited: tuple[int, ...]
    ways: int


class Group(NamedTuple):
    """Ranks of hole cards that make one and the same hand without a flush."""

    high: bool  # a Straight or better
    holes: tuple[tuple[int, int], ...]
    ranks: tuple[int, ...]  # all that occur in them


class HoleCardTally:
    """Some hands of two cards: how many, and how many of them hold each card."""

    def __init__(self) -> None:
        self.size = 0
        self.plain = [0] * len(RANKS)  # for one card of a rank that is not of the suit
        self.suited = [0] * len(RANKS)  # for the card of a rank that is

    def add(self, other: "HoleCardTally", ranks: Iterable[int] = RANKS) -> None:
        """Put further hands to these."""
        self.size += other.size
        for rank in ranks:
            self.plain[rank] += other.plain[rank]
            self.suited[rank] += other.suited[rank]

    def pairs(self, left: "CardsLeft", ranks: Iterable[int] = RANKS) -> int:
        """Ordered pairs of these hands that share no card."""
        shared = 0
        for rank in ranks:
            shared += left.plain[rank] * self.plain[rank] ** 2
            shared += left.suited[rank] * self.suited[rank] ** 2
        return self.size * (self.size + 1) - shared


class CardsLeft(NamedTuple):
    """The cards that a board leaves: of other suits and of its suit, by rank."""

    plain: list[int]
    suited: list[int]


def boards() -> Iterator[Board]:
    """Every board: those that no suit can flush on, then those with three suited cards or more."""
    for ranks in combinations_with_replacement(RANKS, 5):
        ways = _without_a_suit(tuple(sorted(Counter(ranks).values())))
        if ways:
            yield Board(ranks, (), ways)
    for count in (3, 4, 5):
        for suited in combinations(RANKS, count):
            for others in combinations_with_replacement(RANKS, 5 - count):
                ways = len(SUITS) * prod(comb(3, n) for n in Counter(others).values())
                if ways:
                    yield Board(tuple(sorted((*suited, *others))), suited, ways)


def compared(board: Board) -> tuple[int, int]:
    """Of all ordered pairs of hands: the stand-offs, and the wins with a Straight or better."""
    left = _left(board)
    ties = high_ties = 0
    high = HoleCardTally()
    for group in _groups(board.ranks) if len(board.suited) < 5 else ():
        tally = _unflushed(group, left, one_of_suit=len(board.suited) == 3)
        same = tally.pairs(left, group.ranks)
        ties += same
        if group.high:
            high_ties += same
            high.add(tally, group.ranks)
    if board.suited:
        flushes, same = _flushes(board.suited, left)
        ties += same
        high_ties += same
        high.add(flushes)
    # Of two high hands that differ one wins; every hand that is not high loses to a high one.
    return ties, high.size * THEIRS - (high.pairs(left) + high_ties) // 2


def _unflushed(group: Group, left: CardsLeft, *, one_of_suit: bool) -> HoleCardTally:
    """Hole cards of a group's ranks, none of the suit or one at most."""
    found = HoleCardTally()
    plain, suited = found.plain, found.suited
    for one, other in group.holes:
        mine, theirs = left.plain[one], left.plain[other]
        suit, their_suit = (left.suited[one], left.suited[other]) if one_of_suit else (0, 0)
        if one == other:
            found.size += mine * (mine - 1) // 2 + suit * mine
            plain[one] += mine - 1 + suit
            suited[one] += suit * mine
        else:
            found.size += mine * theirs + suit * theirs + mine * their_suit
            plain[one] += theirs + their_suit
            plain[other] += mine + suit
            suited[one] += suit * theirs
            suited[other] += their_suit * mine
    return found


def _flushes(suit: tuple[int, ...], left: CardsLeft) -> tuple[HoleCardTally, int]:
    """All hole cards that make a flush, and the ordered pairs of them that are stand-offs."""
    own = [rank for rank in RANKS if left.suited[rank]]
    whole = HoleCardTally()
    if len(suit) == 3:  # every two cards of the suit make another flush, so none ties
        whole.size = comb(len(own), 2)
        whole.suited = [len(own) - 1] * len(RANKS)
        return whole, 0
    same = 0
    for tally in _by_flush(suit, own, sum(left.plain)).values():
        same += tally.pairs(left) if tally.size > 1 else 0
        whole.add(tally)
    return whole, same


def _by_flush(
    suit: tuple[int, ...], own: Sequence[int], others: int
) -> dict[PokerHand, HoleCardTally]:
    """Hole cards over four or five suited cards by their flush; `others` are of other suits."""
    found: dict[PokerHand, HoleCardTally] = {}
    if len(suit) == 5:
        board = found.setdefault(_flush(suit), HoleCardTally())
        board.size = comb(others, 2)
        board.plain = [others - 1] * len(RANKS)
    for rank in own:
        tally = found.setdefault(_flush((*suit, rank)), HoleCardTally())
        tally.size += others
        tally.suited[rank] += others
        tally.plain = [held + 1 for held in tally.plain]
    for one, other in combinations(own, 2):
        tally = found.setdefault(_flush((*suit, one, other)), HoleCardTally())
        tally.size += 1
        tally.suited[one] += 1
        tally.suited[other] += 1
    return found


def _left(board: Board) -> CardsLeft:
    gone = Counter(board.ranks)
    if not board.suited:
        return CardsLeft([4 - gone[rank] for rank in RANKS], [0] * len(RANKS))
    suited = [int(rank not in board.suited) for rank in RANKS]
    return CardsLeft([4 - gone[rank] - suited[rank] for rank in RANKS], suited)


@cache
def _groups(board: tuple[int, ...]) -> tuple[Group, ...]:
    """The ranks of hole cards by the hand they make without a flush."""
    found: dict[PokerHand, list[tuple[int, int]]] = {}
    for hole in HOLES:
        ranks = tuple(sorted((*board, *hole)))
        if max(map(ranks.count, hole)) < 5:
            found.setdefault(_plain(ranks), []).append(hole)
    return tuple(
        Group(
            hand.kind >= PokerClass.STRAIGHT,
            tuple(holes),
            tuple(sorted({rank for hole in holes for rank in hole})),
        )
        for hand, holes in found.items()
    )


@cache
def _plain(ranks: tuple[int, ...]) -> PokerHand:
    """What ranks make without a flush: neighbours in other suits, none three times."""
    return best([_card(rank, SUITS[n % len(SUITS)]) for n, rank in enumerate(ranks)])


def _flush(ranks: tuple[int, ...]) -> PokerHand:
    return _suited_hand(frozenset(ranks))


@cache
def _suited_hand(ranks: frozenset[int]) -> PokerHand:
    return best([_card(rank, SUITS[0]) for rank in sorted(ranks)])


def _card(rank: int, suit: str) -> Card:
    return Card("23456789TJQKA"[rank], suit)


@cache
def _without_a_suit(times: tuple[int, ...]) -> int:
    """In how many ways cards can have suits of which none comes three times."""
    choices = [tuple(combinations(SUITS, n)) for n in times]
    return sum(
        max(Counter(suit for suits in chosen for suit in suits).values()) < 3
        for chosen in product(*choices)
    )
