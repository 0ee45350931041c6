"""What a cloth gives back: its picture, and what it has no place for."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from audit.drawing import cells, svg
from audit.drawing.cells import Cell
from audit.drawing.chips import LaidChips, Spot
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink


class DrawnCloth(NamedTuple):
    """A cloth with cards and chips on it."""

    picture: str
    hands: tuple[str, ...] = ()  # hands that have a place on it
    elsewhere: tuple[LaidChips, ...] = ()  # chips on bets that it has no place for


def on_cells(
    ink: Ink,
    view: TableView,
    found: Sequence[Cell],
    spots: Mapping[str, Spot],
    place: Callable[[LaidChips], str] = lambda chips: chips.bet,
) -> DrawnCloth:
    """Cells with the chips of the round on them; `place` names the cell of a wager."""
    taken = {place(chips) for chips in view.chips}
    flagged = {place(chips) for chips in view.chips if chips.flagged}

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        at = spots.get(place(chips))
        return at and (place(chips), at)

    drawn = "".join(
        cells.cell(ink, bet, wins=view.wins(bet.bet), quiet=bet.bet in taken) for bet in found
    )
    red = svg.edge(ink.theme.flagged, 2.2)
    frames = "".join(svg.rect(bet.area, bet.radius, **red) for bet in found if bet.bet in flagged)
    piles, elsewhere = cells.piles(ink, view.chips, spot)
    return DrawnCloth(drawn + frames + piles, (), elsewhere)
