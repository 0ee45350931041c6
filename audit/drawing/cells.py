"""Cells of a layout: where a bet is printed, which of them win, and where its chips lie."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.chips import LaidChips, Spot, pile
from audit.drawing.svg import Area
from audit.drawing.theme import Ink
from replay.sentence import say

ROOMY = 50  # height from which a cell shows its words above its chips


class Cell(NamedTuple):
    """One bet of the cloth: its key in the paytable, its place and its printed words."""

    bet: str
    area: Area
    label: str = ""
    under: str = ""  # smaller words below the label
    size: float = 11
    picture: str = ""  # SVG in place of the label: dice, tokens, a symbol
    radius: float = 4
    fill: str = ""


def cell(ink: Ink, bet: Cell, *, wins: bool = False, quiet: bool = False) -> str:
    """A cell with its words; a winning one has a green edge. Words give way to chips (`quiet`)."""
    theme, area = ink.theme, bet.area
    edge = (theme.derived, 1, 2) if wins else (theme.line, theme.line_opacity, 1)
    found = svg.rect(
        area.inset(0.5 if wins else 0),
        bet.radius,
        fill=bet.fill or theme.zone,
        fill_opacity=None if bet.fill else theme.zone_opacity,
        stroke=edge[0],
        stroke_opacity=edge[1],
        stroke_width=edge[2],
        data_wins=bet.bet if wins else None,
    )
    if bet.picture:
        return found + bet.picture
    x, y = area.centre
    if quiet and area.height < ROOMY:
        low = area.height < 34
        small = svg.fitted(bet.label, 8.5, area.width * (0.5 if low else 1) - 6)
        return found + svg.text(
            *(area.x + 5, y if low else area.y + 8, bet.label, small),
            fill=theme.ink,
            anchor="start",
            weight=600,
        )
    size = svg.fitted(bet.label, bet.size, area.width - 6)
    if area.height >= ROOMY and area.width >= ROOMY:
        y = area.y + area.height * (0.38 if bet.under else 0.3)  # chips have room below the words
    high = y - (size * 0.55 if bet.under else 0)
    found += svg.text(x, high, bet.label, size, fill=theme.ink, weight=600) if bet.label else ""
    if bet.under:
        small = svg.fitted(bet.under, 9, area.width - 4)
        found += svg.text(x, y + size * 0.6, bet.under, small, fill=theme.ink, opacity=0.8)
    return found


def spot_in(cell: Cell, radius: float = 9) -> Spot:
    """Where chips lie in a cell: with the amount beside them where it fits, else below."""
    area = cell.area
    if area.height >= ROOMY and area.width >= 84:
        return Spot(area.centre[0] - 22, area.y + area.height * 0.78, radius)
    if area.height < 34 and area.width >= 70:
        words = min(area.width * 0.5, len(cell.label) * 8.5 * svg.DIGIT)
        return Spot(area.x + words + 16, area.centre[1] + 1, min(radius, 8), size=9)
    if area.width >= 74:
        return Spot(area.x + radius + 7, area.bottom - radius - 4, radius)
    if area.width >= 50:
        return Spot(area.x + radius + 3, area.bottom - radius - 3, radius * 0.8, size=9)
    return Spot(area.centre[0], area.bottom - 16, min(radius, 6.5), "below", 8.5)


def piles(
    ink: Ink,
    chips: Iterable[LaidChips],
    spot: Callable[[LaidChips], tuple[str, Spot] | None],
) -> tuple[str, tuple[LaidChips, ...]]:
    """Chips on their spots, those on one place as one pile; and the chips that have no place.

    `spot` gives the place's name and where it is.
    """
    stacked: dict[str, tuple[Spot, list[LaidChips]]] = {}
    elsewhere = []
    for laid in chips:
        found = spot(laid)
        if found is None:
            elsewhere.append(laid)
        else:
            stacked.setdefault(found[0], (found[1], []))[1].append(laid)
    drawn = "".join(pile(ink, where, lying) for where, lying in stacked.values())
    return drawn, tuple(elsewhere)


def also(ink: Ink, area: Area, chips: Sequence[LaidChips]) -> str:
    """Wagers on bets that the drawn cloth has no cell for: each with the bet's name and chips."""
    if not chips:
        return ""
    by_bet: dict[str, list[LaidChips]] = {}
    for laid in chips:
        aside = ink.words(say("page.felt_reserve")).lower()
        name = f"{laid.bet}, {aside}" if laid.reserve else laid.bet
        by_bet.setdefault(name, []).append(laid)
    label = ink.words(say("page.felt_also"))
    found = svg.text(
        area.x, area.centre[1], label, 9.5, fill=ink.theme.ink, anchor="start", opacity=0.8
    )
    wide = (area.width - 70) / len(by_bet)
    for n, (bet, lying) in enumerate(by_bet.items()):
        x = area.x + 70 + n * wide
        size = svg.fitted(bet, 10, max(20, wide - 70))
        found += svg.text(
            x, area.centre[1], bet, size, fill=ink.theme.ink, anchor="start", weight=600
        )
        beside = x + len(bet) * size * svg.DIGIT + 12
        found += pile(ink, Spot(beside, area.centre[1], 7, size=9.5), lying)
    return found
