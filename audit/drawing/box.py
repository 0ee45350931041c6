"""A player's box: its seat, its hand, what the hand is, and one row for each bet."""

from collections.abc import Sequence
from typing import NamedTuple

from audit.drawing import hand, svg
from audit.drawing.card import LaidCard
from audit.drawing.cells import Cell, cell
from audit.drawing.chips import Spot
from audit.drawing.svg import Area
from audit.drawing.theme import Ink
from audit.drawing.verdict import called_mark

SHORT = 3  # letters of a score that stands in the box's head


class Seat(NamedTuple):
    """What is known of one box."""

    name: str
    cards: Sequence[LaidCard]
    score: str = ""  # what the hand is, as derived
    called: str = ""  # what the dealer called it
    flagged: bool = False


class BoxPlan(NamedTuple):
    """Where the parts of a box lie."""

    area: Area
    card: float  # the widest card
    rows: Sequence[tuple[str, str]]  # bet and printed words

    @property
    def cards(self) -> Area:
        """Where the hand lies."""
        return Area(self.area.x + 6, self.area.y + 19, self.area.width - 12, self.card * 1.4)

    @property
    def bets(self) -> list[Area]:
        """The rows of the bets."""
        top = self.cards.bottom + 16
        low = Area(self.area.x + 6, top, self.area.width - 12, self.area.bottom - top - 5)
        return low.rows([1] * len(self.rows), 3)


def box(ink: Ink, plan: BoxPlan, seat: Seat, taken: Sequence[str], wins: Sequence[str]) -> str:
    """One box; rows with chips on them print their words no more."""
    theme, area = ink.theme, plan.area
    edge = (theme.flagged, 1, 2.2) if seat.flagged else (theme.line, theme.line_opacity, 1)
    found = svg.rect(
        area,
        6,
        fill=theme.zone,
        fill_opacity=theme.zone_opacity,
        stroke=edge[0],
        stroke_opacity=edge[1],
        stroke_width=edge[2],
    )
    found += svg.text(
        area.x + 8, area.y + 10, seat.name, 10, fill=theme.ink, anchor="start", weight=600
    )
    if seat.called:
        wide = min(area.width - 50, len(seat.called) * 8.5 * svg.DIGIT + 12)
        found += called_mark(ink, Area(area.right - wide - 5, area.y + 3, wide, 14), seat.called)
    found += hand.row(ink, plan.cards, seat.cards, plan.card)
    if 0 < len(seat.score) <= SHORT:
        found += svg.text(
            *(area.right - 9, area.y + 11, seat.score, 14),
            fill=theme.ink,
            anchor="end",
            weight=700,
        )
    elif seat.score:
        size = svg.fitted(seat.score, 10, area.width - 16)
        found += hand.scored(ink, area.x + 8, plan.cards.bottom + 8, seat.score, size)
    for (bet, words), row in zip(plan.rows, plan.bets, strict=True):
        printed = "" if bet in taken else words
        found += cell(ink, Cell(bet, row, printed, size=9.5), wins=bet in wins)
    return found


def spot(plan: BoxPlan, bet: str) -> Spot:
    """Where the chips of a bet lie in a box."""
    row = plan.bets[[name for name, _ in plan.rows].index(bet)]
    radius = min(8.5, row.height * 0.36)
    return Spot(row.x + radius + 6, row.centre[1] + 1, radius, size=min(10.0, row.height * 0.55))
