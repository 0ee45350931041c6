"""One module a game: what its rulebook says when something goes wrong (section 7)."""
