"""The value of a cell as a reader of one language reads it, by the kind of its column."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from audit.checks import titles
from audit.checks import wording as finding_words
from audit.cli import times
from audit.evidence import figures
from audit.reports import wording
from replay import words
from replay.explain import EPOCH

Row = Mapping[str, Any]
NOTHING = "–"
RIGHT = frozenset({"count", "money", "decimal"})  # kinds that stand to the right of their column
LONG = frozenset({"said", "finding"})  # kinds that hold sentences
WIDE = LONG | {"title", "word", "label"}  # kinds that share what room the others leave


class CellReader(NamedTuple):
    """Who reads: the language, and the zone of the venue."""

    language: str
    zone: str

    def cell(self, kind: str, value: Any, row: Row) -> str:
        """A value in words; a dash where there is none."""
        if value is None or value in ("", []):
            return NOTHING
        family, _, label = kind.partition(":")
        return KINDS[family](self, value, row, label)


def _id(_: CellReader, value: Any, __: Row, ___: str) -> str:
    return str(value)


def _word(reader: CellReader, value: Any, _: Row, __: str) -> str:
    return wording.worded(str(value).replace("_", " "), reader.language)


def _title(reader: CellReader, value: Any, _: Row, __: str) -> str:
    return titles.title(str(value), reader.language)


def _said(reader: CellReader, value: Any, row: Row, _: str) -> str:
    """What a person wrote, with times of the venue."""
    return times.local(str(value), reader.zone, str(row.get("gaming_day") or ""))


def _finding(reader: CellReader, value: Any, row: Row, _: str) -> str:
    """What a check expected or found, in the reader's words."""
    told = finding_words.worded(str(value), reader.language, row.get("game") or "")
    return _said(reader, told, row, "")


def _count(reader: CellReader, value: Any, _: Row, __: str) -> str:
    return figures.figure(int(value), "", reader.language)


def _money(reader: CellReader, value: Any, row: Row, _: str) -> str:
    return figures.figure(int(value), row.get("currency") or "", reader.language)


def _decimal(reader: CellReader, value: Any, _: Row, __: str) -> str:
    """An exact decimal as the query wrote it."""
    text = str(value)
    return (text.replace(".", ",") if reader.language == "vi" else text).replace("-", "−")


def _day(reader: CellReader, value: Any, _: Row, __: str) -> str:
    return figures.day(str(value), reader.language)


def _time(reader: CellReader, value: Any, _: Row, __: str) -> str:
    """The day and the time of day in the venue's zone, to the second."""
    return moment(str(value), reader.zone)


def _label(reader: CellReader, value: Any, row: Row, kind: str) -> str:
    return words.label(kind, str(value), reader.language, row.get("game") or "")


def _list(_: CellReader, value: Any, __: Row, ___: str) -> str:
    return ", ".join(map(str, value))


def moment(text: str, zone: str) -> str:
    """A time of the tables, which is in UTC, in a zone."""
    at = datetime.fromisoformat(f"{text}+00:00")
    micros = (at - EPOCH) // timedelta(microseconds=1)
    return figures.moment(micros, zone).strftime("%Y-%m-%d %H:%M:%S")


KINDS: Mapping[str, Callable[[CellReader, Any, Row, str], str]] = {
    "id": _id,
    "word": _word,
    "title": _title,
    "said": _said,
    "finding": _finding,
    "count": _count,
    "money": _money,
    "decimal": _decimal,
    "day": _day,
    "time": _time,
    "label": _label,
    "list": _list,
}
