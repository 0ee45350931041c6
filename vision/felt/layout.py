"""Layouts of the felt: which hand a card belongs to by where it lies, and its place there.

Each game has a file `layouts/<CODE>.toml` in millimetres of the felt, as in `transform.py`: x to
the right, y downwards, seen from above with the dealer at the top. A zone is a convex area with the
name that the game gives the hand. A zone with places numbers its cards by the nearest place; a zone
without numbers them in the order in which they land.
"""

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from vision.types import Point

LAYOUTS = Path(__file__).parent / "layouts"
READS = ("cards", "dice", "tokens")
MOST_BOXES = 20
MAX_LAYOUT_BYTES = 64 * 1024  # bytes of a layout's file
SIDEWAYS_MM = 40.0  # added to the distance of a place whose direction the card does not have

KEYS = {"game", "title", "reads", "felt", "pieces", "piece_mm", "faces", "zone"}
ZONE_KEYS = {"name", "box", "polygon", "places", "repeat", "step", "pivot", "turn"}

Polygon = tuple[Point, ...]


class BadLayout(ValueError):
    """The layout is unusable; the message names the file, the place and what was expected."""


class UnknownLayout(LookupError):
    """The game has no layout."""


class CardPlace(NamedTuple):
    """Where one card of a hand lies; sideways for the third card of baccarat."""

    slot: int
    at: Point
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """One hand's part of the felt."""

    name: str
    polygon: Polygon
    places: tuple[CardPlace, ...] = ()

    def holds(self, point: Point) -> bool:
        """Whether a point lies in the zone or on its edge."""
        turns = [_turn(a, b, point) for a, b in _edges(self.polygon)]
        return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)

    def place(self, point: Point, *, sideways: bool, taken: Iterable[int] = ()) -> int | None:
        """The slot of the nearest free place; None if the zone has none."""
        free = [place for place in self.places if place.slot not in set(taken)]
        if not free:
            return None
        return min(free, key=lambda place: (_far(place, point, sideways), place.slot)).slot


@dataclass(frozen=True, slots=True)
class Layout:
    """The felt of one game."""

    game: str
    title: str
    reads: str  # cards, dice or tokens
    felt: tuple[float, float]  # width and height, millimetres
    zones: tuple[Zone, ...]
    pieces: int = 0  # dice or tokens of one throw
    piece_mm: float = 0.0  # the side of a die, the width of a token
    faces: tuple[str, ...] = ()  # what a die shows, if not pips

    def zone_of(self, point: Point) -> str | None:
        """The name of the zone that holds a point; None outside all zones."""
        return next((zone.name for zone in self.zones if zone.holds(point)), None)

    def zone(self, name: str) -> Zone:
        """The zone of a name."""
        return next(zone for zone in self.zones if zone.name == name)


def codes() -> tuple[str, ...]:
    """The codes of games with a layout; roulette needs none."""
    return tuple(sorted(path.stem for path in LAYOUTS.glob("*.toml")))


def load(game: str | Path, boxes: int | None = None) -> Layout:
    """Load a layout by game code or file; `boxes` overrides the number of boxes."""
    path = game if isinstance(game, Path) else LAYOUTS / f"{game}.toml"
    if not isinstance(game, Path) and game not in codes():
        raise UnknownLayout(f"a game with a layout expected ({', '.join(codes())}), {game!r} found")
    if path.stat().st_size > MAX_LAYOUT_BYTES:
        _refuse(path.name, f"at most {MAX_LAYOUT_BYTES} bytes", "more")
    try:
        return read(tomllib.loads(path.read_text("utf-8")), path.name, boxes)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadLayout(f"{path.name}: TOML expected; {error}") from error


def read(found: Mapping[str, Any], where: str, boxes: int | None = None) -> Layout:
    """Build a layout from a parsed file; BadLayout if it is wrong."""
    _require_known_keys(found, KEYS, where)
    reads = found.get("reads")
    if reads not in READS:
        _refuse(f"{where}: reads", " or ".join(READS), repr(reads))
    width, height = _numbers(found.get("felt"), 2, f"{where}: felt")
    zones = tuple(_zones(found.get("zone", ()), where, boxes))
    layout = Layout(
        str(found.get("game", "")),
        str(found.get("title", "")),
        reads,
        (width, height),
        zones,
        int(_numbers([found.get("pieces", 0)], 1, f"{where}: pieces")[0]),
        _numbers([found.get("piece_mm", 0)], 1, f"{where}: piece_mm")[0],
        _faces(found.get("faces", []), where),
    )
    _require_valid(layout, where)
    return layout


def _zones(tables: Any, where: str, boxes: int | None) -> Iterator[Zone]:
    if not isinstance(tables, list) or not tables:
        _refuse(where, "one [[zone]] or more", "none")
    for table in tables:
        if not isinstance(table, dict):
            _refuse(where, "a [[zone]]", repr(table))
        name = table.get("name")
        inside = f"{where}: zone {name!r}"
        _require_known_keys(table, ZONE_KEYS, inside)
        if not isinstance(name, str) or not name or any(letter.isspace() for letter in name):
            _refuse(inside, "a name of one word", repr(name))
        if ("repeat" in table) != ("{n}" in name):
            _refuse(inside, "repeat and a name with {n}, or neither", "one of them")
        count = table.get("repeat", 1) if boxes is None or "{n}" not in name else boxes
        if not isinstance(count, int) or not 1 <= count <= MOST_BOXES:
            _refuse(f"{inside}: boxes", f"1 to {MOST_BOXES}", repr(count))
        for n in range(count):
            yield _zone(table, name.replace("{n}", str(n + 1)), n, inside)


