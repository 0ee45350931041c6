"""The DuckDB file as the console reads it: one that never changes, until a newer one is there.

A replay or `detect` writes a copy of the file and renames it into place (decision 10), so whoever
has the old one open goes on reading it undisturbed. Every request asks for a cursor; the first one
after a swap opens the new file and closes the old one when its last reader is done. A file is
opened after its SHA-256 was compared, and again where somebody wrote to it in place.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import duckdb

from replay.tables import proven_file
from replay.tables.duckdb_file import FILE


class NothingDerived(Exception):
    """There is no DuckDB file in the house yet."""


class Swapped(NamedTuple):
    """Which file is being read."""

    inode: int
    written_at: float  # when it took its place, seconds since 1970
    changed_at_ns: int  # when the file system last saw it change: whoever writes sets it


class _Open:
    """One open file and how many requests read it."""

    def __init__(self, path: Path, swapped: Swapped) -> None:
        self.swapped, self.readers, self.left = swapped, 0, False
        self.db = proven_file.connected(path)
        self.db.execute("set timezone = 'UTC'")


class Snapshot:
    """The newest whole file of a house."""

    def __init__(self, home: Path) -> None:
        self._path, self._lock = home / FILE, threading.Lock()
        self._open: _Open | None = None

    def swapped(self) -> Swapped:
        """The file that lies in the house now."""
        try:
            seen = self._path.stat()
        except FileNotFoundError:
            raise NothingDerived(self._path) from None
        return Swapped(seen.st_ino, seen.st_mtime, seen.st_ctime_ns)

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor on the newest file; the file stays the same until the block ends."""
        current = self._enter()
        try:
            cursor = current.db.cursor()
            try:
                yield cursor
            finally:
                cursor.close()
        finally:
            self._leave(current)

    def close(self) -> None:
        """Close the file once nobody reads it."""
        with self._lock:
            if self._open:
                self._retire(self._open)
                self._open = None

    def _enter(self) -> _Open:
        swapped = self.swapped()
        with self._lock:
            if self._open is None or self._open.swapped != swapped:
                newer = _Open(self._path, swapped)
                if self._open:
                    self._retire(self._open)
                self._open = newer
            self._open.readers += 1
            return self._open

    def _leave(self, current: _Open) -> None:
        with self._lock:
            current.readers -= 1
            if current.left and not current.readers:
                current.db.close()

    def _retire(self, old: _Open) -> None:
        old.left = True
        if not old.readers:
            old.db.close()
