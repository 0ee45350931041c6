"""Hoiana Roulette: every position of the layout returns 36 of 37."""

from fractions import Fraction

from replay import rulebooks
from replay.games import roulette_hoiana as game
from replay.theory import roulette_hoiana


def test_every_position_returns_the_same() -> None:
    rows = list(roulette_hoiana.returns(rulebooks.in_force("RO", "2026-03-01"), "standard"))

    assert [row.bet for row in rows] == list(game.COVERS)
    assert len(rows) == 157
    assert {row.value for row in rows} == {Fraction(36, 37)}
    assert {row.note for row in rows} == {"all 37 pockets"}
