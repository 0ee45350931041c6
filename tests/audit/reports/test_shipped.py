"""The files of the reports: headers, parameters, and words in both languages."""

import pytest

from audit.reports import shipped
from audit.reports.page import LABELS
from audit.reports.wording import known
from audit.sql import parameters

EVERY = (*shipped.reports().values(), shipped.scope())
GOOD = """\
-- report:      few
-- title:       Few
-- description: A few rows.
-- shows:       Little.

-- section:     Rows
-- column:      n | count | N
select 1 as n
"""


def test_a_file_is_a_report() -> None:
    report = shipped.parse("few.sql", GOOD)

    assert (report.name, report.sections[0].sql) == ("few", "select 1 as n")


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("-- title:       Few\n", "", "few.sql: a line `-- title:` expected"),
        ("report:      few", "report:      many", "report few expected in the header"),
        ("count | N", "pounds | N", "kind one of"),
        ("-- section:     Rows\n", "", "a line `-- section:` expected"),
        ("-- column:      n | count | N\n", "", "and columns expected"),
    ],
)
def test_a_file_that_is_none_says_what_it_lacks(right: str, wrong: str, says: str) -> None:
    with pytest.raises(shipped.BadReport, match=says.replace("|", r"\|")):
        shipped.parse("few.sql", GOOD.replace(right, wrong))


@pytest.mark.parametrize("report", EVERY, ids=lambda report: report.name)
def test_a_report_asks_for_days_table_and_its_input_alone(report: shipped.ShippedReport) -> None:
    for section in report.sections:
        log = {f"{stream}_in_log" for stream in ("events", "cases", "reviews")}
        known = {"from", "to", "table", *log} | ({"input"} if report.source_of_input else set())
        assert set(parameters.names(section.sql)) <= known
        assert section.layout == "facts" or section.empty, section.title


@pytest.mark.parametrize("report", EVERY, ids=lambda report: report.name)
def test_a_report_has_words_in_vietnamese(report: shipped.ShippedReport) -> None:
    said = {report.title, report.description, report.shows, *LABELS}
    for section in report.sections:
        heads = (column.head for column in (*section.columns, *section.under))
        said |= {section.title, *heads} | ({section.empty} - {""})

    assert said - set(known("vi")) == set()
