"""Baccarat, Dragon Tiger and Pok Deng: no round leaves anything to the next."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.any_round import Game
from tests.support.any_round.shoes import GAMES
from tests.support.tables import judged


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.code)
@settings(deadline=None)
@given(st.data())
def test_nothing_is_carried_to_the_next_round(game: Game, data: st.DataObject) -> None:
    assert judged(data.draw(game.sheets)).ruled.memory == {}
