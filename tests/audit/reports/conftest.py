"""A small house whose checks ran."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from audit.checks import findings
from audit.checks.findings_log import Standing, Told
from audit.checks.run import CheckFinding
from audit.reports.inputs import given
from audit.reports.run import ReportPeriod, ReportResult, run
from audit.reports.shipped import named
from audit.sql.sandbox import QueryLimits
from replay.tables.duckdb_file import FILE
from tests.support.small_house import noted

DAY = "2026-03-01"
OVERPAID = CheckFinding(
    finding_id="PAY-01-0123456789",
    check_id="PAY-01",
    severity="S1",
    title="A winner was paid too much, or a loser was paid",
    table_id="T1",
    gaming_day=DAY,
    round_id="R1",
    subject="W1",
    certain=True,
    expected="95,000 VND paid",
    found="=195,000 VND paid",
    clauses=("TB:5.1.1",),
    evidence=("T1/console/30",),
    house_minor=100_000,
    player_minor=0,
    currency="VND",
)


LINE = {"table_id": "T1", "gaming_day": DAY, "currency": "VND", "clauses": ["TB:5.1.2"]}
REAUDIT = {
    "asked": {"game": "TB", "edition": "01/01.10.2024", "paytable": "non_commission"},
    "lines": [
        LINE | {"round_id": "R1", "wager_id": "W1", "player_id": "P1", "player_minor": 5_000},
        LINE | {"round_id": "R1", "wager_id": "W2", "player_id": "P2", "player_minor": -2_000},
        LINE | {"round_id": "R2", "wager_id": "W3", "player_id": "P1", "player_minor": 1_000},
    ],
}


@pytest.fixture(scope="session")
def checked_house(small_house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small house with the overpaid wager as a finding."""
    made = tmp_path_factory.mktemp("checked_house")
    shutil.copytree(small_house, made, dirs_exist_ok=True)
    with duckdb.connect(str(made / FILE)) as connection:
        findings.fill(connection, Standing({OVERPAID.finding_id: Told(OVERPAID, 1)}, {}))
    return noted(made)


def made(home: Path, name: str, day: str = DAY, threads: int = 2) -> ReportResult:
    """A report of a day."""
    limits, report = QueryLimits(60, threads=threads), named(name)
    read = json.dumps(REAUDIT) if name == "reaudit" else given(report, None)
    return run(home / FILE, report, ReportPeriod(day, day), limits, read)
