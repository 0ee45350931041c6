"""Hoiana Niu Niu: the exact return of each bet, one player against the Dealer.

A class depends on ranks alone, so hands are counted by their ranks; pairs of hands that share no
card are counted by inclusion and exclusion over the cards they could share.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod

from replay.games import niu_niu as game
from replay.rulebooks.edition import Edition
from replay.theory import Outcome, Return, counted
from schemas.cards import DECK, RANKS, SUITS, Card

HANDS = comb(len(DECK), game.FULL)
PAIRS = HANDS * comb(len(DECK) - game.FULL, game.FULL)

Ranks = tuple[tuple[str, int], ...]  # rank and how many of it, in the order of RANKS


def returns(edition: Edition, paytable: str) -> Iterator[Return]:
    """The return of each bet a unit staked, by the readings the edition has."""
    for found in counted(edition, paytable, edition.bets, outcomes(), ""):
        reserve = game.RESERVE.get(found.bet, 0)
        note = f"all {PAIRS:,} pairs of hands"
        if reserve:
            kept = 1 - (1 - found.value) / (1 + reserve)
            note += f"; {100 * float(kept):.4f} % of bet and Reserve"
        yield found._replace(note=note)


def outcomes(*, commission: bool = True) -> Iterator[Outcome]:
    """Every class on either side; without commission as reading `even_only` has it."""
    for named, ways in wins().items():
        due = {game.COMMISSION_DUE} if commission and named == "NIU_6" else set()
        yield Outcome(game.won("player", named) | due, ways)
        yield Outcome(game.won("dealer", named), ways)


@cache
def wins() -> Mapping[str, int]:
    """Pairs of hands in which the first wins with each class.

    Two hands of one class are never equal (NN:6.2.14, 6.2.15), so half of those pairs are won.
    """
    met = _met()
    found = {}
    for place, named in enumerate(game.CLASSES):
        lower = sum(met[named, other] for other in game.CLASSES[:place])
        found[named] = lower + met[named, named] // 2
    return found


@cache
def hands() -> Mapping[str, int]:
    """How many of all hands are of each class."""
    return _holding()[()]


def _met() -> Counter[tuple[str, str]]:
    """Ordered pairs of hands without a common card, by their two classes."""
    found: Counter[tuple[str, str]] = Counter()
    for shared, classes in _holding().items():
        sign = (-1) ** sum(n for _, n in shared)
        ways = sign * prod(comb(len(SUITS), n) for _, n in shared)
        for (one, some), (other, more) in product(classes.items(), repeat=2):
            found[one, other] += ways * some * more
    return found


@cache
def _holding() -> Mapping[Ranks, Counter[str]]:
    """For cards of certain ranks: how many hands of each class hold just those cards."""
    found: dict[Ranks, Counter[str]] = {}
    for ranks in combinations_with_replacement(RANKS, game.FULL):
        copies = Counter(ranks)
        if max(copies.values()) > len(SUITS):
            continue
        named = game.class_of([Card(rank, "S") for rank in ranks])
        for taken in product(*(range(n + 1) for n in copies.values())):
            held = zip(copies.items(), taken, strict=True)
            ways = prod(comb(len(SUITS) - out, n - out) for (_, n), out in held)
            part = tuple((rank, out) for rank, out in zip(copies, taken, strict=True) if out)
            found.setdefault(part, Counter())[named] += ways
    return found
