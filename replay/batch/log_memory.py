"""Remembers the log that a replay read: the SHA-256 of every segment, and where the log ended.

A replay does not read a kept table-day again, so nothing else would notice damage to its events.
A segment whose stamp is still the one of its hash was not written to (`file_stamps.py`), and is not
read. Every other segment is hashed, a hundred times cheaper than reading its events. Where a hash
differs, the replay walks the chain of the events: it finds the damaged one, or proves that the log
is whole.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.disk import Disk
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogReader
from ingest.seal import chain as event_chain
from replay.tables import file_stamps

FILE = "derived/.log.json"


class SegmentHash(NamedTuple):
    """The SHA-256 of a segment, and the stamp that the segment had before it was hashed."""

    size: int
    sha256: str
    stamp: file_stamps.Stamp | None = None  # None where it had been written to just before


Sums = Mapping[str, SegmentHash]  # by the segment's name
NOTHING = SegmentHash(0, "")


class Known(NamedTuple):
    """What is remembered of a table's log: its segments, its events, the hash of the last."""

    sums: Sums
    day: int  # offset of the last table-day's first event
    end: int
    last_hash: str


class LogCheck(NamedTuple):
    """A table's segments now, and what is remembered of them where that still holds."""

    sums: Sums
    known: Known | None

    @property
    def grown(self) -> bool:
        """Whether the log may hold more than is remembered."""
        return self.known is None or _contents(self.known.sums) != _contents(self.sums)


def load(home: Path, kind: str) -> dict[str, Known]:
    """What is remembered of each table; nothing of another log, or where the file is not whole."""
    try:
        said = json.loads((home / FILE).read_bytes())
        if said["kind"] != kind or _sha256(said["tables"]) != said["sha256"]:
            return {}
        return {
            table: Known({name: _segment_hash(*each) for name, each in sums.items()}, *rest)
            for table, (sums, *rest) in said["tables"].items()
        }
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def save(home: Path, kind: str, known: Mapping[str, Known]) -> None:
    """Write down what is known of each table."""
    tables = {table: list(each) for table, each in known.items()}
    said = {"kind": kind, "sha256": _sha256(tables), "tables": tables}
    Disk().create(home / FILE, json.dumps(said, sort_keys=True).encode())


def look(
    log: LogReader,
    files: LocalLog,
    table: str,
    known: Known | None,
    kept_end: int,
    *,
    prove: bool = False,
) -> LogCheck:
    """Compare a table's segments with what is remembered; LogCorrupt where one is damaged.

    With `prove` every segment is hashed, whatever its stamp.
    """
    sums: dict[str, SegmentHash] = {}
    before = known.sums if known else {}
    fits = known is not None and known.end >= kept_end
    for segment in files.segments(EVENTS, table):
        name = segment.path.name
        remembered = before.get(name, NOTHING)
        stamp = file_stamps.of_file(segment.path)
        if stamp and stamp == remembered.stamp and not prove:
            sums[name] = remembered
            continue
        sums[name], same = _hashed(segment.path, stamp, remembered)
        fits = fits and same
    trimmed = files.start(EVENTS, table)
    fits = fits and all(int(Path(name).stem) < trimmed for name in before if name not in sums)
    if not fits:
        _walk(log, table, trimmed, kept_end)
    return LogCheck(sums, known if fits else None)


def still(files: LocalLog, table: str, sums: Sums) -> bool:
    """Whether the segments are as long as when they were looked at."""
    segments = files.segments(EVENTS, table)
    now = {segment.path.name: segment.path.stat().st_size for segment in segments}
    return now == {name: each.size for name, each in sums.items()}


def _hashed(
    path: Path, stamp: file_stamps.Stamp | None, remembered: SegmentHash
) -> tuple[SegmentHash, bool]:
    """The hash of a segment now, and whether it begins with the bytes that are remembered."""
    data, size = path.read_bytes(), remembered.size
    whole = hashlib.sha256(data).hexdigest()
    part = whole if size == len(data) else hashlib.sha256(data[:size]).hexdigest()
    return SegmentHash(len(data), whole, stamp), not size or part == remembered.sha256


def _segment_hash(size: int, sha256: str, stamp: Sequence[int] | None = None) -> SegmentHash:
    inode, length, written, changed = stamp or (0, 0, 0, 0)
    return SegmentHash(size, sha256, (inode, length, written, changed) if stamp else None)


def _contents(sums: Sums) -> Mapping[str, tuple[int, str]]:
    return {name: (each.size, each.sha256) for name, each in sums.items()}


def _walk(log: LogReader, table: str, start: int, kept_end: int) -> None:
    """Verify the chain of the events that are kept."""
    if start < kept_end:
        for link in event_chain.links(log.read(EVENTS, table, start), table):
            if link.offset >= kept_end:
                return


def _sha256(tables: object) -> str:
    return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()
