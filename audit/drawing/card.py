"""One playing card: its index, its pip or framed court, and the states that the record gives it.

What is drawn depends on the width: a framed court from 45 on, index and pip from 27 on, the index
alone below. A card whose witnesses differ shows both readings and has no face of its own.
"""

from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.svg import Area, number
from audit.drawing.theme import Ink

HEIGHT = 1.4  # of a card, for a width of one
FRAMED, PIPPED = 45, 27  # widths from which a court is framed, and from which a pip is drawn
FACE, EDGE, RED, BLACK = "#fbfbf7", "#0a0d10", "#b8211d", "#15181c"
BACK, BACK_LINE, BACK_EDGE = "#34507a", "#aebfda", "#e9ece6"
COURTS = "JQK"

# Each suit around (0, 0), 22 high.
SUITS = {
    "S": "M0-11C2.5-7 10-3.5 10 2.5C10 6 7.4 8 4.8 8C3.2 8 1.9 7.3 1 6C1.2 8.4 2 10 3.6 11H-3.6"
    "C-2 10-1.2 8.4-1 6C-1.9 7.3-3.2 8-4.8 8C-7.4 8-10 6-10 2.5C-10-3.5-2.5-7 0-11Z",
    "H": "M0 10.5C-2 7-10 2.5-10-3.8C-10-7.4-7.5-9.8-4.9-9.8C-2.7-9.8-.9-8.6 0-6.4"
    "C.9-8.6 2.7-9.8 4.9-9.8C7.5-9.8 10-7.4 10-3.8C10 2.5 2 7 0 10.5Z",
    "D": "M0-11C2.2-7 5-3.4 8 0C5 3.4 2.2 7 0 11C-2.2 7-5 3.4-8 0C-5-3.4-2.2-7 0-11Z",
    "C": "M-4.8-5.9a4.8 4.8 0 1 1 9.6 0a4.8 4.8 0 1 1-9.6 0Z"
    "M-10.1 2.3a4.8 4.8 0 1 1 9.6 0a4.8 4.8 0 1 1-9.6 0Z"
    "M.5 2.3a4.8 4.8 0 1 1 9.6 0a4.8 4.8 0 1 1-9.6 0Z"
    "M-2-3H2L2.6 2L1.3 3C1.5 7 2 9.8 3.8 11H-3.8C-2 9.8-1.5 7-1.3 3L-2.6 2Z",
}


class LaidCard(NamedTuple):
    """A card on the felt: where it lies and what is known of it."""

    hand: str
    slot: int
    code: str | None  # rank and suit such as 4C; None where unknown or face down
    readings: tuple[str, ...] = ()  # what differing witnesses read
    state: str = "seen"  # seen, differ, unread, face_down, what_if, not_yet


def card(ink: Ink, laid: LaidCard, x: float, y: float, width: float, turned: bool = False) -> str:
    """A card with its top left corner at a point; a turned one lies sideways on the same centre."""
    height = width * HEIGHT
    move = f"translate({number(x)} {number(y)})"
    if turned:
        move += f" rotate(90 {number(width / 2)} {number(height / 2)})"
    drawn = {"face_down": _back, "differ": _differing, "unread": _unread}.get(laid.state, _face)
    return svg.group(
        drawn(ink, laid, width),
        _outline(ink, laid.state, width),
        transform=move,
        opacity=0.45 if laid.state == "not_yet" else None,
        data_card=f"{laid.hand}.{laid.slot}",
        data_face=laid.code or " ".join(laid.readings) or laid.state,
    )


def suit(name: str, x: float, y: float, scale: float, ink: str = "") -> str:
    """A suit drawn around a point, in its own colour unless another ink is given."""
    move = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return svg.path(SUITS[name], fill=ink or colour(name), transform=move)


def colour(suit_name: str) -> str:
    """The colour of a suit."""
    return RED if suit_name in "HD" else BLACK


def rank(code: str) -> str:
    """The rank as it is printed: 10 for T."""
    return "10" if code[0] == "T" else code[0]


def _blank(width: float, fill: str = FACE) -> str:
    area = Area(0, 0, width, width * HEIGHT)
    radius = max(2.5, width * 0.085)
    return svg.rect(area, radius, fill=fill, stroke=EDGE, stroke_opacity=0.4, stroke_width=0.8)


