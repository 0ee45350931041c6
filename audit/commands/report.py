"""`roundproof report`: the house's reports as PDF, HTML, CSV or JSON."""

import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import Force, Lang
from audit.cli.out_file import must_be_free

if TYPE_CHECKING:
    from audit.reports.cells import CellReader
    from audit.reports.run import ReportPeriod, ReportResult

app = typer.Typer()
LIST = "list"


@app.command()
def report(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME|list", help="The report, or list.")],
    day: Annotated[str, typer.Option("--day", help="The gaming day.")] = "",
    from_day: Annotated[str, typer.Option("--from", metavar="DAY", help="From this day on.")] = "",
    to_day: Annotated[str, typer.Option("--to", metavar="DAY", help="Up to this day.")] = "",
    table: Annotated[str, typer.Option("--table", help="Only this table.")] = "",
    folder: Annotated[
        Path | None, typer.Option("--run", metavar="FOLDER", help="What reaudit --out wrote.")
    ] = None,
    lang: Lang = None,
    as_pdf: Annotated[bool, typer.Option("--pdf", help="A PDF/A file.")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="One page of HTML.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="All rows as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All rows as one JSON document.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write here.")] = None,
    force: Force = False,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of the query.")] = 2,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, max=3_600, help="Stop the query after this long.")
    ] = 300.0,
) -> None:
    """Make a report of the tables, the same bytes each time for the same record.

    \b
    Examples:
        roundproof report list
        roundproof report daily --day 2026-03-01 --pdf
        roundproof report daily --from 2026-03-01 --to 2026-03-07 --table T01 --lang vi --html --out week.html

    A PDF needs a file and has the name of the report and its days without --out. It is of the last
    replay and detect. Each report is on the access record before it is shown.

    Exit code 3 if there is no such report.
    """  # noqa: E501  (an example is one line)
    from audit.reports.cells import CellReader
    from audit.reports.inputs import given
    from audit.reports.run import ReportPeriod, run
    from audit.reports.shipped import named
    from audit.sql import database
    from audit.sql.sandbox import QueryLimits

    if name == LIST:
        _list(lang or settings.of(ctx).lang, as_json=as_json)
        return
    wanted, chosen = named(name), settings.of(ctx)
    form = _form({"pdf": as_pdf, "html": as_html, "csv": as_csv, "json": as_json})
    first, last = _days(day, from_day, to_day)
    period = ReportPeriod(first, last, table)
    out = out or (Path(f"{_file_name(name, period)}.pdf") if form == "pdf" else None)
    if out is not None:
        must_be_free(out, chosen.home, force=force)
    database.say_missing(chosen.home)
    path = database.located(chosen.home)
    request = AccessRequest(
        "export" if out else "query",
        f"report {name}",
        "report",
        (screen.encodable(str(out)),) if out else (),
        wanted.source,
        period.values,
    )
    with desk.querying(ctx, request) as shown:
        read = given(wanted, folder)
        result = run(path, wanted, period, QueryLimits(seconds, threads=threads), read)
        reader = CellReader(lang or chosen.lang, chosen.zone)
        _give(_body(form, result, reader), out)
        shown(result.shown)
    if out is not None:
        screen.hint(f"{out}: {result.shown:,} rows, result {result.sha256}")


def _list(language: str, *, as_json: bool) -> None:
    from audit.reports.shipped import reports
    from audit.reports.wording import worded

    if as_json:
        told = [{"name": each.name, "title": each.title} for each in reports().values()]
        screen.say_json({"reports": told})
        return
    rows = [(name, worded(each.title, language)) for name, each in reports().items()]
    columns.table(("report", "title"), rows)


def _form(chosen: Mapping[str, bool]) -> str:
    """The one form that was asked for; HTML where none was."""
    forms = [form for form, wanted in chosen.items() if wanted]
    if len(forms) > 1:
        what = f"one form expected, --{' and --'.join(forms)} found"
        raise Stopped(what, "run it once for each form", Code.USAGE)
    return forms[0] if forms else "html"


def _days(day: str, first: str, last: str) -> tuple[str, str]:
    if day and (first or last):
        what = "--day, or --from and --to expected, both found"
        raise Stopped(what, "roundproof report --help", Code.USAGE)
    days = _day(day or first, "--day" if day else "--from"), _day(day or last or first, "--to")
    if days[0] > days[1]:
        what = f"--from {days[0]} --to {days[1]}: the first day before the last expected"
        raise Stopped(what, "swap the days", Code.USAGE)
    return days


def _day(text: str, option: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        found = text or "nothing"
        what = f"{option}: a gaming day such as 2026-03-01 expected, {found} found"
        raise Stopped(what, "name the day with --day", Code.USAGE) from error


def _file_name(name: str, period: "ReportPeriod") -> str:
    days = dict.fromkeys((period.first, period.last))
    return "-".join(filter(None, (name, *days, period.table)))


def _body(form: str, result: "ReportResult", reader: "CellReader") -> bytes:
    from audit.reports import page, pdf, text_forms

    forms: Mapping[str, Callable[[], bytes]] = {
        "pdf": lambda: pdf.pdf(page.page(result, reader), result.as_of),
        "html": lambda: text_forms.html(page.page(result, reader)),
        "csv": lambda: text_forms.as_csv(result),
        "json": lambda: text_forms.as_json(result),
    }
    return forms[form]()


def _give(body: bytes, out: Path | None) -> None:
    if out is None:
        screen.write(body.decode())
        sys.stdout.flush()
        return
    from ingest.disk import Disk

    Disk().create(out, body)
