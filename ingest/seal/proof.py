"""Proofs about a sealed house, as plain values and as text that others can verify.

An event's proof has two parts. The *lane proof* leads from the event, or from all events of a span,
to the head of its table's tree. The *head proof* leads from that head to a signed checkpoint; it is
a c2sp.org/tlog-proof whose record is the head's text. docs/formats.md has both byte by byte.
"""

from bisect import bisect_left
from typing import NamedTuple

from ingest.log import EVENTS, Lane
from ingest.seal import checkpoint, note, tree
from ingest.seal.checkpoint import TreeHead, encode_hash
from ingest.seal.house import LaneHead, SealBroken, SealedHouse
from ingest.seal.tree_files import TreeFiles

LANE_PROOF = "roundproof.lane-proof@v1"
HEAD_PROOF = "c2sp.org/tlog-proof@v1"


class NotSealed(LookupError):
    """Something was asked that no checkpoint covers yet."""


class HeadProof(NamedTuple):
    """That a lane's head is a leaf of the house tree that a checkpoint signs."""

    head: TreeHead
    leaf: int  # number of the head in the house tree
    path: tuple[bytes, ...]
    note: str  # the signed checkpoint, with cosignatures

    @property
    def text(self) -> str:
        """The proof as c2sp.org/tlog-proof; its record is `head.text`."""
        return f"{HEAD_PROOF}\nindex {self.leaf}\n{_lines(self.path)}\n{self.note}"


class LaneProof(NamedTuple):
    """That an event, or a whole span of events, belongs to a lane's head."""

    start: int
    end: int
    path: tuple[bytes, ...]
    head: TreeHead
    one: bool  # an inclusion path from leaf to root; otherwise the hashes around the span

    @property
    def text(self) -> str:
        """The proof as text."""
        what = f"index {self.start}" if self.one else f"span {self.start} {self.end}"
        return f"{LANE_PROOF}\n{what}\n{_lines(self.path)}\n{self.head.text}"


class Proofs:
    """Proofs for packs; all at one checkpoint, by default the newest.

    `at` is a checkpoint's number of heads, as its second line has it: the same number gives the
    same proofs for ever, while cosignatures may still be added to its note.
    """

    def __init__(self, house: SealedHouse, at: int | None = None) -> None:
        self._house, state = house, house.state()
        if state.head is None:
            raise NotSealed("nothing was sealed yet")
        self.note = state.note if at in (None, state.head.size) else _note_at(house, at or 0)
        self.head = checkpoint.parse(note.parse(self.note).text)

    def inclusion(self, table: str, seq: int, stream: str = EVENTS) -> LaneProof:
        """That one event belongs to its table's head."""
        lane = stream, table
        head, files = self._lane_head(lane, seq + 1), self._house.tree(lane)
        path = tuple(tree.inclusion_path(files.subtree, seq, head.size))
        found = tree.root_of_inclusion(files.leaf(seq), seq, head.size, path)
        self._require(files, found, head.root)
        return LaneProof(seq, seq + 1, path, self._tree_head(lane, head), one=True)

    def span(self, table: str, start: int, end: int, stream: str = EVENTS) -> LaneProof:
        """That these are all events of a table from `start` up to, not including, `end`."""
        lane = stream, table
        head, files = self._lane_head(lane, end), self._house.tree(lane)
        path = tuple(tree.span_path(files.subtree, start, end, head.size))
        size = tree.HASH_SIZE
        body = files.leaves(start, end)
        leaves = [body[at : at + size] for at in range(0, len(body), size)]
        self._require(files, tree.root_of_span(leaves, start, head.size, path), head.root)
        return LaneProof(start, end, path, self._tree_head(lane, head), one=False)

    def lane_head(self, table: str, stream: str = EVENTS) -> HeadProof:
        """That the table's head is signed by this checkpoint."""
        lane = stream, table
        known, files = self._lane_head(lane, 1), self._house.house_tree()
        head = self._tree_head(lane, known)
        path = tuple(tree.inclusion_path(files.subtree, known.leaf, self.head.size))
        leaf = tree.leaf_hash(head.text.encode())
        found = tree.root_of_inclusion(leaf, known.leaf, self.head.size, path)
        self._require(files, found, self.head.root)
        return HeadProof(head, known.leaf, path, self.note)

    def before(self) -> "Proofs | None":
        """Proofs at the checkpoint before this one; None where it is the first."""
        record = self._house.record_of(self.head.size)
        if not record:
            return None
        _, _, signed = next(self._house.records(record - 1))
        return Proofs(self._house, checkpoint.parse(signed.text).size)

    def consistency(self, old: int) -> str:
        """That this checkpoint extends the one with `old` heads, as a witness is asked for it."""
        return request(self._house, old, self.note)

    def _lane_head(self, lane: Lane, size: int) -> LaneHead:
        """The newest head of a lane within the checkpoint, which must have `size` leaves."""
        heads = self._house.heads(lane)
        count = bisect_left(heads, self.head.size, key=lambda head: head.leaf)
        if not count or heads[count - 1].size < size:
            has = f"{heads[count - 1].size:,}" if count else "none"
            what = f"{size:,} sealed records expected, {has} found"
            raise NotSealed(f"{'/'.join(lane)} at checkpoint {self.head.size}: {what}")
        return heads[count - 1]

    def _tree_head(self, lane: Lane, head: LaneHead) -> TreeHead:
        return TreeHead(checkpoint.lane_origin(self.head.origin, lane), head.size, head.root)

    def _require(self, files: TreeFiles, found: bytes, expected: bytes) -> None:
        """Never hand out a proof that would not verify."""
        if found != expected:
            raise SealBroken(f"{files.folder}: hashes that lead to the signed root expected")


def covering(house: SealedHouse, table: str, end: int, stream: str = EVENTS) -> int:
    """The first checkpoint, by its number of heads, that covers the events before `end`."""
    head = house.first_head((stream, table), end)
    if head is None:
        raise NotSealed(f"{stream}/{table}: no checkpoint covers record {end - 1:,} yet")
    _, said, signed = next(house.records(head.record))
    del said
    return checkpoint.parse(signed.text).size


def request(house: SealedHouse, old: int, signed: str) -> str:
    """The request of c2sp.org/tlog-witness: old size, consistency proof, checkpoint."""
    new = checkpoint.parse(note.parse(signed).text)
    path = tree.consistency_path(house.house_tree().subtree, old, new.size)
    return f"old {old}\n{_lines(path)}\n{signed}"


def _note_at(house: SealedHouse, size: int) -> str:
    """The newest note of the checkpoint with this number of heads."""
    record, found = house.record_of(size), ""
    for _, said, signed in house.records(record) if record is not None else ():
        if checkpoint.parse(signed.text).size != size:
            break
        found = said.note
    if not found:
        raise NotSealed(f"checkpoint {size}: none with that number of heads was signed")
    return found


def _lines(path: "tuple[bytes, ...] | list[bytes]") -> str:
    return "".join(f"{encode_hash(each)}\n" for each in path)
