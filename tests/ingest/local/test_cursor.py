"""A cursor over the embedded log gives what `read` gives, in bites of any size."""

from itertools import pairwise
from pathlib import Path

import pytest

from ingest.local import cursor
from ingest.local.cursor import Cursor
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt, LogRecord
from tests.ingest.test_log import bodies

LANE = EVENTS, "T1"


def written(root: Path, count: int = 20, segment_bytes: int = 1) -> LocalLog:
    with LocalLog(root, (EVENTS,), segment_bytes=segment_bytes) as log:
        for start, stop in pairwise(range(0, count + 1, 4)):
            log.append(*LANE, bodies(stop - start, start))
    return log


@pytest.mark.parametrize("segment_bytes", [1, 10**6], ids=["many segments", "one segment"])
@pytest.mark.parametrize("most", [1, 3, 100])
@pytest.mark.parametrize("start", [0, 4, 7, 19])
def test_bites_of_any_size_give_the_same_records(
    tmp_path: Path, segment_bytes: int, most: int, start: int
) -> None:
    log = written(tmp_path, segment_bytes=segment_bytes)
    place, found = Cursor(log, LANE, start), list[LogRecord]()

    while bite := place.take(20, most, 10**6):
        assert len(bite) <= most
        found += bite

    assert found == list(log.read(*LANE, start))


def test_a_bite_is_bounded_in_bytes_but_never_empty(tmp_path: Path) -> None:
    log = written(tmp_path)
    sizes = [len(body) for body in bodies(20)]
    place = Cursor(log, LANE)

    assert len(place.take(20, 100, 1)) == 1
    assert len(place.take(20, 100, sum(sizes[1:4]))) == 3
    assert len(place.take(20, 100, sum(sizes[4:6]) - 1)) == 1


def test_a_record_longer_than_a_chunk_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursor, "CHUNK", 40_000)  # the header fits, some records do not
    with LocalLog(tmp_path, ("dlq",)) as log:
        sent = [bytes([n]) * size for n, size in enumerate((10, 90_000, 10, 60_000))]
        log.append("dlq", "gateway", sent)

    found = Cursor(log, ("dlq", "gateway")).take(4, 100, 10**6)

    assert [record.body for record in found] == sent


def test_nothing_is_handed_out_beyond_what_is_durable(tmp_path: Path) -> None:
    place = Cursor(written(tmp_path), LANE)

    assert [record.offset for record in place.take(6, 100, 10**6)] == list(range(6))
    assert place.take(6, 100, 10**6) == []
    assert [record.offset for record in place.take(7, 100, 10**6)] == [6]


def test_a_cursor_goes_on_with_what_is_written_later(tmp_path: Path) -> None:
    place = Cursor(written(tmp_path, 8, 10**6), LANE)
    place.take(8, 100, 10**6)
    with LocalLog(tmp_path, (EVENTS,), segment_bytes=1) as log:
        log.append(*LANE, bodies(4, 8))

    assert [record.body for record in place.take(12, 100, 10**6)] == bodies(4, 8)


def test_what_is_left_is_weighed(tmp_path: Path) -> None:
    log = written(tmp_path)
    place = Cursor(log, LANE)
    weights = []
    for upto in (0, 8, 20):
        place.take(upto, 100, 10**6)
        weights.append(place.bytes_left())

    assert weights[0] > weights[1] > weights[2] == 0


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    written(tmp_path, 8, 10**6)
    path = tmp_path / EVENTS / "T1" / "00000000.avro"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    place = Cursor(LocalLog(tmp_path), LANE)

    with pytest.raises(LogCorrupt, match=r"00000000\.avro offset 7: one record and its marker"):
        place.take(8, 100, 10**6)
