"""Sealing while a service works: it seals at the end, never stops the service, asks the witness."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from audit.house import live_seal
from audit.house import seal as house_seal
from ingest.local.log import LocalLog
from ingest.log import CHECKPOINTS
from tests.support import houses
from tests.support.sealed_houses import grown, key_made, sealed_in_steps

LANE = ("events", "T1")


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What the operator's log would say."""
    with structlog.testing.capture_logs() as lines:
        yield lines


def test_what_came_is_sealed_when_the_service_ends(tmp_path: Path) -> None:
    home = key_made(tmp_path)

    with live_seal.sealing(live_seal.own_log(home, None, [])):
        grown(home, "T1", 12)

    assert house_seal.sealed(home).state().lanes[LANE].size == 12


def test_ten_thousand_records_are_sealed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, done = key_made(tmp_path), threading.Event()
    monkeypatch.setattr(live_seal, "EVERY_RECORDS", 10)
    monkeypatch.setattr(live_seal, "LOOKED_EVERY_S", 0.01)
    plan = live_seal.own_log(home, None, [])
    sealed: list[int] = []

    def sealing(place: Path, now: int) -> Any:
        made = house_seal.seal_now(place, now)
        sealed.append(made.records)
        done.set()
        return made

    grown(home, "T1", 3)
    with live_seal.sealing(plan._replace(seal=sealing)):
        assert done.wait(30)  # the first look seals what was there
        done.clear()
        grown(home, "T1", 25)
        assert done.wait(30)

    assert sealed == [3, 25]


def test_without_a_key_the_service_works_and_nothing_is_sealed(tmp_path: Path) -> None:
    with live_seal.sealing(live_seal.own_log(tmp_path, None, [])):
        grown(tmp_path, "T1", 3)

    assert not (tmp_path / "seal").exists()


def test_an_unsafe_key_is_told_and_the_service_works(tmp_path: Path, logged: list[Any]) -> None:
    home = key_made(tmp_path)
    (home / "keys" / "house.pem").chmod(0o644)

    with live_seal.sealing(live_seal.own_log(home, None, [])):
        grown(home, "T1", 3)

    assert [line["event"] for line in logged] == ["sealing_failed"]


def test_a_machine_without_a_log_seals_nothing(tmp_path: Path) -> None:
    with live_seal.sealing(live_seal.any_log(key_made(tmp_path), None, [])):
        pass

    assert not (tmp_path / "seal").exists()


def test_an_archive_is_sealed_where_it_goes_beyond(tmp_path: Path) -> None:
    home = key_made(houses.archived(houses.simulated(tmp_path, rounds=4)))
    plan = live_seal.archive(home, None, [])

    assert live_seal.seal_once(plan)
    first = house_seal.sealed(home).state()
    assert {lane[1] for lane in first.lanes} == {"T1", "T2", "T3"}
    grown(home, "T1", 4)
    assert live_seal.seal_once(live_seal.own_log(home, None, []))
    assert live_seal.seal_once(plan)

    assert house_seal.sealed(home).state().lanes[LANE].size == first.lanes[LANE].size + 4


def test_a_damaged_lane_is_logged_and_the_others_are_sealed(
    tmp_path: Path, logged: list[Any]
) -> None:
    home = sealed_in_steps(tmp_path, "T1", [10])
    grown(home, "T2", 3)
    (path,) = (home / "log" / "events" / "T1").glob("*.avro")
    path.write_bytes(path.read_bytes()[:-40])

    assert not live_seal.seal_once(live_seal.own_log(home, None, []))

    (told,) = [line for line in logged if line["event"] == "lane_not_sealed"]
    assert told["lane"] == "events/T1"
    assert house_seal.sealed(home).state().lanes["events", "T2"].size == 3


def test_while_another_process_seals_it_waits(tmp_path: Path) -> None:
    home = sealed_in_steps(tmp_path, "T1", [10])
    grown(home, "T1", 3)
    plan = live_seal.own_log(home, None, [])

    with LocalLog(home / "log", (CHECKPOINTS,)):
        assert not live_seal.seal_once(plan)
    assert live_seal.seal_once(plan)


def test_a_witness_that_is_away_stops_nothing(tmp_path: Path, logged: list[Any]) -> None:
    home = key_made(tmp_path)
    grown(home, "T1", 3)

    assert live_seal.seal_once(live_seal.own_log(home, None, ["http://127.0.0.1:9"]))

    assert [line["event"] for line in logged] == ["log_sealed", "checkpoint_not_cosigned"]