def _face(ink: Ink, laid: LaidCard, width: float) -> str:
    del ink
    assert laid.code, laid
    height, name = width * HEIGHT, laid.code[1]
    if width < PIPPED:
        tall = width * 0.62
        index = _index(laid.code, width / 2, height * 0.27, tall, tight=True)
        return _blank(width) + index + suit(name, width / 2, height * 0.7, width / 36)
    corner = _index(laid.code, width * 0.19, height * 0.155, width * 0.33)
    corner += suit(name, width * 0.19, height * 0.37, width / 92)
    if laid.code[0] in COURTS and width >= FRAMED:
        return _blank(width) + corner + _court(laid.code, width)
    big = suit(name, width * 0.63, height * 0.63, width / 36)
    return _blank(width) + corner + big


def _index(code: str, x: float, y: float, size: float, *, tight: bool = False) -> str:
    wide = rank(code) == "10"
    squeeze = -size * (0.07 if tight else 0.09) if wide else None
    return svg.text(
        x - (size * 0.03 if wide else 0),
        y,
        rank(code),
        size * (0.88 if wide and tight else 1),
        fill=colour(code[1]),
        weight=700,
        letter_spacing=squeeze,
    )


def _court(code: str, width: float) -> str:
    height, paint = width * HEIGHT, colour(code[1])
    frame = Area(width * 0.36, height * 0.11, width * 0.5, height * 0.78)
    x, _ = frame.centre
    return (
        svg.rect(
            frame,
            width * 0.05,
            fill=paint,
            fill_opacity=0.07,
            stroke=paint,
            stroke_opacity=0.5,
            stroke_width=width * 0.017,
        )
        + svg.text(x, height * 0.37, code[0], width * 0.46, fill=paint, weight=600)
        + suit(code[1], x, height * 0.69, width / 70)
    )


def _back(ink: Ink, laid: LaidCard, width: float) -> str:
    del ink, laid
    height = width * HEIGHT
    inner = Area(0, 0, width, height).inset(width * 0.055)
    x, y = width / 2, height / 2
    kite = f"M{number(x)} {number(y - height * 0.28)}L{number(x + width * 0.26)} {number(y)}"
    kite += f"L{number(x)} {number(y + height * 0.28)}L{number(x - width * 0.26)} {number(y)}Z"
    return (
        _blank(width, BACK_EDGE)
        + svg.rect(inner, width * 0.05, fill=BACK)
        + svg.path(kite, fill="none", stroke=BACK_LINE, stroke_width=width * 0.024)
    )


def _differing(ink: Ink, laid: LaidCard, width: float) -> str:
    """Both readings in opposite corners: the record does not say which of them lies there."""
    height = width * HEIGHT
    found = _blank(width)
    places = ((0.3, 0.17, 0.36), (0.7, 0.66, 0.85))
    for reading, (across, high, low) in zip(laid.readings[:2], places, strict=False):
        if len(reading) == 2 and reading[1] in SUITS:
            found += _index(reading, width * across, height * high, width * 0.34)
            found += suit(reading[1], width * across, height * low, width / 90)
        else:
            size = svg.fitted(reading, width * 0.3, width * 0.9)
            found += svg.text(width / 2, height * high, reading, size, fill=BLACK)
    slash = svg.stroke(ink.theme.unknown, 1.2)
    return found + svg.line(width * 0.1, height * 0.62, width * 0.9, height * 0.38, **slash)


def _unread(ink: Ink, laid: LaidCard, width: float) -> str:
    del ink, laid
    height = width * HEIGHT
    mark = svg.text(width / 2, height / 2, "?", width * 0.5, fill=BLACK, weight=700)
    return _blank(width) + mark


def _outline(ink: Ink, state: str, width: float) -> str:
    paint = {
        "differ": ink.theme.unknown,
        "unread": ink.theme.unknown,
        "what_if": ink.theme.what_if,
    }
    if state not in paint:
        return ""
    around = Area(0, 0, width, width * HEIGHT).inset(-3)
    return svg.rect(around, width * 0.12, **svg.edge(paint[state], 2.2, dashes="5 3"))
