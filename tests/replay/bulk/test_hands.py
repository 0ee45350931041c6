"""Cards as codes mean what the game's own rules say of them."""

import os
from random import Random

import numpy as np
import pytest

from replay.bulk.frame import Column
from replay.bulk.games import baccarat as bulk_baccarat
from replay.bulk.games import tiger_baccarat as bulk_tiger
from replay.bulk.hands import Triples, five_of, held
from replay.bulk.results import Answers
from replay.games import andar_bahar, baccarat, teen_patti, tiger_baccarat
from replay.tabulated import Tabulated
from schemas.cards import DECK

DEALS = int(os.environ.get("ROUNDPROOF_BULK", "60")) * 50


def dealt(count: int, seed: int = 7) -> Column:
    """Random rows of different cards, many of them of one suit."""
    rng = Random(seed)
    decks = [range(len(DECK)), range(13, 26), range(8, 20)]
    return np.array([rng.sample(decks[n % 3], count) for n in range(DEALS)])


@pytest.mark.parametrize("rule", [teen_patti.rank, andar_bahar.pattern])
def test_three_cards_in_any_order(rule: object) -> None:
    assert callable(rule)
    hands = dealt(3)
    triples = Triples(rule)

    found = [triples.found[code] for code in triples.of(hands)]

    assert found == [rule(held(hand.tolist())) for hand in hands]
    assert len(set(found)) > 3


@pytest.mark.parametrize("low_straight", ["counts", "does_not_count"])
def test_the_best_five_of_six_hang_on_ranks_or_on_a_flush(low_straight: str) -> None:
    hands = dealt(6)
    answers = Answers[str]()

    def ask(n: int) -> str:
        return teen_patti.six_cards(held(hands[n].tolist()), low_straight)

    found = [answers.found[code] for code in five_of(answers, hands, ask)]

    assert found == [ask(n) for n in range(len(hands))]
    assert len(set(found)) >= 6


@pytest.mark.parametrize(
    ("lawful", "hands_of"),
    [
        (bulk_baccarat.lawful, lambda cards: baccarat.deal_out(cards)),
        (bulk_tiger.lawful, lambda cards: tiger_baccarat.deal_out(cards)),
    ],
)
def test_who_draws_hangs_on_three_points(
    lawful: Tabulated[..., tuple[int, int]],
    hands_of: object,
) -> None:
    assert callable(hands_of)
    table = np.array(lawful.table()).reshape(10, 10, 10, 2)
    drawn = set()
    for row in dealt(6).tolist():
        cards = held(row)
        deal = hands_of(cards)
        first = baccarat.score(cards[:4:2]), baccarat.score(cards[1:4:2])
        third = baccarat.score(cards[4:5])

        found = tuple(table[*first, third].tolist())

        assert found == (len(deal.player), len(deal.banker)), cards
        drawn.add(found)
    assert drawn == {(2, 2), (2, 3), (3, 2), (3, 3)}


def test_an_answer_is_asked_for_once() -> None:
    asked = []
    answers = Answers[int]()
    for keys in ([5, 3, 5], [3, 9, 5, 9]):
        column = np.array(keys)

        def ask(n: int, column: Column = column) -> int:
            asked.append(int(column[n]))
            return int(column[n]) * 2

        assert [answers.found[code] for code in answers.of(column, ask)] == [2 * at for at in keys]
    assert sorted(asked) == [3, 5, 9]
