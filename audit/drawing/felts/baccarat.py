"""Tiger Baccarat with a band for each seat, and the baccarat of SA Gaming with bands by bet."""

from collections.abc import Callable, Mapping

from audit.drawing import bet_band, cells
from audit.drawing.bet_band import Band, Bands
from audit.drawing.chips import LaidChips, Spot
from audit.drawing.felts.drawn import DrawnCloth
from audit.drawing.felts.two_hands import Sides, two_hands
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from replay.games import baccarat, tiger_baccarat
from replay.sentence import say

HANDS = (("player", "PLAYER"), ("banker", "BANKER"))
WINNER = {"P": "PLAYER", "B": "BANKER", "T": "TIE"}  # as an outcome begins
SEATS = 6
BEHIND = "0"  # the box of those who stand behind the table
NO_COMMISSION = ":nc"

TIGER = (
    Band((("small_tiger", "SMALL"), ("tiger", "TIGER"), ("big_tiger", "BIG")), "amber"),
    Band((("player_pair", "P PAIR"), ("banker_pair", "B PAIR")), "plain"),
    Band((("tie", "TIE"),), "green"),
    Band((("banker", "BANKER"),), "red"),
    Band((("player", "PLAYER"),), "blue"),
)
LIVE = (
    Band(
        (
            ("lucky_six", "LUCKY SIX"),
            ("two_card_lucky_six", "2-CARD LUCKY SIX"),
            ("three_card_lucky_six", "3-CARD LUCKY SIX"),
        ),
        "amber",
    ),
    Band(
        (
            ("player_pair", "PLAYER PAIR"),
            ("any_pair", "ANY PAIR"),
            ("perfect_pair", "PERFECT PAIR"),
            ("banker_pair", "BANKER PAIR"),
        ),
        "plain",
    ),
    Band(
        (
            ("player_bonus", "PLAYER BONUS"),
            ("player_natural", "PLAYER NATURAL"),
            ("banker_natural", "BANKER NATURAL"),
            ("banker_bonus", "BANKER BONUS"),
        ),
        "plain",
    ),
    Band((("tie", "TIE"),), "green"),
    Band((("banker", "BANKER"), ("banker:nc", "BANKER, NO COMMISSION")), "red"),
    Band((("player", "PLAYER"),), "blue"),
)


def tiger(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Tiger Baccarat."""
    boxes = {chips.box for chips in view.chips}
    numbers = [int(box) for box in boxes if box.isdigit()]
    seats = [str(n) for n in range(1, max([SEATS, *numbers]) + 1)]
    columns = [*seats, *([BEHIND] if BEHIND in boxes else [])]
    words = {seat: ink.words(say("page.seat", seat=seat)) for seat in seats}
    words[BEHIND] = ink.words(say("page.behind"))
    hands = two_hands(ink, view, frame, _sides(tiger_baccarat.points), _winner(view))
    cloth = _cloth(
        ink,
        view,
        Bands(_band_area(frame, 164, 20), columns, TIGER),
        lambda chips: (chips.box, chips.bet),
        words,
    )
    return cloth._replace(picture=hands + cloth.picture)


def live(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of SA Gaming's baccarat, which has no seats."""
    known = {bet for row in LIVE for bet, _ in row.bets}

    def place(chips: LaidChips) -> tuple[str, str]:
        plain = chips.bet.removesuffix(NO_COMMISSION)
        return "", chips.bet if chips.bet in known else plain

    hands = two_hands(ink, view, frame, _sides(baccarat.score), _winner(view))
    cloth = _cloth(ink, view, Bands(_band_area(frame, 174, 4), ("",), LIVE), place, {})
    return cloth._replace(picture=hands + cloth.picture)


def _sides(count: Callable[..., int]) -> Sides:
    return Sides(HANDS, lambda cards: str(count(cards)), 50)


def _winner(view: TableView) -> str:
    return WINNER.get(view.outcome[:1], view.outcome)


def _band_area(frame: Area, height: float, margin: float) -> Area:
    return Area(frame.x + 24, frame.bottom - height - margin, frame.width - 48, height)


def _cloth(
    ink: Ink,
    view: TableView,
    cloth: Bands,
    place: Callable[[LaidChips], tuple[str, str]],
    words: Mapping[str, str],
) -> DrawnCloth:
    bets = [bet for row in cloth.rows for bet, _ in row.bets]
    wins = [bet for bet in bets if view.wins(bet)]
    known = bet_band.spots(cloth)

    def spot(chips: LaidChips) -> tuple[str, Spot] | None:
        found = known.get(place(chips))
        return found and ("/".join(place(chips)), found)

    piles, elsewhere = cells.piles(ink, view.chips, spot)
    flagged = {place(chips) for chips in view.chips if chips.flagged}
    picture = (
        bet_band.bands(ink, cloth, [place(chips) for chips in view.chips], wins)
        + "".join(bet_band.outline(ink, cloth, at) for at in sorted(flagged))
        + (bet_band.names(ink, cloth, words) if words else "")
        + piles
    )
    return DrawnCloth(picture, ("player", "banker"), elsewhere)
