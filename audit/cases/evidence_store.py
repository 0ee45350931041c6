"""The files that were taken into evidence, kept in the house under the hash of their bytes.

    <home>/evidence/<first two digits>/<SHA-256>

A file is copied and forced to the disk before the case says that it has it, so a killed command
leaves at most a file that no case names. A file is compared with its name before it is handed out.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ingest.disk import FILE_MODE, Disk

FOLDER = "evidence"
CHUNK = 1024 * 1024
MAX_SIZE = 64 * 1024**3  # bytes of one file


class EvidenceCorrupt(Exception):
    """A file of the store does not have the hash that its name says, or is not there."""


class EvidenceRefused(ValueError):
    """A file that cannot be taken into evidence; the message says what was expected."""


class StoredFile(NamedTuple):
    """A file in the store."""

    sha256: str
    size: int
    path: Path


def put(home: Path, source: Path, disk: Disk | None = None) -> StoredFile:
    """Copy a file into the store, durable when this returns; a file that is there stays."""
    disk = disk or Disk()
    if not source.is_file():
        source.open("rb").close()  # a missing file or a folder raises an error that names it
        raise EvidenceRefused(f"{source}: a file expected, something else found")
    disk.make_folder(home / FOLDER)
    draft = home / FOLDER / f".draft-{os.getpid()}"
    try:
        sha256, size = _copied(source, draft, disk)
        if size == 0:
            raise EvidenceRefused(f"{source}: a file with bytes in it expected, an empty one found")
        target = place(home, sha256)
        disk.make_folder(target.parent)
        disk.rename(draft, target)
        disk.sync_folder(target.parent)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return StoredFile(sha256, size, target)


def get(home: Path, sha256: str) -> Path:
    """The file of this hash, compared with it; EvidenceCorrupt where it differs or is missing."""
    path = place(home, sha256)
    try:
        found = _hash(path)
    except FileNotFoundError:
        raise EvidenceCorrupt(f"{path}: a file of evidence expected, none found") from None
    if found != sha256:
        what = f"SHA-256 {sha256[:16]}… expected, {found[:16]}… found"
        raise EvidenceCorrupt(f"{path}: {what}")
    return path


def place(home: Path, sha256: str) -> Path:
    """Where a file of this hash is kept."""
    return home / FOLDER / sha256[:2] / sha256


def _copied(source: Path, draft: Path, disk: Disk) -> tuple[str, int]:
    """Copy into a draft, hashing the bytes that are written; the hash and the size."""
    digest, size = hashlib.sha256(), 0
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(draft, flags, FILE_MODE)
    try:
        with source.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
                if size > MAX_SIZE:
                    raise EvidenceRefused(f"{source}: at most {MAX_SIZE:,} bytes expected")
                disk.write_all(handle, chunk)
        disk.sync(handle)
    finally:
        os.close(handle)
    return digest.hexdigest(), size


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
