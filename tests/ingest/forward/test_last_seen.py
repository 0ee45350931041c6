"""What was last forwarded is shown while Kafka is away; the file decides nothing."""

from pathlib import Path

import pytest

from ingest.forward import last_seen
from ingest.local.log import LocalLog
from ingest.log import Lane

SENT: dict[Lane, int] = {("events", "T1"): 7, ("dlq", "gateway"): 2}


@pytest.fixture
def log(tmp_path: Path) -> LocalLog:
    (tmp_path / "log").mkdir()
    return LocalLog(tmp_path / "log")


def test_it_comes_back_as_it_was(log: LocalLog) -> None:
    last_seen.save(log, SENT)

    assert last_seen.load(log) == SENT


def test_only_the_house_may_read_it(log: LocalLog) -> None:
    last_seen.save(log, SENT)

    assert {path.stat().st_mode & 0o777 for path in log.root.iterdir()} == {0o640}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"events/T1": "many"}', '{"events/T1": null}'])
def test_a_file_of_something_else_counts_as_none(log: LocalLog, text: str) -> None:
    (log.root / last_seen.FILE).write_text(text)

    assert last_seen.load(log) == {}
