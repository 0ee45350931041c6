"""Niu Niu, Hold'em and Pok Deng: the dealer's hand above, one box for each seat below."""

from collections.abc import Sequence
from typing import NamedTuple

from audit.drawing import box, cells, hand, layouts
from audit.drawing.box import BoxPlan, Seat
from audit.drawing.chips import LaidChips, Spot
from audit.drawing.felts.drawn import DrawnCloth
from audit.drawing.felts.two_hands import shoe
from audit.drawing.hand import ENDS_IN_CARD
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import called_mark, verdict
from replay.sentence import say

BEHIND = "0"
NIU_NIU = (("even", "EVEN"), ("double", "DOUBLE"), ("super_niu", "SUPER NIU"))
HOLDEM = tuple((bet, bet.upper()) for bet in ("ante", "bonus", "flop", "turn", "river"))
RESERVE = "reserve"


class BoxedBet(NamedTuple):
    """In which box and on which row of it chips lie."""

    box: str
    row: str
    chips: LaidChips


def niu_niu(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Niu Niu."""
    rows = (*NIU_NIU, (RESERVE, ink.words(say("page.felt_reserve"))))
    bets = [BoxedBet(chips.box, chips.bet, chips) for chips in view.chips]
    bets += [BoxedBet(chips.box, RESERVE, chips) for chips in view.reserves]
    top = Area(frame.centre[0] - 170, frame.y + 8, 340, 104)
    dealer = hand.zone(ink, top, "DEALER", _spoken(view.of_box("dealer")))
    inside = Area(top.x, top.y + 24, top.width, 74)
    dealer += hand.row(ink, inside, view.hand("dealer"), 50, 5)
    names = _numbered(view, [bet.box for bet in bets])
    area = Area(frame.x + 10, frame.y + 118, frame.width - 20, frame.height - 122)
    boxes = _boxes(ink, view, area, names, rows, bets, 36)
    return boxes._replace(
        picture=dealer + shoe(ink, view, frame) + boxes.picture,
        hands=("dealer", *names),
    )


def holdem(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Texas Hold'em Bonus."""
    zones = layouts.of_game(view.game)
    middle = frame.centre[0]
    top = Area(middle - 100, frame.y + 6, 200, 62)
    found = hand.zone(ink, top, "DEALER")
    dealer = Area(top.x + 60, top.y + 4, 130, top.height - 8)
    found += hand.laid(ink, dealer, zones.zone("dealer"), view.hand("dealer"), 37)
    row = Area(middle - 170, top.bottom + 5, 340, 66)
    found += hand.zone(ink, row) + hand.outlines(ink, row, zones.zone("community"), 41)
    found += hand.laid(ink, row, zones.zone("community"), view.hand("community"), 41)
    badge = Area(frame.right - 190, frame.y + 8, 174, 70)
    found += verdict(ink, badge, view, _spoken(view.of_box("dealer")), _spoken(view.called()))
    burned = view.hand("burn")
    if burned:
        aside = Area(frame.right - 190, frame.y + 84, 174, 52)
        found += hand.zone(ink, aside, "BURN")
        found += hand.row(ink, Area(aside.x + 50, aside.y + 4, 116, 44), burned, 30)
    bets = [BoxedBet(chips.box, chips.bet, chips) for chips in view.chips]
    names = _numbered(view, [bet.box for bet in bets])
    area = Area(frame.x + 10, row.bottom + 6, frame.width - 20, frame.bottom - row.bottom - 8)
    boxes = _boxes(ink, view, area, names, HOLDEM, bets, 30)
    return boxes._replace(
        picture=found + shoe(ink, view, frame) + boxes.picture,
        hands=("dealer", "community", "burn", *names),
    )


def pok_deng(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Pok Deng, whose hands are numbered players and whose bets name them."""
    top = Area(frame.centre[0] - 120, frame.y + 8, 240, 108)
    found = hand.zone(ink, top, "BANKER", _pok_deng_score(view, 0))
    found += hand.row(ink, Area(top.x, top.y + 24, top.width, 78), view.hand("banker"), 54, 6)
    if view.called():
        found += called_mark(ink, Area(top.right + 12, top.bottom - 24, 190, 18), view.called())
    names = [f"player_{n}" for n in range(1, 6)]
    area = Area(frame.x + 10, frame.y + 124, frame.width - 20, frame.height - 128)
    plans = {
        name: BoxPlan(part, 48, _seat_rows(ink, name))
        for name, part in zip(names, area.columns([1] * 5, 8), strict=True)
    }
    flagged = {chips.bet.removesuffix("_pair") for chips in view.chips if chips.flagged}
    laid = (*view.chips, *view.reserves)
    taken = [_pok_deng_row(chips) for chips in laid]
    for n, (name, plan) in enumerate(plans.items(), 1):
        score = _pok_deng_score(view, n)
        seat = Seat(f"PLAYER {n}", view.hand(name), score, "", name in flagged)
        wins = [bet for bet, _ in plan.rows if view.wins(bet)]
        found += box.box(ink, plan, seat, taken, wins)

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        plan = plans.get(chips.bet.removesuffix("_pair"))
        row = _pok_deng_row(chips)
        return plan and (row, box.spot(plan, row))

    piles, elsewhere = cells.piles(ink, laid, spot)
    picture = found + shoe(ink, view, frame) + piles
    return DrawnCloth(picture, ("banker", *names), elsewhere)


def _seat_rows(ink: Ink, seat: str) -> tuple[tuple[str, str], ...]:
    reserve = ink.words(say("page.felt_reserve"))
    return ((seat, "PLAYER"), (f"{seat}_pair", "PAIR"), (f"{seat}/{RESERVE}", reserve))


def _pok_deng_row(chips: LaidChips) -> str:
    return f"{chips.bet.removesuffix('_pair')}/{RESERVE}" if chips.reserve else chips.bet


def _boxes(
    ink: Ink,
    view: TableView,
    area: Area,
    names: Sequence[str],
    rows: Sequence[tuple[str, str]],
    bets: Sequence[BoxedBet],
    card: float,
) -> DrawnCloth:
    """One box for each name, with the bets of that box on its rows."""
    parts = area.columns([1] * len(names), 6)
    plans = {name: BoxPlan(part, card, rows) for name, part in zip(names, parts, strict=True)}
    found = ""
    for name, plan in plans.items():
        mine = [bet for bet in bets if bet.box == name]
        won = [bet.row for bet in mine if view.fates.get(bet.chips.wager_id) == "win"]
        words = ink.words(say("page.behind") if name == BEHIND else say("page.seat", seat=name))
        flagged = any(bet.chips.flagged for bet in mine)
        called = _spoken(view.called(box=name))
        seat = Seat(words, view.hand(name), _spoken(view.of_box(name)), called, flagged)
        wins = [row for row in won if row != RESERVE]
        found += box.box(ink, plan, seat, [bet.row for bet in mine], wins)
    places = {id(bet.chips): (bet.box, bet.row) for bet in bets}
    known = {row for row, _ in rows}

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        name, row = places[id(chips)]
        if name not in plans or row not in known:
            return None
        return f"{name}/{row}", box.spot(plans[name], row)

    piles, elsewhere = cells.piles(ink, [bet.chips for bet in bets], spot)
    return DrawnCloth(found + piles, tuple(names), elsewhere)


def _numbered(view: TableView, boxes: Sequence[str]) -> list[str]:
    """The names of the boxes: as many as the layout has, or more where more were used."""
    count = sum(zone.name.isdigit() for zone in layouts.of_game(view.game).zones)
    used = [int(name) for name in {*boxes, *(c.hand for c in view.cards)} if name.isdigit()]
    names = [str(n) for n in range(1, max([count, *used]) + 1)]
    return [*names, BEHIND] if BEHIND in boxes else names


def _spoken(words: str) -> str:
    """`NIU_4 KC` as `Niu 4 · KC`: the class of a hand as people read it, without who won."""
    for against in ("dealer higher", "player higher", "stand-off"):
        words = words.removesuffix(f" {against}")
    head, _, last = words.rpartition(" ")
    if head and ENDS_IN_CARD.search(words):
        return f"{_spoken(head)} · {last}"
    return words.replace("_", " ").capitalize()


def _pok_deng_score(view: TableView, n: int) -> str:
    """The points of the banker (0) or a player, as the outcome lists them: `B 1, P 2 7 5 8 8`."""
    figures = [part for part in view.outcome.replace(",", "").split() if part not in ("B", "P")]
    return figures[n] if n < len(figures) else ""
