"""The embedded log: Avro container segments, one record a block, synced before `append` returns.

    <root>/<stream>/<partition>/<offset of the first record>.avro

Every Avro reader can read the segments. A trim (`ingest/forward/trim.py`) leaves a note beside
them; `head.py` keeps the record count and the last hash.
"""

import errno
import fcntl
import hashlib
import json
import os
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ingest import avro_container
from ingest.disk import FILE_MODE, Disk, Extension
from ingest.local import head
from ingest.log import (
    CHECKPOINTS,
    DEAD_LETTERS,
    EVENTS,
    MAX_BODY,
    DiskFull,
    LogCorrupt,
    LogLocked,
    LogRecord,
    LogUnwritable,
    checked_id,
)
from schemas import avro, contract, lock

SEGMENT_BYTES = 32 * 1024 * 1024
# The name of the Avro record that each stream holds.
RECORD_OF: Mapping[str, str] = {
    EVENTS: "Event",
    DEAD_LETTERS: "DeadLetter",
    "findings": "FindingTold",
    "reviews": "FindingReviewed",
    "cases": "CaseEvent",
    "access": "AccessRecorded",
    CHECKPOINTS: "CheckpointSigned",
}
TRIMMED = ".trimmed"  # suffix of a trim's note; its name is the first offset kept
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Segment(NamedTuple):
    """One file of a partition and the offset of its first record."""

    path: Path
    base: int


class _Tail(NamedTuple):
    """The end of a partition: where its next record goes."""

    path: Path
    schema: str
    sync: bytes
    size: int
    end: int
    last: tuple[int, int] | None = None  # where the last block starts, and its CRC-32
    slot: int | None = None  # of the head to write next; None where there is no head yet


