"""What can go wrong on purpose: one module a game, and the clauses that each fault breaks."""
