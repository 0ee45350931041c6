"""Every disk call that a log makes, in one class, so that a test can make each one fail."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

FILE_MODE = 0o640
FOLDER_MODE = 0o750
TOGETHER = 16  # files that are open and synced at a time


class Extension(NamedTuple):
    """A chunk to write into a file at a byte, usually at its end."""

    path: Path
    at: int
    chunk: bytes


class Disk:
    """The real disk."""

    _pool: ThreadPoolExecutor | None = None

    def extend(self, parts: Sequence[Extension]) -> None:
        """Write chunks at the ends of files and sync them; on failure cut them off again.

        Files that are synced together share one journal commit, so many take little longer
        than one.
        """
        for start in range(0, len(parts), TOGETHER):
            self._write_together(parts[start : start + TOGETHER], self._take_back)

    def overwrite(self, parts: Sequence[Extension]) -> None:
        """Write chunks over existing bytes of files and sync them; cut nothing on failure."""
        for start in range(0, len(parts), TOGETHER):
            self._write_together(parts[start : start + TOGETHER], lambda *_: None)

    def cut(self, path: Path, size: int) -> None:
        """Shorten a file and sync it."""
        handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self.truncate(handle, size)
            self.sync(handle)
        finally:
            os.close(handle)

    def create(self, path: Path, content: bytes, mode: int = FILE_MODE) -> None:
        """Create a file whole or not at all: write a draft, sync, rename, sync the folder."""
        draft = path.with_name(path.name + ".new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        if mode != FILE_MODE:
            draft.unlink(missing_ok=True)  # a draft that a crash left has its own mode
        handle = os.open(draft, flags, mode)
        try:
            self.write_all(handle, content)
            self.sync(handle)
        finally:
            os.close(handle)
        self.rename(draft, path)
        self.sync_folder(path.parent)

    def make_folder(self, path: Path) -> None:
        """Create a folder and its parents, and sync each parent."""
        if path.is_dir():
            return
        self.make_folder(path.parent)
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self.sync_folder(path.parent)

    def write(self, handle: int, chunk: memoryview) -> int:
        """Write what one system call takes; returns how many bytes that was."""
        return os.write(handle, chunk)

    def sync(self, handle: int) -> None:
        """Sync an open file."""
        os.fsync(handle)

    def truncate(self, handle: int, size: int) -> None:
        """Cut an open file to a size."""
        os.ftruncate(handle, size)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file its final name."""
        old.rename(new)

    def _write_together(
        self, parts: Sequence[Extension], take_back: Callable[[int, int], None]
    ) -> None:
        opened: list[tuple[int, int]] = []
        try:
            for path, at, chunk in parts:
                handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                opened.append((handle, at))
                os.lseek(handle, at, os.SEEK_SET)
                self.write_all(handle, chunk)
            self._sync_together([handle for handle, _ in opened])
        except OSError:
            for handle, at in opened:
                take_back(handle, at)
            raise
        finally:
            for handle, _ in opened:
                os.close(handle)

    def _sync_together(self, handles: Sequence[int]) -> None:
        if len(handles) == 1:
            self.sync(handles[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(TOGETHER, thread_name_prefix="disk")
        # Wait for all: no file may be cut or closed while its sync runs.
        failed = [error for error in self._pool.map(self._sync_or_error, handles) if error]
        if failed:
            raise failed[0]

    def _sync_or_error(self, handle: int) -> OSError | None:
        try:
            self.sync(handle)
        except OSError as error:
            return error
        return None

    def write_all(self, handle: int, chunk: bytes) -> None:
        """Write a whole chunk, in as many system calls as it takes."""
        rest = memoryview(chunk)
        while rest:
            rest = rest[self.write(handle, rest) :]

    def _take_back(self, handle: int, size: int) -> None:
        try:
            self.truncate(handle, size)
            self.sync(handle)
        except OSError:
            # The tail that stays is torn or unacknowledged; the next writer cuts or keeps it.
            return

    def sync_folder(self, path: Path) -> None:
        """Sync a folder, so that the names in it last."""
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.sync(handle)
        finally:
            os.close(handle)
