"""Roulette: the wheel, the layout, and for SA Gaming the racetrack."""

from audit.drawing import cells, grid, svg
from audit.drawing.chips import LaidChips, Spot
from audit.drawing.felts.drawn import DrawnCloth
from audit.drawing.grid import NumberGrid
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import called_mark, derived_words
from audit.drawing.wheel import paint, wheel
from replay.games.shared.roulette_layout import POCKETS, WHEEL
from replay.sentence import Prose, say

SECTIONS = (
    ("race:third", "THIRD"),
    ("race:orphans", "ORPHANS"),
    ("race:neighbours_of_zero", "NEIGHBOURS OF ZERO"),
    ("race:jeu_zero", "ZERO GAME"),
)
WAYS: dict[str, Prose] = {
    "clockwise": say("page.felt_clockwise"),
    "anticlockwise": say("page.felt_anticlockwise"),
}
NEIGHBOURS = "race:neighbours:"


def hoiana(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Hoiana's roulette."""
    return _cloth(ink, view, frame, NumberGrid(frame.x + 372, frame.y + 26, 38.5, 52), None)


def live(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of SA Gaming's roulette, with a racetrack below the layout."""
    track = Area(frame.x + 352, frame.y + 204, 480, 62)
    return _cloth(ink, view, frame, NumberGrid(frame.x + 372, frame.y + 14, 38.5, 39), track)


def _cloth(
    ink: Ink, view: TableView, frame: Area, numbers: NumberGrid, track: Area | None
) -> DrawnCloth:
    derived = int(view.result) if view.result.isdigit() else None
    said = [call.said for call in view.calls if call.said.isdigit()]
    wrong = [n for n in said if derived is None or int(n) != derived]
    called = int((wrong or said)[-1]) if said and int((wrong or said)[-1]) in POCKETS else None
    pocket = view.spin.pocket if view.spin else None
    radius = 130.0
    found = wheel(
        *(ink, frame.x + 152, frame.y + 166, radius),
        pocket=pocket if derived is None else derived,
        called=called if called != derived else None,
    )
    found += _spoken(ink, view, frame)
    found += grid.layout(ink, numbers, derived=derived, called=called)
    taken = {chips.bet for chips in view.chips}
    found += "".join(
        cells.cell(ink, bet, wins=view.wins(bet.bet), quiet=bet.bet in taken)
        for bet in numbers.outside()
        if bet.bet not in ("red", "black")
    )
    found += "".join(_framed(ink, bet, view) for bet in numbers.outside())
    found += grid.marks(ink, numbers, derived=derived, called=called)
    spots = _race(track) if track else {}
    found += _track(ink, track) if track else ""

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        at = numbers.spot(chips.bet) or spots.get(chips.bet) or _neighbours(track, chips.bet)
        return at and (chips.bet, at)

    piles, elsewhere = cells.piles(ink, view.chips, spot)
    return DrawnCloth(found + piles + _legend(ink, view, frame), (), elsewhere)


def _framed(ink: Ink, bet: cells.Cell, view: TableView) -> str:
    """The edge of red and black, which print no words, where they win or are found wrong."""
    if bet.bet not in ("red", "black"):
        return ""
    wins = view.wins(bet.bet)
    edge = ink.theme.derived if wins else ink.theme.line
    opacity = 1 if wins else ink.theme.line_opacity
    return svg.rect(
        *(bet.area.inset(0.5 if wins else 0),),
        fill="none",
        stroke=edge,
        stroke_opacity=opacity,
        stroke_width=2 if wins else 1,
        data_wins=bet.bet if wins else None,
    )


def _spoken(ink: Ink, view: TableView, frame: Area) -> str:
    """How ball and wheel ran, above the wheel."""
    spin = view.spin
    if spin is None:
        return ""
    ball, wheel_way = (ink.words(WAYS.get(way, way)) for way in (spin.ball, spin.wheel))
    lines = []
    if spin.ball and spin.wheel:
        lines.append(ink.words(say("page.felt_directions", ball=ball, wheel=wheel_way)))
    if spin.revolutions is not None:
        lines.append(ink.words(say("page.felt_revolutions", n=spin.revolutions)))
    words = " · ".join(lines)
    return svg.text(
        frame.x + 18, frame.y + 16, words, 10, fill=ink.theme.ink, anchor="start", opacity=0.9
    )


def _legend(ink: Ink, view: TableView, frame: Area) -> str:
    """Both marks in words: where the ball rested, and what was called or marked."""
    y = frame.bottom - 15
    found = ""
    if view.status:
        named = f"{ink.words(say('page.felt_derived'))}: {view.outcome}"
        words, colour = derived_words(ink, view, named)
        found += svg.circle(frame.x + 366, y, 6, fill="#fdfdfa", stroke=colour, stroke_width=2.4)
        found += svg.text(
            *(frame.x + 380, y, words, 11.5),
            fill=colour,
            anchor="start",
            weight=700,
            data_derived=view.outcome,
        )
    calls = dict.fromkeys(f"{call.shown_by} {call.said or call.result}" for call in view.calls)
    if calls:
        area = Area(frame.x + 520, y - 10, 340, 20)
        found += called_mark(ink, area, ", ".join(calls))
    return found


def _track(ink: Ink, track: Area) -> str:
    edge = svg.stroke(ink.theme.line, opacity=ink.theme.line_opacity)
    shade = ink.theme.zone_opacity
    found = svg.rect(
        track.inset(-9), track.height / 2 + 9, fill=ink.theme.zone, fill_opacity=shade, **edge
    )
    inner = track.inset(10)
    found += svg.rect(inner, inner.height / 2, fill="none", **edge)
    for n, (x, y) in grid.racetrack_places(track, WHEEL).items():
        found += svg.circle(x, y, 7.2, fill=paint(n))
        found += svg.text(x, y, str(n), 8, fill="#ffffff", weight=600)
    for (_, words), area in zip(SECTIONS, _sections(track), strict=True):
        size = svg.fitted(words, 9, area.width - 8)
        found += svg.text(*area.centre, words, size, fill=ink.theme.ink, weight=600, opacity=0.9)
        if area.x > inner.x + inner.height / 2 + 1:
            found += svg.line(area.x, inner.y, area.x, inner.bottom, **edge)
    return found


def _sections(track: Area) -> list[Area]:
    inner = track.inset(10)
    body = Area(inner.x + 20, inner.y, inner.width - 40, inner.height)
    return body.columns((1, 1, 1.5, 1))


def _race(track: Area) -> dict[str, Spot]:
    areas = zip(SECTIONS, _sections(track), strict=True)
    return {bet: Spot(area.centre[0] - 16, area.bottom - 8, 7, size=9) for (bet, _), area in areas}


def _neighbours(track: Area | None, bet: str) -> Spot | None:
    """Chips on a number and its neighbours lie on that number of the racetrack."""
    middle = bet.removeprefix(NEIGHBOURS).partition(":")[0]
    if track is None or not bet.startswith(NEIGHBOURS) or not middle.isdigit():
        return None
    places = grid.racetrack_places(track, WHEEL)
    at = places.get(int(middle))
    return at and Spot(at[0], at[1], 7, "below", 8.5)
