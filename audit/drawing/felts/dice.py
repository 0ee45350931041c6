"""Sic Bo, Thai HiLo, Fish Prawn Crab and Xoc Dia: the throw on the left, the cloth on the right."""

from collections.abc import Sequence

from audit.drawing import cells, dice, svg, tokens
from audit.drawing.cells import Cell
from audit.drawing.chips import Spot
from audit.drawing.felts.drawn import DrawnCloth, on_cells
from audit.drawing.svg import Area
from audit.drawing.table_view import TableView
from audit.drawing.theme import Ink
from audit.drawing.verdict import called_mark, derived_words
from replay.games.fish_prawn_crab import SYMBOLS
from replay.sentence import say
from replay.words.outcome import spoken_outcome

LEFT = 206  # width of the part where the throw lies
PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a + 1, 7))
SYMBOL_PAIRS = tuple((a, b) for n, a in enumerate(SYMBOLS) for b in SYMBOLS[n + 1 :])
FOURS = ("1-2-3-4", "2-3-4-5", "2-3-5-6", "3-4-5-6")


def sic_bo(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Sic Bo; single and double combinations are listed where somebody bet on them."""
    top, totals, doubles, numbers, triples, parity = _right(frame).rows((48, 38, 42, 32, 38, 24), 4)
    shares = (2.3, 1.2, 1, 1, 1, 1.9, 1, 1, 1, 1.2, 2.3)
    first = top.columns(shares, 3)
    found = [
        Cell("small", first[0], "SMALL", "4–10"),
        Cell("odd", first[1], "ODD"),
        *(_pair(f"pair:{n}", first[n + 1], str(n)) for n in (1, 2, 3)),
        Cell("any_triple", first[5], "ANY TRIPLE"),
        *(_pair(f"pair:{n}", first[n + 2], str(n)) for n in (4, 5, 6)),
        Cell("even", first[9], "EVEN"),
        Cell("big", first[10], "BIG", "11–17"),
    ]
    found += [
        Cell(f"total:{n}", area, str(n), size=14)
        for n, area in zip(range(4, 18), totals.columns([1] * 14, 3), strict=True)
    ]
    found += [
        _row(f"double:{a}+{b}", area, (str(a), str(b)), 14)
        for (a, b), area in zip(PAIRS, doubles.columns([1] * 15, 3), strict=True)
    ]
    found += [
        _row(f"number:{n}", area, (str(n),), 19)
        for n, area in zip(range(1, 7), numbers.columns([1] * 6, 3), strict=True)
    ]
    thirds = triples.columns([1] * 6 + [1.35] * 4, 3)
    found += [
        _row(f"triple:{n}", area, (str(n),) * 3, 13)
        for n, area in zip(range(1, 7), thirds[:6], strict=True)
    ]
    found += [
        Cell(f"four:{four}", area, four.replace("-", " "), size=10.5)
        for four, area in zip(FOURS, thirds[6:], strict=True)
    ]
    words = ("ALL ODD", "ALL EVEN", "2 ODD 1 EVEN", "2 EVEN 1 ODD")
    bets = ("all_odd", "all_even", "two_odd_one_even", "two_even_one_odd")
    found += [
        Cell(bet, area, text, size=10)
        for bet, text, area in zip(bets, words, parity.columns([1] * 4, 3), strict=True)
    ]
    return _cloth(ink, view, frame, found, _dice(ink, view, frame))


def thai_hilo(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Thai HiLo."""
    top, numbers, tens, pairs = _right(frame).rows((56, 50, 50, 56), 5)
    big = top.columns((2, 1.4, 2), 4)
    found = [
        Cell("lo", big[0], "LO", "3–10", size=15),
        Cell("hilo_11", big[1], "11 HI LO", size=15),
        Cell("hi", big[2], "HI", "12–18", size=15),
    ]
    found += [
        _row(f"number:{n}", area, (str(n),), 26)
        for n, area in zip(range(1, 7), numbers.columns([1] * 6, 4), strict=True)
    ]
    sides = [*(f"{n}_lo" for n in range(1, 7)), *(f"{n}_hi" for n in range(3, 7))]
    parts = tens.columns([1] * 10 + [1.6, 1.6], 3)
    found += [
        Cell(bet, area, bet.replace("_", " ").upper(), size=11)
        for bet, area in zip(sides, parts[:10], strict=True)
    ]
    found += [
        _row(f"run:{run}", area, tuple(run.split("-")), 14)
        for run, area in zip(("1-2-3", "4-5-6"), parts[10:], strict=True)
    ]
    found += [
        _row(f"double:{a}+{b}", area, (str(a), str(b)), 14)
        for (a, b), area in zip(PAIRS, pairs.columns([1] * 15, 3), strict=True)
    ]
    return _cloth(ink, view, frame, found, _dice(ink, view, frame))


def fish_prawn_crab(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Fish Prawn Crab."""
    symbols, pairs, triples = _right(frame).rows((126, 50, 42), 6)
    found = []
    for row, names in zip(symbols.rows((1, 1), 5), (SYMBOLS[:3], SYMBOLS[3:]), strict=True):
        for name, area in zip(names, row.columns((1, 1, 1), 5), strict=True):
            x, y = area.x + area.width * 0.3, area.centre[1]
            picture = dice.die(x, y - 7, 40, name)
            picture += svg.text(x, area.bottom - 8, name.upper(), 9, fill=ink.theme.ink, weight=600)
            found.append(Cell(f"symbol:{name}", area, name.upper(), picture=picture))
    found += [
        _row(f"double:{a}+{b}", area, (a, b), 19)
        for (a, b), area in zip(SYMBOL_PAIRS, pairs.columns([1] * 15, 3), strict=True)
    ]
    words = (("any_triple_color", "ANY TRIPLE COLOUR"), ("any_triple_symbol", "ANY TRIPLE SYMBOL"))
    found += [
        Cell(bet, area, text, size=11)
        for (bet, text), area in zip(words, triples.columns((1, 1), 5), strict=True)
    ]
    return _cloth(ink, view, frame, found, _dice(ink, view, frame))


def xoc_dia(ink: Ink, view: TableView, frame: Area) -> DrawnCloth:
    """The cloth of Xoc Dia."""
    top, middle, low = _right(frame).rows((76, 84, 50), 6)
    chances = ("odd", "even", "big", "small")
    found = [
        Cell(bet, area, bet.upper(), size=15)
        for bet, area in zip(chances, top.columns([1] * 4, 6), strict=True)
    ]
    results = ("4R", "3R1W", "2R2W", "1R3W", "4W")
    for reds, bet, area in zip(range(4, -1, -1), results, middle.columns([1] * 5, 6), strict=True):
        sides = "R" * reds + "W" * (4 - reds)
        x, y = area.centre
        picture = tokens.row(x, y - 21, 8.5, sides[:2]) + tokens.row(x, y, 8.5, sides[2:])
        found.append(Cell(bet, area, picture=picture))
    x, y = low.centre
    both = tokens.row(x - 90, y, 8.5, "RRRR") + tokens.row(x + 90, y, 8.5, "WWWW")
    both += svg.text(x, y, "or", 12, fill=ink.theme.ink)
    found.append(Cell("4R_or_4W", low, picture=both))
    throw = tokens.bowl(ink, frame.x + LEFT / 2 + 6, frame.y + 156, 84, view.throw.faces)
    return _cloth(ink, view, frame, found, throw)


def _right(frame: Area) -> Area:
    return Area(frame.x + LEFT + 14, frame.y + 34, frame.width - LEFT - 26, frame.height - 40)


def _pair(bet: str, area: Area, face: str) -> Cell:
    x, y = area.centre
    picture = dice.die(x - 9, y - 12, 15, face) + dice.die(x + 9, y - 12, 15, face)
    return Cell(bet, area, picture=picture)


def _row(bet: str, area: Area, faces: Sequence[str], side: float) -> Cell:
    """A cell that prints dice side by side: left in a wide cell, at the top of a narrow one."""
    x, y = area.centre
    if area.width >= 90:
        x = area.x + 20 + side * 0.6 * (len(faces) - 1)
    step = min(side * 1.16, (area.width - 4) / len(faces))
    side = min(side, step / 1.06)
    left = x - step * (len(faces) - 1) / 2
    up = 0 if area.width >= 90 else area.height / 2 - side / 2 - 6
    drawn = (dice.die(left + n * step, y - up, side, face) for n, face in enumerate(faces))
    return Cell(bet, area, picture="".join(drawn))


def _dice(ink: Ink, view: TableView, frame: Area) -> str:
    return dice.tray(ink, frame.x + LEFT / 2 + 6, frame.y + 156, 84, view.throw.faces)


def _cloth(ink: Ink, view: TableView, frame: Area, found: Sequence[Cell], throw: str) -> DrawnCloth:
    spots = {cell.bet: _spot(cell) for cell in found}
    cloth = on_cells(ink, view, found, spots)
    return cloth._replace(picture=throw + _said(ink, view, frame) + cloth.picture)


def _spot(cell: Cell) -> Spot:
    """Chips lie beside the picture of a wide cell, and under that of a narrow one."""
    area = cell.area
    if not cell.picture:
        return cells.spot_in(cell)
    if area.width >= 150:
        return Spot(area.right - 70, area.bottom - 14, 9, size=10)
    if area.width >= 90:
        return Spot(area.centre[0] - 12, area.bottom - 12, 7.5, size=9)
    return Spot(area.centre[0], area.bottom - 16, 6.5, "below", 8.5)


def _said(ink: Ink, view: TableView, frame: Area) -> str:
    """The throw in words: tumbles above it, both marks below it."""
    throw, x = view.throw, frame.x + LEFT / 2 + 6
    theme = ink.theme
    found = ""
    lines = [ink.words(say("page.felt_shake", n=throw.n))] if throw.n > 1 else []
    if throw.tumbles is not None:
        lines.append(ink.words(say("page.felt_tumbles", n=throw.tumbles)))
    if lines:
        found += svg.text(x, frame.y + 20, " · ".join(lines), 11, fill=theme.ink, weight=600)
    if throw.differing:
        words = ink.words(say("page.felt_seen_by_camera", faces="-".join(throw.differing)))
        found += svg.text(x, frame.y + 38, words, 10, fill=theme.unknown, weight=600)
    if view.status:
        spoken = spoken_outcome(view.outcome, ink.language, view.game).replace("-", " · ")
        words, paint = derived_words(ink, view, spoken)
        size = svg.fitted(words, 16, LEFT - 16)
        found += svg.text(
            *(x, frame.y + 262, words, size), fill=paint, weight=700, data_derived=view.outcome
        )
        found += svg.text(
            x, frame.y + 279, ink.words(say("page.felt_derived")), 9.5, fill=theme.ink, opacity=0.85
        )
    if view.called():
        called = spoken_outcome(view.called(), ink.language, view.game)
        found += called_mark(ink, Area(x - 96, frame.y + 290, 192, 18), called)
    return found
