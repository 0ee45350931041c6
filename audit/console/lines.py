"""A chart of an answer whose first column is a number or a time that grows: lines over it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from audit.console.bars import NUMBERS

TIMES = ("TIMESTAMP", "DATE")
MOST = 6  # lines of one chart


def lines(
    names: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[str | None]], zone: str
) -> dict[str, Any]:
    """What charts.js draws; empty where the answer is no such series."""
    kinds = [kind.upper() for kind in kinds]
    numbers = [n for n, kind in enumerate(kinds) if n and kind.startswith(NUMBERS)][:MOST]
    if len(rows) < 3 or not numbers or not kinds[0].startswith((*NUMBERS, *TIMES)):
        return {}
    is_time = kinds[0].startswith(TIMES)
    along = [_place(row[0], is_time=is_time) for row in rows]
    if any(each is None for each in along) or along != sorted(set(along), key=float):  # type: ignore[arg-type]  # no None is left
        return {}
    series = [
        {"name": names[n], "values": [None if row[n] is None else float(row[n]) for row in rows]}  # type: ignore[arg-type]  # None was left out
        for n in numbers
    ]
    return {"x": along, "name": names[0], "time": is_time, "zone": zone, "series": series}


def _place(text: str | None, *, is_time: bool) -> float | None:
    """A number as it is, a time in seconds since 1970."""
    if text is None:
        return None
    try:
        if not is_time:
            return float(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
