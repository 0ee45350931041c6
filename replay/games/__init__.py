"""One module a game: its deal, its faults, its facts (sections 4 to 6 of its rulebook)."""
