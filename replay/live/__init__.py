"""Judges a table-day while it is played: each round when it ends, and again when that changes."""
