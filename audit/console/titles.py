"""The names of the games, as their rulebooks print them."""

from functools import cache

from replay import rulebooks


@cache
def titles() -> dict[str, str]:
    """The title of each rulebook by its code."""
    return {edition.code: edition.title for edition in rulebooks.editions()}
