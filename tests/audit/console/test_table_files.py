"""Every table page as a file, with the rows of its data."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fastapi import FastAPI

from audit.console import table_files
from audit.console.app import actions
from tests.support.console_desks import DeskRecords, SeatedPerson, console_over

PAGES = {
    "cases": "/api/cases",
    "checks": "/api/checks",
    "dealers": "/api/dealers",
    "devices": "/api/devices",
    "floor": "/api/floor",
    "health": "/api/health",
    "queue": "/api/findings",
    "rules": "/api/rules",
}


@pytest.fixture(scope="module")
def records() -> DeskRecords:
    return DeskRecords()


@pytest.fixture(scope="module")
def app(
    console_house: Path, tmp_path_factory: pytest.TempPathFactory, records: DeskRecords
) -> FastAPI:
    return console_over(console_house, tmp_path_factory.mktemp("files") / "house", records)


@pytest.mark.parametrize("page", PAGES)
def test_the_three_files_hold_the_rows_of_the_page(
    app: FastAPI, records: DeskRecords, page: str
) -> None:
    person = SeatedPerson(app, "operator")
    data = json.loads(person.get(PAGES[page]))
    found = next((each for each in data.values() if isinstance(each, list)), list(data.values()))

    as_json = json.loads(person.get(f"/{page}.json"))
    as_csv = list(csv.DictReader(io.StringIO(person.get(f"/{page}.csv"))))
    as_parquet = pq.read_table(io.BytesIO(person.client.get(f"/{page}.parquet").content))

    assert len(as_json) == len(as_csv) == as_parquet.num_rows == len(found)
    assert ("operator", "exported table", f"{page}.parquet", "") in records
    if found:
        assert set(as_csv[0]) == set(as_json[0]) == set(as_parquet.column_names)


def test_every_file_asks_for_the_action_of_its_page() -> None:
    known = actions()
    files = [path for _, path in known if path.endswith(".{form}") and path != "/sql.{form}"]

    assert len(files) >= len(PAGES)
    for path in files:
        page = path.removesuffix("/settlement.{form}").removesuffix(".{form}")
        assert known["GET", path] == known["GET", page], path


def test_a_file_follows_the_filter_of_its_page(app: FastAPI) -> None:
    person = SeatedPerson(app, "operator")
    every, grave = (json.loads(person.get(f"/queue.json{q}")) for q in ("", "?check=PAY-01"))

    assert {each["check_id"] for each in grave} == {"PAY-01"}
    assert len(grave) < len(every)
    assert person.status("/queue.xlsx") == 422


def test_amounts_are_whole_numbers_and_formulas_are_harmless() -> None:
    rows: table_files.Rows = [
        {"house_minor": "-900000000000", "note": "=1+1", "cards": ["AS"]},
        {"note": None},
    ]

    sheet = table_files.written(rows, "csv").decode()
    table = pq.read_table(io.BytesIO(table_files.written(rows, "parquet")))

    assert sheet.splitlines()[1] == '-900000000000,\'=1+1,"[""AS""]"'
    assert table.column("house_minor").to_pylist() == [-900_000_000_000, None]
    assert table_files.written([], "csv") == b"\r\n"
