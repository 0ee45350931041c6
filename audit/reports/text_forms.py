"""A report as HTML, CSV and JSON; CSV and JSON hold whole minor units and times in UTC."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from audit.reports.run import ReportResult
from audit.sql.output import harmless

NUMBER = re.compile(r"-?[0-9]+\.[0-9]+")  # a decimal is text in the result
HTML = Path(__file__).with_name("report.html")


def html(page: Mapping[str, Any]) -> bytes:
    """The report as one page that needs nothing else."""
    made = _template().render(page=page)
    assert isinstance(made, str)
    return made.encode()


def as_csv(result: ReportResult) -> bytes:
    """Each section with its head, apart by an empty line; the first column is its title.

    No cell begins as a formula does.
    """
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    for n, (section, rows) in enumerate(result.sections):
        if n:
            writer.writerow([])
        names = list(rows[0]) if rows else [column.name for column in section.columns]
        writer.writerow(["section", *names])
        writer.writerows([section.title, *_cells(row.values())] for row in rows)
    return sheet.getvalue().encode()


def as_json(result: ReportResult) -> bytes:
    """The result with its hash."""
    document = result.document | {"sha256": result.sha256}
    return (json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def _cells(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield harmless(" ".join(map(str, value)))
        elif isinstance(value, str):
            yield value if NUMBER.fullmatch(value) else harmless(value)
        else:
            yield value


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return made.from_string(HTML.read_text("utf-8"))
