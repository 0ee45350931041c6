"""SA Roulette: a racetrack bet and the bets of the layout that it stands for."""

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.games.shared.roulette_racetrack import RACE
from tests.support.any_round.wheels import POCKETS, sa
from tests.support.tables import judged


@settings(deadline=None)
@given(st.sampled_from(sorted(RACE)), st.integers(1, 10**9), POCKETS)
def test_a_racetrack_bet_is_its_layout_bets(place: str, chip: int, pocket: int) -> None:
    single = [(piece.position, chip * piece.chips, "p") for piece in RACE[place]]

    whole = judged(sa([(place, chip, "p")], pocket)).dues
    parts = judged(sa(single, pocket)).dues

    for amount in ("stake", "gross_win", "paid", "collected", "returned", "back"):
        total = sum(getattr(due, amount) for due in parts)
        assert [getattr(due, amount) for due in whole] == [total], amount