def _zone(table: Mapping[str, Any], name: str, n: int, where: str) -> Zone:
    if ("box" in table) == ("polygon" in table):
        _refuse(where, "either box or polygon", "both or neither")
    if "box" in table:
        left, top, right, low = _numbers(table["box"], 4, f"{where}: box")
        corners: list[Point] = [(left, top), (right, top), (right, low), (left, low)]
    else:
        corners = [_pair(at, f"{where}: polygon") for at in table["polygon"]]
    places = [_place(slot, at, where) for slot, at in enumerate(table.get("places", ()), 1)]
    return Zone(
        name,
        tuple(_moved(at, table, n, where) for at in corners),
        tuple(at._replace(at=_moved(at.at, table, n, where)) for at in places),
    )


def _faces(found: Any, where: str) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(type(name) is str and name for name in found):
        _refuse(f"{where}: faces", "names of faces", repr(found))
    return tuple(found)


def _place(slot: int, at: Any, where: str) -> CardPlace:
    word = at[2:] if isinstance(at, list) else []
    if word not in ([], ["sideways"]):
        _refuse(f"{where}: place {slot}", "[x, y] or [x, y, 'sideways']", repr(at))
    return CardPlace(slot, _pair(at[:2], f"{where}: place {slot}"), bool(word))


def _moved(at: Point, table: Mapping[str, Any], n: int, where: str) -> Point:
    """Move a point of the first box to the n-th box after it."""
    across, down = _pair(table.get("step", [0, 0]), f"{where}: step")
    x0, y0 = _pair(table.get("pivot", [0, 0]), f"{where}: pivot")
    (degrees,) = _numbers([table.get("turn", 0)], 1, f"{where}: turn")
    angle = math.radians(degrees * n)
    x, y = at[0] - x0, at[1] - y0
    return (
        x0 + x * math.cos(angle) - y * math.sin(angle) + across * n,
        y0 + x * math.sin(angle) + y * math.cos(angle) + down * n,
    )


def _require_valid(layout: Layout, where: str) -> None:
    names = [zone.name for zone in layout.zones]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        _refuse(where, "every zone once", f"{twice[0]!r} twice")
    if layout.reads != "cards" and (layout.pieces < 1 or layout.piece_mm <= 0):
        _refuse(where, "pieces and piece_mm of a throw", f"{layout.pieces}, {layout.piece_mm:g}")
    for zone in layout.zones:
        _require_convex(zone, layout.felt, f"{where}: zone {zone.name!r}")
    for one, two in combinations(layout.zones, 2):
        if not _apart(one.polygon, two.polygon):
            _refuse(where, "zones beside each other", f"{one.name!r} over {two.name!r}")


def _require_convex(zone: Zone, felt: tuple[float, float], where: str) -> None:
    turns = [
        _turn(a, b, c)
        for a, b, c in zip(
            zone.polygon, _round(zone.polygon, 1), _round(zone.polygon, 2), strict=True
        )
    ]
    if len(zone.polygon) < 3 or not (min(turns) > 0 or max(turns) < 0):
        _refuse(where, "three corners or more without a dent", f"{len(zone.polygon)} corners")
    for x, y in zone.polygon:
        if not (-1e-6 <= x <= felt[0] + 1e-6 and -1e-6 <= y <= felt[1] + 1e-6):
            _refuse(where, f"corners on the felt of {felt[0]:g} by {felt[1]:g} mm", f"{x:g}, {y:g}")
    for place in zone.places:
        if not zone.holds(place.at):
            _refuse(f"{where}: place {place.slot}", "a point in its zone", str(place.at))


def _apart(one: Polygon, two: Polygon) -> bool:
    """Whether a line along one of the edges separates two convex areas; they may touch."""
    for (x1, y1), (x2, y2) in (*_edges(one), *_edges(two)):
        across = (y1 - y2, x2 - x1)
        ours, theirs = ([_dot(across, at) for at in polygon] for polygon in (one, two))
        slack = 1e-6 * math.hypot(*across)
        if max(ours) <= min(theirs) + slack or max(theirs) <= min(ours) + slack:
            return True
    return False


def _far(place: CardPlace, point: Point, sideways: bool) -> float:
    astray = SIDEWAYS_MM if place.sideways != sideways else 0.0
    return math.dist(place.at, point) + astray


def _edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    return zip(polygon, _round(polygon, 1), strict=True)


def _round(polygon: Polygon, by: int) -> Polygon:
    return polygon[by:] + polygon[:by]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _dot(one: Point, two: Point) -> float:
    return one[0] * two[0] + one[1] * two[1]


def _pair(values: Any, where: str) -> Point:
    x, y = _numbers(values, 2, where)
    return x, y


def _numbers(values: Any, count: int, where: str) -> Sequence[float]:
    if (
        not isinstance(values, list)
        or len(values) != count
        or not all(type(value) in (int, float) and math.isfinite(value) for value in values)
    ):
        _refuse(where, f"{count} numbers", repr(values))
    return [float(value) for value in values]


def _require_known_keys(table: Mapping[str, Any], known: set[str], where: str) -> None:
    extra = sorted(set(table) - known)
    if extra:
        _refuse(where, f"keys of {', '.join(sorted(known))}", repr(extra[0]))


def _refuse(where: str, expected: str, found: str) -> NoReturn:
    raise BadLayout(f"{where}: {expected} expected, {found} found")
