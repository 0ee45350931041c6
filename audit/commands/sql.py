"""`roundproof sql`: read-only SQL over the auditor's tables, one query or a session."""

import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import Force
from audit.cli.out_file import must_be_free

app = typer.Typer()


class Sql(TyperCommand):
    """The command; it does not take a query that begins with a comment (`--`) for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move such queries behind the options."""
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
        typer.Argument(
            metavar="QUERY",
            help="A query, .tables or .describe TABLE [default: stdin, or a session]",
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="Format: table, csv, json, markdown or parquet.")
    ] = "table",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the answer to this file.")
    ] = None,
    force: Force = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Print at most N rows.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3_600, help="Stop a query after this long.")
    ] = 60.0,
    megabytes: Annotated[
        float, typer.Option("--megabytes", min=0.1, max=1e6, help="Refuse a larger answer.")
    ] = 1_000,
    as_json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
    excel: Annotated[
        bool, typer.Option("--excel", help="In csv, quote cells that look like formulas.")
    ] = False,
) -> None:
    """Query the tables in SQL, read-only.

    A query reaches the tables of the DuckDB file and nothing else: no other file, no network.

    \b
    Examples:
        roundproof sql "select table_id, count(*) from rounds group by all order by all"
        roundproof sql .tables
        roundproof sql ".describe rounds"
        roundproof sql "from findings" --format csv --out findings.csv
        roundproof sql                       open a session with history and completion

    A table on the screen shows the first 1,000 rows; every other format has all of them. With --out
    the file appears only when it is complete. A second column `a` is named `a_2`. A timestamp has
    no zone; a timestamptz is in UTC with Z. In JSON, `shown` counts the rows in the answer, `more`
    says whether there are others, and `total` counts all of them, or is null if that is too slow.

    Exit code 2 if the query is wrong, 7 if it does more than read, 8 if it takes too long, 9 if its
    answer is too large.
    """
    from audit.sql import database
    from audit.sql.session import Session, talk

    form = "json" if as_json else form
    home = settings.of(ctx).home
    _check(form, out)
    if out is not None:
        must_be_free(out, home, force=force)
    database.say_missing(home)
    session = Session(
        path=database.located(home),
        form=form,
        limit=limit,
        seconds=seconds,
        excel=excel,
        megabytes=megabytes,
        querying=lambda text: desk.querying(ctx, _request(text, out)),
    )
    if query is None and not sys.stdin.isatty():
        query = sys.stdin.read()
    if query is None:
        screen.hint("end a query with ;  .help lists the other commands, Ctrl-D leaves")
        talk(session, home / ".sql_history")
    elif query.strip(" \t\r\n;"):
        query.encode()  # refuse half a character here; it would crash the query's process
        session.answer(query, out)
    else:
        what = "a query or a command such as .tables expected, nothing found"
        raise Stopped(what, "roundproof sql --help", Code.USAGE)


def _request(query: str, out: Path | None) -> AccessRequest:
    """What the access record says of a query: its text, and the file its answer goes to."""
    action, subjects = ("export", (screen.encodable(str(out)),)) if out else ("query", ())
    return AccessRequest(action, "sql", "rows", subjects, query)


def _is_comment(word: str, options: Collection[str]) -> bool:
    """Whether an argument is a query that begins with a comment: no option's name has a space."""
    name = re.split(r"[\s=]", word, maxsplit=1)[0]
    return word.startswith("--") and re.search(r"\s", word) is not None and name not in options


def _check(form: str, out: Path | None) -> None:
    from audit.sql.output import NAMES

    if form not in NAMES:
        what = f"--format {form!r}: one of {', '.join(NAMES)} expected"
        raise Stopped(what, "roundproof sql --help", Code.USAGE)
    if form == "parquet" and out is None:
        what = "--format parquet: a file expected, as parquet is not text"
        raise Stopped(what, "name a file with --out answer.parquet", Code.USAGE)
