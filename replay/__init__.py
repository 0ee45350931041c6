"""The referee: events become rounds, rounds become what was owed, each step with its clause."""
