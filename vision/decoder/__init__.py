"""The decoder: a limited process of its own that turns foreign pictures and films into pixels."""
