"""Tells by a file's stamp whether it is still the file that was hashed, without reading it.

A stamp is what the file system says of a file: its inode, its length, the time of its last write
and the time of its last change. Every write sets the time of change to the machine's clock, and no
program can choose another, so whoever edits, replaces or restores a file leaves another stamp. A
stamp does not show that a disk gives back other bytes than it took: only reading the file does.

A write right after the file was looked at may leave the same stamp, because clocks tick. A stamp
therefore proves nothing until the file has been at rest for some time.
"""

import hashlib
import json
import os
import time
from pathlib import Path

REST_NS = 2_000_000_000  # longer than a tick of any file system's clock

Stamp = tuple[int, int, int, int]  # inode, bytes, nanoseconds of the last write and the last change


def of_file(path: Path) -> Stamp | None:
    """The stamp of a file; None where it was changed too recently. Take it before reading."""
    return of_status(path.stat())


def of_status(status: os.stat_result) -> Stamp | None:
    """The same of what the file system said of a file."""
    if status.st_ctime_ns + REST_NS > time.time_ns():
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def of_folder(folder: Path) -> str | None:
    """The stamps of all files of a folder as one hash; None where one was changed too recently."""
    stamps = {path.name: of_file(path) for path in folder.iterdir()}
    if None in stamps.values():
        return None
    return hashlib.sha256(json.dumps(stamps, sort_keys=True).encode()).hexdigest()
