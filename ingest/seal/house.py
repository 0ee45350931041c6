"""The sealed house: what was signed so far, read from the stream `checkpoints` and the tree files.

    event ──leaf──▶ tree of its lane ──head──▶ leaf of the house tree ──root──▶ signed checkpoint

A *sealing* adds the new events of every lane to the lane's tree, adds the heads of the trees that
grew to the house tree, and signs the head of the house tree. Its record in the stream holds the
note and the heads; everything else here is a cache of the stream and the log:

    seal/<stream>/<partition>/*.hashes   the tree of a lane
    seal/<stream>/<partition>/heads      each head of the lane, 56 bytes, to find one by its size
    seal/house/*.hashes                  the house tree
    seal/state.json                      the newest head of each lane
"""

import hashlib
import json
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ingest.disk import Disk
from ingest.log import CHECKPOINTS, HOUSE, Lane, LogCorrupt, LogReader
from ingest.seal import checkpoint, note
from ingest.seal.checkpoint import HeadWrong, TreeHead
from ingest.seal.note import NoteWrong, SignedNote
from ingest.seal.tree_files import TreeFiles
from schemas import codec, published
from schemas.events import CheckpointSigned

STATE = "state.json"
ROWS = "heads"
ROW = struct.Struct(">QQQ32s")  # size, leaf of the house tree, record of the stream, root


class SealBroken(LogCorrupt):
    """What stands in the log or in the seal differs from what was signed."""


class LaneHead(NamedTuple):
    """One head of a lane's tree, and where it stands."""

    size: int
    leaf: int  # its number in the house tree
    record: int  # its record in the stream
    root: bytes
    number: int  # of the lane's heads, from 0


class SealState(NamedTuple):
    """How far the stream was read, the newest note, and the newest head of each lane."""

    records: int = 0
    last: str = ""  # SHA-256 of the last record
    note: str = ""
    lanes: Mapping[Lane, LaneHead] = MappingProxyType({})

    @property
    def head(self) -> TreeHead | None:
        """The head of the house tree; None where nothing was signed yet."""
        return checkpoint.parse(note.parse(self.note).text) if self.note else None

    def after(self, offset: int, body: bytes) -> "SealState":
        """The state after the next record of the stream; SealBroken where it does not follow."""
        said, _ = read_record(offset, body)
        made = self.after_record(offset, said)
        return made._replace(last=hashlib.sha256(body).hexdigest())

    def after_record(self, offset: int, said: CheckpointSigned) -> "SealState":
        """The same for a record that was decoded already; without its hash."""
        house = checkpoint.parse(note.parse(said.note).text)
        size = self.head.size if self.head else 0
        if house.size != size + len(said.heads):
            what = f"{size + len(said.heads)} heads expected, {house.size} found"
            raise SealBroken(f"checkpoint {offset}: {what}")
        lanes = dict(self.lanes)
        for leaf, text in enumerate(said.heads, size):
            head = checkpoint.parse(text)
            lane = checkpoint.lane_of(house.origin, head.origin)
            if lane in lanes and head.size <= lanes[lane].size:
                what = f"more than {lanes[lane].size} records of {'/'.join(lane)} expected"
                raise SealBroken(f"checkpoint {offset}: {what}, {head.size} found")
            number = lanes[lane].number + 1 if lane in lanes else 0
            lanes[lane] = LaneHead(head.size, leaf, offset, head.root, number)
        return SealState(offset + 1, "", said.note, lanes)


