"""Cards, dice and tokens in one picture."""
