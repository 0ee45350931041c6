"""The rows of a page as a file: the same rows as its data, in CSV, JSON or Parquet."""

import csv
import inspect
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import wraps
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from fastapi import APIRouter
from fastapi.responses import Response

from audit.sql.output import harmless

Form = Literal["csv", "json", "parquet"]
Rows = Sequence[Mapping[str, Any]]
MEDIA: Mapping[str, str] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
PLAIN = (str, int, float, bool, date, datetime, type(None))
MINOR = "_minor"  # columns of exact amounts: whole numbers in a file, text in JSON


def add(router: APIRouter, page: str, data: Callable[..., Any], name: str) -> None:
    """Give a page its files: `/queue.csv` has the rows that `/api/findings` gives as data."""

    @wraps(data)
    def answer(form: Form, **given: Any) -> Response:
        given["visit"].saw(f"{page}.{form}", "exported table")
        found = data(**given)
        rows = found[name] if name else [{"id": key, **row} for key, row in found.items()]
        headers = {"content-disposition": f'attachment; filename="{name or page}.{form}"'}
        return Response(written(rows, form), media_type=MEDIA[form], headers=headers)

    asked = inspect.signature(data)
    chosen = inspect.Parameter("form", inspect.Parameter.KEYWORD_ONLY, annotation=Form)
    answer.__signature__ = asked.replace(  # type: ignore[attr-defined]  # FastAPI reads it
        parameters=[*asked.parameters.values(), chosen], return_annotation=Response
    )
    del answer.__wrapped__  # else its own signature is read
    router.get(f"/{page}.{{form}}")(answer)


def written(rows: Rows, form: str) -> bytes:
    """Rows in one of the three forms; what is nested stands as JSON."""
    if form == "json":
        return json.dumps(rows, default=_told, ensure_ascii=False, indent=1).encode()
    names = list(dict.fromkeys(name for row in rows for name in row))
    flat = [[_plain(name, row.get(name)) for name in names] for row in rows]
    return _csv(names, flat) if form == "csv" else _parquet(names, flat)


def _csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    sheet = io.StringIO()
    lines = csv.writer(sheet, lineterminator="\r\n")
    lines.writerow(names)
    lines.writerows(
        [harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return sheet.getvalue().encode()


def _parquet(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    arrays = [_array(name, list(cells)) for name, cells in zip(names, columns, strict=True)]
    body = io.BytesIO()
    pq.write_table(pa.table(dict(zip(names, arrays, strict=True))), body)
    return body.getvalue()


def _array(name: str, cells: list[Any]) -> pa.Array:
    if name.endswith(MINOR):
        return pa.array([None if each == "" else each for each in cells], pa.int64())
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # a column of several kinds
        return pa.array([None if each is None else str(each) for each in cells])


def _plain(name: str, value: Any) -> Any:
    if name.endswith(MINOR) and value not in (None, ""):
        return int(value)
    if isinstance(value, PLAIN):
        return value
    return json.dumps(value, default=_told, ensure_ascii=False)


def _told(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else str(value)
