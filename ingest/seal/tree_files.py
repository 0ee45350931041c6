"""A tree on disk: every eighth level in a file, 32 bytes a hash.

    00.hashes   the leaves            08.hashes   one hash for 256 leaves
    16.hashes   one hash for 65,536 leaves                …

The files only grow. They are a cache of what the log holds: a caller who knows the size and root
that were signed asks `resume`, which cuts what a crash left beyond and says whether the rest fits.
"""

import os
from pathlib import Path

from ingest.disk import Disk, Extension
from ingest.seal import tree
from ingest.seal.tree import HASH_SIZE

STEP = 8  # levels between two files
GROUP = 1 << STEP


class TreeFiles:
    """The tree in a folder."""

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self.folder, self._disk = folder, disk or Disk()

    @property
    def size(self) -> int:
        """How many leaves the files hold."""
        return self._count(0)

    def leaf(self, index: int) -> bytes:
        """The hash of a leaf."""
        return self.leaves(index, index + 1)

    def leaves(self, start: int, end: int) -> bytes:
        """The hashes of some leaves, side by side."""
        return self._read(0, start, end)

    def root(self, size: int) -> bytes:
        """The root of the first `size` leaves."""
        return tree.root(self.subtree, size)

    def subtree(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree; ProofWrong where the files do not hold it."""
        above = level % STEP
        hashes = self._read(level - above, index << above, (index + 1) << above)
        for _ in range(above):
            hashes = tree.parents(hashes)
        return hashes

    def append(self, leaves: bytes) -> None:
        """Add leaves, and every group that they complete; on disk when this returns."""
        if not leaves:
            return
        self._disk.make_folder(self.folder)
        level, added, parts = 0, leaves, list[Extension]()
        while added:
            count = self._count(level)
            parts.append(Extension(self._created(level), count * HASH_SIZE, added))
            begun = count % GROUP
            hashes = self._read(level, count - begun, count) + added
            hashes = hashes[: len(hashes) // (GROUP * HASH_SIZE) * GROUP * HASH_SIZE]
            for _ in range(STEP):
                hashes = tree.parents(hashes)
            level, added = level + STEP, hashes
        self._disk.extend(parts)

    def resume(self, size: int, root: bytes) -> bool:
        """Cut what lies beyond `size` leaves; whether the files then lead to `root`."""
        if self.size < size:
            return False
        level, count = 0, size
        while count or self._path(level).exists():
            kept = min(self._count(level), count) * HASH_SIZE
            if self._created(level).stat().st_size != kept:
                self._disk.cut(self._path(level), kept)
            self._complete(level, count)
            level, count = level + STEP, count >> STEP
        return self.root(size) == root

    def clear(self) -> None:
        """Remove every leaf."""
        for path in sorted(self.folder.glob("*.hashes")):
            self._disk.cut(path, 0)

    def _complete(self, level: int, count: int) -> None:
        """Add the hashes of a level that a crash kept from the disk."""
        for index in range(self._count(level), count):
            below = self._read(level - STEP, index * GROUP, (index + 1) * GROUP)
            for _ in range(STEP):
                below = tree.parents(below)
            self._disk.extend([Extension(self._path(level), index * HASH_SIZE, below)])

    def _created(self, level: int) -> Path:
        path = self._path(level)
        if not path.exists():
            self._disk.create(path, b"")
        return path

    def _path(self, level: int) -> Path:
        return self.folder / f"{level:02d}.hashes"

    def _count(self, level: int) -> int:
        try:
            return self._path(level).stat().st_size // HASH_SIZE
        except FileNotFoundError:
            return 0

    def _read(self, level: int, start: int, end: int) -> bytes:
        if start == end:
            return b""
        wanted = (end - start) * HASH_SIZE
        try:
            handle = os.open(self._path(level), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            found = b""
        else:
            try:
                found = os.pread(handle, wanted, start * HASH_SIZE)
            finally:
                os.close(handle)
        if len(found) != wanted:
            what = f"hashes {start} to {end} expected, {len(found) // HASH_SIZE} found"
            raise tree.ProofWrong(f"{self._path(level)}: {what}")
        return found
