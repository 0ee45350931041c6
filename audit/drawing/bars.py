"""A chart for paper: one bar a row, to the right of a line at zero, or to its left below zero."""

from collections.abc import Sequence
from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.svg import Area
from audit.drawing.theme import PAPER

WIDTH, SIZE = 720, 11
ROW, CLOSE = 20, 14  # the height of a row, and that of one of many
MANY = 10
LABELS, FIGURES = 190, 110  # the room of the words to the left, and of the figures beside a bar
FILL, BELOW = "#1b57b5", "#b3261e"


class Bar(NamedTuple):
    """A row of the chart: its words, its length, and its figure in words."""

    label: str
    value: int
    figure: str


def bars(rows: Sequence[Bar]) -> str:
    """The chart as SVG; all bars share one scale."""
    longest = max((abs(row.value) for row in rows), default=0) or 1
    below = any(row.value < 0 for row in rows)
    room = (WIDTH - LABELS - FIGURES) / (2 if below else 1) - (FIGURES / 2 if below else 0)
    zero = LABELS + (room + FIGURES if below else 0)
    row_height = ROW if len(rows) < MANY else CLOSE
    height = len(rows) * row_height + 2
    parts = [
        _bar(row, Area(zero, n * row_height, room * abs(row.value) / longest, row_height))
        for n, row in enumerate(rows)
    ]
    axis = svg.line(zero, 0, zero, height, **svg.stroke(PAPER.line, 0.8))
    return svg.element(
        "svg",
        *parts,
        axis,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        font_family=svg.FONT,
    )


def _bar(row: Bar, place: Area) -> str:
    """One bar from zero, which is where its place begins."""
    zero, top, length, height = place
    middle, negative = top + height / 2, row.value < 0
    end = zero - length if negative else zero + length
    label = svg.text(
        LABELS - 8,
        middle,
        row.label,
        svg.fitted(row.label, SIZE, LABELS - 8),
        fill=PAPER.ink,
        anchor="end",
    )
    area = Area(min(zero, end), top + 2.5, length, height - 5)
    figure = svg.text(
        end + (-6 if negative else 6),
        middle,
        row.figure,
        SIZE,
        fill=PAPER.ink,
        anchor="end" if negative else "start",
    )
    return label + svg.rect(area, fill=BELOW if negative else FILL) + figure
