"""Thai HiLo in bulk: the usual shake of three dice."""

from replay.bulk.games.shaken_dice import ShakenDiceGame
from replay.games import thai_hilo as game
from replay.rulings.thai_hilo import BOOK

GAME = ShakenDiceGame(BOOK, lambda dice, terms: game.facts(dice, terms.readings["run_tiers"]))
