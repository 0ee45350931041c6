"""Sic Bo in bulk: the usual shake of three dice."""

from replay.bulk.games.shaken_dice import ShakenDiceGame
from replay.games import sic_bo as game
from replay.rulings.sic_bo import BOOK

GAME = ShakenDiceGame(BOOK, lambda dice, terms: game.facts(dice, terms.readings["four_number"]))
