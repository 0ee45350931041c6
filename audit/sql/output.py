"""The answer to a query in the form a reader wants: table, csv, json, markdown or parquet.

Every form is written row by row. What a value looks like is said in audit/sql/value_text.py.
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
from audit.sql.sandbox import Answer, Column
from audit.sql.value_text import NUMBERS, is_nested

RISKY = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such a cell for a formula
FRAMED = 1_000  # rows that a frame on a terminal is drawn around


def show(answer: Answer, form: str, *, excel: bool = False) -> None:
    """Print the answer; a table is framed where a terminal shows it."""
    if form == "parquet":
        raise Stopped("parquet is no text", "name a file with --out answer.parquet", Code.USAGE)
    if form == "table" and answer.sent <= FRAMED:
        columns.table(answer.names, [list(map(_cell, row)) for row in answer.rows()])
        return
    for line in FORMS[form](answer, excel):
        if not screen.write(line):
            raise screen.ReaderLeft  # the other rows are for nobody


def save(answer: Answer, form: str, out: Path, *, excel: bool = False) -> None:
    """Write the answer to a file, which is there whole or as it was before."""
    with _whole(out) as draft:
        if form == "parquet":
            _parquet(answer, draft)
            return
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(FORMS[form](answer, excel))


def counted(answer: Answer) -> str:
    """How many rows there are, and how many of them are here; the same for every form."""
    if not answer.more:
        return f"{answer.sent:,} row{'' if answer.sent == 1 else 's'}"
    than = "" if answer.whole else "more than "
    return f"first {answer.sent:,} of {than}{answer.counted:,} rows; --limit shows more"


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A file to write to that gets its name when it is whole and on the disk."""
    place = out.resolve()
    if place.exists() and not place.is_file():  # a device or a pipe, which nobody can rename
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
        writer.writerow(_harmless(cell) if excel else cell for cell in cells)
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


def _as_json(column: Column) -> Callable[[str | None], str]:
    """How the values of a column are told in JSON, each with its name."""
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
    return screen.escaped(text.replace("\t", " ").replace("\r", " "))  # between values, in none


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
    """Read twice: the widest cell of each column decides how wide it is."""
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


def _harmless(cell: str) -> str:
    return "'" + cell if cell.startswith(RISKY) else cell


FORMS: Mapping[str, Callable[[Answer, bool], Iterator[str]]] = {
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "table": _table,
}
NAMES = (*FORMS, "parquet")
