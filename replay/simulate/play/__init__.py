"""How each game is played by the seeded house: one module a game."""
