"""A chart of any answer: a bar a row, from zero, where one column is a number."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from markupsafe import Markup

NUMBERS = ("BIGINT", "INTEGER", "HUGEINT", "DOUBLE", "DECIMAL", "SMALLINT", "TINYINT", "UBIGINT")
MOST = 40
ROW, WIDTH, LABEL, FIGURE = 20, 640, 190, 110


def bars(
    names: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[str | None]]
) -> Markup | str:
    """The chart of the last column of numbers by the first other column; empty where none fits."""
    numbers = [n for n, kind in enumerate(kinds) if kind.upper().startswith(NUMBERS)]
    others = [n for n in range(len(names)) if n not in numbers]
    if not numbers or not rows:
        return ""
    value, label = numbers[-1], others[0] if others else None
    rows = rows[:MOST]
    figures = [_number(row[value]) for row in rows]
    widest = max((abs(figure) for figure in figures), default=Decimal(0)) or Decimal(1)
    room = WIDTH - LABEL - FIGURE
    parts = []
    for n, (row, figure) in enumerate(zip(rows, figures, strict=True)):
        length = int(abs(figure) * room * 10 / widest) / 10
        y = n * ROW
        words = (row[label] or "") if label is not None else str(n + 1)
        parts.append(
            Markup(
                '<text x="{}" y="{}" class="bar-label">{}</text>'
                '<rect x="{}" y="{}" width="{}" height="{}" class="bar-fill{}"/>'
                '<text x="{}" y="{}" class="bar-figure">{}</text>'
            ).format(
                LABEL - 8,
                y + 14,
                words[:28],
                LABEL,
                y + 4,
                length,
                ROW - 8,
                " negative" if figure < 0 else "",
                LABEL + length + 6,
                y + 14,
                row[value],
            )
        )
    return Markup(
        '<svg class="bars" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, len(rows) * ROW, names[value], Markup("").join(parts))


def _number(text: str | None) -> Decimal:
    try:
        found = Decimal(text or "0")
    except InvalidOperation:
        return Decimal(0)
    return found if found.is_finite() else Decimal(0)
