"""Fish Prawn Crab in bulk: the usual shake of three dice."""

from replay.bulk.games.shaken_dice import ShakenDiceGame
from replay.games import fish_prawn_crab as game
from replay.rulings.fish_prawn_crab import BOOK

GAME = ShakenDiceGame(
    BOOK,
    lambda dice, terms: game.facts(dice, terms.readings["colors"], terms.readings["symbol_triple"]),
)
