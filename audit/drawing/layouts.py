"""The layouts of our own games, each read once."""

from functools import cache

from vision.felt import layout
from vision.felt.layout import Layout


@cache
def of_game(game: str) -> Layout:
    """The layout of a game."""
    return layout.load(game)
