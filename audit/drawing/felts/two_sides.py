"""Dragon Tiger and Teen Patti: two hands, and a cell for each bet."""

from collections.abc import Sequence

from audit.drawing import cells
from audit.drawing.cells import Cell
from audit.drawing.felts.drawn import DrawnCloth, on_cells
from audit.drawing.felts.two_hands import Sides, two_hands
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from replay.games import dragon_tiger as rules
from replay.games import teen_patti as patti
from schemas.cards import Card

DRAGON_TIGER = (("dragon", "DRAGON"), ("tie", "TIE"), ("tiger", "TIGER"))
TEEN_PATTI = (
    ("pair_plus_a", "PAIR PLUS A"),
    ("player_a", "PLAYER A"),
    ("tie", "TIE"),
    ("six_card_bonus", "SIX CARD BONUS"),
    ("player_b", "PLAYER B"),
    ("pair_plus_b", "PAIR PLUS B"),
)


def dragon_tiger(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Dragon Tiger."""
    hands = (("dragon", "DRAGON"), ("tiger", "TIGER"))
    sides = Sides(hands, lambda cards: str(rules.points(cards[0])), 66)
    derived = view.outcome.replace("-", "–").upper()
    return _cloth(ink, view, frame, sides, derived, DRAGON_TIGER)


def teen_patti(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Teen Patti."""
    hands = (("player_a", "PLAYER A"), ("player_b", "PLAYER B"))

    def score(cards: Sequence[Card]) -> str:
        return patti.rank(cards).named.replace("_", " ") if len(cards) == patti.HELD else ""

    derived = view.outcome.partition(",")[0].upper()
    return _cloth(ink, view, frame, Sides(hands, score, 52, 190), derived, TEEN_PATTI)


def _cloth(
    ink: Ink,
    view: TableView,
    frame: Area,
    sides: Sides,
    derived: str,
    bets: tuple[tuple[str, str], ...],
) -> DrawnCloth:
    top = Area(frame.x, frame.y + 8, frame.width, 150)
    below = Area(frame.x + 60, frame.y + 178, frame.width - 120, frame.height - 188)
    areas = below.columns([1] * len(bets), 10)
    found = [
        Cell(bet, area, words, size=15) for (bet, words), area in zip(bets, areas, strict=True)
    ]
    cloth = on_cells(ink, view, found, {cell.bet: cells.spot_in(cell, 12) for cell in found})
    picture = two_hands(ink, view, top, sides, derived) + cloth.picture
    return cloth._replace(picture=picture, hands=tuple(name for name, _ in sides.hands))
