"""Rows for people: a framed table on a terminal, plain columns elsewhere."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from audit import screen

GAP = "  "


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """Print rows under their headers; the columns named in `right` hold numbers."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    numbers = frozenset(right)
    if sys.stdout.isatty():
        _framed(headers, cells, numbers)
        return
    for line in plain(headers, cells, numbers):
        screen.say(line)


def plain(
    headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[str] = frozenset()
) -> Iterator[str]:
    """The rows as lines of aligned columns."""
    lines = [headers, *rows]
    widths = [max(len(line[n]) for line in lines) for n in range(len(headers))]
    for line in lines:
        cells = (
            cell.rjust(width) if header in right else cell.ljust(width)
            for header, cell, width in zip(headers, line, widths, strict=True)
        )
        yield GAP.join(cells).rstrip()


def one_line(cell: str) -> str:
    """A cell without line breaks."""
    return " ".join(cell.splitlines())


def _framed(headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    frame = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for header in headers:
        frame.add_column(header, justify="right" if header in right else "left", overflow="fold")
    for row in rows:
        frame.add_row(*map(Text, row))
    Console(no_color=True if "NO_COLOR" in os.environ else None).print(frame)
