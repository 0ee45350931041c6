"""The SQL workbench: read-only questions of everything, with the query in the address."""

import hashlib
import io
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from audit.cli.errors import Code, Stopped
from audit.console import bars, lines, queries, rendering
from audit.console.guard import Visit, asks
from audit.console.roles import Action
from audit.pages import tables as table_page
from audit.sql import database, output, parameters
from audit.sql.sandbox import Answer, QueryLimits, ask

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.RUN_SQL)]
SHOWN = 1_000
SECONDS = 20.0
MEGABYTES = 50
LONGEST = 20_000  # characters of a query
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


class ShownAnswer(NamedTuple):
    """An answer as the page shows it."""

    names: list[str]
    kinds: list[str]
    rows: list[tuple[str | None, ...]]
    total: str  # how many rows there are, in words
    took_s: float
    sha256: str  # of the shown rows as CSV


@router.get("/sql")
def workbench(visit: Visitor, q: str = "", saved: str = "") -> Response:
    """The editor, and the answer where a query was asked."""
    query = queries.find(visit.request.app.state.store, saved) if saved else None
    sql = q or (query.sql if query else "")
    given = _given(visit)
    wanted = parameters.names(sql) if sql else []
    shown, problem = None, ""
    if sql and all(name in given for name in wanted):
        try:
            shown = _ask(visit, sql, given)
        except Stopped as stopped:
            problem = f"{stopped} · {stopped.next_step}"
    zone = "UTC" if visit.zone_is_utc else visit.request.app.state.zone
    series = lines.lines(shown.names, shown.kinds, shown.rows, zone) if shown else {}
    return rendering.page(
        visit,
        "sql.html",
        sql=sql,
        query=query,
        wanted=wanted,
        given=given,
        shown=shown,
        problem=problem,
        series=series,
        chart=bars.bars(shown.names, shown.kinds, shown.rows) if shown and not series else "",
        bars=bars.MOST,
        tables=table_page.pages(),
        saved=queries.all_of(visit.request.app.state.store),
        limits={"rows": SHOWN, "seconds": int(SECONDS)},
        asked=visit.request.url.query,
    )


@router.get("/api/sql")
def answer_as_data(visit: Visitor, q: str) -> dict[str, Any]:
    """The first rows of an answer, with its columns and the hash of what is shown."""
    return _ask(visit, q, _given(visit))._asdict()


@router.get("/sql.{form}")
def export(visit: Visitor, form: str, q: str) -> Response:
    """The whole answer as a file."""
    if form not in MEDIA:
        raise Stopped(f"{form!r}: csv, json or parquet expected", "/sql", Code.USAGE)
    values = parameters.required(_short(q), _given(visit))
    visit.saw(_recorded(q, values), "exported query")
    limits = QueryLimits(SECONDS, megabytes=MEGABYTES)
    path = database.located(visit.request.app.state.place.home)
    with (
        TemporaryDirectory() as folder,
        ask(path, q, None, limits, raw=form == "parquet", values=values) as answer,
    ):
        out = Path(folder) / "answer"
        output.save(answer, form, out, excel=form == "csv")
        body = out.read_bytes()
    headers = {"content-disposition": f'attachment; filename="answer.{form}"'}
    return StreamingResponse(_chunks(body), media_type=MEDIA[form], headers=headers)


@router.post("/sql/saved")
def save(
    visit: Visitor,
    title: Annotated[str, Form(max_length=120)],
    sql: Annotated[str, Form(max_length=LONGEST)],
    about: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Keep a query under a title."""
    visit.saw(title, "saved query")
    name = queries.save(visit.request.app.state.store, visit.who, title, about, sql)
    return RedirectResponse(f"/sql?saved={name}", 303)


def _ask(visit: Visit, sql: str, given: Mapping[str, str]) -> ShownAnswer:
    values = parameters.required(_short(sql), given)
    visit.saw(_recorded(sql, values), "ran query")
    path = database.located(visit.request.app.state.place.home)
    begun = time.monotonic()
    with ask(path, sql, SHOWN, QueryLimits(SECONDS, megabytes=MEGABYTES), values=values) as answer:
        took = time.monotonic() - begun
        rows = list(answer.rows())
        kinds = [column.kind for column in answer.columns]
        return ShownAnswer(
            answer.names, kinds, rows, _counted(answer), took, _hash(answer.names, rows)
        )


def _counted(answer: Answer) -> str:
    than = "" if answer.whole else ">"
    return f"{than}{answer.counted:,}"


def _hash(names: list[str], rows: list[tuple[str | None, ...]]) -> str:
    """The hash of what is shown; the same rows give the same hash on any day."""
    text = io.StringIO()
    for row in (names, *rows):
        text.write("\x1f".join("" if cell is None else f"={cell}" for cell in row) + "\x1e")
    return hashlib.sha256(text.getvalue().encode()).hexdigest()


def _given(visit: Visit) -> dict[str, str]:
    """The values of parameters in the address: p_table=T01."""
    asked = visit.request.query_params
    return {name[2:]: value for name, value in asked.items() if name.startswith("p_")}


def _short(sql: str) -> str:
    if len(sql) > LONGEST:
        what = f"a query of at most {LONGEST:,} characters expected, {len(sql):,} found"
        raise Stopped(what, "shorten the query", Code.USAGE)
    return sql


def _recorded(sql: str, values: Mapping[str, Any]) -> str:
    return f"{sql} {dict(values)}" if values else sql


def _chunks(body: bytes, size: int = 1 << 16) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]
