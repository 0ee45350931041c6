"""Runs a report: all its sections in one query of the sandbox, so that they are of one moment."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from audit.cli.errors import Code, Stopped
from audit.reports.shipped import Section, ShippedReport, scope
from audit.sql import parameters
from audit.sql.sandbox import QueryLimits, QueryRefused, ask
from ingest.local.log import LocalLog

Row = Mapping[str, Any]
NO_FINDINGS = "Table with name findings does not exist"
AS_OF = """
select max(ingested_at) from events
where gaming_day between $from::date and $to::date and $table in ('', table_id)
"""


class ReportPeriod(NamedTuple):
    """Which gaming days and which table a report is about; an empty table is all of them."""

    first: str
    last: str
    table: str = ""

    @property
    def values(self) -> dict[str, str]:
        """The parameters of the queries."""
        return {"from": self.first, "to": self.last, "table": self.table}


class ReportResult(NamedTuple):
    """What a report found: the rows of its sections, and the time of the data they are of."""

    report: ShippedReport
    period: ReportPeriod
    as_of: str  # when the last of its readings came in; empty where there is none
    rows: tuple[tuple[Row, ...], ...]  # of each section
    unseen: tuple[Row, ...]
    input_sha256: str = ""  # of what it read beside the tables; empty where it read nothing

    @property
    def sections(self) -> tuple[tuple[Section, tuple[Row, ...]], ...]:
        """Every section with its rows; the last says what could not be seen."""
        every = (*self.report.sections, *scope().sections)
        return tuple(zip(every, (*self.rows, self.unseen), strict=True))

    @property
    def document(self) -> dict[str, Any]:
        """The result as data, without its hash."""
        return {
            "report": self.report.name,
            "parameters": self.period.values,
            "as_of": self.as_of,
            "query_sha256": query_sha256(self.report),
            "input_sha256": self.input_sha256,
            "sections": [
                {"title": section.title, "rows": list(rows)} for section, rows in self.sections
            ],
        }

    @property
    def sha256(self) -> str:
        """The hash of the result: the same in every language and form."""
        text = json.dumps(self.document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def shown(self) -> int:
        """How many rows it has."""
        return sum(map(len, self.rows))


def in_log(home: Path, table: str) -> dict[str, str]:
    """How many records the log has by now, to tell what came after the tables were made."""
    log = LocalLog(home / "log")
    return {
        f"{stream}_in_log": str(
            sum(log.end(stream, each) for each in log.partitions(stream) if table in ("", each))
        )
        for stream in ("events", "cases", "reviews")
    }


def query_sha256(report: ShippedReport) -> str:
    """The hash of the queries, those on what could not be seen among them."""
    return hashlib.sha256((report.source + scope().source).encode()).hexdigest()


def run(
    path: Path, report: ShippedReport, period: ReportPeriod, limits: QueryLimits, given: str = ""
) -> ReportResult:
    """The result of a report over the DuckDB file, and over the input that it was given."""
    sections = (*report.sections, *scope().sections)
    query = together(section.sql for section in sections)
    values = parameters.required(
        query, period.values | in_log(path.parent, period.table) | {"input": given}
    )
    try:
        with ask(path, query, None, limits, values=values) as answer:
            (cells,) = answer.rows()
    except QueryRefused as refused:
        if NO_FINDINGS in str(refused):
            what = f"report {report.name}: the checks never ran over {path}"
            raise Stopped(what, "roundproof detect", Code.NOT_FOUND) from refused
        raise
    as_of, *found = cells
    *rows, unseen = (tuple(json.loads(cell)) if cell else () for cell in found)
    read = hashlib.sha256(given.encode()).hexdigest() if given else ""
    return ReportResult(report, period, as_of or "", tuple(rows), unseen, read)


def together(queries: Any) -> str:
    """One query whose columns are the time of the data and the rows of each query, in order."""
    lists = [
        f"(select list(row order by n) from (select row_number() over () as n, row from ({query}) as row))"  # noqa: S608, E501  (queries of our own)
        for query in queries
    ]
    return f"select ({AS_OF.strip()}), {', '.join(lists)}"
