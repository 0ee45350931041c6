"""The tokens of Xoc Dia, red or white, and the bowl that they lie in."""

from collections.abc import Sequence

from audit.drawing import svg
from audit.drawing.card import EDGE
from audit.drawing.dice import FOUR, rim
from audit.drawing.theme import Ink

SIDES = {"R": ("#c8372f", "#ff9a90"), "W": ("#f6f4ec", "#b9b6a8")}
UNREAD = ("#8e99a8", "#e7eaee")


def token(x: float, y: float, radius: float, side: str) -> str:
    """One token, by the side that lies up."""
    body, ring = SIDES.get(side, UNREAD)
    return svg.group(
        svg.circle(x, y, radius, fill=body, stroke=EDGE, stroke_opacity=0.6, stroke_width=0.8),
        svg.circle(x, y, radius * 0.68, fill="none", stroke=ring, stroke_width=radius * 0.11),
        data_token=side,
    )


def bowl(ink: Ink, x: float, y: float, radius: float, sides: Sequence[str]) -> str:
    """The open bowl with the tokens as they lay."""
    tokens = [
        token(x + across * radius, y + down * radius, radius * 0.25, side)
        for side, (across, down, _) in zip(sides, FOUR, strict=False)
    ]
    return rim(ink, x, y, radius) + "".join(tokens)


def row(x: float, y: float, radius: float, sides: Sequence[str]) -> str:
    """Tokens side by side, as the cloth prints them; `x` is the middle of the row."""
    step = radius * 2.4
    left = x - step * (len(sides) - 1) / 2
    return "".join(token(left + n * step, y, radius, side) for n, side in enumerate(sides))
