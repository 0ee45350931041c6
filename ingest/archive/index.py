"""The index of an archive: each table with its last event and manifest, so that losses show.

Manifests prove what they name, and the index names the last manifest of each table. It is written
last, so after a crash the archive holds more than the index says, never less.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ingest.disk import Disk
from ingest.log import EVENTS, LogCorrupt, is_id

FILE = "index.json"
OFFSETS = "offsets.json"  # in the same folder: how far the topic was read
FIRST_OF_ALL = "0" * 64  # the previous hash of a table's first manifest


class ArchiveCorrupt(LogCorrupt):
    """Files of an archive were changed or are missing."""


class TableEntry(NamedTuple):
    """A table: the sequence after its last event, that event's hash, and its sealed parts."""

    end: int
    last_hash: str
    parts: int
    manifest: str  # SHA-256 of the last manifest


Index = Mapping[str, TableEntry]


def load(root: Path) -> Index:
    """What the archive must hold; ArchiveCorrupt where the index is missing or damaged."""
    path = root / FILE
    if not path.exists():
        if tables(root) or (root / OFFSETS).exists():
            raise ArchiveCorrupt(f"{path}: the archive's index expected, no file found")
        return {}
    body = path.read_bytes()
    try:
        said: dict[str, Any] = json.loads(body)
        found = {table: TableEntry(**entry) for table, entry in said.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ArchiveCorrupt(f"{path}: an archive's index expected, {error} found") from error
    if _text(found) != body or not all(map(is_id, found)):
        raise ArchiveCorrupt(f"{path}: its bytes are not those that were written")
    return found


def entry(root: Path, table: str) -> TableEntry | None:
    """What the archive must hold of a table; ArchiveCorrupt where its folder is missing."""
    known = load(root).get(table)
    require_folder(root, table, known)
    return known


def require_folder(root: Path, table: str, known: TableEntry | None) -> None:
    """Raise ArchiveCorrupt where the folder of an indexed table is missing."""
    if known and not (root / EVENTS / table).is_dir():
        what = f"{known.end:,} events of table {table} expected, no folder found"
        raise ArchiveCorrupt(f"{root / EVENTS / table}: {what}")


def save(root: Path, disk: Disk, found: Index) -> None:
    """Write the index; everything it names must already be on disk."""
    disk.create(root / FILE, _text(found))


def tables(root: Path) -> tuple[str, ...]:
    """The tables with a folder in the archive, sorted."""
    folder = root / EVENTS
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted(name for name in names if not name.startswith(".")))


def _text(found: Index) -> bytes:
    said = {table: entry._asdict() for table, entry in found.items()}
    return (json.dumps(said, sort_keys=True, indent=1) + "\n").encode()
