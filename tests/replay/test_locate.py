"""What an event says is read from the log, by its place there."""

from pathlib import Path

import pytest

from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.order import OrderMemory
from ingest.seal import chain
from replay.locate import recorded
from tests.support.houses import simulated


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("house"), rounds=2)


def test_events_are_found_by_their_offsets(home: Path) -> None:
    table = min(path.name for path in (home / "log/events").iterdir() if path.is_dir())
    events = [event for event, _ in chain.events(LocalLog(home / "log"), table)]

    found = recorded(home, table, [0, 7])

    assert found == {0: events[0].payload, 7: events[7].payload}


def test_what_is_not_in_the_log_is_left_out(home: Path, tmp_path: Path) -> None:
    table = min(path.name for path in (home / "log/events").iterdir() if path.is_dir())

    assert recorded(home, table, [10_000_000]) == {}
    assert recorded(tmp_path, table, [0]) == {}


def test_an_event_that_was_trimmed_is_left_out(tmp_path: Path) -> None:
    home = simulated(tmp_path, rounds=2)
    log = LocalLog(home / "log")
    table = min(log.partitions("events"))

    trim_note.save(log, table, trim_note.TrimNote(9, 0, OrderMemory({}, None)))

    assert list(recorded(home, table, [3, 9])) == [9]
