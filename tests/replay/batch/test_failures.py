"""One table-day that fails takes no other with it: it is named, the rest is derived."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from audit.cli.errors import Code
from ingest.log import LogCorrupt
from replay.batch import digest, pool
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import derive as table_day
from replay.tables import duckdb_file, parquet
from schemas import events as e
from tests.support import houses
from tests.support.small_house import Roundproof, roundproof

__all__ = ["roundproof"]

TWO_DAYS = [
    *houses.opened("2026-03-01"),
    *houses.spin("R1", 3, houses.red()),
    (e.TableClosed(), None),
    *houses.opened("2026-03-02"),
    *houses.spin("R2", 4, houses.red()),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for table in ("T1", "T2", "T3"):
        houses.written(tmp_path, table, TWO_DAYS)
    return tmp_path


@pytest.fixture
def stumbling(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Rules that stumble over the first day of T2."""
    whole = table_day.derive

    def derive(day: str, sealed: list[tuple[e.Event, str]], editions: object) -> table_day.Day:
        if (sealed[0][0].table_id, day) == ("T2", "2026-03-01"):
            raise ZeroDivisionError("a rule that nobody wrote")
        return whole(day, sealed, editions)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(table_day, "derive", derive)
    return monkeypatch


@pytest.mark.usefixtures("stumbling")
def test_a_day_that_the_rules_stumble_over_is_named_and_the_rest_derived(home: Path) -> None:
    report = batch_replay.replay(home, Choice())

    assert (report.done, report.rounds) == (5, 5)
    (failure,) = report.failed
    assert str(failure) == (
        "table T2 gaming day 2026-03-01: ZeroDivisionError: a rule that nobody wrote"
    )


@pytest.mark.usefixtures("stumbling")
def test_the_command_says_so_in_words_and_exit_code_and_so_does_a_finding(
    home: Path, roundproof: Roundproof
) -> None:
    said = roundproof("replay", "--workers", "1", "--home", home)
    told = roundproof("findings", "--home", home)
    detected = roundproof("detect", "--check", "INT-13", "--home", home)

    assert said.code == Code.UNVERIFIED
    assert "5 table-days derived" in said.out
    assert "table T2 gaming day 2026-03-01: ZeroDivisionError" in said.err
    assert told.code == Code.OK
    assert detected.code == Code.FINDINGS


def test_a_day_that_failed_is_tried_again_and_alone(
    home: Path, stumbling: pytest.MonkeyPatch
) -> None:
    batch_replay.replay(home, Choice())
    again = batch_replay.replay(home, Choice())
    stumbling.undo()
    mended = batch_replay.replay(home, Choice())

    assert (again.done, again.kept, len(again.failed)) == (0, 5, 1)
    assert (mended.done, mended.kept, mended.failed) == (1, 5, ())
    assert digest.digest(home).behind == 0


@pytest.mark.usefixtures("stumbling")
def test_what_was_derived_of_it_before_is_not_shown_as_if_it_were_so_now(home: Path) -> None:
    batch_replay.replay(home, Choice())
    duckdb_file.project(home)

    with duckdb.connect(str(home / duckdb_file.FILE), read_only=True) as db:
        days = db.execute("select table_id, gaming_day::varchar, failed from table_days").fetchall()
        rounds = db.execute("select distinct gaming_day::varchar from rounds where table_id = 'T2'")
        assert rounds.fetchall() == [("2026-03-02",)]
    assert [row for row in days if row[2]] == [
        ("T2", "2026-03-01", "ZeroDivisionError: a rule that nobody wrote")
    ]


def test_a_table_whose_log_is_damaged_is_named_and_the_others_derived(home: Path) -> None:
    (path,) = home.glob("log/events/T2/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)

    report = batch_replay.replay(home, Choice())

    (failure,) = report.failed
    assert isinstance(failure.error, LogCorrupt)
    assert failure.table_id == "T2"
    assert {day.table_id for _, day in parquet.days(home / "derived")} == {"T1", "T3"}


def test_a_worker_that_is_killed_takes_no_other_task_with_it() -> None:
    tasks = ["one", "kill", "two", "three"]

    found = sorted(pool.run(_work, tasks, 2, lambda _: None, _killed))

    assert found == ["kill was killed", "one", "three", "two"]


def _work(task: str) -> str:
    if task == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def _killed(task: str) -> str:
    return f"{task} was killed"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_follows_from_a_task_is_done_too(workers: int) -> None:
    follow: Callable[[str], str | None] = {"one": "two", "two": "three"}.get

    found = sorted(pool.run(_work, ["one"], workers, follow, _killed))

    assert found == ["one", "three", "two"]
