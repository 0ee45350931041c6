"""A report as its reader sees it: words, figures and charts as data, for PDF and HTML alike."""

from importlib.metadata import version
from typing import Any

from audit.drawing import bars
from audit.evidence import figures
from audit.reports.cells import LONG, NOTHING, RIGHT, WIDE, CellReader, Row, moment
from audit.reports.run import ReportResult, query_sha256
from audit.reports.shipped import ReportColumn, Section
from audit.reports.wording import worded

LABELS = (
    "Gaming day",
    "Table",
    "all tables",
    "State of the record",
    "nothing on record",
    "Result hash",
    "Query hash",
    "Made by",
    "How to read it",
    "Page",
    "of",
    "Report",
    "The same record gives this report again, byte for byte: ",
    "Time zone",
)
MOST_BARS = 40  # a longer list has its figures in the table alone


def page(result: ReportResult, reader: CellReader) -> dict[str, Any]:
    """Everything that the page says."""
    report = result.report
    return {
        "language": reader.language,
        "name": report.name,
        "title": worded(report.title, reader.language),
        "description": worded(report.description, reader.language),
        "shows": worded(report.shows, reader.language),
        "labels": {label: worded(label, reader.language) for label in LABELS},
        "period": period(result, reader),
        "table": result.period.table or worded("all tables", reader.language),
        "as_of": moment(result.as_of[:26], reader.zone)
        if result.as_of
        else worded("nothing on record", reader.language),
        "zone": reader.zone,
        "sections": [_section(part, rows, reader) for part, rows in result.sections],
        "sha256": result.sha256,
        "query_sha256": query_sha256(report),
        "versions": f"roundproof {version('roundproof')}, duckdb {version('duckdb')}",
        "command": command(result),
    }


def period(result: ReportResult, reader: CellReader) -> str:
    """The gaming day, or the first and the last of several."""
    days = dict.fromkeys((result.period.first, result.period.last))
    return " – ".join(figures.day(day, reader.language) for day in days)


def command(result: ReportResult) -> str:
    """The command that makes the report again."""
    first, last, table = result.period
    days = f"--day {first}" if first == last else f"--from {first} --to {last}"
    words = [f"roundproof report {result.report.name} {days}"]
    words += [f"--table {table}"] if table else []
    words += ["--run FOLDER"] if result.report.source_of_input == "reaudit" else []
    return " ".join(words)


def _section(section: Section, rows: tuple[Row, ...], reader: CellReader) -> dict[str, Any]:
    return {
        "title": worded(section.title, reader.language),
        "layout": section.layout,
        "empty": worded(section.empty, reader.language) if not rows else "",
        "chart": _chart(section, rows, reader),
        "head": [_head(column, reader) for column in section.columns],
        "rows": [
            {
                "cells": [
                    reader.cell(each.kind, row.get(each.name), row) for each in section.columns
                ],
                "short": _under(section, row, reader, said=False),
                "long": _under(section, row, reader, said=True),
            }
            for row in rows
        ],
    }


def _head(column: ReportColumn, reader: CellReader) -> dict[str, Any]:
    return {
        "words": worded(column.head, reader.language),
        "right": column.kind in RIGHT,
        "wide": column.kind.partition(":")[0] in WIDE,
        "mono": column.kind in ("id", "list"),
    }


def _under(section: Section, row: Row, reader: CellReader, *, said: bool) -> list[list[str]]:
    """Head and value of what stands below a row, sentences or not; what is empty is left out."""
    told = (
        [worded(each.head, reader.language), reader.cell(each.kind, row.get(each.name), row)]
        for each in section.under
        if (each.kind in LONG) == said
    )
    return [pair for pair in told if pair[1] != NOTHING]


def _chart(section: Section, rows: tuple[Row, ...], reader: CellReader) -> str:
    """The bars of a section; none where it asks for none, has one row or too many."""
    if not section.chart or not 1 < len(rows) <= MOST_BARS:
        return ""
    kinds = {column.name: column.kind for column in section.columns}
    label, value = section.chart
    names = label.split("+")
    return bars.bars(
        [
            bars.Bar(
                " ".join(reader.cell(kinds[name], row.get(name), row) for name in names),
                int(row.get(value) or 0),
                reader.cell(kinds[value], row.get(value), row),
            )
            for row in rows
        ]
    )
