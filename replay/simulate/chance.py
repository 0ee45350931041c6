"""Chance that can be had again: a stream of random numbers for every purpose, named by words."""

from random import Random


def stream(*words: object) -> Random:
    """The random numbers of a name; the same on every machine, whatever else is drawn."""
    # A simulation has no secrets: what counts is that the numbers come again.
    return Random("/".join(map(str, words)))  # noqa: S311
