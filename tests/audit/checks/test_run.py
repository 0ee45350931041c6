"""A run of many checks: what they share is worked out once, and they find the same."""

from collections.abc import Sequence

import duckdb
import pytest

from audit.checks import case_rows, catalogue, views
from audit.checks import run as run_checks
from audit.checks.catalogue import Check
from replay import rulebooks
from replay.tables import dictionary, sql_rows
from replay.tables.derive import derive
from tests.support.houses import DAY
from tests.support.live_days import SEATS, day

CHECKS = tuple(catalogue.checks().values())


@pytest.fixture(scope="module")
def played() -> duckdb.DuckDBPyConnection:
    """A day of every game with a few faults in it."""
    connection = duckdb.connect(":memory:")
    connection.execute(dictionary.sql())
    connection.execute(case_rows.sql())
    for code in sorted(SEATS):
        for table, part in derive(
            DAY, day(code, rounds=16, faults=3), rulebooks.in_force
        ).rows.items():
            connection.register("part", sql_rows.arrow(table, part))
            connection.execute(f"insert into {table} select * from part")
    return connection


def found(
    connection: duckdb.DuckDBPyConnection, prepared_for: Sequence[Check]
) -> list[run_checks.CheckFinding]:
    cursor = connection.cursor()
    run_checks.prepare(cursor, prepared_for)
    return [finding for check in CHECKS for finding in run_checks.run(cursor, check)]


def test_views_that_are_worked_out_once_lead_to_the_same_findings(
    played: duckdb.DuckDBPyConnection,
) -> None:
    each_for_itself = found(played, ())

    assert len({finding.check_id for finding in each_for_itself}) > 10
    assert found(played, CHECKS) == each_for_itself


def test_only_what_several_checks_read_is_worked_out_before_them(
    played: duckdb.DuckDBPyConnection,
) -> None:
    def worked_out(*names: str) -> set[str]:
        cursor = played.cursor()
        run_checks.prepare(cursor, [catalogue.checks()[name] for name in names])
        made = cursor.execute("select table_name from duckdb_tables() where temporary").fetchall()
        return {name for (name,) in made}

    assert worked_out() == set()
    assert worked_out("PAY-01") == set()
    assert worked_out("PAY-01", "PAY-02") == {"mispaid"}
    assert worked_out("PAY-01", "PAY-02", "BET-01", "BET-02", "IRR-01") >= {
        "mispaid",
        "late_readings",
    }
    assert worked_out(*catalogue.checks()) <= {view.name for view in views.views()}
