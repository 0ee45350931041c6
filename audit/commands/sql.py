"""`roundproof sql`: questions to the auditor's tables, once or in a session."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from audit import screen, settings
from audit.errors import Code, Stopped

app = typer.Typer()


@app.command()
def sql(
    ctx: typer.Context,
    query: Annotated[
        str | None,
        typer.Argument(help="A query, or .tables or .describe TABLE; a session without it."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="table, csv, json, markdown or parquet.")
    ] = "table",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the answer to this file.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over the file that is there.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many rows.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3_600, help="How long it may take.")
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
    excel: Annotated[
        bool, typer.Option("--excel", help="csv: no cell that a spreadsheet takes for a formula.")
    ] = False,
) -> None:
    """Ask the tables of the house in SQL. Reading only; nothing outside them can be reached.

    \b
    Examples:
        roundproof sql "select table_id, count(*) from rounds group by all order by all"
        roundproof sql .tables
        roundproof sql ".describe rounds"
        roundproof sql "from findings" --format csv --out findings.csv
        roundproof sql                       a session, with history and several lines a query

    A table on the screen shows the first 1,000 rows and says so; other forms give every row.
    """
    from audit import database
    from audit.sql_session import Session, talk

    form = "json" if as_json else form
    home = settings.of(ctx).home
    _check(form, out)
    if out is not None:
        _must_be_free(out, home, force=force)
    session = Session(
        path=database.located(home), form=form, limit=limit, seconds=seconds, excel=excel
    )
    if query is None and not sys.stdin.isatty():
        query = sys.stdin.read()
    if query is None:
        screen.hint("one query ends with ;  .help says more, Ctrl-D leaves")
        talk(session, home / ".sql_history")
    elif query.strip(" \t\r\n;"):
        session.answer(query, out)
    else:
        what = "a query, or a word such as .tables expected, nothing found"
        raise Stopped(what, "roundproof sql --help", Code.USAGE)


def _check(form: str, out: Path | None) -> None:
    from audit.answers import NAMES

    if form not in NAMES:
        what = f"--format {form!r}: one of {', '.join(NAMES)} expected"
        raise Stopped(what, "roundproof sql --help", Code.USAGE)
    if form == "parquet" and out is None:
        raise Stopped("parquet is no text", "name a file with --out answer.parquet", Code.USAGE)


def _must_be_free(out: Path, home: Path, *, force: bool) -> None:
    """An answer is never written into the house, nor unasked over a file that is there."""
    place, house = out.resolve(), home.resolve()
    if place.is_relative_to(house):
        what = f"{out} lies in the house {home}, whose files are evidence"
        raise Stopped(what, "name a file outside it with --out", Code.NOT_ALLOWED)
    if place.is_file() and not force:
        step = "choose another file with --out, or write over it with --force"
        raise Stopped(f"{out} is there already", step, Code.USAGE)
