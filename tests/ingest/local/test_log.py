"""The embedded log on a disk that tears, fills up, rots and is fought over."""

import errno
import os
import subprocess
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import NoReturn

import fastavro
import pytest

from ingest.disk import Disk
from ingest.local import head
from ingest.local.log import LocalLog
from ingest.log import EVENTS, DiskFull, LogCorrupt, LogLocked, LogUnwritable
from tests.ingest.test_log import bodies

FIRST = f"{EVENTS}/T1/00000000.avro"


def written(root: Path, count: int = 4) -> Path:
    with LocalLog(root, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(count))
    return root / FIRST


def stored(root: Path) -> list[bytes]:
    return [record.body for record in LocalLog(root).read(EVENTS, "T1")]


def complaint(root: Path) -> str:
    try:
        stored(root)
    except LogCorrupt as error:
        return str(error)
    return ""


def test_every_avro_reader_can_read_a_segment(tmp_path: Path) -> None:
    path = written(tmp_path)

    with path.open("rb") as stream:
        found = list(fastavro.reader(stream))

    assert [event["seq"] for event in found if isinstance(event, dict)] == [0, 1, 2, 3]


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_same_records_make_the_same_file_in_every_process(
    tmp_path: Path, hash_seed: str
) -> None:
    script = (
        "import sys, pathlib; from tests.ingest.local.test_log import written\n"
        "written(pathlib.Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "other")],
        check=True,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
    )

    assert (tmp_path / "other" / FIRST).read_bytes() == written(tmp_path).read_bytes()


def test_only_the_house_may_read_the_files(tmp_path: Path) -> None:
    assert written(tmp_path).stat().st_mode & 0o777 == 0o640


def test_segments_roll_at_their_size(tmp_path: Path) -> None:
    with LocalLog(tmp_path, (EVENTS,), segment_bytes=40_000) as log:
        for body in bodies(200):
            log.append(EVENTS, "T1", [body])

    segments = sorted(path.name for path in (tmp_path / EVENTS / "T1").iterdir())
    assert len(segments) > 2
    assert stored(tmp_path) == bodies(200)
    middle = int(segments[1].removesuffix(".avro"))
    assert [r.offset for r in LocalLog(tmp_path).read(EVENTS, "T1", middle)][:1] == [middle]


def test_a_segment_can_be_ended_by_hand(tmp_path: Path) -> None:
    with LocalLog(tmp_path, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(3))
        log.roll(EVENTS, "T1")
        log.append(EVENTS, "T1", bodies(2, 3))

    segments = sorted(path.name for path in (tmp_path / EVENTS / "T1").glob("*.avro"))
    assert segments == ["00000000.avro", "00000003.avro"]
    assert stored(tmp_path) == bodies(5)


def test_a_tail_torn_at_any_byte_is_cut_to_the_last_whole_record(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    place, known = path.parent / head.FILE, (path.parent / head.FILE).read_bytes()
    shorter = path.stat().st_size
    with LocalLog(tmp_path, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(1, 3))
    whole = path.read_bytes()

    for missing in range(1, len(whole) - shorter + 1):
        path.write_bytes(whole[:-missing])
        place.write_bytes(known)  # a crash came before the record was acknowledged
        assert stored(tmp_path) == bodies(3)
        assert path.read_bytes() == whole[:-missing]  # who only reads leaves the file alone
        with LocalLog(tmp_path, (EVENTS,)) as log:
            assert log.append(EVENTS, "T1", bodies(1, 3)) == 3
        assert path.read_bytes() == whole


@pytest.mark.parametrize("zeros", [1, 7, 4096])
def test_a_tail_of_zeros_is_cut(tmp_path: Path, zeros: int) -> None:
    path = written(tmp_path)
    with path.open("ab") as stream:
        stream.write(bytes(zeros))

    assert stored(tmp_path) == bodies(4)
    with LocalLog(tmp_path, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(1, 4))
    assert path.read_bytes() == written(tmp_path / "never torn", 5).read_bytes()


def test_a_flipped_bit_never_cuts_what_follows_it(tmp_path: Path) -> None:
    """Framing is named by segment and offset; a body is left for the chain to find."""
    path = written(tmp_path)
    whole = path.read_bytes()
    start = len(whole) - 4 * (len(whole) - len(written(tmp_path / "shorter", 3).read_bytes()))
    named = 0

    for at in range(start, len(whole)):
        path.write_bytes(whole[:at] + bytes((whole[at] ^ 0x10,)) + whole[at + 1 :])
        told = complaint(tmp_path)
        if told:
            named += 1
            assert "00000000.avro offset" in told
            with LocalLog(tmp_path, (EVENTS,)) as log, pytest.raises(LogCorrupt):
                log.append(EVENTS, "T1", bodies(1))
        else:
            assert len(stored(tmp_path)) == 4
    assert named > 4 * 16


@pytest.mark.parametrize(
    ("keep", "told"),
    [(0, "an Avro container expected"), (2, "the end found"), (100, "offset 0, byte")],
)
def test_a_header_that_is_cut_is_corruption(tmp_path: Path, keep: int, told: str) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:keep])

    with pytest.raises(LogCorrupt, match=told):
        stored(tmp_path)


