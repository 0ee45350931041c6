"""Rows for people: a framed table on a terminal, plain columns elsewhere."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat

from rich.cells import cell_len

from audit.cli import screen

GAP = "  "
WORDS = 3  # spaces beyond which a cell is a sentence
LEAST = 20  # characters of a column of sentences


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
    numbers = [header in right for header in headers]
    for line in lines:
        yield aligned(line, widths, numbers)


def aligned(cells: Sequence[str], widths: Sequence[int], right: Iterable[bool] = ()) -> str:
    """A line of cells, each as wide as its column; numbers stand on the right."""
    sides = zip(cells, widths, chain(right, repeat(False)), strict=False)
    padded = (cell.rjust(width) if number else cell.ljust(width) for cell, width, number in sides)
    return GAP.join(padded).rstrip()


def one_line(cell: str) -> str:
    """A cell in one line; what would not be seen in it is spelled out."""
    return screen.visible(" ".join(cell.split("\n")) if "\n" in cell else cell)


def _framed(headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    frame = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    least = 0
    for n, header in enumerate(headers):
        cells = [header, *(row[n] for row in rows)]
        whole = max(map(cell_len, cells)) if not _prose(cells) else LEAST
        least += whole + 2 * len(GAP)
        frame.add_column(
            header,
            justify="right" if header in right else "left",
            overflow="fold",
            no_wrap=not _prose(cells),
            min_width=whole,
        )
    for row in rows:
        frame.add_row(*map(Text, row))
    console = Console() if screen.styled() else Console(color_system=None)
    console.width = max(console.width, least)  # a terminal wraps a line; an id is never cut
    console.print(frame)


def _prose(cells: Sequence[str]) -> bool:
    """Whether a column holds sentences, which may wrap; ids, times and amounts never do."""
    return any(cell.count(" ") > WORDS for cell in cells)
