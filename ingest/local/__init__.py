"""The embedded log: segments on disk, and what keeps them whole."""
