"""Draws pictures and films of tables, with the truth about what they show."""
