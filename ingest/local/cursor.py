"""A cursor over one partition of the embedded log, which reads a bounded chunk at a time."""

import os
from typing import NamedTuple

from ingest import avro_container
from ingest.local.log import LocalLog, Segment, fingerprint
from ingest.log import MAX_BODY, Lane, LogCorrupt, LogRecord

CHUNK = 256 * 1024  # bytes a read
LONGEST = MAX_BODY + 64  # bytes of a record with its frame


class CursorPlace(NamedTuple):
    """Where a record lies: its offset, the first offset of its segment, and its first byte."""

    offset: int
    base: int
    byte: int


class Cursor:
    """Continues where it stopped, without reading earlier records again."""

    def __init__(
        self, log: LocalLog, lane: Lane, offset: int = 0, place: CursorPlace | None = None
    ) -> None:
        """`place` says where the record at `offset` lies; it is not used where it cannot be so."""
        self._log, self._lane, self.offset = log, lane, offset
        self._open: _OpenSegment | None = None
        self._byte = 0
        if place and place.offset == offset:
            self._go_to(place)

    def take(self, upto: int, most_records: int, most_bytes: int) -> list[LogRecord]:
        """The next records before `upto`, within both limits; at least one where there is one."""
        found: list[LogRecord] = []
        data, at, room = b"", 0, most_bytes
        while self.offset < upto and len(found) < most_records:
            block = self._block(data, at)
            if block is None:
                data, at = self._more(), 0
                if not data:
                    break
                continue
            room -= block.stop - block.start
            if room < 0 and found:
                break
            found.append(self._record(data, block))
            self._byte += block.end - at
            self.offset += 1
            at = block.end
        return found

    def peek(self, upto: int) -> LogRecord | None:
        """The next record before `upto`; the cursor stays."""
        if self._open is None:
            self._find()
        stood = self.offset, self._open, self._byte
        found = self.take(upto, 1, 1)
        self.offset, self._open, self._byte = stood
        return found[0] if found else None

    def move_to(self, offset: int) -> None:
        """Go to an offset; forward in the open segment, records are skipped one by one."""
        while self._open and self.offset < offset:
            if not self.take(offset, offset - self.offset, CHUNK):
                break
        if offset != self.offset:
            self.offset, self._open = offset, None

    def place_before(self, record: LogRecord) -> CursorPlace:
        """Where the record that was taken last lies."""
        opened = self._opened()
        size = len(avro_container.frame(record.body, opened.sync))
        return CursorPlace(record.offset, opened.segment.base, self._byte - size)

    def bytes_left(self) -> int:
        """The bytes of all records from here on, with their framing."""
        if self._open is None:
            self._find()
        here = self._opened().segment.base
        files = [each for each in self._log.segments(*self._lane) if each.base >= here]
        return max(0, sum(each.path.stat().st_size for each in files) - self._byte)

    def _go_to(self, place: CursorPlace) -> None:
        """Stand at a place, if a segment begins or a record ends there."""
        segments = {each.base: each for each in self._log.segments(*self._lane)}
        if place.base not in segments:
            return
        self._enter(segments[place.base])
        if place.byte == self._byte:
            return
        self._byte = max(0, place.byte - avro_container.SYNC_SIZE)
        if self._read(avro_container.SYNC_SIZE) == self._opened().sync:
            self._byte = place.byte
        else:
            self._open = None

    def _more(self) -> bytes:
        """The next bytes, with at least one whole record; empty at the end of the log."""
        if self._open is None:
            self._find()
        for size in (CHUNK, LONGEST):
            data = self._read(size)
            if self._block(data, 0):
                return data
        following = {each.base: each for each in self._log.segments(*self._lane)}.get(self.offset)
        if following is None or following == self._opened().segment:
            return b""
        self._enter(following)
        return self._more()

    def _find(self) -> None:
        """Open the segment that holds the offset and read up to it."""
        held = [each for each in self._log.segments(*self._lane) if each.base <= self.offset]
        if not held:
            raise self._corrupt(f"a segment with offset {self.offset}", "none")
        wanted, self.offset = self.offset, held[-1].base
        self._enter(held[-1])
        while self.offset < wanted and self.take(wanted, wanted - self.offset, CHUNK):
            pass
        if self.offset != wanted:
            raise self._corrupt(f"records up to {wanted}", f"the end at {self.offset}")

    def _enter(self, segment: Segment) -> None:
        with segment.path.open("rb") as stream:
            # A killed writer may have left whole records that the disk does not hold yet.
            os.fsync(stream.fileno())
            try:
                head = avro_container.read_header(stream.read(CHUNK), MAX_BODY)
            except avro_container.ContainerBroken as error:
                raise self._corrupt(error.expected, error.found) from error
        self._open = _OpenSegment(segment, head.sync, fingerprint(head.schema))
        self._byte = head.end

    def _read(self, size: int) -> bytes:
        with self._opened().segment.path.open("rb") as stream:
            stream.seek(self._byte)
            return stream.read(size)

    def _block(self, data: bytes, at: int) -> avro_container.ContainerBlock | None:
        """The block at a byte; None where the bytes end before it does."""
        try:
            return avro_container.read_block(data, at, MAX_BODY)
        except avro_container.ContainerTorn:
            return None
        except avro_container.ContainerBroken as error:
            raise self._corrupt(error.expected, error.found) from error

    def _record(self, data: bytes, block: avro_container.ContainerBlock) -> LogRecord:
        opened = self._opened()
        if block.records != 1 or data[block.stop : block.end] != opened.sync:
            raise self._corrupt("one record and its marker", "other bytes")
        return LogRecord(self.offset, data[block.start : block.stop], opened.schema)

    def _opened(self) -> "_OpenSegment":
        assert self._open is not None
        return self._open

    def _corrupt(self, expected: str, found: str) -> LogCorrupt:
        where = self._open.segment.path if self._open else "/".join(self._lane)
        return LogCorrupt(f"{where} offset {self.offset}: {expected} expected, {found} found")


class _OpenSegment(NamedTuple):
    """The open segment of a cursor."""

    segment: Segment
    sync: bytes
    schema: str
