"""The words of a clause as lines for people, its tables laid out in columns."""

from collections.abc import Iterator
from itertools import groupby

from audit.cli import columns

CELLS = " | "


def lines(text: str) -> Iterator[str]:
    """The lines of a clause; rows of a table that follow each other stand in columns."""
    for table, rows in groupby(text.splitlines(), key=lambda line: CELLS in line):
        if table:
            cells = [row.split(CELLS) for row in rows]
            width = max(map(len, cells))
            head, *rest = [(*row, *[""] * (width - len(row))) for row in cells]
            yield from (f"  {line}".rstrip() for line in columns.lines(head, rest))
        else:
            yield from rows


def one_line(text: str) -> str:
    """The whole clause in one line, for a cell of a page."""
    return " ".join(text.split())
