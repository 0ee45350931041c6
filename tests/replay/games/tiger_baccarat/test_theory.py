"""Tiger Baccarat by exact counting over a full eight-deck shoe, with the rules themselves."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import perm

import pytest

from replay import rulebooks
from replay.games import tiger_baccarat as tb
from replay.theory import tiger_baccarat as theory
from schemas.cards import Card
from tests.support.tables import cases

DECKS = 8
CARDS = 52 * DECKS
SEQUENCES = perm(CARDS, 6)
VALUES = {0: 16 * DECKS} | dict.fromkeys(range(1, 10), 4 * DECKS)
STANDS_FOR = {value: Card("KA23456789"[value], "S") for value in VALUES}


@cache
def counted() -> Counter[str]:
    """Ordered six-card sequences of the shoe by each fact they make."""
    found: Counter[str] = Counter()
    for deal, ways, used in deals():
        rest = perm(CARDS - used, 6 - used)  # cards of the six that the hands do not need
        for fact in tb.facts(deal):
            if "pair" not in fact:  # a pair is a matter of ranks, not of values
                found[fact] += ways * rest
    found["player pair"] = found["banker pair"] = 13 * perm(4 * DECKS, 2) * perm(CARDS - 2, 4)
    return found


def deals() -> Iterator[tuple[tb.Deal, int, int]]:
    """Every complete deal by values, how many orders of the shoe make it, and its cards."""
    pairs = list(combinations_with_replacement(VALUES, 2))
    for player in pairs:
        for banker in pairs:
            turned = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            left, ways = Counter(VALUES), turned
            for value in (*player, *banker):
                ways *= left[value]
                left[value] -= 1
            opening = tb.Deal(
                tuple(STANDS_FOR[value] for value in player),
                tuple(STANDS_FOR[value] for value in banker),
            )
            yield from drawn(opening, ways, left)


def drawn(deal: tb.Deal, ways: int, left: Counter[int]) -> Iterator[tuple[tb.Deal, int, int]]:
    """The deals that a deal becomes by the third cards it is owed."""
    hand = tb.next_hand(deal)
    if not hand:
        yield deal, ways, len(deal.player) + len(deal.banker)
        return
    for value, copies in left.items():
        grown = deal._replace(**{hand: (*getattr(deal, hand), STANDS_FOR[value])})
        yield from drawn(grown, ways * copies, left - Counter([value]))


def test_all_sequences_are_counted_once() -> None:
    found = counted()

    assert SEQUENCES == 4_998_398_275_503_360
    assert found["banker wins"] + found["player wins"] + found["tie"] == SEQUENCES


@pytest.mark.parametrize(
    ("fact", "sequences"),
    cases("""
        banker wins                   | 2292252566437888 | Banker
        player wins                   | 2230518282592256 | Player
        tie                           | 475627426473216  | Tie
        banker wins on 6 with 2 cards | 186173936904192  | Banker wins on 6 with two cards
        banker wins on 6 with 3 cards | 83058367551488   | Banker wins on 6 with three cards
    """),
)
def test_sequences(fact: str, sequences: str) -> None:
    assert counted()[fact] == int(sequences)


@pytest.mark.parametrize(
    ("paytable", "bet", "percent"),
    cases("""
        commission     | player      | 98.7649 | player
        commission     | banker      | 98.9421 | banker, commission
        non_commission | banker      | 98.5419 | banker, non-commission
        commission     | tie         | 85.6404 | tie
        commission     | player_pair | 89.6386 | player pair
        commission     | banker_pair | 89.6386 | banker pair
        commission     | tiger       | 83.3164 | tiger
        commission     | small_tiger | 85.6675 | small tiger
        commission     | big_tiger   | 84.7467 | big tiger
        non_commission | player      | 98.7649 | player, non-commission
        non_commission | tiger       | 83.3164 | tiger, non-commission
    """),
)
def test_returns(paytable: str, bet: str, percent: str) -> None:
    assert f"{float(100 * returned(paytable, bet)):.4f}" == percent


def returned(paytable: str, bet: str) -> Fraction:
    """The share of a stake that comes back, by the edition's own lines."""
    edition = rulebooks.in_force("TB", "2026-03-01")
    rest, back = Fraction(1), Fraction(0)
    for line in edition.lines(paytable, bet):
        if line.fact == "otherwise":
            share = rest
        else:
            share = Fraction(counted()[line.fact], SEQUENCES)
            if line.fact == "banker wins" and rest < 1:  # the line above took the sixes
                share -= 1 - rest
        rest -= share
        if line.odds.result == "win":
            back += share * (1 + line.odds.pays * (1 - line.odds.commission))
        elif line.odds.result == "push":
            back += share
    return back


@pytest.mark.parametrize("paytable", ["commission", "non_commission"])
def test_the_theory_of_the_house_is_this_count(paytable: str) -> None:
    rows = list(theory.returns(rulebooks.in_force("TB", "2026-03-01"), paytable))

    assert [row.bet for row in rows] == list(tb.BETS)
    assert {row.bet: row.value for row in rows} == {bet: returned(paytable, bet) for bet in tb.BETS}
