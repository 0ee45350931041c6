"""Hands on the cloth: a named zone with its cards, a row of fixed places, a fan of many cards."""

import re
from collections.abc import Sequence

from audit.drawing import svg
from audit.drawing.card import HEIGHT, LaidCard, card, rank, suit
from audit.drawing.svg import Area
from audit.drawing.theme import Ink
from vision.felt.layout import Zone

ENDS_IN_CARD = re.compile(r"\b[2-9TJQKA][SHDC]$")
CARD_MM = 63.0  # the width of a card, to which a layout's places are scaled


def zone(ink: Ink, area: Area, name: str = "", score: str = "") -> str:
    """The outline of a hand's part of the cloth, with its printed name and what it counts."""
    theme = ink.theme
    found = svg.rect(
        area,
        7,
        fill=theme.zone,
        fill_opacity=theme.zone_opacity,
        stroke=theme.line,
        stroke_opacity=theme.line_opacity,
        stroke_width=1,
    )
    y = area.y + 13
    if name:
        found += svg.text(area.x + 12, y, name, 11, fill=theme.ink, anchor="start", weight=700)
    if score:
        size = svg.fitted(score, 17, area.width * 0.5)
        found += _score_at_right(ink, area.right - 12, y + 1, score, size)
    return found


def scored(ink: Ink, x: float, y: float, score: str, size: float) -> str:
    """What a hand is, from the left; a card at its end has its suit drawn after it."""
    paint = ink.theme.ink
    found = svg.text(x, y, _printed(score), size, fill=paint, anchor="start", weight=600)
    if not ENDS_IN_CARD.search(score):
        return found
    wide = len(_printed(score)) * size * 0.53
    return found + suit(score[-1], x + wide + size * 0.3, y, size / 24, ink.theme.ink)


def _score_at_right(ink: Ink, x: float, y: float, score: str, size: float) -> str:
    drawn = ""
    if ENDS_IN_CARD.search(score):
        drawn = suit(score[-1], x - size * 0.35, y, size / 26, ink.theme.ink)
        x -= size * 0.8
    return drawn + svg.text(
        x, y, _printed(score), size, fill=ink.theme.ink, anchor="end", weight=700
    )


def _printed(score: str) -> str:
    """A score without the suit of the card at its end: `Niu 9 · 10` of `Niu 9 · TC`."""
    if not ENDS_IN_CARD.search(score):
        return score
    return f"{score[:-2]}{rank(score[-2:])}"


def width(places: Zone, card_width: float) -> float:
    """How wide a hand with fixed places is, for cards of a width."""
    scale = card_width / CARD_MM
    edges = [
        (place.at[0], (HEIGHT if place.sideways else 1) * CARD_MM / 2) for place in places.places
    ]
    return scale * (max(x + half for x, half in edges) - min(x - half for x, half in edges))


def laid(ink: Ink, area: Area, places: Zone, cards: Sequence[LaidCard], card_width: float) -> str:
    """Cards on the places of a layout, scaled to a card's width and centred in an area."""
    scale = card_width / CARD_MM
    known = {place.slot: place for place in places.places}
    left = min(place.at[0] for place in places.places) - CARD_MM / 2
    x0 = area.x + (area.width - width(places, card_width)) / 2
    found = []
    beyond = [held for held in cards if held.slot not in known]
    for held in cards:
        place = known.get(held.slot)
        if place is None:
            continue
        x = x0 + (place.at[0] - left) * scale - card_width / 2
        y = area.centre[1] - card_width * HEIGHT / 2
        found.append(card(ink, held, x, y, card_width, turned=place.sideways))
    step = card_width * 0.3
    for n, held in enumerate(beyond):  # cards that the layout has no place for
        x = area.right - card_width * 0.9 - step * (len(beyond) - 1 - n)
        found.append(card(ink, held, x, area.centre[1] - card_width * HEIGHT / 2 + 6, card_width))
    return "".join(found)


def row(ink: Ink, area: Area, cards: Sequence[LaidCard], most: float, gap: float = 3) -> str:
    """Cards from left to right in an area, as wide as fits; many of them overlap."""
    if not cards:
        return ""
    tall = min(most, area.height / HEIGHT)
    step = tall + gap
    if len(cards) > 1:
        step = min(step, (area.width - tall) / (len(cards) - 1))
    whole = tall + step * (len(cards) - 1)
    x, y = area.x + (area.width - whole) / 2, area.centre[1] - tall * HEIGHT / 2
    return "".join(card(ink, held, x + n * step, y, tall) for n, held in enumerate(cards))


def outlines(ink: Ink, area: Area, places: Zone, card_width: float) -> str:
    """The empty places of a row, as printed on the cloth."""
    scale = card_width / CARD_MM
    left = min(place.at[0] for place in places.places) - CARD_MM / 2
    x0 = area.x + (area.width - width(places, card_width)) / 2
    y = area.centre[1] - card_width * HEIGHT / 2
    return "".join(
        svg.rect(
            Area(
                x0 + (place.at[0] - left) * scale - card_width / 2,
                y,
                card_width,
                card_width * HEIGHT,
            ),
            4,
            fill="none",
            stroke=ink.theme.line,
            stroke_opacity=ink.theme.line_opacity * 0.7,
            stroke_dasharray="3 3",
        )
        for place in places.places
    )