class LocalLog(AbstractContextManager["LocalLog"]):
    """The log in a folder. It reads every stream, and writes those it was opened for."""

    def __init__(
        self,
        root: Path,
        writes: Sequence[str] = (),
        *,
        disk: Disk | None = None,
        segment_bytes: int = SEGMENT_BYTES,
        heads: bool = True,
        waits: bool = False,
    ) -> None:
        """With `heads=False` something else records how partitions end: an archive's index.

        With `waits`, wait for another writer of a stream instead of raising LogLocked: for streams
        that many commands write, each of them one record at a time.
        """
        self._heads, self._waits = heads, waits
        self.root, self._disk, self._segment_bytes = root, disk or Disk(), segment_bytes
        self._tails: dict[tuple[str, str], _Tail] = {}
        self._locks: dict[str, int] = {}
        for stream in writes:
            self._locks[stream] = self._lock(stream)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the locks on the streams."""
        while self._locks:
            os.close(self._locks.popitem()[1])

    def append(
        self, stream: str, partition: str, records: Sequence[bytes], written_with: str = ""
    ) -> int:
        """Add records at the end, durable when this returns; the offset of the first."""
        return self.append_each(stream, {partition: records}, written_with)[partition]

    def append_each(
        self, stream: str, batches: Mapping[str, Sequence[bytes]], written_with: str = ""
    ) -> dict[str, int]:
        """Add records to several partitions at once; after a failure some may hold theirs."""
        if stream not in self._locks:
            raise ValueError(f"stream {stream} was not opened for writing")
        for body in chain.from_iterable(batches.values()):
            if not 0 < len(body) <= MAX_BODY:
                raise ValueError(f"1 to {MAX_BODY} bytes a record expected, {len(body)} found")
        text, grown = _text(stream, written_with), dict[str, tuple[_Tail, _Tail]]()
        parts: list[Extension] = []
        heads: list[Extension] = []
        for partition, records in batches.items():
            folder = self.folder(stream, partition)
            with _as_log_errors(folder):
                _require_tail_as_written(tail := self._known_tail(stream, partition))
                self.require_end(stream, partition, tail.end)
                tail = self._headed(folder, tail)
                tail = self._open_tail(stream, partition, tail, text)
            blocks = [avro_container.frame(body, tail.sync) for body in records]
            chunk = b"".join(blocks)
            size, end = tail.size + len(chunk), tail.end + len(records)
            after = tail._replace(size=size, end=end)
            if blocks:
                after = after._replace(last=(size - len(blocks[-1]), zlib.crc32(blocks[-1])))
                parts.append(Extension(tail.path, tail.size, chunk))
                if tail.slot is not None:
                    said = head.after(end, hashlib.sha256(records[-1]).hexdigest())
                    heads.append(Extension(folder / head.FILE, head.SIZE * tail.slot, said))
                    after = after._replace(slot=(tail.slot + 1) % head.SLOTS)
            grown[partition] = tail, after
        with _as_log_errors(
            self.root / stream if len(batches) > 1 else self.folder(stream, *batches)
        ):
            self._disk.extend(parts)
            self._disk.overwrite(heads)  # last: a head must never be newer than its records
        # Only after success: after a failure the next append reads the files again.
        self._tails |= {(stream, partition): after for partition, (_, after) in grown.items()}
        return {partition: before.end for partition, (before, _) in grown.items()}

    def _known_tail(self, stream: str, partition: str) -> _Tail:
        return self._tails.pop((stream, partition), None) or self._reopened(stream, partition)

    def _open_tail(self, stream: str, partition: str, tail: _Tail, text: bytes) -> _Tail:
        """The tail for the next record; a new file where the schema changed or the old is full."""
        if tail.size >= self._segment_bytes or tail.schema != fingerprint(text):
            tail = self._begun(stream, partition, tail.end, text)._replace(slot=tail.slot)
        return tail

    def _headed(self, folder: Path, tail: _Tail) -> _Tail:
        """A tail with a head; a partition gets its first head before its first record."""
        if tail.slot is not None or not self._heads:
            return tail
        self._disk.make_folder(folder)
        self._disk.create(folder / head.FILE, head.both(0, head.NOTHING))
        return tail._replace(slot=0)

    def roll(self, stream: str, partition: str) -> None:
        """Start a new file with the next record."""
        tail = self._known_tail(stream, partition)
        self._tails[stream, partition] = tail._replace(schema="")

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        """The records from an offset on; a torn tail ends them and stays untouched."""
        start = max(start, self.start(stream, partition))
        folder = self.folder(stream, partition)
        known = self.head_of(stream, partition)  # first: records only arrive
        segments, offset = self.segments(stream, partition), 0
        if known is None:  # a writer may have begun the partition since
            known = self.head_of(stream, partition)
        first = max(0, bisect_right(segments, start, key=lambda segment: segment.base) - 1)
        for number, segment in enumerate(segments[first:], first):
            offset = segment.base
            opened = _Opened(segment, stream, partition)
            for body_start, body_stop in opened.bodies():
                if offset >= start:
                    body = opened.data[body_start:body_stop]
                    if known:
                        known.require_last_record(segment.path, offset, body)
                    elif self._heads:
                        head.require_end(folder, known, offset + 1)
                    yield LogRecord(offset, body, opened.schema)
                offset += 1
            if number + 1 < len(segments):
                opened.require_whole(offset, segments[number + 1])
        if self._heads:
            head.require_end(folder, known, offset)

    def head_of(self, stream: str, partition: str) -> head.PartitionHead | None:
        """The head of a partition; none where none is asked for."""
        return head.load(self.folder(stream, partition)) if self._heads else None

    def require_end(self, stream: str, partition: str, end: int) -> None:
        """A partition that ends there has its head; HeadMissing or LogCut where it has not."""
        if self._heads:
            known = self.head_of(stream, partition)
            head.require_end(self.folder(stream, partition), known, end)

    def wrong_tails(self) -> Iterator[tuple[tuple[str, str], LogCorrupt]]:
        """The partitions whose last record differs from what we wrote; any thread may call this."""
        for lane in list(self._tails):
            known = self.head_of(*lane)  # first: records only ever follow
            tail = self._tails.get(lane)
            try:
                if tail is not None:
                    _require_tail_as_written(tail)
                    head.require_end(self.folder(*lane), known, tail.end)
            except LogCorrupt as error:
                yield lane, error
            except OSError as error:
                yield lane, LogCorrupt(str(error))

    def partitions(self, stream: str) -> tuple[str, ...]:
        """The partitions of a stream, sorted."""
        folder = self.root / checked_id(stream)
        names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
        return tuple(sorted(name for name in names if not name.startswith(".")))

    def start(self, stream: str, partition: str) -> int:
        """The offset of the first record that is kept; earlier ones were trimmed."""
        notes = self.folder(stream, partition).glob("*" + TRIMMED)
        return max((int(note.stem) for note in notes), default=0)

    def end(self, stream: str, partition: str) -> int:
        """The offset that the next record will get."""
        tail = self._tails.get((stream, partition))
        if tail:
            return tail.end
        known = self.head_of(stream, partition)
        segments, end = self.segments(stream, partition), 0
        if segments:
            opened = _Opened(segments[-1], stream, partition)
            end = segments[-1].base + sum(1 for _ in opened.bodies())
        if self._heads:
            known = known or self.head_of(stream, partition)  # a writer may have created it since
            head.require_end(self.folder(stream, partition), known, end)
        return end

    def folder(self, stream: str, partition: str) -> Path:
        """The folder of a partition."""
        return self.root / checked_id(stream) / checked_id(partition)

    def segments(self, stream: str, partition: str) -> list[Segment]:
        """The segments of a partition, in order."""
        files = self.folder(stream, partition).glob("*.avro")
        return sorted((Segment(path, int(path.stem)) for path in files), key=lambda s: s.base)

    def _reopened(self, stream: str, partition: str) -> _Tail:
        """The tail as the files have it, after cutting a record that a crash left half written."""
        folder, known = self.folder(stream, partition), self.head_of(stream, partition)
        slot = known.next_slot if known else None
        segments = self.segments(stream, partition)
        if not segments:
            head.require_end(folder, known, 0)
            return _Tail(Path(), "", b"", 0, 0, slot=slot)
        path, end = segments[-1]
        opened = _Opened(segments[-1], stream, partition)
        last: tuple[int, int] | None = None
        before = opened.good
        for body_start, body_stop in opened.bodies():
            if known:
                known.require_last_record(path, end, opened.data[body_start:body_stop])
            last, before = (
                (before, body_stop + avro_container.SYNC_SIZE),
                body_stop + avro_container.SYNC_SIZE,
            )
            end += 1
        if self._heads:
            head.require_end(folder, known, end)
        if opened.good < len(opened.data):
            self._disk.cut(path, opened.good)
        if last is not None:
            last = last[0], zlib.crc32(opened.data[slice(*last)])
        return _Tail(path, opened.schema, opened.sync, opened.good, end, last, slot)

    def _begun(self, stream: str, partition: str, base: int, text: bytes) -> _Tail:
        path = self.folder(stream, partition) / f"{base:08d}.avro"
        sync = avro_container.sync_marker(stream, partition, str(base))
        opening = avro_container.header(text, sync)
        self._disk.make_folder(path.parent)
        self._disk.create(path, opening)
        return _Tail(path, fingerprint(text), sync, len(opening), base)

    def _lock(self, stream: str) -> int:
        path = self.root / checked_id(stream) / ".lock"
        self._disk.make_folder(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if self._waits else fcntl.LOCK_NB))
        except BlockingIOError as error:
            holder = os.read(handle, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(handle)
            self.close()
            raise LogLocked(f"{path.parent}: process {holder} is writing to it") from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        return handle


class _Opened:
    """A segment in memory, walked record by record; `good` is the byte after the last whole one."""

    def __init__(self, segment: Segment, stream: str, partition: str) -> None:
        self.data = segment.path.read_bytes()
        self.base, self._path = segment.base, segment.path
        try:
            head = avro_container.read_header(self.data, MAX_BODY)
        except avro_container.ContainerBroken as error:
            raise self._corrupt(segment.base, error) from error
        self.schema, self.sync, self.good = fingerprint(head.schema), head.sync, head.end
        expected = avro_container.sync_marker(stream, partition, str(segment.base))
        if self.sync != expected or not self.schema:
            wrong = avro_container.ContainerBroken(
                "bad_sync", 0, f"the header of {stream}/{partition}", "another"
            )
            raise self._corrupt(segment.base, wrong)

    def bodies(self) -> Iterator[tuple[int, int]]:
        """Start and stop of each record's bytes, up to the end or a torn tail."""
        offset = self.base
        try:
            for block in avro_container.blocks(self.data, self.good, self.sync, MAX_BODY):
                if block.records != 1:
                    raise avro_container.ContainerBroken(
                        "bad_block", block.at, "one record", str(block.records)
                    )
                yield block.start, block.stop
                self.good = block.end
                offset += 1
        except avro_container.ContainerBroken as error:
            if not self._torn(error):
                raise self._corrupt(offset, error) from error

    def require_whole(self, offset: int, following: Segment) -> None:
        """Raise LogCorrupt unless the segment ends with a whole record where the next begins."""
        if offset != following.base or self.good != len(self.data):
            wrong = avro_container.ContainerBroken(
                "gap", self.good, f"records up to {following.base}", str(offset)
            )
            raise self._corrupt(offset, wrong)

    def _torn(self, error: avro_container.ContainerBroken) -> bool:
        """Whether a crash explains the end: a cut record or zeros, with no sync marker after it."""
        if isinstance(error, avro_container.ContainerTorn):
            return self.data.find(self.sync, self.good) < 0
        return not self.data[self.good :].strip(b"\0")

    def _corrupt(self, offset: int, error: avro_container.ContainerBroken) -> LogCorrupt:
        return LogCorrupt(f"{self._path} offset {offset}, {error}")


