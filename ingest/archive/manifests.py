"""The manifests of an archive: each names a sealed part and the manifest before it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ingest.archive import index
from ingest.archive.index import FIRST_OF_ALL, ArchiveCorrupt, TableEntry
from ingest.log import EVENTS, checked_id


class PartManifest(NamedTuple):
    """A sealed part of a table's archive; it never changes."""

    table_id: str
    gaming_day: str
    start: int  # sequence of its first event
    end: int  # sequence after its last event
    last_hash: str  # SHA-256 of its last event
    previous: str  # SHA-256 of the manifest before it
    files: Mapping[str, str]  # segment to SHA-256


def manifests(root: Path, table_id: str) -> list[PartManifest]:
    """The sealed parts of a table, in order; ArchiveCorrupt where one is missing."""
    return chain(root, table_id, index.entry(root, table_id))


def chain(root: Path, table_id: str, known: TableEntry | None) -> list[PartManifest]:
    """The same, with the table's entry already read from the index."""
    found: list[PartManifest] = []
    sums = [FIRST_OF_ALL]
    for path in sorted((root / EVENTS / checked_id(table_id)).glob("*.json")):
        body = path.read_bytes()
        made = _manifest(path, body)
        end = found[-1].end if found else 0
        if (made.start, made.previous) != (end, sums[-1]):
            raise ArchiveCorrupt(
                f"{path}: a part from event {end} after manifest {sums[-1][:16]}… expected, "
                f"{made.start} after {made.previous[:16]}… found"
            )
        found.append(made)
        sums.append(hashlib.sha256(body).hexdigest())
    if known and (len(found) < known.parts or sums[known.parts] != known.manifest):
        there = f"{sums[min(known.parts, len(found))][:16]}… after {len(found)}"
        raise ArchiveCorrupt(
            f"{root / EVENTS / table_id}: manifest {known.manifest[:16]}… after {known.parts} "
            f"parts expected, {there} found"
        )
    return found


def verify(root: Path, part: PartManifest) -> int:
    """Check the SHA-256 of a part's segments; returns their size, ArchiveCorrupt on a mismatch."""
    size = 0
    for name, expected in sorted(part.files.items()):
        path = root / EVENTS / part.table_id / name
        try:
            body = path.read_bytes()
        except FileNotFoundError:
            raise ArchiveCorrupt(
                f"{path}: SHA-256 {expected[:16]}… expected, no file found"
            ) from None
        found = hashlib.sha256(body).hexdigest()
        if found != expected:
            raise ArchiveCorrupt(f"{path}: SHA-256 {expected[:16]}… expected, {found[:16]}… found")
        size += len(body)
    return size


def require_last_event(
    root: Path, table_id: str, known: TableEntry | None, seq: int, sha256: str
) -> None:
    """Raise ArchiveCorrupt where this is the last indexed event and its hash differs."""
    if known and seq == known.end - 1 and sha256 != known.last_hash:
        raise ArchiveCorrupt(
            f"{root / EVENTS / table_id}: {known.last_hash[:16]}… as event {seq:,} expected, "
            f"{sha256[:16]}… found"
        )


def shorter(root: Path, table_id: str, known: TableEntry, found: int) -> ArchiveCorrupt:
    """The error for a table that holds fewer events than its index entry."""
    what = f"{known.end:,} events expected, {found:,} found"
    return ArchiveCorrupt(f"{root / EVENTS / table_id}: {what}")


def _manifest(path: Path, body: bytes) -> PartManifest:
    try:
        values: dict[str, Any] = json.loads(body)
        found = PartManifest(**values)
    except (ValueError, TypeError) as error:
        raise ArchiveCorrupt(f"{path}: an archive's manifest expected, {error} found") from error
    if text(found) != body:
        raise ArchiveCorrupt(f"{path}: its bytes are not those that were written")
    return found


def text(made: PartManifest) -> bytes:
    """The bytes of a manifest."""
    return (json.dumps(made._asdict(), sort_keys=True, indent=1) + "\n").encode()