def test_another_file_in_the_place_of_a_segment_is_corruption(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(b"PK\3\4" + path.read_bytes()[4:])

    with pytest.raises(LogCorrupt, match="byte 0: an Avro container expected"):
        stored(tmp_path)


def test_a_segment_of_another_table_is_not_taken_for_ours(tmp_path: Path) -> None:
    path = written(tmp_path)
    other = tmp_path / EVENTS / "T2" / path.name
    other.parent.mkdir()
    other.write_bytes(path.read_bytes())

    with pytest.raises(LogCorrupt, match="the header of events/T2 expected"):
        list(LocalLog(tmp_path).read(EVENTS, "T2"))


def test_a_missing_segment_is_found(tmp_path: Path) -> None:
    with LocalLog(tmp_path, (EVENTS,), segment_bytes=1) as log:
        for body in bodies(3):
            log.append(EVENTS, "T1", [body])
    (tmp_path / EVENTS / "T1" / "00000001.avro").unlink()

    with pytest.raises(LogCorrupt, match="records up to 2 expected, 1 found"):
        stored(tmp_path)


def test_a_second_writer_is_told_who_is_writing(tmp_path: Path) -> None:
    with LocalLog(tmp_path, (EVENTS,)), pytest.raises(LogLocked, match=f"process {os.getpid()} "):
        LocalLog(tmp_path, (EVENTS,))
    with LocalLog(tmp_path, (EVENTS,)) as log:
        assert log.append(EVENTS, "T1", bodies(1)) == 0


def test_another_process_is_locked_out_too(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from ingest.local.log import LocalLog\n"
        "LocalLog(pathlib.Path(sys.argv[1]), ('events',))"
    )
    with LocalLog(tmp_path, (EVENTS,)):
        told = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )

    assert f"process {os.getpid()} is writing to it" in told.stderr


def test_a_stream_that_was_not_opened_for_writing_is_refused(tmp_path: Path) -> None:
    with LocalLog(tmp_path, ("dlq",)) as log, pytest.raises(ValueError, match="not opened"):
        log.append(EVENTS, "T1", bodies(1))


