"""`roundproof sql`: questions to the auditor's tables, once or in a session."""

import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import Force

app = typer.Typer()


class Sql(TyperCommand):
    """The command, to which a query that begins with a comment is no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put such queries behind the options."""
        known = {name for option in self.get_params(ctx) for name in option.opts}
        comments = [word for word in args if _is_comment(word, known)]
        if comments:
            args = [*(word for word in args if word not in comments), "--", *comments]
        return super().parse_args(ctx, args)


@app.command(cls=Sql)
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
    force: Force = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many rows.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3_600, help="How long it may take.")
    ] = 60.0,
    megabytes: Annotated[
        float, typer.Option("--megabytes", min=0.1, max=1e6, help="How large the answer may be.")
    ] = 1_000,
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
    A file is written whole or not at all. A second column `a` is named `a_2`. A time without a
    zone is told without one, an instant (timestamptz) in UTC with Z. Exit code 8 where the query
    takes too long, 9 where its answer is too large. In JSON `more` says whether the answer has rows
    beyond those `shown`; `total` counts them all, and is null where that would take too long.
    """
    from audit.sql import database
    from audit.sql.session import Session, talk

    form = "json" if as_json else form
    home = settings.of(ctx).home
    _check(form, out)
    if out is not None:
        _must_be_free(out, home, force=force)
    database.say_missing(home)
    session = Session(
        path=database.located(home),
        form=form,
        limit=limit,
        seconds=seconds,
        excel=excel,
        megabytes=megabytes,
    )
    if query is None and not sys.stdin.isatty():
        query = sys.stdin.read()
    if query is None:
        screen.hint("one query ends with ;  .help says more, Ctrl-D leaves")
        talk(session, home / ".sql_history")
    elif query.strip(" \t\r\n;"):
        query.encode()  # half a character is refused here, before it ends the query's process
        session.answer(query, out)
    else:
        what = "a query, or a word such as .tables expected, nothing found"
        raise Stopped(what, "roundproof sql --help", Code.USAGE)


def _is_comment(word: str, options: Collection[str]) -> bool:
    """Whether a word is a query that begins with a comment: no option has a space in its name."""
    name = re.split(r"[\s=]", word, maxsplit=1)[0]
    return word.startswith("--") and re.search(r"\s", word) is not None and name not in options


def _check(form: str, out: Path | None) -> None:
    from audit.sql.output import NAMES

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
