"""The answer to a query as table, csv, json, markdown or parquet.

Every format is written row by row. audit/sql/value_text.py says what a value looks like.
"""

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import StringIO
from pathlib import Path

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped
from audit.sql.sandbox import Answer, AnswerColumn
from audit.sql.value_text import NUMBERS, is_nested

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such a cell for a formula
FRAMED_ROWS = 1_000  # a longer table is printed without a frame, row by row


def show(answer: Answer, form: str, *, excel: bool = False) -> None:
    """Print the answer; a table on a terminal has a frame."""
    if form == "parquet":
        what = "--format parquet: a file expected, as parquet is not text"
        raise Stopped(what, "name a file with --out answer.parquet", Code.USAGE)
    if form == "table" and answer.sent <= FRAMED_ROWS:
        columns.table(answer.names, [list(map(_cell, row)) for row in answer.rows()])
        return
    for line in FORMS[form](answer, excel):
        if not screen.write(line):
            raise screen.ReaderLeft  # nobody reads the other rows


def save(answer: Answer, form: str, out: Path, *, excel: bool = False) -> None:
    """Write the answer to a file; after a failure the file is as it was before."""
    with _whole(out) as draft:
        if form == "parquet":
            _parquet(answer, draft)
            return
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(FORMS[form](answer, excel))


def counted(answer: Answer) -> str:
    """How many rows the answer has, and how many of them were printed."""
    if not answer.more:
        return f"{answer.sent:,} row{'' if answer.sent == 1 else 's'}"
    than = "" if answer.whole else "more than "
    return f"first {answer.sent:,} of {than}{answer.counted:,} rows; --limit shows more"


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A draft to write to; it gets its final name once it is complete and on disk."""
    place = out.resolve()
    if place.exists() and not place.is_file():  # a device or a pipe cannot be renamed
        yield place
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        yield draft
        _force(draft)
        draft.replace(place)
        _force(place.parent)
    finally:
        draft.unlink(missing_ok=True)


def _force(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _parquet(answer: Answer, draft: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(draft, answer.schema()) as writer:
            for batch in answer.batches():
                writer.write_batch(batch)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        kinds = ", ".join(f"{column.name} {column.kind}" for column in answer.columns)
        what = f"parquet cannot hold a column of {kinds}: {error}"
        raise Stopped(what, "cast such a column to varchar in the query", Code.USAGE) from error


def _csv(answer: Answer, excel: bool) -> Iterator[str]:
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n" if excel else "\n")
    writer.writerow(answer.names)
    for row in answer.rows():
        cells = ("" if value is None else value for value in row)
        writer.writerow(harmless(cell) if excel else cell for cell in cells)
        yield sheet.getvalue()
        sheet.seek(0)
        sheet.truncate()
    yield sheet.getvalue()


def _json(answer: Answer, _excel: bool) -> Iterator[str]:
    described = [{"name": column.name, "type": column.kind} for column in answer.columns]
    yield f'{{\n  "columns": {_dumped(described)},\n  "rows": ['
    as_json = [_as_json(column) for column in answer.columns]
    comma = "\n"
    for row in answer.rows():
        cells = ", ".join(tell(value) for tell, value in zip(as_json, row, strict=True))
        yield f"{comma}    {{{cells}}}"
        comma = ",\n"
    yield "],\n" if comma == "\n" else "\n  ],\n"
    yield f'  "shown": {answer.sent},\n  "total": {_dumped(answer.total)},\n'
    yield f'  "more": {_dumped(answer.more)}\n}}\n'


def _as_json(column: AnswerColumn) -> Callable[[str | None], str]:
    """How to write the values of a column in JSON, each with its name."""
    as_value: Callable[[str], str] = _dumped
    if column.kind == "BOOLEAN" or column.kind in NUMBERS:
        as_value = _number
    elif is_nested(column.kind):
        as_value = _nested
    return partial(_named, f"{_dumped(column.name)}: ", as_value)


def _named(name: str, as_value: Callable[[str], str], value: str | None) -> str:
    return name + ("null" if value is None else as_value(value))


def _number(text: str) -> str:
    return "null" if text.endswith(("nan", "inf")) else text


def _nested(text: str) -> str:
    if "NaN" in text or "Infinity" in text:
        return _dumped(json.loads(text, parse_constant=lambda _: None))
    return screen.escaped(text.replace("\t", " ").replace("\r", " "))  # never inside a JSON string


def _dumped(value: object) -> str:
    return screen.escaped(json.dumps(value, ensure_ascii=False))


def _markdown(answer: Answer, _excel: bool) -> Iterator[str]:
    yield _barred(answer.names)
    yield _barred(["---"] * len(answer.columns))
    for row in answer.rows():
        yield _barred([_cell(value).replace("|", "\\|") for value in row])


def _barred(cells: list[str]) -> str:
    return f"| {' | '.join(map(columns.one_line, cells))} |\n"


def _table(answer: Answer, _excel: bool) -> Iterator[str]:
    """Read the answer twice: first for the width of each column, then for its rows."""
    widths = [len(name) for name in answer.names]
    for row in answer.rows():
        widths = [max(pair) for pair in zip(widths, map(len, _line(row)), strict=True)]
    yield columns.aligned(answer.names, widths) + "\n"
    for row in answer.rows():
        yield columns.aligned(_line(row), widths) + "\n"


def _line(row: tuple[str | None, ...]) -> list[str]:
    return [columns.one_line(_cell(value)) for value in row]


def _cell(value: str | None) -> str:
    return "null" if value is None else value


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + cell if cell.startswith(FORMULA_STARTS) else cell


FORMS: Mapping[str, Callable[[Answer, bool], Iterator[str]]] = {
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "table": _table,
}
NAMES = (*FORMS, "parquet")
