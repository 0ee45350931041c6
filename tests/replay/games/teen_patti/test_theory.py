"""Teen Patti 20-20, SA-TP: exact returns as the page prints them, and a second evaluator."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from replay import rulebooks
from replay.games import teen_patti as game
from replay.rulebooks.edition import Edition
from replay.theory import teen_patti as theory
from schemas.cards import DECK, Card
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-TP", "2026-03-01")

HIGH = "23456789TJQKA"
SEQUENCES = ("432", "543", "654", "765", "876", "987", "T98", "JT9", "QJT", "KQJ", "A32", "AKQ")
FIVES = ("A5432", *("".join(reversed(HIGH[n : n + 5])) for n in range(9)))


def per_cent(share: Fraction) -> str:
    figure = Decimal(share.numerator) * 100 / Decimal(share.denominator)
    return str(figure.quantize(Decimal("0.01"), ROUND_HALF_UP))


def returns(edition: Edition, paytable: str) -> dict[str, Fraction]:
    return {row.bet: row.value for row in theory.returns(edition, paytable)}


@pytest.mark.parametrize(
    ("bet", "printed"),
    cases("""
        player_a       | 9543327/9787750 = 97.50 | player a: the maximum
        player_b       | 9543327/9787750 = 97.50 | player b
        tie            | 895641/978775 = 91.51   | tie
        pair_plus_a    | 5143/5525 = 93.09       | pair plus of a
        pair_plus_b    | 5143/5525 = 93.09       | pair plus of b
        six_card_bonus | 136879/149695 = 91.44   | six cards: the minimum
    """),
)
def test_the_returns_the_page_prints(bet: str, printed: str) -> None:
    value = returns(EDITION, "fit")[bet]

    assert f"{value} = {per_cent(value)}" == printed


def test_the_published_tie_lies_below_the_range() -> None:
    usual = returns(EDITION, "conventional")

    assert per_cent(usual["tie"]) == "88.63"
    fit = returns(EDITION, "fit")
    assert {bet for bet, value in usual.items() if value != fit[bet]} == {"tie"}


def test_only_826_to_880_keep_the_tie_inside_the_range() -> None:
    share = Fraction(theory.ties("class_first"), theory.PAIRS)
    assert EDITION.certified is not None
    low, high = (per_cent(figure) for figure in EDITION.certified)

    inside = [pays for pays in range(780, 920) if low <= per_cent(share * (pays + 1)) <= high]

    assert (inside[0], inside[-1]) == (826, 880)


def test_the_returns_fill_the_certified_range() -> None:
    values = sorted(returns(EDITION, "fit").values())

    assert EDITION.certified is not None
    assert [per_cent(values[0]), per_cent(values[-1])] == list(map(per_cent, EDITION.certified))


@pytest.mark.parametrize(
    ("issue", "reading", "bet", "printed"),
    cases("""
        tie          | ranks_alone | player_a       | 97.50 | the same under either
        low_straight | is_none     | six_card_bonus | 89.34 | below the range
    """),
)
def test_under_another_reading(issue: str, reading: str, bet: str, printed: str) -> None:
    read = EDITION.issues[issue]._replace(reading=reading)
    other = EDITION._replace(issues={**EDITION.issues, issue: read})

    assert per_cent(returns(other, "fit")[bet]) == printed


def test_the_counts_the_page_prints() -> None:
    hands, six = theory.hands(), theory.six_cards()

    counts = [hands[kind] for kind in reversed(game.CLASSES)]
    assert counts == [4, 48, 48, 720, 1_096, 3_744, 16_440]
    assert sum(counts) == theory.HANDS == 22_100
    assert [six[kind] for kind in game.SIX] == [
        188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160,
    ]  # fmt: skip
    assert six[""] == 18_876_456
    assert sum(six.values()) == theory.SIXES == 20_358_520
    assert theory.ties("class_first") == 450_528
    assert theory.PAIRS == 407_170_400


def strength(hand: tuple[Card, ...]) -> tuple[int, ...]:
    """Three cards as a second reader of the rulebook page would rank them."""
    ranks = "".join(sorted((card.rank for card in hand), key=HIGH.index, reverse=True))
    values = tuple(HIGH.index(rank) for rank in ranks)
    one_suit = hand[0].suit == hand[1].suit == hand[2].suit
    run = SEQUENCES.index(ranks) if ranks in SEQUENCES else -1
    if values[0] == values[2]:
        return (7 if ranks == "AAA" else 6, *values)
    if run >= 0:
        return (5 if one_suit else 4, run)
    if one_suit:
        return (3, *values)
    if values[0] == values[1]:
        return (2, values[0], values[2])
    if values[1] == values[2]:
        return (2, values[1], values[0])
    return (1, *values)


def test_every_hand_against_a_second_evaluator() -> None:
    hands = list(combinations(DECK, 3))

    ours = sorted(hands, key=game.rank)

    ranked = {hand: strength(hand) for hand in hands}
    assert [ranked[hand] for hand in ours] == sorted(ranked.values())
    equal = Counter((game.rank(hand), ranked[hand]) for hand in hands)
    assert len(equal) == len({rank for rank, _ in equal}) == len({other for _, other in equal})


def five(cards: tuple[Card, ...]) -> int:
    """The place of five cards in SA-TP:9.4, from 1 for the royal flush; 8 for anything less."""
    copies = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    ranks = "".join(sorted((card.rank for card in cards), key=HIGH.index, reverse=True))
    run = ranks in FIVES
    one_suit = len({card.suit for card in cards}) == 1
    tests = (
        one_suit and ranks == "AKQJT",
        one_suit and run,
        copies[0] == 4,
        copies == [3, 2],
        one_suit,
        run,
        copies[0] == 3,
        True,
    )
    return tests.index(True) + 1


def test_the_best_of_six_against_every_five_of_them() -> None:
    rng = Random("six cards")
    names = (*game.SIX, "")
    seen: Counter[str] = Counter()
    deals = [tuple(rng.sample(DECK, 6)) for _ in range(20_000)]
    # Rare classes come seldom by chance, so some decks are stripped to one suit or a few ranks.
    spades = [card for card in DECK if card.suit == "S"]
    courts = [card for card in DECK if card.rank in "AKQJT"]
    deals += [tuple(rng.sample(spades, 6)) for _ in range(3_000)]
    deals += [tuple(rng.sample(courts, 6)) for _ in range(6_000)]

    for six in deals:
        best = names[min(five(cards) for cards in combinations(six, 5)) - 1]
        assert game.six_cards(six) == best, six
        seen[best] += 1

    assert set(seen) == set(names)
