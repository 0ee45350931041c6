"""The archive: every table's events in Avro segments, with a manifest for each sealed part.

    <root>/index.json                              the last event and manifest of every table
    <root>/events/<table>/<first sequence>.avro    a segment
    <root>/events/<table>/<first sequence>.json    the manifest of a part: SHA-256 of its segments

A part is sealed when its table closes; events that arrive after that form a part of their own,
sealed when the table opens again. Each manifest names the one before it. A replay from the archive
does not depend on Kafka's retention.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ingest.archive import index
from ingest.archive.index import FIRST_OF_ALL, Index, TableEntry
from ingest.archive.manifests import PartManifest, chain, require_last_event, shorter, text, verify
from ingest.disk import Disk
from ingest.kafka.event_sorter import SortedEvent
from ingest.local.log import LocalLog
from ingest.log import EVENTS, FAILURES, LogCorrupt, LogReader, LogRecord
from ingest.seal import chain as event_chain
from ingest.seal.chain import ChainPosition
from schemas import events as e


class ArchiveLog(LogReader):
    """The archive as a log. A sealed part is read only after its SHA-256 was checked."""

    def __init__(self, root: Path) -> None:
        self._root, self._log = root, LocalLog(root, heads=False)

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on; each sealed part is verified first."""
        known = index.entry(self._root, partition)
        for part in chain(self._root, partition, known) if stream == EVENTS else ():
            if part.end > start:
                verify(self._root, part)
                wanted = max(start, part.start)
                for record in islice(self._log.read(stream, partition, wanted), part.end - wanted):
                    self._require_last_event(partition, known, record)
                    yield record
                start = part.end
        for record in self._log.read(stream, partition, start):
            start = record.offset + 1
            self._require_last_event(partition, known, record)
            yield record
        if known and start < known.end:
            raise shorter(self._root, partition, known, start)

    def _require_last_event(
        self, table_id: str, known: TableEntry | None, record: LogRecord
    ) -> None:
        """Check the last event against the index, as a head does in the embedded log."""
        if known and record.offset == known.end - 1:
            sha256 = hashlib.sha256(record.body).hexdigest()
            require_last_event(self._root, table_id, known, record.offset, sha256)

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The tables of the archive, sorted, with those whose files are missing."""
        known = index.load(self._root) if stream == EVENTS else ()
        return tuple(sorted({*known, *self._log.partitions(stream)}))

    def end(self, stream: str, partition: str) -> int:
        """The offset after the last record."""
        if stream == EVENTS:
            index.entry(self._root, partition)
        return self._log.end(stream, partition)


class IndexedArchive(ArchiveLog):
    """The archive as far as its index counts: a crash takes back nothing of it."""

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on, up to the end that the index names."""
        end = self.end(stream, partition)
        return islice(super().read(stream, partition, start), max(0, end - start))

    def end(self, stream: str, partition: str) -> int:
        """The offset after the last record that the index counts."""
        known = index.entry(self._root, partition) if stream == EVENTS else None
        return known.end if known else 0


