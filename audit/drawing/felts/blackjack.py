"""Blackjack: the dealer's hand, seven seats around it, hands that were split, bets from behind."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from audit.drawing import cells, hand, svg
from audit.drawing.card import LaidCard
from audit.drawing.chips import LaidChips, Spot
from audit.drawing.felts.drawn import DrawnCloth
from audit.drawing.felts.two_hands import shoe
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import verdict
from replay.games.blackjack.hands import seat_of
from replay.sentence import say

SEATS = 7
SINK = 5  # how much lower a seat lies than its neighbour further out
INSURANCE = "insurance"


class SeatPlan(NamedTuple):
    """Where a seat's cards and circles lie."""

    area: Area
    hands: tuple[str, ...]  # the seat's own name, or the names of its split hands

    def cards(self, name: str) -> Area:
        """Where a hand of the seat lies."""
        parts = Area(self.area.x, self.area.y, self.area.width, 62).columns(
            [1] * len(self.hands), 4
        )
        return parts[self.hands.index(name)]

    def main(self, name: str) -> tuple[float, float]:
        """The middle of the circle for a hand's main bet."""
        if len(self.hands) == 1:
            return self.area.centre[0] - 14, self.area.y + 100
        place = self.hands.index(name)
        return self.area.x + 20 + place * 42, self.area.y + 100

    @property
    def pair(self) -> tuple[float, float]:
        """The middle of the circle for the pair bet."""
        return self.area.right - 18, self.area.y + 100

    @property
    def behind(self) -> tuple[float, float]:
        """The middle of the second ring, for those who bet behind the seat."""
        return self.area.centre[0], self.area.y + 146


def blackjack(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Blackjack with bets behind."""
    top = Area(frame.centre[0] - 150, frame.y + 8, 300, 96)
    score = view.of_box("dealer")
    found = hand.zone(ink, top, "DEALER", score)
    found += hand.row(ink, Area(top.x, top.y + 24, top.width, 68), view.hand("dealer"), 48, 5)
    badge = Area(frame.right - 176, frame.y + 8, 160, 72)
    derived = f"DEALER {score}".upper()
    found += verdict(ink, badge, view, derived, view.called()) + shoe(ink, view, frame)
    found += _insurance(ink, frame)
    plans = _plans(view, frame)
    holders = _holders(view.chips)
    found += "".join(_seat(ink, view, seat, plan) for seat, plan in plans.items())

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        return _spot(plans, holders, chips, frame)

    piles, elsewhere = cells.piles(ink, view.chips, spot)
    hands = ("dealer", *(name for plan in plans.values() for name in plan.hands), *plans)
    return DrawnCloth(found + piles, hands, elsewhere)


def _plans(view: TableView, frame: Area) -> Mapping[str, SeatPlan]:
    names = {held.hand for held in view.cards} | {chips.box for chips in view.chips}
    used = [int(seat_of(name)) for name in names if seat_of(name).isdigit()]
    seats = [str(n) for n in range(1, max([SEATS, *used]) + 1)]
    row = Area(frame.x + 14, frame.y + 130, frame.width - 28, 170)
    plans = {}
    for n, (seat, part) in enumerate(zip(seats, row.columns([1] * len(seats), 8), strict=True)):
        rise = SINK * abs(n - (len(seats) - 1) / 2) ** 1.3
        split = tuple(sorted(name for name in names if name.startswith(f"{seat}.")))
        hands = (f"{seat}.1", f"{seat}.2") if split else (seat,)
        plans[seat] = SeatPlan(part._replace(y=part.y + 14 - rise), hands)
    return plans


def _holders(chips: Sequence[LaidChips]) -> Mapping[str, str]:
    """Who holds each seat: whoever laid its first main bet."""
    found: dict[str, str] = {}
    for laid in chips:
        if laid.bet == "main":
            found.setdefault(seat_of(laid.box), laid.player_id)
    return found


def _spot(
    plans: Mapping[str, SeatPlan], holders: Mapping[str, str], chips: LaidChips, frame: Area
) -> tuple[str, Spot] | None:
    seat = seat_of(chips.box)
    plan = plans.get(seat)
    if plan is None or chips.bet not in ("main", "pair", INSURANCE):
        return None
    x, y = plan.area.centre[0], frame.y + 121
    if chips.bet == INSURANCE:
        return f"{seat}/insurance", Spot(x - 20, y, 7, size=9.5)
    if holders.get(seat, chips.player_id) != chips.player_id:
        return f"{seat}/behind", Spot(plan.behind[0] - 22, plan.behind[1], 8, size=9.5)
    if chips.bet == "pair":
        return f"{seat}/pair", Spot(*plan.pair, 7.5, "below", 9)
    name = chips.box if chips.box in plan.hands else plan.hands[0]
    return f"{name}/main", Spot(*plan.main(name), 11, "below", 9.5)


def _insurance(ink: Ink, frame: Area) -> str:
    x, y = frame.centre[0], frame.y + 121
    line = svg.stroke(ink.theme.line, opacity=ink.theme.line_opacity, dashes="2 4")
    return svg.line(x - 250, y, x + 250, y, **line) + svg.text(
        x, y - 8, "INSURANCE", 8.5, fill=ink.theme.ink, opacity=0.8, weight=600
    )


def _seat(ink: Ink, view: TableView, seat: str, plan: SeatPlan) -> str:
    theme = ink.theme
    taken = {chips.box for chips in view.chips}
    found = ""
    for n, name in enumerate(plan.hands):
        cards = _held(view, seat, n) if len(plan.hands) > 1 else view.hand(name)
        area = plan.cards(name)
        wide = 40 if len(plan.hands) == 1 else 32
        found += hand.row(ink, Area(area.x, area.y, area.width, 56), cards, wide)
        found += svg.text(
            *(area.centre[0], area.y + 66, view.of_box(name), 10), fill=theme.ink, weight=600
        )
        found += _ring(ink, *plan.main(name), 16, "" if cards else seat)
    flagged = [c for c in view.chips if c.flagged and seat_of(c.box) == seat]
    found += _ring(ink, *plan.pair, 11, "" if seat in taken else "PAIR", size=7.5)
    if flagged:
        found += svg.rect(plan.area._replace(height=160).inset(-3), 8, **svg.edge(theme.flagged, 2))
    words = ink.words(say("page.seat", seat=seat))
    return found + svg.text(
        *(plan.area.centre[0], plan.area.y + 168, words, 9.5), fill=theme.ink, opacity=0.85
    )


def _held(view: TableView, seat: str, n: int) -> tuple[LaidCard, ...]:
    """A split hand: one of the seat's first two cards lies on each, then what it drew itself."""
    first = view.hand(seat)
    kept = (*first[:1], *first[2:]) if n == 0 else first[1:2]
    return (*kept, *view.hand(f"{seat}.{n + 1}"))


def _ring(ink: Ink, x: float, y: float, radius: float, words: str, size: float = 10) -> str:
    theme = ink.theme
    return svg.circle(
        *(x, y, radius),
        fill=theme.zone,
        fill_opacity=theme.zone_opacity,
        stroke=theme.line,
        stroke_opacity=theme.line_opacity,
    ) + (svg.text(x, y, words, size, fill=theme.ink, opacity=0.85) if words else "")
