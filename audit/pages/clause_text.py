"""The text of a clause as lines, with its tables in columns."""

from collections.abc import Iterator
from itertools import groupby

from audit.cli import columns

CELLS = " | "


def lines(text: str) -> Iterator[str]:
    """The lines of a clause; consecutive table rows are aligned."""
    for table, rows in groupby(text.splitlines(), key=lambda line: CELLS in line):
        if table:
            cells = [row.split(CELLS) for row in rows]
            width = max(map(len, cells))
            head, *rest = [(*row, *[""] * (width - len(row))) for row in cells]
            yield from (f"  {line}".rstrip() for line in columns.lines(head, rest))
        else:
            yield from rows


def one_line(text: str) -> str:
    """The whole clause on one line, for a table cell."""
    return " ".join(text.split())
