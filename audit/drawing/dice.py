"""Dice with pips or symbols, and the tray in which they came to rest."""

from collections.abc import Sequence

from audit.drawing import svg
from audit.drawing.card import BLACK, EDGE, RED
from audit.drawing.svg import Area, number
from audit.drawing.theme import Ink

BODY = "#f7f5ee"
STEP = 0.27  # between the middle of a die and its outer pips, for a side of one
PIPS = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
RED_FACES = ("1", "4")  # as dice of the region are painted
GREEN, BLUE = "#17714a", "#1f5fae"
# Each symbol around (0, 0), 20 wide and 20 high, in its colour; lines of the last part are strokes.
SYMBOLS = {
    "fish": (
        RED,
        "M-9 0C-6-5.4 1-5.6 4.6-.8L9-4.6C8.4-1.6 8.4 1.6 9 4.6L4.6.8C1 5.6-6 5.4-9 0Z"
        "M-5.4-1.3a.9.9 0 1 0 .01 0Z",
        "M-2.4-2.9C-1.2-1-1.2 1-2.4 2.9",
    ),
    "rooster": (
        RED,
        "M-8.6-3C-6 1-3 1.4-.6.4C1.6-.6 2.2-3.2 2-6.2L3-8.6L4.4-7L6-8.6L6.4-6.4L9-5.2L6.4-4.2"
        "C6.6 0 5 4.6 1 5.6C-4.6 7-8.4 3-8.6-3Z",
        "M-.6 5.8V9M2.2 5.4V9M-2 9H3.6",
    ),
    "prawn": (
        GREEN,
        "M7.6-6C-.6-9-8.4-5-8.4 1.2C-8.4 6.2-4 8.8.8 8.2L5.6 9.2L3.6 6.6L6.4 5.2L1.2 5"
        "C-2.4 5-4.4 3.2-4-.2C-3.6-3.4.8-4.4 6.6-3.2Z",
        "M7.2-5.6L9.4-8.6M-3.2-5.2L-2-2.4M-6.8-2.4L-4-1M-7.6 2.6L-4.6 1.8",
    ),
    "crab": (
        GREEN,
        "M-5.6 1.4C-5.6-2 5.6-2 5.6 1.4C5.6 5.4-5.6 5.4-5.6 1.4Z"
        "M-5-1L-8.6-3.6C-9.4-6.6-7-8-5.2-6.8L-6.8-5.2L-4.6-2.4ZM5-1L8.6-3.6C9.4-6.6 7-8 5.2-6.8"
        "L6.8-5.2L4.6-2.4Z",
        "M-5 3.6L-7.8 6.4M-3 4.4L-4.4 7.6M3 4.4L4.4 7.6M5 3.6L7.8 6.4M-2-1.4V-3.2M2-1.4V-3.2",
    ),
    "calabash": (
        BLUE,
        "M0 9C-4.6 9-6.6 6-6.4 3.2C-6.2.8-3.4-.4-3-2C-3.8-5 -1.8-6.6 0-6.6C1.8-6.6 3.8-5 3-2"
        "C3.4-.4 6.2.8 6.4 3.2C6.6 6 4.6 9 0 9Z",
        "M0-6.6C-.2-8.4.8-9.2 2.6-9",
    ),
    "tiger": (
        BLUE,
        "M-6.6-4L-7.4-8.4L-3.6-6.8C-1.4-7.6 1.4-7.6 3.6-6.8L7.4-8.4L6.6-4C8.4.6 6 8.2 0 8.2"
        "C-6 8.2-8.4.6-6.6-4ZM-3.6-1.6a1.1 1.1 0 1 0 .01 0ZM3.6-1.6a1.1 1.1 0 1 0 .01 0Z"
        "M-1.6 3H1.6L0 4.8Z",
        "",
    ),
}
# Where the pieces of a throw lie in the tray, for a radius of one, and how they are turned.
THREE = ((-0.33, -0.22, -13), (0.34, -0.1, 17), (-0.04, 0.42, 5))
FOUR = ((-0.33, -0.3, 0), (0.33, -0.24, 0), (-0.28, 0.36, 0), (0.36, 0.36, 0))


def die(x: float, y: float, side: float, face: str, turn: float = 0) -> str:
    """One die, with its middle at a point; a face that is neither pips nor a symbol is a word."""
    body = svg.rect(
        Area(-side / 2, -side / 2, side, side),
        side * 0.18,
        fill=BODY,
        stroke=EDGE,
        stroke_opacity=0.45,
        stroke_width=0.8,
    )
    move = f"translate({number(x)} {number(y)})" + (f" rotate({number(turn)})" if turn else "")
    return svg.group(body, _face(face, side), transform=move, data_die=face)


def symbol(x: float, y: float, side: float, name: str) -> str:
    """A symbol without its die, as a cloth prints it."""
    move = f"translate({number(x)} {number(y)})"
    return svg.group(_symbol(name, side), transform=move)


def tray(ink: Ink, x: float, y: float, radius: float, faces: Sequence[str]) -> str:
    """The tray with the dice of a throw; three dice have their places, more lie in a row."""
    side = radius * 0.44
    dice = [
        die(x + across * radius, y + down * radius, side, face, turn)
        for face, (across, down, turn) in zip(faces, THREE, strict=False)
    ]
    return rim(ink, x, y, radius) + "".join(dice)


def rim(ink: Ink, x: float, y: float, radius: float) -> str:
    """The empty tray or bowl."""
    theme = ink.theme
    edge = svg.stroke(theme.line, 1.4, opacity=0.6)
    return svg.circle(x, y, radius, fill=theme.tray, fill_opacity=0.7, **edge) + svg.circle(
        x, y, radius * 0.87, fill=theme.tray
    )


def _face(face: str, side: float) -> str:
    if face in PIPS:
        paint = RED if face in RED_FACES else BLACK
        size = side * (0.14 if face == "1" else 0.088)
        return "".join(
            svg.circle(across * side * STEP, down * side * STEP, size, fill=paint)
            for across, down in PIPS[face]
        )
    if face in SYMBOLS:
        return _symbol(face, side)
    size = svg.fitted(face, side * 0.5, side * 0.9)
    return svg.text(0, 0, face, size, fill=BLACK, weight=600)


def _symbol(name: str, side: float) -> str:
    paint, filled, stroked = SYMBOLS[name]
    # The gill of the fish is cut out of its body; the lines of the others stand outside it.
    pen = svg.edge(BODY if name == "fish" else paint, 1.3) | {"stroke_linecap": "round"}
    shape = svg.path(filled, fill=paint, fill_rule="evenodd")
    lines = svg.path(stroked, **pen) if stroked else ""
    return svg.group(shape, lines, transform=f"scale({number(side / 24)})")
