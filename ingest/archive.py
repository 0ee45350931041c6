"""The archive: the events of every table in Avro segments, each gaming day under a manifest.

`<root>/events/<table>/<first sequence>.avro`, and beside the segments of a part that has ended
`<first sequence>.json` with their SHA-256. A part ends when its table closes and, with whatever
came late, when the table opens again; so a replay never depends on what the broker still keeps.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ingest import seal
from ingest.closing import Closing
from ingest.disk import Disk
from ingest.log import LogCorrupt, Record, checked_id
from ingest.log_local import LocalLog
from ingest.seal import STREAM, Place
from ingest.sorter import Good
from schemas import events as e

FIRST_OF_ALL = "0" * 64  # what the first manifest of a table names as the one before it


class Manifest(NamedTuple):
    """A part of a table's archive that will not change any more."""

    table_id: str
    gaming_day: str
    start: int  # sequence of its first event
    end: int  # sequence after its last event
    last_hash: str  # SHA-256 of its last event
    previous: str  # SHA-256 of the manifest before it
    files: Mapping[str, str]  # segment to SHA-256


class ArchiveLog:
    """The archive as a log to read from. Nothing is read before its SHA-256 was compared."""

    def __init__(self, root: Path) -> None:
        self._root, self._log = root, LocalLog(root)

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Refused: only the archive's keeper writes it."""
        del records, written_with
        raise ValueError(f"{stream}/{partition}: the archive is only read here")

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[Record]:
        """The records from an offset on, part by part, each proven whole first."""
        for part in manifests(self._root, partition) if stream == STREAM else ():
            if part.end > start:
                verify(self._root, part)
                wanted = max(start, part.start)
                yield from islice(self._log.read(stream, partition, wanted), part.end - wanted)
                start = part.end
        yield from self._log.read(stream, partition, start)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The tables of the archive, sorted."""
        return self._log.partitions(stream)

    def end(self, stream: str, partition: str) -> int:
        """The offset after the last record."""
        return self._log.end(stream, partition)


class Keeper(Closing):
    """The one writer of an archive; what it was given is on disk when `take` returns."""

    def __init__(self, root: Path, disk: Disk | None = None) -> None:
        self._root, self._disk = root, disk or Disk()
        self._log = LocalLog(root, (STREAM,), disk=self._disk)
        self._open: dict[str, _Part] = {}

    def close(self) -> None:
        """Let go of the log, for another keeper."""
        self._log.close()

    def places(self) -> dict[str, Place]:
        """Where each table of the archive goes on; what was left unsealed by a crash is sealed."""
        for table_id in self._log.partitions(STREAM):
            self._open.setdefault(table_id, self._reopened(table_id))
        return {
            table_id: Place(part.end, bytes.fromhex(part.last_hash))
            for table_id, part in self._open.items()
            if part.end
        }

    def take(self, found: Iterable[Good]) -> int:
        """Add events that continue their tables' chains; the number of parts that ended."""
        sealed = 0
        tables: dict[str, list[Good]] = {}
        for good in found:
            tables.setdefault(good.event.table_id, []).append(good)
        for table_id, goods in sorted(tables.items()):
            sealed += self._take(table_id, goods)
        return sealed

    def _take(self, table_id: str, goods: Sequence[Good]) -> int:
        part = self._open.get(table_id) or self._reopened(table_id)
        waiting: list[Good] = []
        sealed = 0
        for good in goods:
            if isinstance(good.event.payload, e.TableOpened) and not part.empty:
                self._write(table_id, waiting)
                part = self._sealed(table_id, part)
                sealed += 1
            waiting.append(good)
            part = part.after(good.event, good.sha256)
            if isinstance(good.event.payload, e.TableClosed):
                self._write(table_id, waiting)
                part = self._sealed(table_id, part)
                sealed += 1
        self._write(table_id, waiting)
        self._open[table_id] = part
        return sealed

    def _write(self, table_id: str, waiting: list[Good]) -> None:
        while waiting:
            schema = waiting[0].record.schema
            same = [good.record.body for good in _alike(waiting, schema)]
            self._log.append(STREAM, table_id, same, written_with=schema)
            del waiting[: len(same)]

    def _sealed(self, table_id: str, part: "_Part") -> "_Part":
        """Seal a part and begin the next."""
        self._log.roll(STREAM, table_id)  # first, since it cuts what a crash left half written
        folder = self._root / STREAM / table_id
        names = [name for name in _segments(folder) if int(Path(name).stem) >= part.start]
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
        made = Manifest(
            table_id, part.gaming_day, part.start, part.end, part.last_hash, part.previous, sums
        )
        body = _text(made)
        self._disk.create(folder / f"{part.start:08d}.json", body)
        previous = hashlib.sha256(body).hexdigest()
        return part._replace(start=part.end, previous=previous)

    def _reopened(self, table_id: str) -> "_Part":
        """The part that is open, as the files tell it."""
        part = _Part("", 0, 0, "", FIRST_OF_ALL)
        for made in manifests(self._root, table_id):
            previous = hashlib.sha256(_text(made)).hexdigest()
            part = _Part(made.gaming_day, made.end, made.end, made.last_hash, previous)
        last: e.Payload | None = None
        for event, sha256 in seal.events(self._log, table_id, part.start):
            part, last = part.after(event, sha256), event.payload
        if part.empty:
            self._log.roll(STREAM, table_id)
        return self._sealed(table_id, part) if isinstance(last, e.TableClosed) else part


