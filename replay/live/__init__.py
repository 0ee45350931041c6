"""A table-day while it is played: rounds are judged as they settle, and again when they must be."""
