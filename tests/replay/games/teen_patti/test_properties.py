"""Teen Patti 20-20, SA-TP: hands that change over, suits that change names."""

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.games import teen_patti as game
from schemas.cards import Card
from tests.support.any_round.decks import SIXES, teen
from tests.support.tables import judged


@settings(deadline=None, max_examples=60)
@given(SIXES, st.integers(1, 10**9))
def test_the_hands_changed_over_change_the_sides(deck: list[Card], stake: int) -> None:
    """Seat A with B's cards is seat B: bets on the hands change over, six cards stay six cards."""
    swapped = [card for pair in zip(deck[1::2], deck[::2], strict=True) for card in pair]
    mirror = {"player_a": "player_b", "pair_plus_a": "pair_plus_b"}
    mirror |= {other: one for one, other in mirror.items()}
    bets = [(bet, stake) for bet in game.BETS]

    one = {due.bet: due for due in judged(teen(bets, deck)).dues}
    other = {due.bet: due for due in judged(teen(bets, swapped)).dues}

    for bet, due in one.items():
        assert (due.outcome, due.back) == (
            other[mirror.get(bet, bet)].outcome,
            other[mirror.get(bet, bet)].back,
        )


@settings(deadline=None, max_examples=60)
@given(SIXES, st.permutations("SHCD"))
def test_suits_renamed_change_nothing(deck: list[Card], suits: list[str]) -> None:
    named = dict(zip("SHCD", suits, strict=True))
    renamed = [Card(card.rank, named[card.suit]) for card in deck]
    bets = [(bet, 100) for bet in game.BETS]

    assert judged(teen(bets, deck)).dues == judged(teen(bets, renamed)).dues
