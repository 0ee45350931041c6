"""Andar Bahar, SA-AB: what the number of cards decides, whatever is dealt."""

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import andar_bahar as game
from schemas.cards import Card
from schemas.money import whole
from tests.support.any_round.decks import DECKS, andar, lawful
from tests.support.tables import judged

EDITION = rulebooks.in_force("SA-AB", "2026-03-01")


@settings(deadline=None, max_examples=60)
@given(DECKS, st.integers(1, 10**9))
def test_one_side_and_one_range_win_by_the_number_of_cards(deck: list[Card], stake: int) -> None:
    count = len(lawful(deck))
    bets = [(place, stake) for place in (*game.SIDES, *game.COUNTS)]

    found = judged(andar(bets, deck))

    won = [due.bet for due in found.dues if due.outcome == "win"]
    low, high = next(span for span in game.RANGES if span[0] <= count <= span[1])
    assert won == [game.SIDES[(count - 1) % 2], f"cards_{low}_{high}"]
    assert found.ruled.result == f"{won[0]} {count}"
    if won[0] == "andar":
        (first, *_) = (due for due in found.dues if due.bet == "andar")
        assert first.paid == whole(stake * EDITION.lines("fit", "andar")[0].odds.pays, "half up")
