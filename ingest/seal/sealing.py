"""Sealing: the new events of every lane go into its tree, and the house signs the heads.

The record in the stream `checkpoints` is the moment that counts. A crash before it leaves leaves in
the tree files that the next sealing cuts off; a crash after it leaves caches that the next one
catches up. A lane that differs from what was signed is named and not sealed; the others go on.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ingest.disk import Disk, Extension
from ingest.log import CHECKPOINTS, EVENTS, FAILURES, HOUSE, Lane, LogReader, LogRecord, LogWriter
from ingest.seal import checkpoint, house, note, tree
from ingest.seal.checkpoint import TreeHead
from ingest.seal.house import ROW, ROWS, LaneHead, SealBroken, SealedHouse, SealState
from ingest.seal.keys import SigningKey
from ingest.seal.note import NoteSignature
from ingest.seal.tree_files import TreeFiles
from schemas import published
from schemas.events import CheckpointSigned

BATCH = 1 << 16  # leaves that are written together


class Sealing(NamedTuple):
    """What one sealing did."""

    head: TreeHead | None  # of the house tree; None where nothing was ever signed
    grown: Mapping[Lane, int]  # new records of each lane that grew
    damaged: Mapping[Lane, Exception]  # lanes that could not be sealed

    @property
    def records(self) -> int:
        """How many records it sealed."""
        return sum(self.grown.values())


class Sealer:
    """Adds to a sealed house; `log` is open for writing the stream `checkpoints`."""

    def __init__(
        self, folder: Path, log: LogWriter, key: SigningKey, disk: Disk | None = None
    ) -> None:
        self._folder, self._log, self._key, self._disk = folder, log, key, disk or Disk()
        self.house = SealedHouse(folder, log)
        self._disk.make_folder(folder)
        self.state = self._caught_up()

    def seal(
        self, source: LogReader, lanes: Iterable[Lane], now: int, *, lags: bool = False
    ) -> Sealing:
        """Seal what lanes hold beyond their last head; `now` is UTC microseconds.

        With `lags` the source may be behind what was sealed from another one.
        """
        heads: dict[Lane, TreeHead] = {}
        damaged: dict[Lane, Exception] = {}
        for lane in sorted(lanes):
            try:
                head = self._grown(source, lane, lags=lags)
            except (*FAILURES, tree.ProofWrong) as error:
                damaged[lane] = error
                continue
            if head:
                heads[lane] = head
        before = self.state
        if heads:
            self._sign(heads.values(), now)
        old = {lane: known.size for lane, known in before.lanes.items()}
        grown = {lane: head.size - old.get(lane, 0) for lane, head in heads.items()}
        return Sealing(self.state.head, grown, damaged)

    def add_signatures(self, text: str, more: Sequence[NoteSignature], now: int) -> str:
        """Keep a witness's signatures of the newest checkpoint; the newest note.

        They are dropped where another checkpoint than that of `text` is the newest by now.
        """
        known = note.parse(self.state.note)
        signed = known.with_signatures(more)
        if known.text == text and signed != known:
            self._commit(CheckpointSigned(str(signed), (), now))
        return self.state.note

    def _grown(self, source: LogReader, lane: Lane, *, lags: bool) -> TreeHead | None:
        """The head of a lane's tree with everything that the source holds; None without news."""
        known, files = self.state.lanes.get(lane), self.house.tree(lane)
        size, root = (known.size, known.root) if known else (0, tree.EMPTY_ROOT)
        if lags and source.end(*lane) <= size:
            return None
        if not files.resume(size, root):
            rebuild(files, source, lane, size, root)
        added = 0
        for leaves in _new_leaves(source, lane, files, size, lags=lags):
            files.append(leaves)
            added += len(leaves) // tree.HASH_SIZE
        if not added:
            return None
        origin = checkpoint.lane_origin(self._key.name, lane)
        return TreeHead(origin, size + added, files.root(size + added))

    def _sign(self, heads: Iterable[TreeHead], now: int) -> None:
        """Add heads to the house tree, and sign its head."""
        texts = tuple(head.text for head in heads)
        files, size = self.house.house_tree(), self.state.head.size if self.state.head else 0
        files.append(tree.leaf_hashes(text.encode() for text in texts))
        head = TreeHead(self._key.name, size + len(texts), files.root(size + len(texts)))
        self._commit(CheckpointSigned(str(self._key.signed(head.text)), texts, now))

    def _commit(self, said: CheckpointSigned) -> None:
        body = published.encode(said)
        after = self.state.after(self.state.records, body)
        self._log.append(CHECKPOINTS, HOUSE, [body])
        self._keep(self.state, after)

    def _caught_up(self) -> SealState:
        """The state of the stream, with the caches brought up to it and the house tree whole."""
        known = self.house.cached_state()
        for record in self._log.read(CHECKPOINTS, HOUSE, known.records):
            after = known.after(record.offset, record.body)
            self._keep(known, after)
            known = after
        self._require_origin(known)
        head, files = known.head, self.house.house_tree()
        if head and not files.resume(head.size, head.root):
            files.clear()
            for _, said, _ in self.house.records():
                files.append(tree.leaf_hashes(text.encode() for text in said.heads))
            if files.size != head.size or files.root(head.size) != head.root:
                where = f"checkpoint {known.records - 1}"
                raise SealBroken(f"{where}: its root does not follow from the heads before it")
        return known

    def _require_origin(self, known: SealState) -> None:
        if known.head and known.head.origin != self._key.name:
            what = f"the key of {known.head.origin} expected, {self._key.name} found"
            raise SealBroken(f"checkpoint {known.records - 1}: {what}")

    def _keep(self, before: SealState, after: SealState) -> None:
        """Write the caches of a record."""
        for lane, head in after.lanes.items():
            if head != before.lanes.get(lane):
                self._add_row(lane, head)
        house.save_state(self._folder, self._disk, after)
        self.state = after

    def _add_row(self, lane: Lane, head: LaneHead) -> None:
        path = self._folder / lane[0] / lane[1] / ROWS
        known = path.stat().st_size // ROW.size if path.exists() else -1
        if known != head.number:
            rows = self.house.read_heads(lane) if head.number else [head]
            self._disk.make_folder(path.parent)
            self._disk.create(path, b"".join(ROW.pack(*row[:4]) for row in rows))
        else:
            self._disk.extend([Extension(path, head.number * ROW.size, ROW.pack(*head[:4]))])


