"""A log that is read on: what was read is not walked again, and a wrong place does no harm."""

import json
from pathlib import Path

from ingest.local.log import LocalLog
from ingest.local.resumed import ResumedLog
from ingest.log import EVENTS
from tests.ingest.test_log import bodies

LANE = (EVENTS, "T1")


def appended(root: Path, count: int, before: int = 0) -> LocalLog:
    """A log with so many events more, in small segments."""
    with LocalLog(root, (EVENTS,), segment_bytes=2_000) as log:
        log.append(EVENTS, "T1", bodies(before + count)[before:])
    return LocalLog(root)


def read(log: ResumedLog, start: int) -> list[int]:
    return [record.offset for record in log.read(*LANE, start)]


def test_it_reads_on_where_it_stopped(tmp_path: Path) -> None:
    memory = tmp_path / "places.json"
    log = ResumedLog(appended(tmp_path / "log", 30), memory)
    assert read(log, 0) == list(range(30))
    log.save()
    appended(tmp_path / "log", 5, before=30)

    (path, *_) = sorted((tmp_path / "log" / EVENTS / "T1").glob("*.avro"))
    body = path.read_bytes()
    at = body.index(bodies(4)[3])
    path.write_bytes(body[:at] + bytes(300) + body[at + 300 :])  # nobody reads this again
    later = ResumedLog(LocalLog(tmp_path / "log"), memory)

    assert read(later, 29) == [29, 30, 31, 32, 33, 34]
    assert read(later, 34) == [34]


def test_it_stops_where_the_head_counts(tmp_path: Path) -> None:
    log = appended(tmp_path, 6)
    head = (tmp_path / EVENTS / "T1" / ".head").read_bytes()
    appended(tmp_path, 4, before=6)
    (tmp_path / EVENTS / "T1" / ".head").write_bytes(head)

    assert read(ResumedLog(log, tmp_path / "places.json"), 0) == list(range(6))


def test_a_place_that_cannot_be_is_not_used(tmp_path: Path) -> None:
    memory, log = tmp_path / "places.json", appended(tmp_path / "log", 9)
    (path,) = (tmp_path / "log" / EVENTS / "T1").glob("*.avro")
    for place in ([5, 0, 17], [5, 0, path.stat().st_size - 3], [5, 99, 17], [5, 0, -9], ["x"]):
        memory.write_text(json.dumps({f"{EVENTS}/T1": place}), "utf-8")

        assert read(ResumedLog(log, memory), 5) == [5, 6, 7, 8]


def test_a_partition_without_a_record_has_none(tmp_path: Path) -> None:
    log = ResumedLog(LocalLog(tmp_path), tmp_path / "places.json")

    assert (read(log, 0), log.end(*LANE), log.start(*LANE)) == ([], 0, 0)
