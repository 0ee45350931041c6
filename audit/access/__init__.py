"""Whoever looked is on record: an access record is written before evidence is shown (P10)."""
