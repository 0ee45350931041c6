"""Remembers the log that a replay read: the SHA-256 of every segment, and where the log ended.

A replay does not read a kept table-day again, so nothing else would notice damage to its events.
Hashing whole files is a hundred times cheaper than reading their events. Where a hash differs, the
replay walks the chain of the events: it finds the damaged one, or proves that the log is whole.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ingest.local.disk import Disk
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogReader
from ingest.seal import chain as event_chain

FILE = "derived/.log.json"

Sums = Mapping[str, tuple[int, str]]  # segment to its length and SHA-256


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
        return self.known is None or self.known.sums != self.sums


def load(home: Path, kind: str) -> dict[str, Known]:
    """What is remembered of each table; nothing of another log, or where the file is not whole."""
    try:
        said = json.loads((home / FILE).read_bytes())
        if said["kind"] != kind or _sha256(said["tables"]) != said["sha256"]:
            return {}
        return {
            table: Known({name: (size, sha) for name, (size, sha) in sums.items()}, *rest)
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
    log: LogReader, files: LocalLog, table: str, known: Known | None, kept_end: int
) -> LogCheck:
    """Compare a table's segments with what is remembered; LogCorrupt where one is damaged."""
    sums: dict[str, tuple[int, str]] = {}
    before = known.sums if known else {}
    fits = known is not None and known.end >= kept_end
    for segment in files.segments(EVENTS, table):
        name, data = segment.path.name, segment.path.read_bytes()
        size, sha = before.get(name, (0, ""))
        whole = hashlib.sha256(data).hexdigest()
        part = whole if size == len(data) else hashlib.sha256(data[:size]).hexdigest()
        fits = fits and (not size or part == sha)
        sums[name] = len(data), whole
    trimmed = files.start(EVENTS, table)
    fits = fits and all(int(Path(name).stem) < trimmed for name in before if name not in sums)
    if not fits:
        _walk(log, table, trimmed, kept_end)
    return LogCheck(sums, known if fits else None)


def still(files: LocalLog, table: str, sums: Sums) -> bool:
    """Whether the segments are as long as when they were looked at."""
    segments = files.segments(EVENTS, table)
    now = {segment.path.name: segment.path.stat().st_size for segment in segments}
    return now == {name: size for name, (size, _) in sums.items()}


def _walk(log: LogReader, table: str, start: int, kept_end: int) -> None:
    """Verify the chain of the events that are kept."""
    if start < kept_end:
        for link in event_chain.links(log.read(EVENTS, table, start), table):
            if link.offset >= kept_end:
                return


def _sha256(tables: object) -> str:
    return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()