def rebuild(files: TreeFiles, source: LogReader, lane: Lane, size: int, root: bytes) -> None:
    """Make the tree files of a lane again from the log; SealBroken where it differs."""
    name, first = "/".join(lane), source.start(*lane)
    if first:
        what = f"hashes of records before {first:,} expected, the log was trimmed up to there"
        raise SealBroken(f"{files.folder}: {what}")
    files.clear()
    sealed = (record for record in source.read(*lane) if record.offset < size)
    while batch := list(islice(sealed, BATCH)):
        files.append(tree.leaf_hashes(record.body for record in batch))
    if files.size != size:
        raise SealBroken(f"{name}: {size:,} sealed records expected, {files.size:,} found")
    if files.root(size) != root:
        raise SealBroken(f"{name}: the first {size:,} records are not those that were sealed")


def _new_leaves(
    source: LogReader, lane: Lane, files: TreeFiles, size: int, *, lags: bool
) -> Iterator[bytes]:
    """The leaves after the last sealed record, which must still be there and be followed.

    They come side by side, so many at a time: hashing them one by one costs a fifth more.
    """
    name, expected, previous = "/".join(lane), max(0, size - 1), b""
    records = source.read(*lane, expected)
    while batch := list(islice(records, BATCH)):
        if not previous and batch[0].offset == size:  # the last sealed record was trimmed
            expected = size
        for record in batch:
            if record.offset != expected:
                raise SealBroken(f"{name}: record {expected:,} expected, {record.offset:,} found")
            expected += 1
        previous = _last_hash(lane, batch, previous)
        leaves = tree.leaf_hashes(record.body for record in batch)
        if batch[0].offset < size:
            if leaves[: tree.HASH_SIZE] != files.leaf(size - 1):
                raise SealBroken(f"{name}: record {size - 1:,} is not the one that was sealed")
            leaves = leaves[tree.HASH_SIZE :]
        yield leaves
    if size and expected < size and not lags:
        raise SealBroken(f"{name}: {size:,} sealed records expected, fewer found")


def _last_hash(lane: Lane, batch: Sequence[LogRecord], previous: bytes) -> bytes:
    """The hash of the last event; SealBroken where one does not carry that of the one before."""
    if lane[0] != EVENTS:
        return b"\0"
    for record in batch:
        if previous not in record.body:
            what = f"the hash {previous.hex()[:8]}… of the record before expected, another found"
            raise SealBroken(f"{'/'.join(lane)}: record {record.offset:,}: {what}")
        previous = hashlib.sha256(record.body).digest()
    return previous
