"""The reports that Roundproof ships: each is one SQL file, read with its header.

    -- report:      daily
    -- title:       Daily exceptions
    -- description: What the checks found on a gaming day.
    -- shows:       what a reader must not conclude from it
    -- input:       what it reads beside the tables, if anything (audit/reports/inputs.py)

    -- section:     Findings
    -- empty:       The checks found nothing.
    -- layout:      table, or facts (one row as labelled figures)
    -- chart:       LABEL VALUE, drawn as bars; a label of two columns is A+B
    -- column:      finding_id | id | Finding
    -- under:       expected | finding | Expected
    select …

Every section is a query with the parameters $from, $to (gaming days) and $table (empty for all),
and $input where the report has one.
A column that the header does not name is in CSV and JSON alone. An `under` column is printed below
its row, over the whole width. The kinds of columns are those of audit/reports/cells.py.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from audit.cli.errors import Code, Stopped

LAYOUTS = ("table", "facts")
SCOPE = "unseen"  # the section on what could not be seen, which every report has
_LINE = re.compile(r"^-- (\w+): +(.*)$")
_MORE = re.compile(r"^-- {3,}(.*)$")


class BadReport(ValueError):
    """A report's file whose header is not what a report needs."""


class ReportColumn(NamedTuple):
    """A column that is printed: its name in the query, its kind, its head in English."""

    name: str
    kind: str
    head: str


class Section(NamedTuple):
    """One query of a report, and how its rows are shown."""

    title: str
    empty: str  # what is said where it has no rows
    layout: str
    chart: tuple[str, ...]  # the columns of the bars: label and value; none without a chart
    columns: tuple[ReportColumn, ...]
    under: tuple[ReportColumn, ...]
    sql: str


class ShippedReport(NamedTuple):
    """A report: its name, what it is about, its sections."""

    name: str
    title: str
    description: str
    shows: str
    sections: tuple[Section, ...]
    source: str  # its file, word for word
    source_of_input: str = ""  # one of audit/reports/inputs.py; empty where it needs none


@cache
def reports() -> Mapping[str, ShippedReport]:
    """Every report by its name."""
    folder = files("audit.reports") / "shipped_sql"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    read = (parse(name, (folder / name).read_text("utf-8")) for name in names)
    return {report.name: report for report in read if report.name != SCOPE}


@cache
def scope() -> ShippedReport:
    """What could not be seen, as the last section of every report."""
    return parse("unseen.sql", (files("audit.reports") / "unseen.sql").read_text("utf-8"))


def named(name: str) -> ShippedReport:
    """A report by its name; raise Stopped where there is none."""
    found = reports().get(name)
    if found is None:
        what = f"report {name!r}: one of {', '.join(reports())} expected"
        raise Stopped(what, "roundproof report list", Code.NOT_FOUND)
    return found


def parse(name: str, text: str) -> ShippedReport:
    """The report a file holds; BadReport says what its header lacks."""
    head, *sections = re.split(r"^(?=-- section:)", text, flags=re.MULTILINE)
    fields = dict(_fields(head))
    for field in ("report", "title", "description", "shows"):
        if not fields.get(field):
            raise BadReport(f"{name}: a line `-- {field}:` expected in the header, none found")
    if f"{fields['report']}.sql" != name:
        raise BadReport(f"{name}: report {name.removesuffix('.sql')} expected in the header")
    if not sections:
        raise BadReport(f"{name}: a line `-- section:` expected, none found")
    parts = tuple(_section(name, part) for part in sections)
    return ShippedReport(
        fields["report"],
        fields["title"],
        fields["description"],
        fields["shows"],
        parts,
        text,
        fields.get("input", ""),
    )


def _section(name: str, text: str) -> Section:
    fields = list(_fields(text))
    one = dict(fields)
    layout, chart = one.get("layout", "table"), tuple(one.get("chart", "").split())
    columns, under = (
        tuple(_column(name, value) for field, value in fields if field == kind)
        for kind in ("column", "under")
    )
    if layout not in LAYOUTS or len(chart) not in (0, 2) or not columns:
        what = f"layout {' or '.join(LAYOUTS)}, a chart of two columns at most, and columns"
        raise BadReport(f"{name}: section {one['section']}: {what} expected")
    sql = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("--"))
    query = sql.strip().removesuffix(";")
    return Section(one["section"], one.get("empty", ""), layout, chart, columns, under, query)


def _column(name: str, text: str) -> ReportColumn:
    from audit.reports.cells import KINDS

    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3 or parts[1].partition(":")[0] not in KINDS:
        kinds = ", ".join(KINDS)
        raise BadReport(f"{name}: `name | kind | head` expected, kind one of {kinds}; {text!r}")
    return ReportColumn(*parts)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    field, value = "", ""
    for line in text.splitlines():
        if found := _LINE.match(line):
            if field:
                yield field, value
            field, value = found[1], found[2].strip()
        elif field and (more := _MORE.match(line)):
            value += " " + more[1].strip()
        elif line and not line.startswith("--"):
            break
    if field:
        yield field, value
