"""Rows in columns that line up: framed on a terminal, plain text elsewhere."""

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat

from rich.cells import cell_len

from audit.cli import screen

GAP = "  "
SENTENCE_SPACES = 3  # a cell with more spaces than this is a sentence
SENTENCE_WIDTH = 20  # least width of a column of sentences, characters


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """Print rows under their headers; the columns named in `right` are aligned right."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    numbers = frozenset(right)
    if sys.stdout.isatty():
        _framed(headers, cells, numbers)
        return
    for line in _aligned_lines(headers, cells, [header in numbers for header in headers]):
        screen.say(line)


def lines(
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
    figures: Callable[[int], str] = "{:,}".format,
) -> list[str]:
    """Rows under their head as plain lines; a column of whole numbers stands to the right."""
    numbers = [
        bool(rows) and all(isinstance(row[n], int) for row in rows) for n in range(len(head))
    ]
    return _aligned_lines(head, [[_cell(value, figures) for value in row] for row in rows], numbers)


def aligned(cells: Sequence[str], widths: Sequence[int], right: Iterable[bool] = ()) -> str:
    """One line of cells, each padded to the width of its column, numbers from the left."""
    sides = zip(cells, widths, chain(right, repeat(False)), strict=False)
    padded = (cell.rjust(width) if number else cell.ljust(width) for cell, width, number in sides)
    return GAP.join(padded).rstrip()


def one_line(cell: str) -> str:
    """A cell on one line, with invisible characters spelled out."""
    return screen.visible(" ".join(cell.split("\n")) if "\n" in cell else cell)


def _aligned_lines(
    head: Sequence[str], cells: Sequence[Sequence[str]], numbers: Sequence[bool]
) -> list[str]:
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    return [aligned(line, widths, numbers) for line in (head, *cells)]


def _cell(value: object, figures: Callable[[int], str]) -> str:
    return figures(value) if isinstance(value, int) else screen.visible(str(value))


def _framed(headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    frame = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    least = 0
    for n, header in enumerate(headers):
        cells = [header, *(row[n] for row in rows)]
        whole = max(map(cell_len, cells)) if not _prose(cells) else SENTENCE_WIDTH
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
    return any(cell.count(" ") > SENTENCE_SPACES for cell in cells)
