"""Bands of bets that curve around the dealer: one band a family of bets, one column a seat."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.chips import Spot
from audit.drawing.svg import Area
from audit.drawing.theme import Ink

BESIDE = 180  # how wide a place must be for words beside chips
HALF_ANGLE = 0.19  # of the whole band, from its middle, in radians


class Band(NamedTuple):
    """One band: its bets with their printed words, and its tint."""

    bets: tuple[tuple[str, str], ...]
    tint: str


class Arc(NamedTuple):
    """Where one bet lies on a band: angles from the middle, and radii."""

    start: float
    end: float
    inner: float
    outer: float


class Bands(NamedTuple):
    """All bands of a cloth; columns are seats, or one column where the cloth has none."""

    area: Area
    columns: Sequence[str]
    rows: Sequence[Band]

    @property
    def outer(self) -> float:
        """The radius of the outermost edge."""
        return self.area.width / 2 / math.sin(HALF_ANGLE)

    @property
    def middle(self) -> tuple[float, float]:
        """The point around which the bands curve, above the dealer."""
        return self.area.centre[0], self.area.bottom - self.outer

    @property
    def depth(self) -> float:
        """How deep one band is."""
        return self.area.height / len(self.rows)

    def arcs(self) -> Iterator[tuple[str, str, str, str, Arc]]:
        """Every place: its column, its bet, its words, its tint and where it lies."""
        wide = 2 * HALF_ANGLE / len(self.columns)
        inner = self.outer - self.area.height
        for n, column in enumerate(self.columns):
            for m, row in enumerate(self.rows):
                share = wide / len(row.bets)
                for k, (bet, words) in enumerate(row.bets):
                    start = n * wide + k * share - HALF_ANGLE
                    radius = inner + m * self.depth
                    yield (
                        *(column, bet, words, row.tint),
                        Arc(start, start + share, radius, radius + self.depth),
                    )


def bands(ink: Ink, cloth: Bands, taken: Sequence[tuple[str, str]], wins: Sequence[str]) -> str:
    """The bands with their printed words; places with chips (`taken`) give way to them.

    A wide place has its words beside the chips, a narrow one gives them up.
    """
    x, y = cloth.middle
    inner = cloth.outer - cloth.area.height
    found = ""
    for m, row in enumerate(cloth.rows):
        radius = inner + m * cloth.depth
        found += svg.path(
            _shape(x, y, Arc(-HALF_ANGLE, HALF_ANGLE, radius, radius + cloth.depth)),
            fill=ink.theme.tints[row.tint],
            fill_opacity=ink.theme.tint_opacity * (0.35 if row.tint == "plain" else 1),
            stroke=ink.theme.line,
            stroke_opacity=ink.theme.line_opacity,
            data_wins=" ".join(bet for bet, _ in row.bets if bet in wins) or None,
        )
    found += "".join(_edge(ink, cloth, n) for n in range(len(cloth.columns) + 1))
    if len(cloth.columns) == 1:  # no seats: each bet has its own part of the band
        found += "".join(_left_edge(ink, cloth, arc) for *_, arc in cloth.arcs())
    for column, bet, words, _, arc in cloth.arcs():
        if (column, bet) not in taken:
            found += _words(ink, cloth, arc, words, bet in wins)
        elif (arc.end - arc.start) * arc.inner > BESIDE:
            right = arc._replace(start=arc.start + (arc.end - arc.start) * 0.55)
            found += _words(ink, cloth, right, words, bet in wins)
    return found


def spots(cloth: Bands) -> Mapping[tuple[str, str], Spot]:
    """Where the chips of each column and bet lie."""
    x, y = cloth.middle
    radius = min(9.5, cloth.depth * 0.29)
    found = {}
    for column, bet, _, _, arc in cloth.arcs():
        wide = (arc.end - arc.start) * arc.outer
        narrow = wide < 70
        inside = 12 if narrow else wide * 0.34
        angle = arc.start + inside / arc.outer
        at_x, at_y = _point(x, y, (arc.inner + arc.outer) / 2, angle)
        small = Spot(at_x, at_y + 1, radius * 0.8, size=9)
        found[column, bet] = small if narrow else Spot(at_x, at_y + 1.5, radius)
    return found


def outline(ink: Ink, cloth: Bands, place: tuple[str, str]) -> str:
    """The red frame of the place that a finding is about."""
    x, y = cloth.middle
    return "".join(
        svg.path(_shape(x, y, arc), fill="none", stroke=ink.theme.flagged, stroke_width=2)
        for column, bet, _, _, arc in cloth.arcs()
        if (column, bet) == place
    )


def names(ink: Ink, cloth: Bands, words: Mapping[str, str]) -> str:
    """The names of the seats, below the bands."""
    x, y = cloth.middle
    wide = 2 * HALF_ANGLE / len(cloth.columns)
    found = ""
    for n, column in enumerate(cloth.columns):
        angle = (n + 0.5) * wide - HALF_ANGLE
        at_x, at_y = _point(x, y, cloth.outer + 11, angle)
        found += svg.text(
            *(at_x, at_y, words[column], 10.5),
            fill=ink.theme.ink,
            weight=600,
            transform=_turn(at_x, at_y, angle),
        )
    return found


def _words(ink: Ink, cloth: Bands, arc: Arc, words: str, wins: bool) -> str:
    x, y = cloth.middle
    angle = (arc.start + arc.end) / 2
    at_x, at_y = _point(x, y, (arc.inner + arc.outer) / 2, angle)
    wide = (arc.end - arc.start) * arc.inner
    return svg.text(
        *(at_x, at_y, words, svg.fitted(words, 11, wide - 6)),
        fill=ink.theme.derived if wins else ink.theme.ink,
        weight=700 if wins else 600,
        opacity=None if wins else 0.85,
        transform=_turn(at_x, at_y, angle),
    )


def _edge(ink: Ink, cloth: Bands, n: int) -> str:
    x, y = cloth.middle
    angle = n * 2 * HALF_ANGLE / len(cloth.columns) - HALF_ANGLE
    start = _point(x, y, cloth.outer - cloth.area.height, angle)
    end = _point(x, y, cloth.outer, angle)
    paint = svg.stroke(ink.theme.line, opacity=ink.theme.line_opacity)
    return svg.line(*start, *end, **paint)


def _left_edge(ink: Ink, cloth: Bands, arc: Arc) -> str:
    x, y = cloth.middle
    ends = (*_point(x, y, arc.inner, arc.start), *_point(x, y, arc.outer, arc.start))
    paint = svg.stroke(ink.theme.line, opacity=ink.theme.line_opacity)
    return svg.line(*ends, **paint)


def _point(x: float, y: float, radius: float, angle: float) -> tuple[float, float]:
    """The point below the middle at an angle, to the right where it is positive."""
    return x + radius * math.sin(angle), y + radius * math.cos(angle)


def _shape(x: float, y: float, arc: Arc) -> str:
    turned = math.pi
    return svg.ring_part(x, y, arc.inner, arc.outer, turned - arc.start, turned - arc.end)


def _turn(x: float, y: float, angle: float) -> str:
    return f"rotate({svg.number(-math.degrees(angle))} {svg.number(x)} {svg.number(y)})"
