"""Findings keep their ids, are never doubled, and go without being deleted."""

from pathlib import Path

import duckdb
import pytest

from audit import catalogue, findings, run_checks
from audit.run_checks import Finding, finding_id
from replay.project import FILE
from tests.audit.cases import database
from tests.audit.house import TABLES

OVERPAID = finding_id("PAY-01", "T1", "R1", "W1")


@pytest.fixture
def connection(home: Path) -> duckdb.DuckDBPyConnection:
    """The house's file with the views of the checks."""
    opened = duckdb.connect(str(home / FILE))
    run_checks.prepare(opened)
    return opened


def detect(connection: duckdb.DuckDBPyConnection, *ids: str) -> list[Finding]:
    chosen = catalogue.chosen(ids)
    found = [finding for check in chosen for finding in run_checks.run(connection, check)]
    findings.store(connection, [check.check_id for check in chosen], found)
    return found


def test_an_id_is_the_same_for_the_same_thing_for_ever() -> None:
    assert finding_id("PAY-01", "T1", "R1", "W1") == "PAY-01-f5a43b9dd1"
    assert finding_id("PAY-01", "T1", None, "W1") != finding_id("PAY-01", "T1", "None", "W1")
    assert finding_id("PAY-01", "T1", "R1W", "1") != finding_id("PAY-01", "T1", "R1", "W1")


def test_a_finding_says_everything(connection: duckdb.DuckDBPyConnection) -> None:
    detect(connection)

    overpaid, grown = findings.read(connection)

    assert overpaid == Finding(
        finding_id=OVERPAID,
        check_id="PAY-01",
        severity="S1",
        title="A winner was paid too much, or a loser was paid",
        table_id="T1",
        gaming_day="2026-03-01",
        round_id="R1",
        subject="W1",
        certain=True,
        expected="banker 100,000 VND wins at 1 to 1: 95,000 VND paid, 5,000 VND commission, "
        "0 VND collected, 100,000 VND returned",
        found="195,000 VND paid, 5,000 VND commission, 0 VND collected, 100,000 VND returned",
        clauses=("TB:5.1.1",),
        evidence=("T1/console/12", "T1/console/30"),
        house_minor=100_000,
        player_minor=0,
        currency="VND",
        state="new",
    )
    assert (grown.check_id, grown.certain) == ("BET-01", False)
    assert grown.clauses == ("TB:4.6",), "the clauses of the game at this table"


@pytest.mark.parametrize(
    ("check_id", "posted", "clauses"),
    [
        ("INT-08", "TH", ("TH:8.4.1",)),
        ("INT-08", "", None),
        ("BET-13", "RO", ()),
    ],
    ids=["posted after the round", "never posted", "a rulebook the check has no clause of"],
)
def test_a_finding_cites_no_other_rulebook(
    check_id: str, posted: str, clauses: tuple[str, ...] | None
) -> None:
    filled = {
        "rounds": "game | opened_seq\n  | 10",
        "flags": "code | clause\nTERMS_MISSING | \nWAGER_ON_FREE_HAND | ",
        "events": "event_id | seq\nE10 | 10",
    }
    if posted:
        filled["terms"] = f"event_id | game | seq\nE30 | {posted} | 30"
    check = catalogue.checks()[check_id]

    with database(filled) as opened:
        (found,) = run_checks.run(opened, check)

    assert found.clauses == (check.clauses if clauses is None else clauses)


def test_a_second_run_changes_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    detect(connection)
    first = findings.read(connection)

    detect(connection)

    assert findings.read(connection) == first


def test_what_no_longer_holds_is_gone_and_comes_back_under_its_id(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    detect(connection)

    connection.execute("update payments set paid = 95000 where wager_id = 'W1'")
    detect(connection)
    gone = {finding.finding_id: finding.state for finding in findings.read(connection, ALL)}
    connection.execute("update payments set paid = 195000 where wager_id = 'W1'")
    detect(connection)

    assert gone[OVERPAID] == "gone"
    assert {finding.state for finding in findings.read(connection, ALL)} == {"new"}


def test_checks_that_did_not_run_leave_their_findings_alone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    detect(connection)
    connection.execute("delete from payments")

    detect(connection, "BET-01")

    assert OVERPAID in {finding.finding_id for finding in findings.read(connection)}


def test_a_later_state_survives_another_run(connection: duckdb.DuckDBPyConnection) -> None:
    detect(connection)
    connection.execute("update findings set state = 'acknowledged' where check_id = 'PAY-01'")

    detect(connection)

    (overpaid,) = findings.named(connection, OVERPAID)
    assert overpaid.state == "acknowledged"


def test_findings_are_chosen_by_severity_check_table_and_round(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    detect(connection)

    def ids(**wanted: object) -> list[str]:
        chosen = findings.Wanted(**wanted)  # type: ignore[arg-type]  # the cases name the fields
        return [finding.check_id for finding in findings.read(connection, chosen)]

    assert ids(severities=("S1",)) == ["PAY-01", "BET-01"]
    assert ids(severities=("S2",)) == []
    assert ids(checks=("BET-01",)) == ["BET-01"]
    assert ids(table_id="T2") == []
    assert ids(round_id="R1") == ["PAY-01"]


def test_every_column_is_described_in_the_file(connection: duckdb.DuckDBPyConnection) -> None:
    detect(connection)

    told = connection.execute(
        "select column_name, comment from duckdb_columns() where table_name = 'findings'"
    ).fetchall()

    assert dict(told) == {column.name: column.about for column in findings.about().columns}


def test_money_is_said_as_everywhere_in_the_house() -> None:
    from schemas.money import EXPONENT, shown

    with database(TABLES) as connection:
        for currency in (*EXPONENT, "PHP", "USD", ""):
            for minor in (0, 5, -5, 99, 100, -1_234_567, 9_000_000_000_000_000):
                said = connection.execute("select money(?, ?)", [minor, currency]).fetchone()

                assert said == (shown(minor, currency),)
        unknown = connection.execute("select money(267900, null)").fetchone()
        assert unknown == (shown(267_900, ""),)


def test_a_camera_is_as_sure_as_the_replay_takes_it() -> None:
    from replay.fuse import CERTAIN

    with database({}) as connection:
        said = connection.execute("select sure(?), sure(?)", [CERTAIN, CERTAIN - 0.001]).fetchone()

    assert said == (True, False)


ALL = findings.Wanted(gone=True)
