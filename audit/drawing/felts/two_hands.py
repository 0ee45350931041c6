"""Two hands with the verdict between them, as baccarat, Dragon Tiger and Teen Patti lie."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from audit.drawing import hand, layouts, svg
from audit.drawing.card import HEIGHT
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import verdict
from replay.sentence import say
from schemas.cards import Card
from schemas.cards import card as card_of

Score = Callable[[Sequence[Card]], str]
HEAD = 23  # height of a hand's head, where its name stands
GOLD = "#c9a227"
BADGE = 136  # width of the verdict


class Sides(NamedTuple):
    """The two hands with their printed names, and how a hand is counted."""

    hands: tuple[tuple[str, str], tuple[str, str]]
    score: Score
    card: float = 54  # width of a card
    badge: float = BADGE  # width of the verdict


def two_hands(ink: Ink, view: TableView, top: Area, sides: Sides, derived: str) -> str:
    """Both hands and the verdict, centred at the top of the cloth."""
    zones = layouts.of_game(view.game)
    wide = hand.width(zones.zone(sides.hands[0][0]), sides.card) + 24
    wide = max(wide, 104)
    left = top.centre[0] - sides.badge / 2 - 10 - wide
    right = top.centre[0] + sides.badge / 2 + 10
    top = top._replace(y=top.y + 8)
    found = ""
    for (name, words), x in zip(sides.hands, (left, right), strict=True):
        area = Area(x, top.y, wide, HEAD + sides.card * HEIGHT + 7)
        cards = view.hand(name)
        known = [card_of(held.code) for held in cards if held.code]
        score = sides.score(known) if known and len(known) == len(cards) else ""
        found += hand.zone(ink, area, words, score)
        below = Area(area.x, area.y + HEAD, area.width, sides.card * HEIGHT)
        found += hand.laid(ink, below, zones.zone(name), cards, sides.card)
    height = HEAD + sides.card * HEIGHT - 9
    badge = Area(top.centre[0] - sides.badge / 2, top.y + 8, sides.badge, height)
    called = view.called().replace("player_", "").replace("_", " ")
    return found + verdict(ink, badge, view, derived, called) + shoe(ink, view, top)


def shoe(ink: Ink, view: TableView, top: Area) -> str:
    """The shoe in words, in the corner: which cards of it this round drew."""
    seen = view.shoe
    if seen is None:
        return ""
    x = top.x + 14
    lines = [
        ink.words(say("page.felt_shoe", shoe=seen.shoe_id)),
        ink.words(say("page.felt_cards_of", first=seen.first, last=seen.last, cards=seen.cards)),
        ink.words(say("page.felt_hand", n=seen.hand)),
    ]
    paint = ink.theme.ink
    found = svg.text(x, top.y + 12, lines[0], 10.5, fill=paint, anchor="start", weight=600)
    found += svg.text(x, top.y + 28, lines[1], 9.5, fill=paint, anchor="start", opacity=0.85)
    found += svg.text(x, top.y + 52, lines[2], 9.5, fill=paint, anchor="start", opacity=0.85)
    bar = Area(x, top.y + 38, 90, 4)
    share = min(1.0, seen.last / seen.cards) if seen.cards else 0
    found += svg.rect(bar, 2, fill=ink.theme.line, fill_opacity=0.25)
    return found + svg.rect(bar._replace(width=90 * share), 2, fill=GOLD)