class _Part(NamedTuple):
    """What is known of a table's open part."""

    gaming_day: str
    start: int
    end: int
    last_hash: str
    previous: str

    @property
    def empty(self) -> bool:
        """Whether it holds no event yet."""
        return self.start == self.end

    def after(self, event: e.Event, sha256: str) -> "_Part":
        """The part with one event more."""
        payload = event.payload
        day = payload.gaming_day if isinstance(payload, e.TableOpened) else self.gaming_day
        return self._replace(gaming_day=day, end=event.seq + 1, last_hash=sha256)


def manifests(root: Path, table_id: str) -> list[Manifest]:
    """The parts of a table that have ended, in order; LogCorrupt where one is missing."""
    found: list[Manifest] = []
    end, previous = 0, FIRST_OF_ALL
    for path in sorted((root / STREAM / checked_id(table_id)).glob("*.json")):
        body = path.read_bytes()
        made = _manifest(path, body)
        if (made.start, made.previous) != (end, previous):
            raise LogCorrupt(
                f"{path}: a part from event {end} after manifest {previous[:16]}… expected, "
                f"{made.start} after {made.previous[:16]}… found"
            )
        found.append(made)
        end, previous = made.end, hashlib.sha256(body).hexdigest()
    return found


def verify(root: Path, part: Manifest) -> int:
    """Compare the SHA-256 of a part's segments, LogCorrupt if one differs; the bytes they are."""
    size = 0
    for name, expected in sorted(part.files.items()):
        path = root / STREAM / part.table_id / name
        try:
            body = path.read_bytes()
        except FileNotFoundError:
            raise LogCorrupt(f"{path}: SHA-256 {expected[:16]}… expected, no file found") from None
        found = hashlib.sha256(body).hexdigest()
        if found != expected:
            raise LogCorrupt(f"{path}: SHA-256 {expected[:16]}… expected, {found[:16]}… found")
        size += len(body)
    return size


def _alike(waiting: Iterable[Good], schema: str) -> Iterator[Good]:
    for good in waiting:
        if good.record.schema != schema:
            return
        yield good


def _segments(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.avro"))


def _manifest(path: Path, body: bytes) -> Manifest:
    try:
        values: dict[str, Any] = json.loads(body)
        found = Manifest(**values)
    except (ValueError, TypeError) as error:
        raise LogCorrupt(f"{path}: an archive's manifest expected, {error} found") from error
    if _text(found) != body:
        raise LogCorrupt(f"{path}: its bytes are not those that were written")
    return found


def _text(made: Manifest) -> bytes:
    return (json.dumps(made._asdict(), sort_keys=True, indent=1) + "\n").encode()
