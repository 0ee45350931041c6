"""What a game's modules offer: every game has what it must, and a default for what it may."""

from importlib import import_module

import pytest

from replay import game_modules, rulebooks
from replay.game_modules import Game, Rulings

GAMES = sorted({edition.game for edition in rulebooks.editions()})


def test_fifteen_games_are_found() -> None:
    assert len(GAMES) == 15


@pytest.mark.parametrize("game", GAMES)
def test_what_a_module_offers_is_taken_and_the_rest_is_the_default(game: str) -> None:
    module = vars(import_module(f"replay.rulings.{game}"))
    rulings = game_modules.rulings(game)

    for field, value in rulings._asdict().items():
        assert value == module.get(field, Rulings._field_defaults.get(field)), field


@pytest.mark.parametrize(
    ("game", "position", "legal"),
    [
        ("roulette_sa", "split:1-2", True),
        ("roulette_sa", "race", True),  # no paytable names it
        ("roulette_hoiana", "race", False),
        ("roulette_hoiana", "split:1-36", False),
        ("tiger_baccarat", "player", False),  # the edition names it itself
    ],
)
def test_a_position_is_one_that_the_layout_has(game: str, position: str, legal: bool) -> None:
    assert game_modules.game(game).has(position) is legal


def test_a_game_that_offers_nothing_has_no_positions() -> None:
    assert not Game().has("split:1-2")
