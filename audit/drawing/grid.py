"""The roulette layout: numbers, outside bets, and the place of every position on it.

A chip lies on the middle of its number, on the edge between two, on the corner of four, and on the
outer line for a street or six line: the middle of the numbers that it covers says where.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.cells import Cell, spot_in
from audit.drawing.chips import Spot
from audit.drawing.svg import Area, number
from audit.drawing.theme import Ink
from audit.drawing.wheel import PAINT, paint
from replay.games.shared.roulette_layout import COVERS, kind

EVEN_CHANCES = (
    ("low", "1–18"),
    ("even", "EVEN"),
    ("red", ""),
    ("black", ""),
    ("odd", "ODD"),
    ("high", "19–36"),
)
DOZENS = ("1st 12", "2nd 12", "3rd 12")
LOWER = 0.72  # height of an outside row, for a number of height one
WHITE = "#ffffff"
GREEN = "#63d19a"  # the derived number, on red and black alike


class NumberGrid(NamedTuple):
    """The layout: its left upper corner right of zero, and the size of a number."""

    x: float
    y: float
    wide: float
    high: float

    def number(self, n: int) -> Area:
        """The square of a number; zero is left of the others."""
        if n == 0:
            return Area(self.x - self.wide * 0.9, self.y, self.wide * 0.9, self.high * 3)
        column, row = (n - 1) // 3, 2 - (n - 1) % 3
        return Area(self.x + column * self.wide, self.y + row * self.high, self.wide, self.high)

    @property
    def bottom(self) -> float:
        """The lower edge of the outside bets."""
        return self.y + self.high * (3 + 2 * LOWER)

    def outside(self) -> list[Cell]:
        """The bets around the numbers."""
        x, y, wide, high = self
        size = min(13.0, high * 0.3)
        low = high * LOWER
        columns = [
            Cell(f"column:{n}", Area(x + 12 * wide, y + (3 - n) * high, wide * 0.95, high), "2:1")
            for n in (1, 2, 3)
        ]
        dozens = [
            Cell(f"dozen:{n + 1}", Area(x + n * 4 * wide, y + 3 * high, 4 * wide, low), words)
            for n, words in enumerate(DOZENS)
        ]
        chances = [
            Cell(bet, Area(x + n * 2 * wide, y + 3 * high + low, 2 * wide, low), words)
            for n, (bet, words) in enumerate(EVEN_CHANCES)
        ]
        return [cell._replace(size=size, radius=0) for cell in (*columns, *dozens, *chances)]

    def spot(self, position: str) -> Spot | None:
        """Where chips on a position lie; None where the layout has none."""
        if position not in COVERS:
            return None
        radius = min(9.0, self.wide * 0.21)
        for cell in self.outside():
            if cell.bet == position:
                return _outside_spot(cell, radius)
        squares = [self.number(n).centre for n in sorted(COVERS[position])]
        x = sum(at[0] for at in squares) / len(squares)
        y = sum(at[1] for at in squares) / len(squares)
        if kind(position) in ("street", "six_line", "first_four"):
            y = self.y + 3 * self.high
        if kind(position) in ("first_four", "trio"):
            x = self.x
        if position.startswith("split:0-"):
            x, y = self.x, self.number(int(position.rpartition("-")[2])).centre[1]
        if kind(position) in ("street", "six_line", "first_four"):
            return Spot(x, y, radius, "above" if self.high > 45 else "below", 9)
        lift = 4 if kind(position) == "straight" else 0
        return Spot(x, y - lift, radius, "below", 9)


def layout(ink: Ink, grid: NumberGrid, *, derived: int | None, called: int | None) -> str:
    """Zero and the 36 numbers; the derived one is edged green, the called one pink and dashed."""
    found = _zero(ink, grid)
    for n in range(1, 37):
        square = grid.number(n)
        found += svg.rect(
            square, fill=paint(n), stroke=ink.theme.line, stroke_opacity=0.8, stroke_width=1
        )
        size = min(14.0, grid.high * 0.3)
        found += svg.text(*square.centre, str(n), size, fill=WHITE, weight=700)
    found += "".join(_colour(ink, cell) for cell in grid.outside() if cell.bet in ("red", "black"))
    if called is not None and called != derived:
        found += _dolly(ink, grid.number(called))
    return found


def marks(ink: Ink, grid: NumberGrid, *, derived: int | None, called: int | None) -> str:
    """The edges of the derived and of the called number, over everything else."""
    found = ""
    if called is not None:
        dashed = svg.edge(ink.theme.called, 2.4, dashes="5 3")
        found += svg.rect(grid.number(called).inset(-1.5), 2, data_called=str(called), **dashed)
    if derived is not None:
        solid = svg.edge(GREEN, 3)
        found += svg.rect(grid.number(derived).inset(1.5), 2, data_pocket=str(derived), **solid)
    return found


def _outside_spot(cell: Cell, radius: float) -> Spot:
    area = cell.area
    if area.width < 50:
        return Spot(area.centre[0], area.centre[1] - 6, radius, "below", 9)
    if cell.bet in ("red", "black"):
        return Spot(area.x + radius + 6, area.centre[1] + 1, radius, size=9)
    return spot_in(cell, radius)


def _zero(ink: Ink, grid: NumberGrid) -> str:
    area = grid.number(0)
    x, right, top, low = area.x, area.right, area.y, area.bottom
    curve = f"M{number(right)} {number(top)}H{number(x + area.width * 0.5)}"
    curve += f"Q{number(x)} {number(top)} {number(x)} {number(area.centre[1])}"
    curve += f"Q{number(x)} {number(low)} {number(x + area.width * 0.5)} {number(low)}"
    curve += f"H{number(right)}Z"
    edge = svg.stroke(ink.theme.line, opacity=0.8)
    size = min(14.0, grid.high * 0.3)
    return svg.path(curve, fill=PAINT["green"], **edge) + svg.text(
        area.centre[0] + 2, area.centre[1], "0", size, fill=WHITE, weight=700
    )


def _colour(ink: Ink, cell: Cell) -> str:
    x, y = cell.area.centre
    across, down = cell.area.width * 0.26, cell.area.height * 0.34
    kite = f"M{number(x - across)} {number(y)}L{number(x)} {number(y - down)}"
    kite += f"L{number(x + across)} {number(y)}L{number(x)} {number(y + down)}Z"
    edge = svg.stroke(ink.theme.line, opacity=0.6)
    return svg.path(kite, fill=PAINT[cell.bet], **edge)


def _dolly(ink: Ink, square: Area) -> str:
    """The marker that the dealer puts on a number."""
    x, y = square.centre
    shape = "M-8 12H8V9H5.6C3.6 5 3 1 3-2H5.6V-4.4H3.4A4.5 4.5 0 1 0-3.4-4.4H-5.6V-2H-3"
    shape += "C-3 1-3.6 5-5.6 9H-8Z"
    edge = svg.stroke("#3a0f22")
    move = f"translate({number(x)} {number(y - 2)})"
    return svg.path(shape, fill=ink.theme.called, transform=move, **edge)


def racetrack_places(area: Area, numbers: tuple[int, ...]) -> Mapping[int, tuple[float, float]]:
    """Where each number of the wheel stands on a racetrack, clockwise from its right end."""
    radius = area.height / 2
    straight = area.width - area.height
    half = math.pi * radius
    step = (2 * straight + 2 * half) / len(numbers)
    begin, whole = straight + half / 2, 2 * (straight + half)
    return {
        n: _along(area, radius, straight, half, (begin + step * k) % whole)
        for k, n in enumerate(numbers)
    }


def _along(
    area: Area, radius: float, straight: float, half: float, far: float
) -> tuple[float, float]:
    left, right, y = area.x + radius, area.right - radius, area.centre[1]
    if far < straight:
        return left + far, area.y
    far -= straight
    if far < half:
        return svg.around(right, y, radius, far / radius)
    far -= half
    if far < straight:
        return right - far, area.bottom
    far -= straight
    return svg.around(left, y, radius, math.pi + far / radius)
