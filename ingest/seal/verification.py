"""Compares a log with its seal: the first wrong record, and the checkpoint that catches it.

First the stream `checkpoints` is proven: every note is signed by a known key, and its root follows
from the heads before it. Then each lane is read from the first record to the last, and at every
sealed size its root must be the signed one. Where a root differs, the leaves in the tree files tell
which record it is, once they themselves lead to the signed root.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ingest.log import EVENTS, FAILURES, Lane, LogReader
from ingest.seal import checkpoint, tree
from ingest.seal.house import LaneHead, SealBroken, SealedHouse, SealState
from ingest.seal.note import NoteWrong, PublicKey, SignedNote
from ingest.seal.tree import HASH_SIZE, GrowingRoot
from ingest.seal.tree_files import TreeFiles

CHUNK = 4096  # leaves that are read together


class WrongRecord(NamedTuple):
    """The first record of a lane that is not as it was sealed."""

    offset: int
    what: str
    checkpoint: int | None  # its number of heads; None where only the chain tells
    upto: int | None = None  # where the leaves are lost: it lies between `offset` and here


class LaneVerdict(NamedTuple):
    """What the comparison of a lane with its seal gave."""

    lane: Lane
    records: int  # as read
    sealed: int  # as signed
    trimmed: int = 0  # records that left the log on purpose; their hashes are proven
    wrong: WrongRecord | None = None
    cache: str = ""  # what is wrong with the tree files alone


class HouseVerdict(NamedTuple):
    """The proven stream of checkpoints."""

    state: SealState
    heads: Mapping[Lane, Sequence[LaneHead]]
    checkpoints: Sequence[int]  # the number of heads after each record


def verify_checkpoints(house: SealedHouse, keys: Sequence[PublicKey]) -> HouseVerdict:
    """Prove the stream of checkpoints; SealBroken names the first wrong one."""
    state, growing = SealState(), GrowingRoot()
    heads: dict[Lane, list[LaneHead]] = {}
    sizes: list[int] = []
    for offset, said, signed in house.records():
        _require_signed(offset, signed, keys)
        for text in said.heads:
            growing.add(tree.leaf_hash(text.encode()))
        head = checkpoint.parse(signed.text)
        if (head.size, head.root) != (growing.size, growing.root):
            what = "its root does not follow from the heads before it"
            raise SealBroken(f"checkpoint {head.size} (record {offset}): {what}")
        before, state = state, state.after_record(offset, said)
        for lane, known in state.lanes.items():
            if known != before.lanes.get(lane):
                heads.setdefault(lane, []).append(known)
        sizes.append(head.size)
    return HouseVerdict(state, heads, sizes)


def require_extends(house: HouseVerdict, known: SignedNote, keys: Sequence[PublicKey]) -> None:
    """Raise SealBroken unless the house still holds a checkpoint that somebody kept elsewhere."""
    if not known.signers(keys):
        raise NoteWrong("the checkpoint to compare with: a signature of the house expected")
    wanted = checkpoint.parse(known.text)
    size = house.state.head.size if house.state.head else 0
    if wanted.size > size:
        what = f"the log was rolled back: {wanted.size} heads were signed, {size} are left"
        raise SealBroken(f"checkpoint {wanted.size}: {what}")
    growing = GrowingRoot()
    for lane, head in sorted(
        ((lane, head) for lane, heads in house.heads.items() for head in heads),
        key=lambda each: each[1].leaf,
    ):
        if growing.size == wanted.size:
            break
        origin = checkpoint.lane_origin(wanted.origin, lane)
        text = checkpoint.TreeHead(origin, head.size, head.root).text
        growing.add(tree.leaf_hash(text.encode()))
    if growing.root != wanted.root:
        what = "the log was forked: its heads up to here have another root than the one given"
        raise SealBroken(f"checkpoint {wanted.size}: {what}")


def verify_lane(
    source: LogReader, lane: Lane, house: HouseVerdict, files: TreeFiles
) -> LaneVerdict:
    """Read a lane whole and compare it with every head that was signed of it."""
    heads = house.heads.get(lane, ())
    walk = _Walk(source, lane, heads, files)
    failure = walk.run()
    sealed = heads[-1].size if heads else 0
    made = LaneVerdict(lane, walk.offset, sealed, walk.first)
    if failure is None and walk.offset < sealed:
        failure = f"{sealed:,} sealed records expected, the log ends here"
    if failure is None and walk.differs is None:
        return made
    if failure is None:
        where = f"{files.folder}: hash {walk.differs:,} is not that of the sealed record"
        return made._replace(cache=where)
    return made._replace(wrong=_located(walk, failure, house, files))


def verify_span(
    source: LogReader,
    lane: Lane,
    span: tuple[int, int],
    house: HouseVerdict,
    files: TreeFiles,
) -> LaneVerdict:
    """Compare the records of a span with the first head that covers them; reads nothing else."""
    start, end = span
    heads = house.heads.get(lane, ())
    head = next((head for head in heads if head.size >= end), heads[-1] if heads else None)
    sealed = min(end, head.size) if head else start
    leaves, failure = _read(source, lane, start, end)
    made = LaneVerdict(lane, start + len(leaves), sealed)
    if head and sealed > start:
        stored = _stored(files, start, sealed)
        path = tree.span_path(files.subtree, start, sealed, head.size)
        genuine = tree.root_of_span(stored, start, head.size, path) == head.root
        if not genuine:
            where = f"{files.folder}: hashes that lead to the signed root expected"
            return made._replace(cache=where)
        for offset, leaf in enumerate(stored, start):
            if offset - start >= len(leaves) or leaves[offset - start] != leaf:
                what = failure if offset - start == len(leaves) and failure else NOT_SEALED
                number = house.checkpoints[head.record]
                return made._replace(wrong=WrongRecord(offset, what, number))
    if failure:
        return made._replace(wrong=WrongRecord(start + len(leaves), failure, None))
    return made


NOT_SEALED = "it is not the record that was sealed"


class _Walk:
    """One reading of a lane, with what was seen on the way."""

    def __init__(
        self, source: LogReader, lane: Lane, heads: Sequence[LaneHead], files: TreeFiles
    ) -> None:
        self._source, self.lane, self._files = source, lane, files
        self._heads = {head.size: head for head in heads}
        self._last = heads[-1].size if heads else 0
        self._growing = GrowingRoot()
        self.offset = 0
        self.first = source.start(*lane)
        self.differs: int | None = None  # the first record whose leaf is not the stored one

    def run(self) -> str | None:
        """Read the lane; why reading stopped early, None where everything fits."""
        try:
            for leaf in _stored_before(self._files, self.first):
                self._add(leaf)
            return self._walk()
        except (*FAILURES, tree.ProofWrong) as error:
            return str(error)

    def _walk(self) -> str | None:
        previous, stored = b"", _stored_from(self._files, self.first, self._last)
        for record in self._source.read(*self.lane, self.first):
            if record.offset != self.offset:
                return f"record {self.offset:,} expected, {record.offset:,} found"
            leaf = tree.leaf_hash(record.body)
            known = next(stored, None)
            if known is not None and known != leaf and self.differs is None:
                self.differs = self.offset
            if self.differs is None and not _follows(self.lane, record.body, previous):
                return "it does not carry the hash of the record before it"
            previous = hashlib.sha256(record.body).digest()
            self._add(leaf)
            head = self._heads.get(self.offset)
            if head and self._growing.root != head.root:
                return NOT_SEALED
        return None

    def _add(self, leaf: bytes) -> None:
        self._growing.add(leaf)
        self.offset += 1


def _located(walk: _Walk, failure: str, house: HouseVerdict, files: TreeFiles) -> WrongRecord:
    """The first wrong record, as exactly as the tree files allow."""
    heads = house.heads.get(walk.lane, ())
    if walk.differs is not None:
        head = _covering(heads, walk.differs)
        if head and _genuine(files, head):
            number = house.checkpoints[head.record]
            return WrongRecord(walk.differs, NOT_SEALED, number)
    head = _covering(heads, walk.offset - (failure == NOT_SEALED))
    if failure == NOT_SEALED and head:  # the tree files are lost: it is one since the head before
        before = max((each.size for each in heads if each.size < head.size), default=0)
        number = house.checkpoints[head.record]
        return WrongRecord(before, NOT_SEALED, number, upto=head.size - 1)
    return WrongRecord(walk.offset, failure, house.checkpoints[head.record] if head else None)


def _covering(heads: Sequence[LaneHead], offset: int) -> LaneHead | None:
    return next((head for head in heads if head.size > offset), None)


def _genuine(files: TreeFiles, head: LaneHead) -> bool:
    """Whether the stored leaves lead to a signed root."""
    growing = GrowingRoot()
    for leaf in _stored_from(files, 0, head.size):
        growing.add(leaf)
    return (growing.size, growing.root) == (head.size, head.root)


def _follows(lane: Lane, body: bytes, previous: bytes) -> bool:
    return lane[0] != EVENTS or not previous or previous in body


def _read(source: LogReader, lane: Lane, start: int, end: int) -> tuple[list[bytes], str | None]:
    """The leaves of a span as the log has them, and why there are fewer."""
    leaves: list[bytes] = []
    try:
        for record in source.read(*lane, start):
            if record.offset >= end:
                return leaves, None
            if record.offset != start + len(leaves):
                return leaves, f"another record expected, {record.offset:,} found"
            leaves.append(tree.leaf_hash(record.body))
    except FAILURES as error:
        return leaves, str(error)
    missing = start + len(leaves) < end
    return leaves, "the log ends here" if missing else None


def _stored(files: TreeFiles, start: int, end: int) -> list[bytes]:
    return list(_cut(files.leaves(start, end)))


def _stored_before(files: TreeFiles, end: int) -> Iterator[bytes]:
    """The leaves of records that were trimmed; ProofWrong where they are lost."""
    for start in range(0, end, CHUNK):
        yield from _cut(files.leaves(start, min(end, start + CHUNK)))


def _stored_from(files: TreeFiles, start: int, end: int) -> Iterator[bytes]:
    """The leaves that the files hold, as far as they go."""
    end = min(end, files.size)
    for at in range(start, end, CHUNK):
        yield from _cut(files.leaves(at, min(end, at + CHUNK)))


def _cut(hashes: bytes) -> Iterator[bytes]:
    return (hashes[at : at + HASH_SIZE] for at in range(0, len(hashes), HASH_SIZE))


def _require_signed(offset: int, signed: SignedNote, keys: Sequence[PublicKey]) -> None:
    try:
        known = signed.signers(keys)
    except NoteWrong as error:
        raise SealBroken(f"checkpoint record {offset}: {error}") from error
    if not known:
        raise SealBroken(f"checkpoint record {offset}: a signature of the house expected")
