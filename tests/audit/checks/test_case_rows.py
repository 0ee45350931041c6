"""The tables of the CASE checks say what the cases' stream says."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from audit.cases import case_log
from audit.cases.case_log import Taking
from audit.cases.rules import Actor
from audit.checks import case_rows, catalogue, findings_log, reviews, views
from audit.checks import run as run_checks
from audit.checks.case_rows import BadFilings
from audit.checks.run import CheckFinding, finding_id
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.simulate import plan
from replay.tables import dictionary, duckdb_file
from schemas import events as e
from tests.support import houses
from tests.support.disputes import GATHERED, MINUTE, NOON, RAISED, SETTLED, STEPS, always

FOUND = CheckFinding(
    *("", "PAY-01", "S1", "Overpaid", "T1", "2026-03-01", "R1", "W1", True, "nothing", "50,000"),
    *((), ("E1",), 50_000, 0, "VND"),
)


def told(home: Path, verbs: str, raised: e.DisputeRaised = RAISED) -> None:
    first, *others = verbs.split(", ")
    case = case_log.open_case(home, "T1", raised, Taking(STEPS[first][0], NOON, NOON))
    for n, verb in enumerate(others, 1):
        at = NOON + n * MINUTE
        case_log.take(home, case.case_id, always(STEPS[verb][1]), Taking(STEPS[verb][0], at, at))


def found_in(home: Path, until: datetime | None = None) -> dict[str, list[str]]:
    """The subjects that each CASE check finds in a house whose log ends at a time."""
    with duckdb.connect(":memory:") as connection:
        connection.execute(dictionary.sql())
        connection.execute("insert into events (ingested_at) values (?)", [until])
        case_rows.lend(connection, home)
        run_checks.prepare(connection)
        checks = [check for check in catalogue.checks().values() if check.family == "CASE"]
        return {
            check.check_id: [row["subject"] for row in rows]
            for check in checks
            if (rows := run_checks.rows(connection, check))
        }


def test_a_dispute_that_went_well_is_found_by_no_check(tmp_path: Path) -> None:
    told(tmp_path, f"{SETTLED}, tell, close")

    assert found_in(tmp_path) == {}


def test_what_was_left_out_of_a_dispute_is_found(tmp_path: Path) -> None:
    told(tmp_path, f"{SETTLED}, tell nothing")
    waiting = ", ".join(["open, say, escalate", *["recompute"] * 12])
    told(tmp_path, waiting, e.DisputeRaised("T1-R9", "x", "VN", game="TB"))

    assert found_in(tmp_path) == {
        "CASE-01": ["T1-R9-D1"],
        "CASE-02": ["T1-R9-D1"],
        "CASE-04": ["T1-R7-D1"],
    }


def test_what_nobody_did_for_months_is_found(tmp_path: Path) -> None:
    raised = replace(RAISED, jurisdiction="NV", currency="USD", amount=60_000)
    told(tmp_path, "open, say, escalate, inform, promise, release, confirm-release", raised)

    found = found_in(tmp_path, datetime(2027, 1, 1, tzinfo=UTC))

    assert found == {
        "CASE-03": ["T1-R7-D1 promise"],
        "CASE-05": ["T1-R7-D1"],
        "CASE-06": ["T1-R7-D1"],
    }


def test_a_table_that_pays_below_its_certificate_is_found(tmp_path: Path) -> None:
    seats = plan.table_setups("S01:SA-SB,S02:SA-SB/conventional")
    houses.simulated(tmp_path, 3, seats)
    batch_replay.replay(tmp_path, Choice())
    duckdb_file.project(tmp_path, also=views.put)

    with duckdb.connect(str(tmp_path / duckdb_file.FILE), read_only=True) as connection:
        case_rows.lend(connection, tmp_path)
        run_checks.prepare(connection)
        rows = run_checks.rows(connection, catalogue.checks()["CASE-07"])

    assert {row["table_id"] for row in rows} == {"S02"}
    assert "conventional double:1+4" in {row["subject"] for row in rows}


def test_an_edition_that_nobody_filed_is_found(tmp_path: Path) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(dictionary.sql())
        connection.execute(
            "insert into rounds (table_id, game, edition, gaming_day) values"
            " ('T1', 'TB', '01', '2026-03-02'), ('T1', 'TB', '02', '2026-03-03'),"
            " ('T1', 'TB', '02', '2026-03-20')"
        )
        case_rows.lend(connection, tmp_path)
        run_checks.prepare(connection)
        rows = run_checks.rows(connection, catalogue.checks()["CASE-08"])

    assert [(row["subject"], row["found"]) for row in rows] == [("TB 02", "no filing")]


def test_a_row_says_where_a_dispute_stands(tmp_path: Path) -> None:
    told(tmp_path, GATHERED)

    rows = case_rows.rows(tmp_path, 0)

    names = [column.name for column in case_rows.about()["cases"].columns]
    (row,) = [dict(zip(names, values, strict=True)) for values in rows["cases"]]
    assert (row["case_id"], row["stage"], row["currency"]) == ("T1-R7-D1", "escalated", "VND")
    assert (row["informed_at"] - row["escalated_at"]).seconds == 60
    assert row["video_held"]
    assert row["told_at"] is row["agrees"] is None
    assert row["as_of"] == rows["case_steps"][-1][-1]
    assert [step[4] for step in rows["case_steps"]][:3] == ["open", "say", "escalate"]


def test_the_latest_time_of_the_log_counts_where_no_step_is_later(tmp_path: Path) -> None:
    told(tmp_path, "open, say, escalate")

    ((*_, early),) = case_rows.rows(tmp_path, 0)["cases"]
    ((*_, late),) = case_rows.rows(tmp_path, NOON + 600 * MINUTE)["cases"]

    assert (late - early).seconds == 598 * 60


def test_filings_come_from_the_houses_own_file(tmp_path: Path) -> None:
    path = tmp_path / "filings.toml"
    path.write_text(
        '[[filing]]\ngame = "TB"\nedition = "02"\nfiled_on = 2026-03-10\nreference = "17"\n'
    )

    ((game, edition, filed_on, _, reference),) = case_rows.rows(tmp_path, 0)["filings"]

    assert (game, edition, str(filed_on), reference) == ("TB", "02", "2026-03-10", "17")


@pytest.mark.parametrize(
    "text",
    ["[[filing", '[[filing]]\ngame = "TB"\n', 'filing = ["TB"]\n'],
    ids=["torn", "day", "word"],
)
def test_a_file_that_holds_no_filings_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "filings.toml").write_text(text)

    with pytest.raises(BadFilings, match=r"filings\.toml"):
        case_rows.rows(tmp_path, 0)


def test_every_edition_with_a_certificate_has_its_range() -> None:
    rows = case_rows.rows(Path("nowhere"), 0)["certificates"]

    found = {game: (low, high, bets) for game, _, low, high, bets in rows}
    assert found["SA-AB"] == (8536, 9859, None)
    assert found["SA-DT"] == (9627, 9627, ["dragon", "tiger"])


def test_a_finding_that_its_own_dealer_cleared_is_found(tmp_path: Path) -> None:
    found = FOUND._replace(finding_id=finding_id("PAY-01", "T1", "R1", "W1"))
    findings_log.tell(tmp_path, "run", ["PAY-01"], [found])
    asked = reviews.asked_of(found, Actor("D1", "pit_manager"), "explain", NOON, reason="a slip")
    reviews.review(tmp_path, found, (), asked)  # as by a door that does not ask who was on duty

    with duckdb.connect(":memory:") as connection:
        connection.execute(dictionary.sql())
        connection.execute(
            "insert into rounds (table_id, round_id, dealer_id) values ('T1', 'R1', 'D1')"
        )
        case_rows.lend(connection, tmp_path)
        run_checks.prepare(connection)
        rows = run_checks.rows(connection, catalogue.checks()["STAFF-06"])

    assert [(row["round_id"], row["found"]) for row in rows] == [
        ("R1", "D1, dealer of the round, made it explained: a slip")
    ]
