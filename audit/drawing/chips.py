"""Chips and piles: one to four chips by the size of the amount, and the amount beside them."""

from collections.abc import Sequence
from typing import NamedTuple

from audit.drawing import svg
from audit.drawing.amounts import on_chips
from audit.drawing.svg import Area
from audit.drawing.theme import Ink
from replay.sentence import say

# The smallest amount of a colour, in units of the currency, with its body and its edge.
COLOURS = (
    (5_000_000, "#d8c27a", "#4b3b0c"),
    (1_000_000, "#2a2d33", "#d9dde3"),
    (500_000, "#7a4fb3", "#f0e8ff"),
    (100_000, "#2f6fb8", "#e8f2ff"),
    (50_000, "#2f8a57", "#e6fff1"),
    (0, "#c2453d", "#ffecea"),
)
WITHHELD = ("#8e99a8", "#e7eaee")  # chips whose amount this edition does not show
HIGH = (300_000, 1_000_000, 3_000_000)  # amounts from which a pile is two, three and four chips
LIFT = 0.34  # how far a chip stands above the one below it, for a radius of one


class LaidChips(NamedTuple):
    """The chips of one wager, or the reserve beside it."""

    wager_id: str
    player_id: str
    box: str
    bet: str
    amount: int | None  # None where this edition withholds it
    currency: str = "VND"
    flagged: bool = False  # a finding is about this wager
    reserve: bool = False  # the chips set aside for it, beside its stake


class Spot(NamedTuple):
    """Where the chips of a bet lie on the cloth."""

    x: float
    y: float
    radius: float = 9
    side: str = "right"  # where the amount stands: right, left, above or below
    size: float = 10.5  # of the amount


def pile(ink: Ink, spot: Spot, chips: Sequence[LaidChips]) -> str:
    """The chips on one place as one pile; several wagers are counted beside the amount."""
    total = None if any(c.amount is None for c in chips) else sum(c.amount or 0 for c in chips)
    words = _words(ink, chips, total)
    count = _count(total)
    middle = spot.y - (count - 1) * spot.radius * LIFT / 2
    flagged = any(chip.flagged for chip in chips)
    ring = svg.edge(ink.theme.flagged, 2.2)
    return svg.group(
        svg.circle(spot.x, middle, spot.radius + 4, **ring) if flagged else "",
        *(_chip(spot, level, total) for level in range(count)),
        _amount(ink, spot, middle, words),
        data_wagers=" ".join(chip.wager_id for chip in chips),
        data_amount="withheld" if total is None else str(total),
        data_reserve="yes" if chips[0].reserve else None,
    )


def _words(ink: Ink, chips: Sequence[LaidChips], total: int | None) -> str:
    if total is None:
        return ink.words(say("page.withheld"))
    words = on_chips(total, chips[0].currency, ink.language)
    return f"{words} ×{len(chips)}" if len(chips) > 1 else words


def _count(total: int | None) -> int:
    return 1 + sum(total is not None and total >= amount for amount in HIGH)


def _chip(spot: Spot, level: int, total: int | None) -> str:
    body, edge = WITHHELD if total is None else _colours(total)
    radius, y = spot.radius, spot.y - level * spot.radius * LIFT
    dashes = svg.number(radius * 0.45)
    return (
        svg.circle(spot.x, y, radius, fill=body, stroke="#06090b", stroke_width=0.8)
        + svg.circle(
            spot.x,
            y,
            radius * 0.84,
            fill="none",
            stroke=edge,
            stroke_width=radius * 0.26,
            stroke_dasharray=f"{dashes} {dashes}",
        )
        + svg.circle(
            spot.x, y, radius * 0.6, fill=body, stroke=edge, stroke_opacity=0.6, stroke_width=0.7
        )
    )


def _colours(total: int) -> tuple[str, str]:
    return next((body, edge) for least, body, edge in COLOURS if total >= least)


def _amount(ink: Ink, spot: Spot, middle: float, words: str) -> str:
    width, height = len(words) * spot.size * svg.DIGIT + 9, spot.size * 1.4
    gap = spot.radius + 1.5
    x, y = {
        "right": (spot.x + gap + width / 2, middle),
        "left": (spot.x - gap - width / 2, middle),
        "below": (spot.x, spot.y + gap + height / 2 - 1),
        "above": (spot.x, middle - gap - height / 2),
    }[spot.side]
    capsule = Area(x - width / 2, y - height / 2, width, height)
    theme = ink.theme
    ground = svg.rect(capsule, height / 2, fill=theme.capsule, fill_opacity=theme.capsule_opacity)
    return ground + svg.text(x, y, words, spot.size, fill=theme.amount, weight=600)
