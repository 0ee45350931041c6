"""Cards, dice and tokens over many frames."""
