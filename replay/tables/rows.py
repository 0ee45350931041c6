"""What a row is: the values of its stored columns, in the order of the dictionary."""

from datetime import date
from typing import Any

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]


def day_of(text: str | None) -> date | None:
    """A gaming day as a date; None where it is unknown."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:  # an old log may hold any word
        return None
