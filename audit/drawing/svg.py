"""SVG elements as text: no style attributes and no scripts, the same input gives the same bytes."""

import math
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import NamedTuple

Value = str | float | None  # of an attribute; one that is None is left out
FONT = "Inter, Segoe UI, SF Pro Text, Roboto, Noto Sans, Helvetica Neue, Arial, sans-serif"
DIGIT = 0.58  # average width of a letter, as a share of its size


class Area(NamedTuple):
    """A part of the picture: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def inset(self, by: float) -> "Area":
        """The area without a margin."""
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def columns(self, shares: Iterable[float], gap: float = 0) -> list["Area"]:
        """The area cut into columns, from the left, with widths by share."""
        shares = list(shares)
        unit = (self.width - gap * (len(shares) - 1)) / sum(shares)
        found, x = [], self.x
        for share in shares:
            found.append(Area(x, self.y, unit * share, self.height))
            x += unit * share + gap
        return found

    def rows(self, shares: Iterable[float], gap: float = 0) -> list["Area"]:
        """The area cut into rows, from the top, with heights by share."""
        turned = Area(self.y, self.x, self.height, self.width).columns(shares, gap)
        return [Area(row.y, row.x, row.height, row.width) for row in turned]


def number(value: float) -> str:
    """A length with two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: Value) -> str:
    """An element; an underscore in an attribute's name stands for a hyphen."""
    found = _attributes(**attributes)
    inside = "".join(children)
    return f"<{name}{found}>{inside}</{name}>" if inside else f"<{name}{found}/>"


@lru_cache(maxsize=1 << 15)
def _attributes(**attributes: Value) -> str:
    """The attributes as text; pictures of a round share most of theirs."""
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )


def group(*children: str, **attributes: Value) -> str:
    """Elements that are moved, turned or named together; nothing where there are none."""
    return element("g", *children, **attributes) if any(children) else ""


def rect(area: Area, radius: float = 0, /, **attributes: Value) -> str:
    """A rectangle."""
    x, y, width, height = area
    rounded = {"rx": radius or None}
    return element("rect", x=x, y=y, width=width, height=height, **rounded, **attributes)


def circle(x: float, y: float, radius: float, /, **attributes: Value) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(points: str, /, **attributes: Value) -> str:
    """A path, given as its `d`."""
    return element("path", d=points, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, /, **attributes: Value) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    fill: str,
    anchor: str = "middle",
    weight: int = 500,
    **attributes: Value,
) -> str:
    """Words; `y` is the middle of a capital letter, so that words sit in the middle of a cell."""
    return element(
        "text",
        escape(words),
        x=x,
        y=y + size * 0.36,
        font_size=size,
        font_weight=weight,
        text_anchor=None if anchor == "start" else anchor,
        fill=fill,
        **attributes,
    )


def stroke(
    colour: str, width: float = 1, *, opacity: float | None = None, dashes: str | None = None
) -> dict[str, Value]:
    """The attributes of a line."""
    return {
        "stroke": colour,
        "stroke_width": width,
        "stroke_opacity": opacity,
        "stroke_dasharray": dashes,
    }


def edge(colour: str, width: float = 1, *, dashes: str | None = None) -> dict[str, Value]:
    """The attributes of a shape that is drawn by its outline alone."""
    return {"fill": "none"} | stroke(colour, width, dashes=dashes)


def fitted(words: str, size: float, width: float) -> float:
    """The size at which words fit into a width, at most `size`."""
    return min(size, width / max(1, len(words)) / DIGIT)


def around(x: float, y: float, radius: float, angle: float) -> tuple[float, float]:
    """The point on a circle at an angle, clockwise from the top."""
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


def ring_part(x: float, y: float, inner: float, outer: float, start: float, end: float) -> str:
    """The `d` of the part of a ring between two angles, clockwise from the top."""
    (x0, y0), (x1, y1) = around(x, y, outer, start), around(x, y, outer, end)
    (x2, y2), (x3, y3) = around(x, y, inner, end), around(x, y, inner, start)
    sweep, back = (1, 0) if end > start else (0, 1)
    return (
        f"M{number(x0)} {number(y0)}"
        f"A{number(outer)} {number(outer)} 0 0 {sweep} {number(x1)} {number(y1)}"
        f"L{number(x2)} {number(y2)}"
        f"A{number(inner)} {number(inner)} 0 0 {back} {number(x3)} {number(y3)}Z"
    )


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
