"""The roulette wheel: 37 pockets in wheel order, the ball, and what was called instead."""

import math

from audit.drawing import svg
from audit.drawing.theme import Ink
from replay.games.shared.roulette_layout import COLOUR, WHEEL

PAINT = {"red": "#b52a26", "black": "#1b1e23", "green": "#14804f"}
RIM, WOOD, TRACK, CONE, GOLD = "#3a2a1b", "#5a4127", "#23180e", "#4b3620", "#d3bd88"
IVORY = "#fdfdfa"
STEP = 2 * math.pi / len(WHEEL)
OUTER, INNER = 0.85, 0.6  # of the pockets, for a wheel of radius one


def wheel(
    ink: Ink,
    x: float,
    y: float,
    radius: float,
    *,
    pocket: int | None = None,
    called: int | None = None,
) -> str:
    """The wheel with the ball in a pocket; a number that was called is marked beside it."""
    pockets = "".join(_pocket(x, y, radius, place) for place in range(len(WHEEL)))
    marks = ""
    if called is not None:
        marks += _mark(x, y, radius, called, ink.theme.called, dashed=True)
    if pocket is not None:
        marks += _mark(x, y, radius, pocket, "#63d19a") + _ball(x, y, radius, pocket)
    return _body(x, y, radius) + pockets + _cone(x, y, radius) + marks


def paint(number: int) -> str:
    """The colour of a number on wheel and layout."""
    return PAINT[COLOUR[number]]


def _body(x: float, y: float, radius: float) -> str:
    return (
        svg.circle(x, y, radius, fill=RIM)
        + svg.circle(x, y, radius * 0.965, fill=WOOD)
        + svg.circle(x, y, radius * 0.86, fill=TRACK)
    )


def _pocket(x: float, y: float, radius: float, place: int) -> str:
    number = WHEEL[place]
    shape = _shape(x, y, radius, place)
    found = svg.path(shape, fill=paint(number), stroke=GOLD, stroke_opacity=0.5, stroke_width=0.7)
    size = radius * 0.085
    if size < 4:
        return found
    at_x, at_y = svg.around(x, y, radius * 0.765, place * STEP)
    turn = f"rotate({svg.number(math.degrees(place * STEP))} {svg.number(at_x)} {svg.number(at_y)})"
    return found + svg.text(
        at_x, at_y, str(number), size, fill="#f3f1ea", weight=600, transform=turn
    )


def _shape(x: float, y: float, radius: float, place: int, more: float = 0) -> str:
    return svg.ring_part(
        x,
        y,
        radius * (INNER - more),
        radius * (OUTER + more),
        (place - 0.5) * STEP,
        (place + 0.5) * STEP,
    )


def _cone(x: float, y: float, radius: float) -> str:
    found = svg.circle(x, y, radius * INNER, fill=CONE, stroke=GOLD, stroke_opacity=0.6)
    found += svg.circle(x, y, radius * 0.43, fill=WOOD)
    arm = svg.stroke(GOLD, radius * 0.035) | {"stroke_linecap": "round"}
    for quarter in range(4):
        end_x, end_y = svg.around(x, y, radius * 0.4, quarter * math.pi / 2 + 0.35)
        found += svg.line(x, y, end_x, end_y, **arm)
    return found + svg.circle(x, y, radius * 0.11, fill=GOLD)


def _mark(
    x: float, y: float, radius: float, number: int, colour: str, *, dashed: bool = False
) -> str:
    return svg.path(
        _shape(x, y, radius, WHEEL.index(number), 0.012),
        fill="none",
        stroke=colour,
        stroke_width=max(1.6, radius * 0.02),
        stroke_dasharray="4 3" if dashed else None,
        data_called=str(number) if dashed else None,
        data_pocket=None if dashed else str(number),
    )


def _ball(x: float, y: float, radius: float, pocket: int) -> str:
    at_x, at_y = svg.around(x, y, radius * 0.655, WHEEL.index(pocket) * STEP)
    return svg.circle(at_x, at_y, radius * 0.052, fill=IVORY, **svg.stroke("#0a0d10", 0.8))
