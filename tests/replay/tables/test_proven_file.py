"""A derived file is compared with its hash before it is opened."""

import os
from pathlib import Path

import duckdb
import pytest

from replay.tables import file_stamps, proven_file
from replay.tables.proven_file import FileChanged
from tests.support.tables import cases


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A DuckDB file with its hash beside it."""
    path = tmp_path / "audit.duckdb"
    with duckdb.connect(path) as db:
        db.execute("create table rounds as select 7 as n")
    proven_file.note(path, proven_file.sha256(path))
    return path


def flip(path: Path, at: int) -> None:
    body = bytearray(path.read_bytes())
    body[at] ^= 1
    path.write_bytes(body)


def test_a_whole_file_is_opened(file: Path) -> None:
    with proven_file.connected(file) as db:
        assert db.execute("from rounds").fetchall() == [(7,)]


def test_the_hash_is_one_that_sha256sum_reads(file: Path) -> None:
    line = file.with_name("audit.duckdb.sha256").read_text()

    assert line == f"{proven_file.sha256(file)}  audit.duckdb\n"


@pytest.mark.parametrize(
    ("what", "why"),
    cases("""
        flip    | audit.duckdb: SHA-256 .* expected, .* found         | one bit
        unnoted | audit.duckdb.sha256: the SHA-256 .* no file found   | no hash
        name    | audit.duckdb.sha256: a line with .* others found    | the hash of another file
        junk    | audit.duckdb.sha256: a line with .* others found    | a hash and more
        wal     | audit.duckdb.wal: no file expected, changes .*      | changes beside it
    """),
)
def test_another_file_is_not_opened(file: Path, what: str, why: str) -> None:
    hashed = file.with_name("audit.duckdb.sha256")
    match what:
        case "flip":
            flip(file, 5_000)
        case "unnoted":
            hashed.unlink()
        case "name":
            hashed.write_text(hashed.read_text().replace("audit", "other"))
        case "junk":
            hashed.write_text(hashed.read_text() + "junk\n")
        case "wal":
            file.with_name("audit.duckdb.wal").write_bytes(b"changes")

    with pytest.raises(FileChanged, match=why):
        proven_file.connected(file)


def test_while_a_file_takes_its_place_the_old_and_the_new_one_are_whole(file: Path) -> None:
    new = file.with_name("new")
    new.write_bytes(file.read_bytes() + bytes(8))
    proven_file.note(file, *proven_file.noted(file), proven_file.sha256(new))

    assert proven_file.fault(file) is None
    new.replace(file)
    assert proven_file.fault(file) is None


def test_a_write_that_puts_the_time_back_is_found_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_stamps, "REST_NS", 0)
    proven_file.require(file)
    before = file.stat()
    flip(file, 5_000)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(FileChanged):
        proven_file.require(file)


def test_a_file_that_nobody_wrote_to_is_hashed_once_by_a_process(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_stamps, "REST_NS", 0)
    proven_file.require(file)
    monkeypatch.setattr("hashlib.file_digest", None)

    proven_file.require(file)