class FailingDisk(Disk):
    """A disk whose n-th call fails; a failing write takes half of its bytes first."""

    def __init__(self, fails_at: int, code: int) -> None:
        self.calls, self.fails_at, self.code = 0, fails_at, code

    def write(self, handle: int, chunk: memoryview) -> int:
        if self._due():
            super().write(handle, chunk[: len(chunk) // 2])
            self._fail()
        return super().write(handle, chunk)

    def sync(self, handle: int) -> None:
        if self._due():
            self._fail()
        super().sync(handle)

    def truncate(self, handle: int, size: int) -> None:
        if self._due():
            self._fail()
        super().truncate(handle, size)

    def rename(self, old: Path, new: Path) -> None:
        if self._due():
            self._fail()
        super().rename(old, new)

    def _due(self) -> bool:
        self.calls += 1
        return self.calls >= self.fails_at

    def _fail(self) -> NoReturn:
        raise OSError(self.code, os.strerror(self.code))


CALLS = 46  # of eight appends in two segments
CODES = (errno.ENOSPC, errno.EIO, errno.EROFS)
FAILING_CALLS = [(n, CODES[n % 3]) for n in range(1, 49)]


@pytest.mark.parametrize(("fails_at", "code"), FAILING_CALLS)
def test_whatever_call_fails_nothing_acknowledged_is_lost(
    tmp_path: Path, fails_at: int, code: int
) -> None:
    disk = FailingDisk(fails_at, code)
    acknowledged = 0
    with (
        pytest.raises(OSError, match=os.strerror(code)) if fails_at <= CALLS else nullcontext(),
        LocalLog(tmp_path, (EVENTS,), disk=disk, segment_bytes=40_000) as log,
    ):
        for n in range(8):
            log.append(EVENTS, "T1", bodies(20, 20 * n))
            acknowledged += 20

    found = stored(tmp_path)
    assert found == bodies(len(found))
    assert acknowledged <= len(found) <= acknowledged + 20
    with LocalLog(tmp_path, (EVENTS,)) as log:
        end = log.end(EVENTS, "T1")
        assert log.append(EVENTS, "T1", bodies(1, end)) == end
    assert stored(tmp_path) == bodies(end + 1)


def test_every_call_was_made_to_fail(tmp_path: Path) -> None:
    disk = FailingDisk(10**9, errno.EIO)
    with LocalLog(tmp_path, (EVENTS,), disk=disk, segment_bytes=40_000) as log:
        for n in range(8):
            log.append(EVENTS, "T1", bodies(20, 20 * n))

    assert disk.calls == CALLS < len(FAILING_CALLS)


class MeetingDisk(Disk):
    """A disk whose files are forced only when several are at the same time."""

    def __init__(self, at_once: int) -> None:
        self.met, self._meeting = 0, threading.Barrier(at_once, timeout=20)

    def sync(self, handle: int) -> None:
        if os.fstat(handle).st_size > 60_000:  # no folder, nor a file's header
            self._meeting.wait()
            self.met += 1
        super().sync(handle)


def test_the_files_of_a_batch_are_forced_to_disk_together(tmp_path: Path) -> None:
    tables = [f"T{n}" for n in range(4)]
    large = [bytes(70_000)]
    disk = MeetingDisk(len(tables))
    with LocalLog(tmp_path, (EVENTS,), disk=disk) as log:
        found = log.append_each(EVENTS, dict.fromkeys(tables, large))

    assert found == dict.fromkeys(tables, 0)
    assert disk.met == len(tables)
    assert all(LocalLog(tmp_path).end(EVENTS, table) == 1 for table in tables)


TABLES = tuple(f"T{n:02d}" for n in range(20))  # more than are forced together


@pytest.mark.parametrize("fails_at", range(1, 265, 4))
def test_whatever_call_fails_a_batch_of_many_tables_loses_nothing(
    tmp_path: Path, fails_at: int
) -> None:
    """Whole when it was acknowledged; else each table holds some of its part, in order."""
    batch = dict.fromkeys(TABLES, bodies(3))
    disk, whole = FailingDisk(fails_at, errno.EIO), True
    try:
        with LocalLog(tmp_path, (EVENTS,), disk=disk) as log:
            log.append_each(EVENTS, batch)
    except OSError:
        whole = False

    reread = LocalLog(tmp_path)
    held = {table: [each.body for each in reread.read(EVENTS, table)] for table in TABLES}
    assert all(found == bodies(len(found)) for found in held.values())
    assert not whole or held == batch
    with LocalLog(tmp_path, (EVENTS,)) as log:
        ends = {table: log.end(EVENTS, table) for table in TABLES}
        assert log.append_each(EVENTS, batch) == ends


FILL = """
import pathlib, resource, signal, sys
from ingest.log import DiskFull
from ingest.local.log import LocalLog
from tests.ingest.test_log import bodies
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
root, done = pathlib.Path(sys.argv[1]), 0
with LocalLog(root, ("events",)) as log:
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
    try:
        while True:
            log.append("events", "T1", bodies(7, done))
            done += 7
    except DiskFull as error:
        print(done, error.errno, error.filename)
"""


def test_a_full_disk_takes_no_half_record(tmp_path: Path) -> None:
    """The kernel itself stops a write in the middle of a record, as a full disk does."""
    told = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path)], capture_output=True, text=True, check=True
    )

    done, code, where = told.stdout.split()
    assert (int(code), where) == (errno.EFBIG, str(tmp_path / EVENTS / "T1"))
    assert stored(tmp_path) == bodies(int(done))
    size = (tmp_path / FIRST).stat().st_size
    with LocalLog(tmp_path, (EVENTS,)) as log:
        log.append(EVENTS, "T1", bodies(1, int(done)))
    assert (tmp_path / FIRST).stat().st_size > size  # nothing was left to cut away


def test_errors_of_the_disk_keep_their_number_and_name_the_folder(tmp_path: Path) -> None:
    with (
        LocalLog(tmp_path, (EVENTS,), disk=FailingDisk(3, errno.EROFS)) as log,
        pytest.raises(LogUnwritable, match="nothing of the batch was accepted") as failed,
    ):
        log.append(EVENTS, "T1", bodies(1))

    assert (failed.value.errno, type(failed.value)) == (errno.EROFS, LogUnwritable)
    assert not isinstance(failed.value, DiskFull)
