"""The access stream: chained, before the answer, and open to many writers."""

import subprocess
import sys
from pathlib import Path

import pytest

from audit.access import access_log
from audit.access.access_log import AccessOutcome, AccessRequest, Viewer
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt

AUDITOR = Viewer("A1", "internal_auditor", "anna")
ROUND = AccessRequest("view", "explain", "round", ("T1-R7",))
NOON = 1_772_395_200_000_000


def test_records_read_back_in_order(tmp_path: Path) -> None:
    asked = access_log.record(tmp_path, AUDITOR, ROUND, lambda: NOON)
    query = AccessRequest("query", "sql", "rows", question="from rounds", parameters={"limit": "5"})
    second = access_log.record(tmp_path, AUDITOR, query, lambda: NOON + 1)
    third = access_log.record(tmp_path, AUDITOR, query, lambda: NOON + 2, AccessOutcome(2, 17))

    found = list(access_log.records(tmp_path))

    assert found == [asked, second, third]
    assert [record.number for record in found] == [1, 2, 3]
    assert (found[2].answer_to, found[2].rows) == (2, 17)
    assert found[1].parameters == {"limit": "5"}


def test_a_house_without_records_has_none(tmp_path: Path) -> None:
    assert list(access_log.records(tmp_path)) == []


def test_a_gateway_that_holds_the_events_is_not_in_the_way(tmp_path: Path) -> None:
    with LocalLog(tmp_path / "log", (EVENTS,)):
        assert access_log.record(tmp_path, AUDITOR, ROUND, lambda: NOON).number == 1


def test_many_processes_write_one_chain(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from audit.access import access_log\n"
        "from tests.audit.access.test_access_log import AUDITOR, NOON, ROUND\n"
        "for _ in range(20):\n"
        "    access_log.record(pathlib.Path(sys.argv[1]), AUDITOR, ROUND, lambda: NOON)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)]) for _ in range(3)]

    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [record.number for record in access_log.records(tmp_path)] == list(range(1, 61))


def test_a_changed_record_is_found(tmp_path: Path) -> None:
    for _ in range(3):
        access_log.record(tmp_path, AUDITOR, ROUND, lambda: NOON)
    path = tmp_path / "log/access/house/00000000.avro"
    content = bytearray(path.read_bytes())
    content[content.index(b"T1-R7")] ^= 1
    path.write_bytes(content)

    with pytest.raises(LogCorrupt, match="access records offset 1: record 2 after"):
        list(access_log.records(tmp_path))


def test_a_record_that_was_taken_away_is_found(tmp_path: Path) -> None:
    for _ in range(3):
        access_log.record(tmp_path, AUDITOR, ROUND, lambda: NOON)
    path = tmp_path / "log/access/house/00000000.avro"
    path.write_bytes(path.read_bytes()[:-1])

    with pytest.raises(LogCorrupt, match="records expected"):
        list(access_log.records(tmp_path))


def test_a_long_question_is_cut(tmp_path: Path) -> None:
    query = AccessRequest("query", "sql", "rows", question="x" * 1_000_000)

    assert len(access_log.record(tmp_path, AUDITOR, query, lambda: NOON).question) == 65_536


def test_the_last_segment_stays_short(tmp_path: Path) -> None:
    query = AccessRequest("query", "sql", "rows", question="x" * 60_000)
    for _ in range(20):
        access_log.record(tmp_path, AUDITOR, query, lambda: NOON)

    sizes = [path.stat().st_size for path in (tmp_path / "log/access/house").glob("*.avro")]

    assert len(sizes) == 2
    assert max(sizes) < 1_200_000
    assert len(list(access_log.records(tmp_path))) == 20
