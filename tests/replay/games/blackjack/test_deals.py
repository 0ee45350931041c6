"""Blackjack: values, hands and what decides them, against a second way of counting."""

from itertools import combinations_with_replacement, product

import pytest

from replay import rulebooks
from replay.games import blackjack as game
from schemas.cards import RANKS, Card, cards
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-BJ", "2026-03-01")
READINGS = {name: issue.reading for name, issue in EDITION.issues.items()}


@pytest.mark.parametrize(
    ("hand", "total"),
    cases("""
        2S 9D       | 11 | as printed
        TS JD       | 20 | tens and court cards
        QS KD 2C    | 22 | over 21
        AS 9D       | 20 | an Ace as eleven
        AS 9D 5C    | 15 | an Ace as one
        AS AD       | 12 | two Aces, one of them eleven
        AS AD 9C    | 21 | two Aces and a nine
        AS AD AC AH | 14 | four Aces
        AS 5D 5C    | 21 | just enough
        AS 6D 5C    | 12 | one too many for eleven
    """),
)
def test_totals(hand: str, total: str) -> None:
    assert game.total(cards(hand)) == int(total)


def test_every_hand_of_up_to_five_ranks_is_counted_as_by_brute_force() -> None:
    """Each Ace is tried as 1 and as 11; the best total that does not bust is the hand's."""
    worth = {"A": (1, 11)} | {rank: (min(10, n),) for n, rank in enumerate(RANKS[1:], 2)}
    for size in range(1, 6):
        for ranks in combinations_with_replacement(RANKS, size):
            tried = {sum(pick) for pick in product(*(worth[rank] for rank in ranks))}
            best = max((n for n in tried if n <= 21), default=min(tried))

            assert game.total(Card(rank, "S") for rank in ranks) == best, ranks


@pytest.mark.parametrize(
    ("hand", "split", "found"),
    cases("""
        AS KD    | no  | yes | an Ace and a court card
        TS AD    | no  | yes | the other way round
        AS KD    | yes | no  | the same after a split is 21
        7S 7D 7C | no  | no  | 21 with three cards
        AS 9D    | no  | no  | one too few
    """),
)
def test_blackjack(hand: str, split: str, found: str) -> None:
    held = game.BlackjackHand(cards(hand), split=split == "yes")

    assert game.has_blackjack(held) == (found == "yes")


@pytest.mark.parametrize(
    ("hand", "draws"),
    cases("""
        9S       | yes | one card
        TS 6D    | yes | 16
        TS 7D    | no  | 17
        AS 6D    | no  | soft 17
        AS 5D    | yes | soft 16
        AS KD    | no  | blackjack
        TS 6D KC | no  | bust
    """),
)
def test_the_dealer_draws_to_16_and_stands_on_17(hand: str, draws: str) -> None:
    assert game.dealer_draws(cards(hand)) == (draws == "yes")


@pytest.mark.parametrize(
    ("hand", "draws", "ace_as_one"),
    cases("""
        5S 4D | yes | yes | 9
        6S 5D | yes | yes | 11
        TS 2D | no  | no  | 12
        AS 5D | no  | yes | an Ace and a five are 16 (reading: 6)
        AS AD | no  | yes | two Aces are 12 (reading: 2)
    """),
)
def test_a_hand_nobody_decides_on_is_hit_to_12(hand: str, draws: str, ace_as_one: str) -> None:
    assert game.timeout_draws(cards(hand)) == (draws == "yes")
    assert game.timeout_draws(cards(hand), "one") == (ace_as_one == "yes")


@pytest.mark.parametrize(
    ("two", "rank", "value"),
    cases("""
        KS KD | yes | yes | two kings
        KS TD | no  | yes | a king and a ten
        8S 8D | yes | yes | two eights
        8S 9D | no  | no  | neighbours
        AS AD | yes | yes | two Aces
    """),
)
def test_cards_are_alike_by_rank_for_a_pair_and_by_value_for_a_split(
    two: str, rank: str, value: str
) -> None:
    assert game.alike(cards(two), "same_rank") == (rank == "yes")
    assert game.alike(cards(two), "same_value") == (value == "yes")


@pytest.mark.parametrize(
    ("hand", "done", "dealer", "fact"),
    cases("""
        AS KD    |                | 9H 8C    | blackjack                               | blackjack pays
        AS KD    |                | AH TC    | blackjack against blackjack             | both
        AS KD    | split          | AH TC    | dealer blackjack                        | 21 after a split
        AS KD    | split          | 9H 5C 7D | equal totals                            | 21 against 21
        7S 7D 7C |                | TH AC    | dealer blackjack                        | plain 21
        TS 8D    |                | TH AC    | dealer blackjack                        | plain 18
        6S 5D 9C | doubled        | TH AC    | dealer blackjack against a doubled hand | a live double
        TS 2D KC | doubled        | TH AC    | bust                                    | a busted double
        8D TC    | split second   | AH TC    | dealer blackjack against a second hand  | a live second hand
        8D TC 9C | split second   | AH TC    | bust                                    | a busted second hand
        9S 7D    | surrendered    | 9H 8C    | surrendered                             | surrender
        TS TD 2C |                | 9H 5C KC | bust                                    | bust against bust
        TS 2D    |                | 9H 5C KC | dealer bust                             | any total
        TS 8D    |                | 9H 8C    | higher total                            | 18 against 17
        TS 7D    |                | 9H 8C    | equal totals                            | 17 against 17
        TS 6D    |                | 9H 8C    | lower total                             | 16 against 17
    """),  # noqa: E501  (a table)
)
def test_what_decides_a_hand(hand: str, done: str, dealer: str, fact: str) -> None:
    held = game.BlackjackHand(cards(hand), **dict.fromkeys(done.split(), True))

    assert game.fact(held, cards(dealer), READINGS) == fact


@pytest.mark.parametrize(
    ("issue", "reading", "hand", "done", "fact"),
    cases("""
        dealer_blackjack | all      | 6S 5D 9C | doubled      | dealer blackjack                        | doubles fall
        dealer_blackjack | all      | 8D TC    | split second | dealer blackjack                        | second hands fall
        busted_additions | refunded | TS 2D KC | doubled      | dealer blackjack against a doubled hand | the double comes back
        busted_additions | refunded | TS 2D KC |              | bust                                    | nothing was added
        plain_21         | pushes   | 7S 7D 7C |              | equal totals                            | 21 is 21
        plain_21         | pushes   | TS 8D    |              | dealer blackjack                        | 18 is not
    """),  # noqa: E501  (a table)
)
def test_other_readings_of_a_dealer_blackjack(
    issue: str, reading: str, hand: str, done: str, fact: str
) -> None:
    held = game.BlackjackHand(cards(hand), **dict.fromkeys(done.split(), True))

    assert game.fact(held, cards("TH AC"), READINGS | {issue: reading}) == fact


def test_every_fact_has_a_line_and_a_word() -> None:
    lines = {line.fact for line in EDITION.lines("fit", "main")} - {"otherwise"}

    assert lines | {game.LOWER} == set(game.RESULT)
