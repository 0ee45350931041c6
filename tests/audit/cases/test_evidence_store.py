"""Files in evidence are kept under their hash, and compared with it before use."""

import errno
import hashlib
from pathlib import Path

import pytest

from audit.cases import evidence_store
from audit.cases.evidence_store import EvidenceCorrupt, EvidenceRefused
from ingest.disk import Disk


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"a photo of the layout" * 1000)
    return path


def test_a_file_is_kept_under_its_hash(tmp_path: Path, photo: Path) -> None:
    stored = evidence_store.put(tmp_path / "house", photo)

    assert stored.sha256 == hashlib.sha256(photo.read_bytes()).hexdigest()
    assert stored.size == 21_000
    assert stored.path.parts[-3:] == ("evidence", stored.sha256[:2], stored.sha256)
    assert evidence_store.get(tmp_path / "house", stored.sha256).read_bytes() == photo.read_bytes()
    assert stored.path.stat().st_mode & 0o777 == 0o640


def test_the_same_file_twice_is_one(tmp_path: Path, photo: Path) -> None:
    first = evidence_store.put(tmp_path / "house", photo)

    assert evidence_store.put(tmp_path / "house", photo) == first
    assert [path for path in (tmp_path / "house").rglob("*") if path.is_file()] == [first.path]


def test_a_flipped_bit_is_found(tmp_path: Path, photo: Path) -> None:
    stored = evidence_store.put(tmp_path, photo)
    content = bytearray(stored.path.read_bytes())
    content[77] ^= 4
    stored.path.write_bytes(content)

    with pytest.raises(EvidenceCorrupt, match=f"SHA-256 {stored.sha256[:16]}… expected"):
        evidence_store.get(tmp_path, stored.sha256)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvidenceCorrupt, match="a file of evidence expected, none found"):
        evidence_store.get(tmp_path, "0" * 64)


def test_a_folder_a_missing_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()

    with pytest.raises(IsADirectoryError):
        evidence_store.put(tmp_path, tmp_path)
    with pytest.raises(FileNotFoundError):
        evidence_store.put(tmp_path, tmp_path / "nothing")
    with pytest.raises(EvidenceRefused, match="an empty one found"):
        evidence_store.put(tmp_path, tmp_path / "empty")


class FullDisk(Disk):
    """A disk without room."""

    def write(self, handle: int, chunk: memoryview) -> int:
        del handle, chunk
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, photo: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        evidence_store.put(tmp_path / "house", photo, FullDisk())

    assert [path for path in (tmp_path / "house").rglob("*") if path.is_file()] == []