class ArchiveWriter(AbstractContextManager["ArchiveWriter"]):
    """The only writer of an archive; events are on disk when `take` returns.

    A damaged table is noted in `stopped`: nothing is added to it, and the others go on.
    """

    def __init__(
        self,
        root: Path,
        disk: Disk | None = None,
        *,
        anew: bool = False,
        stopped: Mapping[str, Exception] = MappingProxyType({}),
    ) -> None:
        """With `anew`, a missing index is rebuilt from the files.

        `stopped` names tables that are already known to be damaged.
        """
        self.stopped = dict(stopped)
        self._root, self._disk = root, disk or Disk()
        self._log = LocalLog(root, (EVENTS,), disk=self._disk, heads=False)
        self._open: dict[str, _Part] = {}
        try:
            self._index = dict(self._loaded(anew=anew))
        except BaseException:
            self._log.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the archive for another writer."""
        self._log.close()

    def positions(self) -> dict[str, ChainPosition]:
        """The position after each table's last event; seals parts that a crash left unsealed."""
        for table_id in sorted({*self._index, *self._log.partitions(EVENTS)}):
            if table_id not in self.stopped and table_id not in self._open:
                try:
                    self._open[table_id] = self._reopened(table_id)
                except FAILURES as error:
                    self.stopped[table_id] = error
        self._note(table_id for table_id, part in self._open.items() if part.end)
        return {
            table_id: ChainPosition(part.end, bytes.fromhex(part.last_hash))
            for table_id, part in self._open.items()
            if part.end
        }

    def take(self, found: Iterable[SortedEvent]) -> int:
        """Add events that continue their tables' chains; returns how many parts were sealed."""
        sealed = 0
        tables: dict[str, list[SortedEvent]] = {}
        for sorted_event in found:
            if sorted_event.event.table_id not in self.stopped:
                tables.setdefault(sorted_event.event.table_id, []).append(sorted_event)
        for table_id, sorted_events in sorted(tables.items()):
            try:
                sealed += self._take(table_id, sorted_events)
            except LogCorrupt as error:
                self.stopped[table_id] = error
        self._note(set(tables) - set(self.stopped))
        return sealed

    def _loaded(self, *, anew: bool) -> Index:
        if not (self._root / index.FILE).exists() and (anew or not index.tables(self._root)):
            if not anew:
                index.load(self._root)  # raises where it once held tables
            index.save(self._root, self._disk, {})
        return index.load(self._root)

    def _note(self, tables: Iterable[str]) -> None:
        """Update the index entries of these tables."""
        found = {table_id: self._open[table_id].entry for table_id in tables}
        if any(self._index.get(table_id) != entry for table_id, entry in found.items()):
            self._index |= found
            index.save(self._root, self._disk, self._index)

    def _take(self, table_id: str, sorted_events: Sequence[SortedEvent]) -> int:
        part = self._open.get(table_id) or self._reopened(table_id)
        waiting: list[SortedEvent] = []
        sealed = 0
        for sorted_event in sorted_events:
            if isinstance(sorted_event.event.payload, e.TableOpened) and not part.empty:
                self._write(table_id, waiting)
                part = self._sealed(table_id, part)
                sealed += 1
            waiting.append(sorted_event)
            part = part.after(sorted_event.event, sorted_event.sha256)
            if isinstance(sorted_event.event.payload, e.TableClosed):
                self._write(table_id, waiting)
                part = self._sealed(table_id, part)
                sealed += 1
        self._write(table_id, waiting)
        self._open[table_id] = part
        return sealed

    def _write(self, table_id: str, waiting: list[SortedEvent]) -> None:
        while waiting:
            schema = waiting[0].record.schema
            same = [sorted_event.record.body for sorted_event in _alike(waiting, schema)]
            self._log.append(EVENTS, table_id, same, written_with=schema)
            del waiting[: len(same)]

    def _sealed(self, table_id: str, part: "_Part") -> "_Part":
        """Write the manifest of a part; returns the next, empty part."""
        self._log.roll(EVENTS, table_id)  # first: it cuts a record that a crash left half written
        folder = self._root / EVENTS / table_id
        names = [name for name in _segments(folder) if int(Path(name).stem) >= part.start]
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
        made = PartManifest(
            table_id, part.gaming_day, part.start, part.end, part.last_hash, part.previous, sums
        )
        body = text(made)
        self._disk.create(folder / f"{part.start:08d}.json", body)
        previous = hashlib.sha256(body).hexdigest()
        return part._replace(start=part.end, previous=previous, parts=part.parts + 1)

    def _reopened(self, table_id: str) -> "_Part":
        """The open part of a table, read from its files."""
        part, known = _Part("", 0, 0, "", FIRST_OF_ALL, 0), self._index.get(table_id)
        index.require_folder(self._root, table_id, known)
        for made in chain(self._root, table_id, known):
            previous = hashlib.sha256(text(made)).hexdigest()
            part = _Part(
                made.gaming_day, made.end, made.end, made.last_hash, previous, part.parts + 1
            )
        last: e.Payload | None = None
        for event, sha256 in event_chain.events(self._log, table_id, part.start):
            part, last = part.after(event, sha256), event.payload
            require_last_event(self._root, table_id, known, event.seq, sha256)
        if known and part.end < known.end:
            raise shorter(self._root, table_id, known, part.end)
        if part.empty:
            self._log.roll(EVENTS, table_id)
        return self._sealed(table_id, part) if isinstance(last, e.TableClosed) else part


class _Part(NamedTuple):
    """The open part of a table."""

    gaming_day: str
    start: int
    end: int
    last_hash: str
    previous: str
    parts: int  # sealed parts before this one

    @property
    def entry(self) -> TableEntry:
        """The table's entry in the index."""
        return TableEntry(self.end, self.last_hash, self.parts, self.previous)

    @property
    def empty(self) -> bool:
        """Whether it holds no event."""
        return self.start == self.end

    def after(self, event: e.Event, sha256: str) -> "_Part":
        """The part with one event more."""
        payload = event.payload
        day = payload.gaming_day if isinstance(payload, e.TableOpened) else self.gaming_day
        return self._replace(gaming_day=day, end=event.seq + 1, last_hash=sha256)


def events(root: Path, table_id: str) -> Iterator[event_chain.ChainLink]:
    """Every event of a table, verified by segment, chain and index."""
    return event_chain.links(ArchiveLog(root).read(EVENTS, table_id), table_id)


def _alike(waiting: Iterable[SortedEvent], schema: str) -> Iterator[SortedEvent]:
    for sorted_event in waiting:
        if sorted_event.record.schema != schema:
            return
        yield sorted_event


def _segments(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.avro"))
