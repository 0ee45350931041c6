"""The seal of the log: each event carries the hash of the one before it."""
