"""A replay reads no file that nobody wrote to since it was found whole."""

import os
from pathlib import Path

import pytest

from ingest.log import LogCorrupt
from replay.batch import derived_memory, digest, log_memory, source
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import file_stamps
from tests.support import houses

SEGMENT, DERIVED = "log/events/T1/*.avro", "derived/T1/*/wagers.parquet"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A table with one day, replayed."""
    houses.written(tmp_path, "T1", [*houses.opened(), *houses.spin("R1", 3, houses.red())])
    batch_replay.replay(tmp_path, Choice())
    return tmp_path


@pytest.fixture
def at_rest(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The house, replayed again when its files had been at rest for long enough."""
    monkeypatch.setattr(file_stamps, "REST_NS", 0)
    batch_replay.replay(home, Choice())
    return home


def flip(home: Path, pattern: str) -> None:
    """Change one bit in place, and put the time of the last write back."""
    (path,) = home.glob(pattern)
    before, body = path.stat(), bytearray(path.read_bytes())
    body[body.rindex(b"red")] ^= 1
    with path.open("r+b") as file:
        file.write(body)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of segments and derived tables that are read from here on."""
    read, plain = list[str](), Path.read_bytes

    def noted(path: Path) -> bytes:
        if path.suffix in {".avro", ".parquet"}:
            read.append(path.name)
        return plain(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    return read


def test_with_nothing_new_neither_log_nor_derived_files_are_read(
    at_rest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = count_reads(monkeypatch)

    report = batch_replay.replay(at_rest, Choice())
    digest.proven(at_rest, report.whole)

    assert (report.kept, report.done, read) == (1, 0, [])


def test_a_segment_that_grew_is_read_and_another_table_is_not(
    at_rest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    houses.written(at_rest, "T2", houses.opened())
    read = count_reads(monkeypatch)

    batch_replay.replay(at_rest, Choice())

    assert {name for name in read if name.endswith(".avro")} == {"00000000.avro"}
    assert "wagers.parquet" not in read


def test_files_that_were_written_just_before_are_hashed_again(home: Path) -> None:
    batch_replay.replay(home, Choice())

    assert derived_memory.load(home) == {}
    (segment,) = log_memory.load(home, source.LOCAL)["T1"].sums.values()
    assert segment.stamp is None


def test_a_change_that_hides_its_time_is_found_in_the_log(at_rest: Path) -> None:
    flip(at_rest, SEGMENT)

    with pytest.raises(LogCorrupt, match="table T1 offset 4: previous hash"):
        batch_replay.replay(at_rest, Choice())


def test_a_change_that_hides_its_time_is_found_in_a_derived_file(at_rest: Path) -> None:
    flip(at_rest, DERIVED)

    report = batch_replay.replay(at_rest, Choice())

    assert (report.done, len(report.mended)) == (1, 1)


@pytest.fixture
def decayed(at_rest: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The house, with another bit in every kind of file and stamps that do not show it."""
    shown = {path: path.stat() for path in at_rest.rglob("*") if path.is_file()}
    flip(at_rest, SEGMENT)
    flip(at_rest, DERIVED)
    plain = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        return shown.get(path) or plain(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    return at_rest


def test_what_the_disk_changed_by_itself_is_found_where_every_byte_is_read(decayed: Path) -> None:
    kept = batch_replay.replay(decayed, Choice())
    assert (kept.failed, kept.mended) == ((), ())

    assert len(digest.digest(decayed).failed) == 2
    (failure,) = batch_replay.replay(decayed, Choice(fresh=True)).failed
    assert isinstance(failure.error, LogCorrupt)


@pytest.mark.parametrize("body", [None, b"junk", b"[]"])
def test_without_a_memory_of_derived_files_all_are_hashed(
    at_rest: Path, monkeypatch: pytest.MonkeyPatch, body: bytes | None
) -> None:
    place = at_rest / derived_memory.FILE
    known = place.read_bytes()
    place.unlink()
    if body is not None:
        place.write_bytes(body)
    read = count_reads(monkeypatch)

    assert batch_replay.replay(at_rest, Choice()).kept == 1

    assert "wagers.parquet" in read
    assert place.read_bytes() == known