class HeadRows(Sequence[LaneHead]):
    """The heads of a lane in its file, read row by row, so that a search reads few of them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = path.stat().st_size // ROW.size if path.exists() else 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(self._count))]
        number = range(self._count)[number]
        with self._path.open("rb") as stream:
            stream.seek(number * ROW.size)
            size, leaf, record, root = ROW.unpack(stream.read(ROW.size))
        return LaneHead(size, leaf, record, root, number)


class SealedHouse:
    """The sealed house in a folder, for reading; `log` holds the stream `checkpoints`."""

    def __init__(self, folder: Path, log: LogReader) -> None:
        self.folder, self.log = folder, log
        self._state: SealState | None = None

    def state(self) -> SealState:
        """What the stream said when it was first asked for, read from where the cache ends."""
        if self._state is None:
            known = self.cached_state()
            for record in self.log.read(CHECKPOINTS, HOUSE, known.records):
                known = known.after(record.offset, record.body)
            self._state = known
        return self._state

    def tree(self, lane: Lane) -> TreeFiles:
        """The tree of a lane."""
        return TreeFiles(self.folder / lane[0] / lane[1])

    def house_tree(self) -> TreeFiles:
        """The tree of the heads."""
        return TreeFiles(self.folder / HOUSE)

    def records(self, start: int = 0) -> Iterator[tuple[int, CheckpointSigned, SignedNote]]:
        """The records of the stream from one on, each with its note."""
        for record in self.log.read(CHECKPOINTS, HOUSE, start):
            yield record.offset, *read_record(record.offset, record.body)

    def heads(self, lane: Lane) -> Sequence[LaneHead]:
        """Every head of a lane, by its size, from the cache where it is whole."""
        newest = self.state().lanes.get(lane)
        if newest is None:
            return []
        found = HeadRows(self.folder / lane[0] / lane[1] / ROWS)
        whole = len(found) > newest.number and found[newest.number] == newest
        return found if whole else self.read_heads(lane)

    def read_heads(self, lane: Lane) -> list[LaneHead]:
        """Every head of a lane, from the stream."""
        state, found = SealState(), list[LaneHead]()
        for record in self.log.read(CHECKPOINTS, HOUSE):
            before, state = state.lanes.get(lane), state.after(record.offset, record.body)
            if state.lanes.get(lane) != before:
                found.append(state.lanes[lane])
        return found

    def first_head(self, lane: Lane, size: int) -> LaneHead | None:
        """The first head of a lane with at least `size` leaves."""
        heads = self.heads(lane)
        at = bisect_right(heads, size - 1, key=lambda head: head.size)
        return heads[at] if at < len(heads) else None

    def record_of(self, size: int) -> int | None:
        """The record of the stream that signed a checkpoint, by its number of heads."""
        for lane in self.state().lanes:
            heads = self.heads(lane)
            at = bisect_left(heads, size - 1, key=lambda head: head.leaf)
            if at < len(heads) and heads[at].leaf == size - 1:
                return heads[at].record
        return None

    def cached_state(self) -> SealState:
        """The state in the cache; an empty one where it is missing or not of this stream."""
        path = self.folder / STATE
        try:
            known = _parsed(path.read_bytes())
        except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
            return SealState()
        if known.records:
            last = next(self.log.read(CHECKPOINTS, HOUSE, known.records - 1), None)
            if last is None or hashlib.sha256(last.body).hexdigest() != known.last:
                return SealState()
        return known


def read_record(offset: int, body: bytes) -> tuple[CheckpointSigned, SignedNote]:
    """A record of the stream and its note; SealBroken where it is none."""
    try:
        said = published.decode_checkpoint(body)
        signed = note.parse(said.note)
        checkpoint.parse(signed.text)
    except (*codec.UNREADABLE, NoteWrong, HeadWrong) as error:
        raise SealBroken(f"checkpoint {offset}: a signed note expected, {error} found") from error
    return said, signed


def save_state(folder: Path, disk: Disk, state: SealState) -> None:
    """Write the cache of the state."""
    lanes = {
        "/".join(lane): [head.size, head.leaf, head.record, head.root.hex(), head.number]
        for lane, head in sorted(state.lanes.items())
    }
    said = {"records": state.records, "last": state.last, "note": state.note, "lanes": lanes}
    body = json.dumps(said, sort_keys=True)
    seal = hashlib.sha256(body.encode()).hexdigest()
    disk.create(folder / STATE, f"{body}\n{seal}\n".encode())


def _parsed(body: bytes) -> SealState:
    said_text, _, seal = body.decode().rstrip("\n").rpartition("\n")
    if hashlib.sha256(said_text.encode()).hexdigest() != seal:
        raise ValueError("its own hash differs")
    said: dict[str, Any] = json.loads(said_text)
    lanes = dict[Lane, LaneHead]()
    for name, (size, leaf, record, root, number) in said["lanes"].items():
        stream, _, partition = name.partition("/")
        lanes[stream, partition] = LaneHead(size, leaf, record, bytes.fromhex(root), number)
    return SealState(said["records"], said["last"], said["note"], lanes)
