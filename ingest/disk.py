"""The few calls by which a log touches the disk, so that a test can make each of them fail."""

import os
from pathlib import Path

FILE_MODE = 0o640
FOLDER_MODE = 0o750


class Disk:
    """The real disk."""

    def extend(self, path: Path, at: int, chunk: bytes) -> None:
        """Write a chunk at the file's end and force it to the disk; on failure cut it off again."""
        handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.lseek(handle, at, os.SEEK_SET)
            self._write_all(handle, chunk)
            self.sync(handle)
        except OSError:
            self._take_back(handle, at)
            raise
        finally:
            os.close(handle)

    def cut(self, path: Path, size: int) -> None:
        """Shorten a file and force that to the disk."""
        handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self.truncate(handle, size)
            self.sync(handle)
        finally:
            os.close(handle)

    def create(self, path: Path, content: bytes) -> None:
        """Make a file whole or not at all: another name, forced to disk, renamed, folder forced."""
        draft = path.with_name(path.name + ".new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(draft, flags, FILE_MODE)
        try:
            self._write_all(handle, content)
            self.sync(handle)
        finally:
            os.close(handle)
        self.rename(draft, path)
        self._sync_folder(path.parent)

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it, each forced into the one that holds it."""
        if path.is_dir():
            return
        self.make_folder(path.parent)
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self._sync_folder(path.parent)

    def write(self, handle: int, chunk: memoryview) -> int:
        """Write as much as the disk takes in one call."""
        return os.write(handle, chunk)

    def sync(self, handle: int) -> None:
        """Force what was written to the disk."""
        os.fsync(handle)

    def truncate(self, handle: int, size: int) -> None:
        """Cut an open file to a size."""
        os.ftruncate(handle, size)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file its final name."""
        old.rename(new)

    def _write_all(self, handle: int, chunk: bytes) -> None:
        rest = memoryview(chunk)
        while rest:
            rest = rest[self.write(handle, rest) :]

    def _take_back(self, handle: int, size: int) -> None:
        try:
            self.truncate(handle, size)
            self.sync(handle)
        except OSError:
            # What stays is a torn or unacknowledged tail, which the next writer deals with.
            return

    def _sync_folder(self, path: Path) -> None:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.sync(handle)
        finally:
            os.close(handle)
