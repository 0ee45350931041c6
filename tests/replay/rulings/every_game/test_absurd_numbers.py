"""Absurd numbers that a log holds from before the doors refused them: they stop nothing."""

from pathlib import Path

import duckdb
import pytest

from audit.checks import catalogue
from audit.checks import run as run_checks
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.live.table_day import LiveTable
from replay.locate import locate
from replay.rulebooks import in_force
from replay.tables import duckdb_file
from replay.tables.derive import derive
from schemas import events as e
from tests.support import houses
from tests.support.english import english

HUGE = 2**63 - 1

ABSURD: list[e.Payload] = [
    e.WagerPlaced("W9", "P1", "red", 10**16),
    e.WagerPlaced("W9", "P1", "red", HUGE, reserve=HUGE),
    e.WagerPlaced("W9", "P1", "red", 1, chips=e.Chips("T1", "blue", 2**31 - 1, HUGE)),
    e.WagerChanged("W1", stake=HUGE),
    e.WagerSettled("W1", HUGE, HUGE, HUGE, HUGE, HUGE),
    e.StakeRead("W1", HUGE, -(2**63)),
    e.DecisionMade("P1", "raise", amount=HUGE, response_ms=2**31 - 1),
    e.TrayCounted(HUGE),
    e.ColourChipsIssued("P1", "blue", HUGE),
    e.TermsPosted("RO", "VND", limits=(e.Limit("red", 0, HUGE),), differential=HUGE),
    e.BallTracked(2**31 - 1),
    e.ShakerStopped(2**31 - 1),
    e.CardsBurned(2**31 - 1),
    e.CardDrawn(2**31 - 1, "player", "9H"),
    e.BettingOpened(2**31 - 1),
    e.DeviceBeat(2**31 - 1, -(2**31), "ok"),
    e.CorrectionMade("T1/console/0", "P9", "dealer", "slip", claimed_at=HUGE),
]
NAMES = [f"{type(payload).__name__}-{n}" for n, payload in enumerate(ABSURD)]
HONEST = "T2"


def said(*payloads: e.Payload) -> list[houses.Said]:
    """Three rounds; in the second something absurd comes twice."""
    inside = houses.spin("R2", 3, houses.red())
    absurd: list[houses.Said] = [(payload, "R2") for payload in payloads * 2]
    return [
        *houses.opened(),
        *houses.spin("R1", 3, houses.red(wager_id="W0")),
        *inside[:2],
        *absurd,
        *inside[2:],
        *houses.spin("R3", 3, houses.red(wager_id="W3")),
    ]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The tables that INT-12 names in a house with a table for every absurd number."""
    home = tmp_path_factory.mktemp("house")
    for table_id, payload in zip(NAMES, ABSURD, strict=True):
        houses.written(home, table_id, said(payload))
    houses.written(home, HONEST, said())

    report = batch_replay.replay(home, Choice())
    duckdb_file.project(home)

    assert (report.failed, report.rounds) == ((), 3 * len(ABSURD) + 3)
    return {finding.table_id for finding in checked(home) if finding.check_id == "INT-12"}


@pytest.mark.parametrize("table_id", NAMES)
def test_the_house_is_derived_and_checked_and_the_number_is_told(
    table_id: str, told: set[str]
) -> None:
    assert table_id in told


def test_a_table_without_one_is_not_named(told: set[str]) -> None:
    assert HONEST not in told


@pytest.mark.parametrize("payload", ABSURD, ids=NAMES)
def test_live_and_batch_agree_on_it(payload: e.Payload) -> None:
    sealed = houses.sealed("T1", said(payload))
    table = LiveTable("T1", houses.DAY, in_force)

    for event, sha256 in sealed:
        table.add(event, sha256)
    table.finish()

    assert table.standing()["table_days"] == derive(houses.DAY, sealed, in_force).rows["table_days"]


def test_the_wager_is_unknown_and_the_rest_of_its_round_is_judged(tmp_path: Path) -> None:
    houses.written(tmp_path, "T1", said(ABSURD[0]))

    judged = locate(tmp_path, "R2").judged

    assert [due.wager_id for due in judged.dues] == ["W1"]
    (flag, _) = (flag for flag in judged.flags if flag.code == "AMOUNT_BEYOND")
    assert (flag.subject, "what was due on W9 is unknown" in english(flag.note)) == ("W9", True)


def test_a_payment_beyond_the_bound_makes_its_own_wager_unknown(tmp_path: Path) -> None:
    houses.written(tmp_path, "T1", said(ABSURD[4]))

    assert [due.wager_id for due in locate(tmp_path, "R2").judged.dues] == []
    assert [due.wager_id for due in locate(tmp_path, "R3").judged.dues] == ["W3"]


@pytest.mark.parametrize("moment", [HUGE, -(2**63)])
def test_a_time_that_is_none_stops_no_check(tmp_path: Path, moment: int) -> None:
    houses.written(tmp_path, "T1", said(), occurred_at={5: moment})

    report = batch_replay.replay(tmp_path, Choice())
    duckdb_file.project(tmp_path)

    assert report.failed == ()
    assert "INT-12" in {finding.check_id for finding in checked(tmp_path)}


def test_ten_thousand_payments_at_the_bound_do_not_overflow_a_sum(tmp_path: Path) -> None:
    paid = [e.WagerSettled("W1", 10**15, 10**15, 10**15, 10**15, 10**15)] * 10_000
    houses.written(tmp_path, "T1", [*said(*paid[:5_000]), (e.TrayCounted(1), None)])

    assert batch_replay.replay(tmp_path, Choice()).failed == ()
    duckdb_file.project(tmp_path)
    assert checked(tmp_path)


def checked(home: Path) -> list[run_checks.CheckFinding]:
    """What all checks find; none of them may stumble."""
    with duckdb.connect(str(home / duckdb_file.FILE), read_only=True) as connection:
        run_checks.prepare(connection, catalogue.checks().values())
        return [
            finding
            for check in catalogue.checks().values()
            for finding in run_checks.run(connection, check)
        ]
