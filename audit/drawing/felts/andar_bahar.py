"""Andar Bahar: the game card, two rows that grow, and cells for the sides and the counts."""

from audit.drawing import cells, hand
from audit.drawing.cells import Cell
from audit.drawing.chips import LaidChips
from audit.drawing.felts.drawn import DrawnCloth, on_cells
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import verdict

NO_COMMISSION = ":nc"
ABOVE = (
    ("andar", "ANDAR", 2),
    ("andar:nc", "ANDAR, NO COMMISSION", 2),
    ("bahar", "BAHAR", 2),
    ("first_andar", "FIRST ANDAR", 1.5),
    ("first_bahar", "FIRST BAHAR", 1.5),
    ("first_3", "FIRST 3", 1.5),
)
COUNTS = ((1, 5), (6, 10), (11, 15), (16, 25), (26, 30), (31, 35), (36, 40), (41, 49))
BELOW = tuple((f"cards_{low}_{high}", f"{low}–{high}", 1) for low, high in COUNTS)
CARD = 44  # width of a card of a row


def andar_bahar(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Andar Bahar."""
    left = Area(frame.x + 16, frame.y + 10, 116, 172)
    game = hand.zone(ink, left, "GAME CARD")
    game += hand.row(ink, Area(left.x, left.y + 22, left.width, 84), view.hand("game"), 56)
    badge = Area(left.x + 6, left.bottom - 62, left.width - 12, 56)
    game += verdict(ink, badge, view, view.outcome.upper(), view.called())
    rows = Area(frame.x + 142, frame.y + 10, frame.width - 158, 172).rows([1, 1], 6)
    sides = "".join(_side(ink, view, name, area) for name, area in zip(SIDES, rows, strict=True))
    bets = Area(frame.x + 16, frame.y + 192, frame.width - 32, frame.height - 200).rows([1, 1], 6)
    found = [
        Cell(bet, area, words, size=12)
        for row, line in zip(bets, (ABOVE, BELOW), strict=True)
        for (bet, words, _), area in zip(line, row.columns([s for *_, s in line], 6), strict=True)
    ]
    spots = {cell.bet: cells.spot_in(cell, 10) for cell in found}

    def place(chips: LaidChips) -> str:
        plain = chips.bet.removesuffix(NO_COMMISSION)
        return chips.bet if chips.bet in spots else plain

    cloth = on_cells(ink, view, found, spots, place)
    return DrawnCloth(game + sides + cloth.picture, ("game", *SIDES), cloth.elsewhere)


SIDES = ("andar", "bahar")


def _side(ink: Ink, view: TableView, name: str, area: Area) -> str:
    cards = view.hand(name)
    inside = Area(area.x + 74, area.y + 4, area.width - 82, area.height - 8)
    whole = min(inside.width, len(cards) * (CARD + 4))
    return hand.zone(ink, area, name.upper()) + hand.row(
        ink, inside._replace(width=whole), cards, CARD, 4
    )
