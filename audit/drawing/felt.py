"""The felt of any game as one SVG document, drawn from a judged round at a cursor."""

from collections.abc import Callable, Collection, Mapping, Sequence

from audit.drawing import cells, hand, svg
from audit.drawing.card import LaidCard
from audit.drawing.felts import andar_bahar, baccarat, blackjack, boxes, dice, roulette, two_sides
from audit.drawing.felts.drawn import DrawnCloth
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView, table_view
from audit.drawing.theme import DARK, Ink, Theme
from audit.drawing.verdict import verdict
from replay.judge import Judgement
from replay.sentence import say

FRAME = Area(0, 0, 884, 318)  # the cloth; the foot lies below it
FOOT = 22
CARDS_HEIGHT = 50  # of the row for cards that have no place on the cloth
WITH_RESERVES = ("NN", "SA-PD")  # cloths that print a place for them
ACROSS = 4  # wagers without a cell, side by side

Cloth = Callable[[Ink, TableView, Area], DrawnCloth]
CLOTHS: Mapping[str, tuple[str, Cloth]] = {
    "NN": ("cards", boxes.niu_niu),
    "TB": ("cards", baccarat.tiger),
    "TH": ("cards", boxes.holdem),
    "RO": ("wheel", roulette.hoiana),
    "SA-AB": ("cards", andar_bahar.andar_bahar),
    "SA-BC": ("cards", baccarat.live),
    "SA-BJ": ("cards", blackjack.blackjack),
    "SA-DT": ("cards", two_sides.dragon_tiger),
    "SA-FPC": ("dice", dice.fish_prawn_crab),
    "SA-HL": ("dice", dice.thai_hilo),
    "SA-PD": ("cards", boxes.pok_deng),
    "SA-RO": ("wheel", roulette.live),
    "SA-SB": ("dice", dice.sic_bo),
    "SA-TP": ("cards", two_sides.teen_patti),
    "SA-XD": ("dice", dice.xoc_dia),
}


def felt(
    judged: Judgement,
    *,
    until: int | None = None,
    theme: Theme = DARK,
    language: str = "en",
    prefix: str = "felt",
    flagged: Collection[str] = (),
    withheld: Collection[str] = (),
) -> str:
    """The felt of a round as it was at a cursor (an event's sequence); at the end where None.

    `prefix` keeps the ids of several pictures in one page apart. `flagged` are the wagers of a
    finding; of those in `withheld` no amount is shown.
    """
    view = table_view(judged, until=until, flagged=flagged, withheld=withheld)
    return drawn(Ink(theme, language, prefix), view)


def drawn(ink: Ink, view: TableView) -> str:
    """A table view as an SVG document."""
    material, cloth = CLOTHS.get(view.game, ("cards", _no_cloth))
    found = cloth(ink, view, FRAME)
    if view.game not in WITH_RESERVES:
        found = found._replace(elsewhere=(*found.elsewhere, *view.reserves))
    strange = [card for card in view.cards if card.hand not in found.hands]
    rows = [found.elsewhere[n : n + ACROSS] for n in range(0, len(found.elsewhere), ACROSS)]
    height = FRAME.height + FOOT * max(1, len(rows)) + (CARDS_HEIGHT if strange else 0)
    foot = FRAME.bottom
    below = ""
    if strange:
        below += _other_cards(ink, view, Area(16, foot, FRAME.width - 32, CARDS_HEIGHT), strange)
        foot += CARDS_HEIGHT
    for n, row in enumerate(rows):
        below += cells.also(ink, Area(16, foot + n * FOOT, FRAME.width - 240, FOOT), row)
    below += _thousands(ink, view, height - FOOT / 2)
    words = ink.words(say("page.felt_of", game=view.title))
    return svg.element(
        "svg",
        svg.element("title", words),
        _ground(ink, material, height),
        found.picture,
        below,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {svg.number(FRAME.width)} {svg.number(height)}",
        role="img",
        aria_label=words,
        font_family=svg.FONT,
    )


def _no_cloth(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """A round whose game is unknown: its cards and wagers are listed below the cloth."""
    x, y = frame.centre
    said = ", ".join(dict.fromkeys(call.result for call in view.calls))
    badge = Area(x - 150, y - 45, 300, 90)
    picture = verdict(ink, badge, view, view.outcome, said)
    return DrawnCloth(picture, (), view.chips)


def _ground(ink: Ink, material: str, height: float) -> str:
    name = f"{ink.prefix}-cloth"
    colour = ink.theme.cloth[material]
    stops = svg.element("stop", offset=0, stop_color=colour) + svg.element(
        "stop", offset=1, stop_color=colour, stop_opacity=0.78
    )
    shade = svg.element("radialGradient", stops, id=name, cx=0.5, cy=0.35, r=0.85)
    whole = Area(0, 0, FRAME.width, height)
    return (
        svg.element("defs", shade)
        + svg.rect(whole, 8, fill=ink.theme.ground)
        + svg.rect(whole, 8, fill=f"url(#{name})")
    )


def _other_cards(ink: Ink, view: TableView, area: Area, cards: Sequence[LaidCard]) -> str:
    names = list(dict.fromkeys(card.hand for card in cards))
    found = ""
    for name, part in zip(names, area.columns([1] * len(names), 10), strict=True):
        words = ink.words(say("page.felt_other_cards", hand=name))
        found += svg.text(part.x, part.centre[1], words, 10, fill=ink.theme.ink, anchor="start")
        inside = Area(part.x + 120, part.y + 2, part.width - 120, part.height - 4)
        found += hand.row(ink, inside, view.hand(name), 30)
    return found


def _thousands(ink: Ink, view: TableView, y: float) -> str:
    if not view.chips:
        return ""
    currency = "₫" if view.currency == "VND" else view.currency
    words = ink.words(say("page.felt_thousands", currency=currency))
    return svg.text(FRAME.width - 14, y, words, 9.5, fill=ink.theme.ink, anchor="end", opacity=0.8)
