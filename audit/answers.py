"""The answer to a query in the form a reader wants: table, csv, json, markdown or parquet."""

import csv
import json
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from audit import listing
from audit.errors import Code, Stopped
from audit.finding_pages import utc
from audit.sandbox import Answer

RISKY = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such a cell for a formula


def text(answer: Answer, form: str, *, excel: bool = False) -> str:
    """The answer as text in one of the text forms."""
    return FORMS[form](answer, excel)


def show(answer: Answer, form: str, *, excel: bool = False) -> None:
    """Print the answer; a table is framed where a terminal shows it."""
    if form == "parquet":
        raise Stopped("parquet is no text", "name a file with --out answer.parquet", Code.USAGE)
    if form == "table":
        names = answer.schema.names
        listing.table(names, [[_cell(value) for value in row.values()] for row in answer.rows()])
    else:
        sys.stdout.write(text(answer, form, excel=excel))


def save(answer: Answer, form: str, out: Path, *, excel: bool = False) -> None:
    """Write the answer to a file."""
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_batches(answer.batches, answer.schema), out)
        return
    out.write_text(text(answer, form, excel=excel), "utf-8", newline="")


def counted(answer: Answer) -> str:
    """How many rows there are, and how many of them are here."""
    if answer.more:
        return f"first {answer.sent:,} of more than {answer.total:,} rows"
    if answer.sent < answer.total:
        return f"first {answer.sent:,} of {answer.total:,} rows"
    return f"{answer.total:,} row{'' if answer.total == 1 else 's'}"


def _csv(answer: Answer, excel: bool) -> str:
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n" if excel else "\n")
    writer.writerow(answer.schema.names)
    for row in answer.rows():
        cells = ("" if value is None else _cell(value) for value in row.values())
        writer.writerow(_harmless(cell) if excel else cell for cell in cells)
    return sheet.getvalue()


def _json(answer: Answer, _excel: bool) -> str:
    whole = {
        "rows": list(answer.rows()),
        "shown": answer.sent,
        "total": answer.total,
        "more": answer.more,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False, sort_keys=True, default=_cell) + "\n"


def _markdown(answer: Answer, _excel: bool) -> str:
    names = answer.schema.names
    lines = [names, ["---"] * len(names)]
    lines += [[_cell(value).replace("|", "\\|") for value in row.values()] for row in answer.rows()]
    return "".join(f"| {' | '.join(map(listing.one_line, line))} |\n" for line in lines)


def _table(answer: Answer, _excel: bool) -> str:
    rows = [[_cell(value) for value in row.values()] for row in answer.rows()]
    return "\n".join(listing.plain(answer.schema.names, rows)) + "\n"


def _cell(value: Any) -> str:
    """One value for people and for files: times in UTC, lists and records as JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case datetime():
            return utc(value)
        case date() | time():
            return value.isoformat()
        case Decimal():
            return format(value, "f")
        case bytes():
            return value.hex()
        case list() | dict():
            return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_cell)
        case _:
            return str(value)


def _harmless(cell: str) -> str:
    return "'" + cell if cell.startswith(RISKY) else cell


FORMS: Mapping[str, Callable[[Answer, bool], str]] = {
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "table": _table,
}
NAMES = (*FORMS, "parquet")
