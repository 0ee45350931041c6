"""What the rules derived and what was called, as two marks: green and solid, pink and dashed."""

from audit.drawing import svg
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from replay.sentence import say

OF_STATUS = {
    "void": say("page.felt_void"),
    "free_hand": say("page.felt_free_hand"),
    "unsettled": say("page.felt_unsettled"),
    "unknown": say("page.felt_unknown"),
}


def verdict(ink: Ink, area: Area, view: TableView, derived: str, called: str) -> str:
    """The badge between two hands; nothing before the cursor has reached either mark."""
    theme = ink.theme
    found = svg.rect(
        area,
        10,
        fill=theme.zone,
        fill_opacity=theme.zone_opacity * 1.6,
        stroke=theme.line,
        stroke_opacity=theme.line_opacity,
    )
    head, middle, foot = area.inset(5).rows((11, 20, 16), 3)
    if view.status:
        words, paint = derived_words(ink, view, derived)
        size = svg.fitted(words, min(20, middle.height), area.width - 16)
        found += svg.text(
            *(*head.centre, ink.words(say("page.felt_derived")), min(10, head.height)),
            fill=theme.ink,
            opacity=0.85,
        )
        found += svg.text(
            *(*middle.centre, words, size), fill=paint, weight=700, data_derived=words
        )
    if called:
        capsule = Area(area.x + 7, foot.centre[1] - 8.5, area.width - 14, 17)
        found += called_mark(ink, capsule, called)
    return found


def derived_words(ink: Ink, view: TableView, derived: str) -> tuple[str, str]:
    """The derived outcome, or the status where there is none, with its colour."""
    theme = ink.theme
    if view.status == "settled":
        return derived, theme.derived
    paint = theme.unknown if view.status == "unknown" else theme.ink
    return ink.words(OF_STATUS[view.status]), paint


def called_mark(ink: Ink, area: Area, called: str) -> str:
    """What a person called: a pink, dashed capsule, with the word where there is room."""
    words = f"{ink.words(say('page.felt_called'))}: {called}" if area.width > 110 else called
    x, y = area.centre
    edge = svg.edge(ink.theme.called, 1.2, dashes="4 3")
    return svg.rect(area, area.height / 2, **edge) + svg.text(
        *(x, y, words, svg.fitted(words, 10, area.width - 12)),
        fill=ink.theme.ink,
        weight=600,
        data_called=called,
    )
