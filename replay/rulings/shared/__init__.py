"""What the rulings of several games are written with; each game decides which of it holds."""