def _require_tail_as_written(tail: _Tail) -> None:
    """Raise LogCorrupt if the last record on disk is not the one we wrote."""
    if tail.last is None:
        return
    start, check = tail.last
    with tail.path.open("rb") as file:
        file.seek(start)
        found = file.read(tail.size - start)
    if zlib.crc32(found) != check:
        where = f"{tail.path} offset {tail.end - 1}, byte {start}"
        raise LogCorrupt(f"{where}: the last record as it was written expected, other bytes found")


@cache
def fingerprint(text: bytes) -> str:
    """The fingerprint of a schema in JSON text; empty where the text is no schema."""
    return lock.writer(text) or ""


@cache
def _text(stream: str, written_with: str = "") -> bytes:
    """A stream's schema as JSON text, with the same bytes on every run."""
    records = lock.records_of(written_with) if written_with else avro.RECORDS
    schema = contract.whole(RECORD_OF[stream], records)
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False).encode()


@contextmanager
def _as_log_errors(folder: Path) -> Iterator[None]:
    """Turn OSError into LogUnwritable or DiskFull."""
    try:
        yield
    except OSError as error:
        raise _unwritable(error, folder) from error


def _unwritable(error: OSError, folder: Path) -> LogUnwritable:
    kind = DiskFull if error.errno in NO_ROOM else LogUnwritable
    return kind(error.errno, f"{error.strerror}; nothing of the batch was accepted", str(folder))
