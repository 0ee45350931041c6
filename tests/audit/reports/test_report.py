"""`roundproof report`: the same bytes each time, every form, both languages, an access record."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from audit.access import access_log
from audit.cli.errors import Code
from audit.reports import page, pdf, text_forms
from audit.reports.cells import CellReader
from audit.reports.run import ReportResult
from audit.reports.shipped import reports
from tests.audit.reports.conftest import DAY, made
from tests.support.houses import opened, spin, written
from tests.support.small_house import Roundproof

pytestmark = pytest.mark.slow
EMPTY = "2026-03-09"


@pytest.fixture(scope="module", params=sorted(reports()))
def result(request: pytest.FixtureRequest, checked_house: Path) -> ReportResult:
    """Each report of the day."""
    return made(checked_house, request.param)


def test_a_report_is_the_same_again_and_on_one_thread(
    result: ReportResult, checked_house: Path
) -> None:
    assert made(checked_house, result.report.name, threads=1) == result


def test_every_column_of_a_header_is_in_the_rows(result: ReportResult) -> None:
    for section, rows in result.sections:
        for row in rows:
            assert {column.name for column in (*section.columns, *section.under)} <= set(row)


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_pdf_is_the_same_bytes_again(result: ReportResult, language: str) -> None:
    reader = CellReader(language, "Asia/Ho_Chi_Minh")
    first, second = (pdf.pdf(page.page(result, reader), result.as_of) for _ in range(2))

    assert first == second
    assert first.startswith(b"%PDF")


def test_what_a_cell_holds_is_no_code_in_html_and_no_formula_in_csv(checked_house: Path) -> None:
    found = made(checked_house, "daily")
    told = page.page(found, CellReader("en", "UTC"))
    told["title"] = "<script>"

    assert b"<script>" not in text_forms.html(told)
    assert "'=195,000 VND paid" in text_forms.as_csv(found).decode()


def test_the_daily_report_has_the_finding_and_its_staff(checked_house: Path) -> None:
    by_check, each = made(checked_house, "daily").rows[1:]

    assert [(row["check_id"], row["findings"], row["house_minor"]) for row in by_check] == [
        ("PAY-01", 1, 100_000)
    ]
    assert [(row["round_id"], row["happened_at"]) for row in each] == [
        ("R1", "2026-03-01 14:40:00")
    ]


def test_a_day_without_a_table_says_so(checked_house: Path) -> None:
    found = made(checked_house, "daily", EMPTY)

    assert found.rows[2] == ()
    assert found.as_of == ""
    assert [row["what"] for row in found.unseen] == ["no table was open"]


@pytest.fixture
def house(checked_house: Path, tmp_path: Path) -> Path:
    """A copy that a test may write its access record into."""
    return Path(shutil.copytree(checked_house, tmp_path / "house"))


def test_the_command_records_the_report_and_its_rows(house: Path, roundproof: Roundproof) -> None:
    said = roundproof("report", "daily", "--day", DAY, "--json", "--home", house)

    told = json.loads(said.out)
    asked, answered = access_log.records(house)
    assert said.code == Code.OK
    assert told["report"] == asked.command.split()[1] == "daily"
    assert (asked.action, asked.kind, dict(asked.parameters)["from"]) == ("query", "report", DAY)
    assert answered.answer_to == asked.number


def test_a_pdf_goes_to_a_file_outside_the_house(
    house: Path, tmp_path: Path, roundproof: Roundproof
) -> None:
    words = ("report", "daily", "--day", DAY, "--pdf", "--home", house, "--out")

    assert roundproof(*words, house / "d.pdf").code == Code.NOT_ALLOWED
    assert roundproof(*words, tmp_path / "d.pdf").code == Code.OK
    assert roundproof(*words, tmp_path / "d.pdf").code == Code.USAGE


def test_csv_names_the_section_of_each_row(house: Path, roundproof: Roundproof) -> None:
    said = roundproof("report", "daily", "--day", DAY, "--csv", "--home", house)

    rows = list(csv.reader(io.StringIO(said.out)))
    assert rows[0][:3] == ["section", "tables", "rounds"]
    assert ["By check", "S1", "PAY-01"] in [row[:3] for row in rows]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("nightly", "--day", DAY), Code.NOT_FOUND, "report 'nightly': one of"),
        (("daily",), Code.USAGE, "--from: a gaming day such as 2026-03-01 expected, nothing found"),
        (("daily", "--day", "1 March"), Code.USAGE, "--day: a gaming day"),
        (("daily", "--day", DAY, "--to", DAY), Code.USAGE, "both found"),
        (("daily", "--from", EMPTY, "--to", DAY), Code.USAGE, "the first day before the last"),
        (("daily", "--day", DAY, "--pdf", "--csv"), Code.USAGE, "one form expected"),
    ],
)
def test_a_wrong_command_line_says_what_it_expected(
    house: Path, roundproof: Roundproof, words: tuple[str, ...], code: int, says: str
) -> None:
    said = roundproof("report", *words, "--home", house)

    assert said.code == code
    assert says in said.err


def test_checks_that_never_ran_are_no_empty_report(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("report", "daily", "--day", DAY, "--home", home)

    assert said.code == Code.NOT_FOUND
    assert "the checks never ran" in said.err
    assert "roundproof detect" in said.err


def test_what_came_after_the_last_replay_is_named(house: Path) -> None:
    later = [*opened(), *spin("R9", 7)]
    written(house, "T1", later)

    found = made(house, "daily")

    assert [(row["what"], row["n"]) for row in found.unseen] == [
        ("events in the log that no replay has taken in", len(later) - 2)  # its tables hold two
    ]
